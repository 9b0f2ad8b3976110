package report

// This file shows where a program would gain from running in parallel.

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"pathspan/ir"
	"pathspan/suggest"
)

// Suggestions says where a program would gain from running in parallel, and is its JSON
// object. Times are those of one execution of the function.
type Suggestions struct {
	Schema     string   `json:"schema" is:"pathspan.suggest/1"`
	Bundle     string   `json:"bundle"`
	Function   string   `json:"function"`
	Models     []string `json:"models"`
	Platform   string   `json:"platform"`
	Processors []string `json:"processors"`
	Mapping    string   `json:"mapping"` // of the regions that the program has
	suggest.Answer
	Dependences string   `json:"dependences"` // what is known of them: unchecked, or recorded but for calls
	PlanFile    string   `json:"plan_file"`   // that was written, else ""
	Notes       []string `json:"notes"`
}

// What suggestions know of dependences: nothing, or what a run did.
const (
	Unchecked = "unchecked"
	Recorded  = "recorded"
)

// shownFull is for how many suggestions text says what to write.
const shownFull = 3

// Text writes the table, what to write for the first suggestions, and what would not pay, at
// most so many of either, all when limit is 0.
func (s *Suggestions) Text(out io.Writer, limit int) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s, function %s, model %s, %s: %s on one", s.Bundle, Demangled(s.Function), strings.Join(s.Models, ", "), Count(len(s.Processors), "processor"), Seconds(s.SequentialSeconds))
	if s.PresentSeconds != s.SequentialSeconds {
		fmt.Fprintf(w, ", %s with the regions that it has", Seconds(s.PresentSeconds))
	}
	fmt.Fprint(w, "\n\n")
	if len(s.Suggestions) == 0 {
		fmt.Fprintln(w, "Nothing was found that would save a thousandth of the time.")
	} else {
		s.table(w)
	}
	for i := range s.Suggestions {
		if i < shownFull {
			printSuggestion(w, i, &s.Suggestions[i])
			continue
		}
		for _, text := range s.Suggestions[i].Dependences.ToDo() {
			fmt.Fprintf(w, "%d: %s\n", i+1, Demangled(text))
		}
	}
	s.rejected(w, limit)
	if s.PlanFile != "" {
		fmt.Fprintf(w, "\nwrote %s; next: pathspan profile --plan %s ...\n", s.PlanFile, s.PlanFile)
	}
	if s.Dependences == Unchecked {
		fmt.Fprintln(w, "\nDependences are unchecked: whether iterations, sections or calls use each other's data")
		fmt.Fprintln(w, "is yours to know. Times are averages of the profile; share and savings are of all of it.")
	} else {
		fmt.Fprintln(w, "\nDependences of iterations, and what sections read of each other, are those of the recorded run;")
		fmt.Fprintln(w, "those of calls are unchecked. Times are averages of the profile; share and savings are of all of it.")
	}
	if slices.ContainsFunc(s.Suggestions, func(x suggest.Suggestion) bool { return x.Kind == suggest.Loop }) {
		if s.Dependences == Unchecked {
			fmt.Fprintln(w, "What a loop assigns and is declared outside of it must be private; profile --plan makes counters of loops inside so where it can.")
		} else {
			fmt.Fprintln(w, "Clauses name what a loop assigns and is declared outside of it, but for variables whose address is taken: of these only what stays in memory.")
		}
	}
	printNotes(w, s.Notes)
	return w.Flush()
}

func (s *Suggestions) table(w io.Writer) {
	places := make([]string, len(s.Suggestions))
	width := 0
	for i := range s.Suggestions {
		places[i] = placeText(&s.Suggestions[i].Place)
		width = max(width, len(places[i]))
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "\t  %-*s\tkind\tof the time\ttrips\tsaves alone\ttogether\tat least\t\n", width, "where")
	for i := range s.Suggestions {
		x := &s.Suggestions[i]
		trips, saves := "", Seconds(x.SavesSeconds)
		if x.Kind == suggest.Loop {
			trips = tripsText(x.Trips)
		}
		if x.Bound {
			saves = "<= " + saves
		}
		fmt.Fprintf(tw, "%d\t  %-*s\t%s\t%s\t%s\t%s\t%.2f\t%.2f\t\n", i+1, width, places[i], x.Kind, Percent(x.Share), trips, saves, x.Together, x.TogetherAtLeast)
	}
	tw.Flush()
	if s.More > 0 {
		fmt.Fprintf(w, "and %s; --items 0 shows all\n", Count(s.More, "further suggestion"))
	}
}

