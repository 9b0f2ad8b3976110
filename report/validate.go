package report

// This file shows a validation: its tables, what PB loses where, what was not done, and how
// it differs from an older one.

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"pathspan/measure"
	"pathspan/validate/ledger"
)

// Accuracy is a validation to show.
type Accuracy struct {
	Ledger   *ledger.Ledger
	Summary  bool     // the means alone
	Failures []string // programs that failed, one line each
	Notes    []string
}

// AccuracyText writes the tables, in the shape of Tables 6 to 10 of the paper.
func AccuracyText(out io.Writer, a *Accuracy) error {
	w := bufio.NewWriter(out)
	l := a.Ledger
	series := l.Series()
	for i, s := range series {
		printMeans(w, l, s, i == 0)
	}
	if len(series) > 0 {
		fmt.Fprintln(w, "The error is that of the speed-up: estimated / reference - 1; its absolute value is averaged. Positive")
		fmt.Fprintln(w, "errors promise too much. PB not mapped takes a processor for each section, whatever there is.")
		fmt.Fprintln(w)
	}
	if !a.Summary {
		for _, s := range series {
			printBenchmarks(w, l, s)
		}
		for _, s := range series {
			printTrend(w, l, s)
		}
	}
	for _, s := range series {
		printShares(w, l, s, a.Summary)
	}
	printShareMeanings(w, l)
	printWinners(w, l)
	printCauses(w, l, a.Summary)
	printNotes(w, a.Notes)
	for _, f := range a.Failures {
		fmt.Fprintf(w, "failed: %s\n", f)
	}
	return w.Flush()
}

// seriesTitle says what the rows of a series have in common.
func seriesTitle(l *ledger.Ledger, s ledger.Series) string {
	n := l.Mean(func(r *ledger.Row) bool { return s.In(l, r) }).Programs
	what := Count(n, "program")
	switch s.Group {
	case "paper":
		what = Count(n, "benchmark") + " after the paper's"
	case "own":
		what = Count(n, "program") + " made to be hard"
	}
	switch s.Half {
	case "making":
		what = Count(n, "program") + " that models may be made with"
	case "judging":
		what = Count(n, "program") + " that only judge"
	}
	parts := []string{what, s.Size + " inputs", "model " + s.Model}
	if s.Group == "given" { // with the arguments that were given
		parts = []string{what, "model " + s.Model}
	}
	if s.Host != "" {
		parts = append(parts, "on "+s.Host)
	}
	if s.Mapped {
		parts = append(parts, "under mapping files")
	}
	return strings.Join(parts, ", ")
}

func referenceTitle(reference string) string {
	switch reference {
	case ledger.Replay:
		return "exact replay"
	case ledger.Measured:
		return "measured runs"
	}
	return reference
}

// rowName names a row in tables: by its program, or by its mapping file, of which a program may have several.
func rowName(r *ledger.Row) string {
	if r.Mapping == "" {
		return r.Program
	}
	return strings.TrimSuffix(path.Base(r.Mapping), path.Ext(r.Mapping))
}

// axes lists the numbers of processors and the levels of a series, and the names of its rows.
func axes(l *ledger.Ledger, s ledger.Series) (processors []int, levels, programs []string) {
	for i := range l.Rows {
		r := &l.Rows[i]
		if !s.In(l, r) {
			continue
		}
		if !slices.Contains(processors, r.Processors) {
			processors = append(processors, r.Processors)
		}
		if !slices.Contains(levels, r.Level) {
			levels = append(levels, r.Level)
		}
		if name := rowName(r); !slices.Contains(programs, name) {
			programs = append(programs, name)
		}
	}
	slices.Sort(processors)
	slices.Sort(levels)
	slices.Sort(programs)
	return processors, levels, programs
}

