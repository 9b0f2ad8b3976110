package report

// This file says what a profile leaves out. Every command says it whose figures rest on
// the profile.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/pathprof"
)

// Omissions tells which constructs are counted as serial code and what else was noted when
// the profile was made, which activations are missing in the counts, which executions are
// not kept, and what the program is linked with that was not profiled: its share of the
// program's code, and how often profiled code called it.
func Omissions(b *pathprof.Bundle) []string {
	return slices.Concat(constructNotes(b), NoWaitNotes(b.Program), lockNotes(b), gaps(b))
}

// NoWaitNotes tells where threads could go on to the next construct, and estimates have them
// wait for each other.
func NoWaitNotes(p *ir.Program) []string {
	const most = 4
	var places []string
	for r := range p.Regions {
		all := p.Regions[r].Constructs
		for c := range len(all) - 1 {
			if all[c].NoWait {
				places = append(places, fmt.Sprintf("nowait at %s:%d", p.Regions[r].File, all[c].Line))
			}
		}
	}
	if places == nil {
		return nil
	}
	return []string{listed(places, most) + ": estimated as if threads waited for each other behind the construct, which takes no less time"}
}

// lockNotes tells which estimates know that threads wait for locks.
func lockNotes(b *pathprof.Bundle) []string {
	const most = 4
	if len(b.Program.Locks) == 0 || len(b.Program.Regions) == 0 {
		return nil
	}
	var names []string
	for i := range b.Program.Locks {
		names = append(names, b.Program.Locks[i].Name)
	}
	if b.Executions == nil {
		return []string{listed(names, most) + ": time spent waiting for another thread is not estimated, as the bundle keeps no executions"}
	}
	return []string{listed(names, most) + ": time spent waiting for another thread is estimated execution by execution (EB), not by paths, averages or maxima"}
}

// gaps tells of what the counts miss.
func gaps(b *pathprof.Bundle) []string {
	notes := append(b.KeptNotes(), lostNotes(b)...)
	for i := range b.Provenance.Foreign {
		f := &b.Provenance.Foreign[i]
		note := fmt.Sprintf("not profiled: %s, %s of code", f.Name, Count(int(f.Bytes), "byte"))
		if f.Of > 0 {
			note += fmt.Sprintf(" (%s of the program's)", Percent(float64(f.Bytes)/float64(f.Of)))
		}
		if n := b.ForeignCalls(f); n > 0 {
			note += ", called " + Times(n) + " by what was"
		}
		if f.Why != "" {
			note += "; " + f.Why
		}
		notes = append(notes, note)
	}
	return notes
}

// constructNotes returns the bundle's own notes. Those that say the same of several
// constructs are one; inspect lists all places.
func constructNotes(b *pathprof.Bundle) []string {
	const most = 4
	var notes []string
	places := map[string][]string{} // by what is done there
	for _, n := range b.Notes {
		u, ok := ir.ParseUnmodelled(n)
		if !ok {
			notes = append(notes, n)
			continue
		}
		if places[u.Done] == nil {
			notes = append(notes, u.Done)
		}
		places[u.Done] = append(places[u.Done], u.Construct+" at "+u.Place)
	}
	for i, n := range notes {
		if all := places[n]; all != nil {
			notes[i] = listed(all, most) + ": " + n
		}
	}
	return notes
}

// listed names the first of many things that inspect lists in full.
func listed(all []string, most int) string {
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return listedUpTo(all, most) + ", which pathspan inspect lists"
}

// listedUpTo names the first of many things and says how many more there are.
func listedUpTo(all []string, most int) string {
	if len(all) <= most {
		return strings.Join(all, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), len(all)-most)
}

// lostNotes names the functions of which the counts miss activations, those with most first.
func lostNotes(b *pathprof.Bundle) []string {
	const most = 3
	lost := slices.Clone(b.Lost)
	slices.SortStableFunc(lost, func(x, y pathprof.Lost) int { return cmp.Compare(y.Activations, x.Activations) })
	var notes []string
	for i, l := range lost {
		if i == most {
			var n uint64
			for _, more := range lost[i:] {
				n += more.Activations
			}
			notes = append(notes, fmt.Sprintf("so are %s of %s more", countBig(n, "activation"), Count(len(lost)-i, "function")))
			break
		}
		f := b.Program.Funcs[l.Func]
		notes = append(notes, fmt.Sprintf("%s of %s (%s) are missing in the counts: the program ended in a signal or while other threads ran, or control left them where no record could be kept",
			countBig(l.Activations, "activation"), Demangled(f.Name), b.Program.LocString(f.Loc)))
	}
	return notes
}

// printNotes ends a text with what should be known beside it.
func printNotes(w io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(w, "note: %s\n", Demangled(n))
	}
}
