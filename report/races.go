package report

// This file shows people what of a program races.

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"

	"pathspan/memory/depend"
	"pathspan/profile"
	"pathspan/visible"
)

// Races lists dependences between what OpenMP lets run at the same time, and is its JSON object.
type Races struct {
	Schema string        `json:"schema" is:"pathspan.races/1"`
	Bundle string        `json:"bundle"`
	Races  []depend.Race `json:"races"`
	Notes  []string      `json:"notes"`
}

// RacesOf finds what races in a bundle. It returns comm.ErrNone for one without memory.
func RacesOf(b *profile.Bundle) (*Races, error) {
	d, err := depend.Of(b)
	if err != nil {
		return nil, err
	}
	r := &Races{Races: d.Races()}
	for i := range r.Races {
		x := &r.Races[i]
		for _, name := range []*string{&x.Construct, &x.Object, &x.From.Function, &x.From.File, &x.From.Lane, &x.To.Function, &x.To.File, &x.To.Lane} {
			*name = visible.Line(*name)
		}
	}
	return r, nil
}

// RaceNotes tells what of races is not seen.
func RaceNotes(b *profile.Bundle) []string {
	notes := CommNotes(b)
	if level := b.Provenance.OptLevel; level != "-O0" && level != "" {
		notes = append(notes, fmt.Sprintf("the program was optimised (%s): what stays in registers from iteration to iteration, or was computed at once, races unseen; profile --memory -O 0 sees it", level))
	}
	return notes
}

// raceNotes says in one line that a program races, where its memory was recorded.
func raceNotes(b *profile.Bundle) []string {
	if b.Memory == nil || len(b.Program.Regions) == 0 && len(b.Program.Tasks) == 0 && !depend.SaysThreads(b) {
		return nil
	}
	found, err := RacesOf(b)
	if err != nil || len(found.Races) == 0 {
		return nil
	}
	r := &found.Races[0]
	note := fmt.Sprintf("data race: %s of %s are taken to be parallel, but %s", r.Kind, r.Construct, raceText(r))
	if n := len(found.Races) - 1; n > 0 {
		note += fmt.Sprintf("; and %d more", n)
	}
	return []string{note + ", which pathspan races lists"}
}

// raceText says what two places do.
func raceText(r *depend.Race) string {
	from, to := lineOf(&r.From), lineOf(&r.To)
	one := map[string]string{"flow": "%s reads %s that %s writes", "anti": "%s writes %s that %s reads", "output": "%s writes %s that %s writes"}[r.Depends]
	if from == to {
		from = "another of them"
	}
	return fmt.Sprintf(one, to, r.Object, from)
}

func lineOf(a *depend.Access) string {
	if a.Line == 0 {
		return "code without lines"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(a.File), a.Line)
}

// Text writes a line for each pair of places, at most so many, all when limit is 0.
func (r *Races) Text(out io.Writer, limit int) error {
	w := bufio.NewWriter(out)
	if len(r.Races) == 0 {
		fmt.Fprintf(w, "%s: no race was found in what the recorded run did\n", r.Bundle)
	} else {
		fmt.Fprintf(w, "%s: %s may run at the same time and touch the same memory\n", r.Bundle, Count(len(r.Races), "pair")+" of places")
	}
	last := ""
	for i := range r.Races {
		x := &r.Races[i]
		if limit > 0 && i == limit {
			fmt.Fprintf(w, "\nand %d more; --items 0 shows all\n", len(r.Races)-i)
			break
		}
		if x.Construct != last {
			fmt.Fprintf(w, "\n%s of %s\n", x.Kind, x.Construct)
			last = x.Construct
		}
		fmt.Fprintf(w, "  %s: %s", x.Depends, Demangled(raceText(x)))
		switch {
		case x.Times > 0:
			fmt.Fprintf(w, ", %s (%s)", Times(x.Times), countBig(x.Bytes, "byte"))
		case x.Kind == "threads":
			fmt.Fprintf(w, ", %s", countBig(x.Bytes, "byte"))
		default:
			fmt.Fprint(w, ", from iteration to iteration")
		}
		if x.Among > 1 {
			fmt.Fprintf(w, "; one of %d places that read it", x.Among)
		}
		fmt.Fprintln(w)
	}
	printNotes(w, r.Notes)
	return w.Flush()
}