// printMeans writes the paper's Table 6 for a series, abbreviations expanded if it is the
// first.
func printMeans(w io.Writer, l *ledger.Ledger, s ledger.Series, first bool) {
	processors, levels, _ := axes(l, s)
	fmt.Fprintf(w, "Mean absolute error of the speed-up against %s, %% (standard deviation)\n", referenceTitle(s.Reference))
	fmt.Fprintf(w, "%s\n\n", seriesTitle(l, s))
	const cell = 14
	head, sub := fmt.Sprintf("%-15s", ""), fmt.Sprintf("%-15s", "Technique")
	for _, n := range processors {
		head += fmt.Sprintf("%*s", cell*len(levels), Count(n, "processor"))
		for _, o := range levels {
			sub += fmt.Sprintf("%*s", cell, "-O"+o)
		}
	}
	fmt.Fprintf(w, "%s\n%s\n", head, sub)
	for _, t := range l.Techniques() {
		fmt.Fprintf(w, "%-15s", TechniqueOf(t).Name)
		for _, n := range processors {
			for _, o := range levels {
				m := l.Mean(func(r *ledger.Row) bool {
					return s.In(l, r) && r.Technique == t && r.Processors == n && r.Level == o
				})
				text := "-"
				if m.Rows > 0 {
					text = meanText(m)
				}
				fmt.Fprintf(w, "%*s", cell, text)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
	var speedups, times []string
	var model ledger.Mean // of techniques that take the sequential time as it is
	for _, t := range l.Techniques() {
		m := l.Mean(func(r *ledger.Row) bool { return s.In(l, r) && r.Technique == t })
		x := TechniqueOf(t)
		if m.Rows > 0 {
			if !x.Largest {
				model = m
			}
			title := x.Title
			if first && !strings.HasPrefix(x.Name, strings.Fields(x.Title)[0]) { // which says it already
				title += " (" + x.Name + ")"
			}
			speedups = append(speedups, fmt.Sprintf("%s %.2f", title, 100*m.Absolute))
			times = append(times, fmt.Sprintf("%s %.2f", x.Title, 100*m.Parallel))
		}
	}
	fmt.Fprintf(w, "All together, %% of the speed-up: %s;\n%% of the parallel time: %s.\n", strings.Join(speedups, ", "), strings.Join(times, ", "))
	if s.Reference != ledger.Replay && model.Sequential > 0 {
		fmt.Fprintf(w, "The model's own error, of the sequential time: %.2f %%.\n", 100*model.Sequential)
	}
	if s.Reference == ledger.Measured {
		printSteady(w, l, s)
	}
	fmt.Fprintln(w)
}

// printSteady says which measured runs repeat themselves, and what the error is over those: others tell what a machine
// was busy with.
func printSteady(w io.Writer, l *ledger.Ledger, s ledger.Series) {
	steady := func(r *ledger.Row) bool { return s.In(l, r) && r.ReferenceSpread <= measure.Steady }
	var names, means []string
	all := map[string]bool{}
	for i := range l.Rows {
		r := &l.Rows[i]
		name := fmt.Sprintf("%s -O%s on %d", r.Program, r.Level, r.Processors)
		if s.In(l, r) {
			all[name] = true
		}
		if steady(r) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	fmt.Fprintf(w, "Of %s %d repeated themselves within %s, sequential and parallel (half of the runs lie as near)", Count(len(all), "measurement"), len(names), Percent(measure.Steady))
	if len(names) == 0 {
		fmt.Fprintln(w, ": none is to judge by.")
		return
	}
	for _, t := range l.Techniques() {
		if m := l.Mean(func(r *ledger.Row) bool { return steady(r) && r.Technique == t }); m.Rows > 0 {
			means = append(means, fmt.Sprintf("%s %.2f", TechniqueOf(t).Title, 100*m.Absolute))
		}
	}
	fmt.Fprintf(w, ":\n%s.\nOver these, %% of the speed-up: %s.\n", strings.Join(names, ", "), strings.Join(means, ", "))
}

// meanText prints a mean and its deviation in per cent, with the paper's two digits
// while there is room for them.
func meanText(m ledger.Mean) string {
	digits := 2
	if m.Absolute >= 1 || m.Deviation >= 1 {
		digits = 1
	}
	return fmt.Sprintf("%.*f (%.*f)", digits, 100*m.Absolute, digits, 100*m.Deviation)
}

// AgainstText writes what changed since an older ledger, of the given name.
func AgainstText(out io.Writer, name string, c *ledger.Comparison) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "Compared with %s: %s in both", name, Count(c.Both, "row"))
	if len(c.New) > 0 {
		fmt.Fprintf(w, ", %d new", len(c.New))
	}
	if len(c.Old) > 0 {
		fmt.Fprintf(w, ", %d only there", len(c.Old))
	}
	fmt.Fprintln(w)
	if c.Before != c.After {
		fmt.Fprintf(w, "Compiled by %s, then by %s: the compiler may be what changes the figures.\n", c.Before, c.After)
	}
	if len(c.Changes) > 0 {
		fmt.Fprintf(w, "\n%-10s %-10s %-6s %-14s %14s %14s %10s %8s\n", "Reference", "Model", "Group", "Technique", "mean before, %", "mean after, %", "change", "rows")
		for _, d := range c.Changes {
			fmt.Fprintf(w, "%-10.10s %-10.10s %-6.6s %-14s %14.3f %14.3f %+10.3f %8s\n", d.Series.Reference, d.Series.Model, d.Series.Group, TechniqueOf(d.Technique).Name,
				100*d.Before.Absolute, 100*d.After.Absolute, 100*(d.After.Absolute-d.Before.Absolute), fmt.Sprintf("%d/%d", d.Changed, d.After.Rows))
		}
		fmt.Fprintln(w, "\nrows: how many of them changed.")
	}
	const most = 10
	for i, x := range c.Worse {
		if i == most {
			fmt.Fprintf(w, "and %s more\n", Count(len(c.Worse)-i, "row"))
			break
		}
		fmt.Fprintf(w, "worse: %s: %+.2f %%, was %+.2f %%\n", x.Key, 100*x.After, 100*x.Before)
	}
	return w.Flush()
}