// placeText is "blur.c:57 blur" for a loop or sections in a function.
func placeText(p *suggest.Place) string {
	at := "code without lines"
	switch {
	case p.File == "":
	case ir.Foreign(p.File):
		at = "code of " + ir.HeaderName(p.File)
	default:
		at = suggest.Place{File: filepath.Base(p.File), Line: p.Line, Column: p.Column}.String()
	}
	name, _, _ := strings.Cut(Demangled(p.Function), "<") // arguments of templates are long
	return strings.TrimSpace(at + " " + name)
}

func tripsText(n float64) string {
	if n >= 1000 {
		return whole(n)
	}
	return fmt.Sprintf("%.4g", n)
}

func printSuggestion(w io.Writer, i int, x *suggest.Suggestion) {
	p := &x.Place
	lines := fmt.Sprintf("lines %d to %d", p.Line, p.End)
	if p.End <= p.Line {
		lines = fmt.Sprintf("line %d", p.Line)
	}
	if p.Column > 0 {
		lines += fmt.Sprintf(", column %d,", p.Column)
	}
	fmt.Fprintf(w, "\n%d: %s of %s", i+1, lines, filepath.Clean(p.File))
	if p.Function != "" {
		fmt.Fprintf(w, ", in %s", Demangled(p.Function))
	}
	fmt.Fprintf(w, ": %.2f times as fast alone", x.Speedup)
	if x.Kind == suggest.Loop && x.AtLeastSeconds < x.SavesSeconds*0.99 {
		least := "nothing"
		if x.AtLeastSeconds > 0 {
			least = Seconds(x.AtLeastSeconds)
		}
		fmt.Fprintf(w, ", with iterations in the worst order it saves %s", least)
	}
	fmt.Fprintln(w)
	for _, o := range x.Obstacles {
		fmt.Fprintf(w, "   %s\n", Demangled(o))
	}
	for k, alt := range x.Instead {
		lead := "   if it cannot run in parallel:"
		if k > 0 {
			lead = strings.Repeat(" ", len(lead)-4) + "and "
		}
		fmt.Fprintf(w, "%s %s (%s), which saves %s alone\n", lead, placeText(&alt.Place), alt.Kind, Seconds(alt.SavesSeconds))
	}
	switch x.Kind {
	case suggest.Tasks:
		fmt.Fprintf(w, "   write %s before the calls at %s, and #pragma omp taskwait behind them;\n", x.Pragma, callLines(x.Parts))
		fmt.Fprintf(w, "   #pragma omp parallel and #pragma omp single go around the call from outside;\n   %s\n", suggest.OwnStatements)
	case suggest.Sections:
		fmt.Fprintf(w, "   write %s around them, and #pragma omp section before each\n", x.Pragma)
	default:
		fmt.Fprintf(w, "   write %s\n", x.Pragma)
	}
	if x.Plan != "" {
		fmt.Fprintln(w, "   or plan")
		for line := range strings.Lines(x.Plan) {
			fmt.Fprint(w, "     ", line)
		}
	}
}

func callLines(parts []suggest.Part) string {
	var lines []string
	for _, p := range parts {
		lines = append(lines, fmt.Sprint(p.Place.Line))
	}
	if len(lines) == 1 {
		return "line " + lines[0]
	}
	return "lines " + strings.Join(lines[:len(lines)-1], ", ") + " and " + lines[len(lines)-1]
}

// rejected lists what would not pay, by what is in the way.
func (s *Suggestions) rejected(w io.Writer, limit int) {
	if len(s.Rejected) == 0 && s.Small == 0 {
		return
	}
	fmt.Fprint(w, "\nnot worth it, with their share of the time:\n")
	var reasons []string
	places := map[string][]string{}
	for i := range s.Rejected {
		x := &s.Rejected[i]
		if places[x.Why] == nil {
			reasons = append(reasons, x.Why)
		}
		at := placeText(&x.Place)
		if x.Kind != suggest.Loop {
			at += fmt.Sprintf(" (%s)", x.Kind)
		}
		places[x.Why] = append(places[x.Why], fmt.Sprintf("%s %s", at, Percent(x.Share)))
	}
	for i, why := range reasons {
		if limit > 0 && i == limit {
			fmt.Fprintf(w, "  and %s; --items 0 shows all\n", Count(len(reasons)-i, "more reason"))
			break
		}
		all := strings.Join(places[why], ", ")
		if limit > 0 {
			all = listedUpTo(places[why], 3)
		}
		fmt.Fprintf(w, "  %s: %s\n", Demangled(why), all)
	}
	if s.Small > 0 {
		fmt.Fprintf(w, "  less than a thousandth of the time: %s\n", Count(s.Small, "place"))
	}
}
