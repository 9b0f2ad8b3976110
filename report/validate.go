package report

// This file shows a validation: its tables, what PB loses where, and what was not done.

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pathspan/validate/ledger"
)

// Accuracy is a validation to show.
type Accuracy struct {
	Ledger   *ledger.Ledger
	Summary  bool     // the means alone
	Failures []string // programs that failed, one line each
	Notes    []string
}

// techniqueNames are those of the paper's tables.
var techniqueNames = map[string]string{"mt": "Maximal Time", "at": "Average Time", "pb-unmapped": "PB, not mapped", "pb": "Path Based", "eb": "Execution Based"}

// AccuracyText writes the tables, in the shape of Tables 6 to 10 of the paper.
func AccuracyText(out io.Writer, a *Accuracy) error {
	w := bufio.NewWriter(out)
	l := a.Ledger
	series := l.Series()
	for _, s := range series {
		printMeans(w, l, s)
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
	printCauses(w, l, a.Summary)
	for _, n := range a.Notes {
		fmt.Fprintf(w, "note: %s\n", demangled(n))
	}
	for _, f := range a.Failures {
		fmt.Fprintf(w, "failed: %s\n", f)
	}
	return w.Flush()
}

// seriesTitle says what the rows of a series have in common.
func seriesTitle(l *ledger.Ledger, s ledger.Series) string {
	n := l.Mean(func(r *ledger.Row) bool { return s.In(l, r) }).Programs
	what := count(n, "program")
	switch s.Group {
	case "paper":
		what = count(n, "benchmark") + " after the paper's"
	case "own":
		what = count(n, "program") + " made to be hard"
	}
	parts := []string{what, s.Size + " inputs", "model " + s.Model}
	if s.Host != "" {
		parts = append(parts, "on "+s.Host)
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

// axes lists the numbers of processors and the levels of a series.
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
		if !slices.Contains(programs, r.Program) {
			programs = append(programs, r.Program)
		}
	}
	slices.Sort(processors)
	slices.Sort(levels)
	slices.Sort(programs)
	return processors, levels, programs
}

// printMeans writes the paper's Table 6 for a series.
func printMeans(w io.Writer, l *ledger.Ledger, s ledger.Series) {
	processors, levels, _ := axes(l, s)
	fmt.Fprintf(w, "Mean absolute error of the speed-up against %s, %% (standard deviation)\n", referenceTitle(s.Reference))
	fmt.Fprintf(w, "%s\n\n", seriesTitle(l, s))
	const cell = 14
	head, sub := fmt.Sprintf("%-15s", ""), fmt.Sprintf("%-15s", "Technique")
	for _, n := range processors {
		head += fmt.Sprintf("%*s", cell*len(levels), count(n, "processor"))
		for _, o := range levels {
			sub += fmt.Sprintf("%*s", cell, "-O"+o)
		}
	}
	fmt.Fprintf(w, "%s\n%s\n", head, sub)
	for _, t := range l.Techniques() {
		fmt.Fprintf(w, "%-15s", techniqueNames[t])
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
	var pb ledger.Mean
	for _, t := range l.Techniques() {
		m := l.Mean(func(r *ledger.Row) bool { return s.In(l, r) && r.Technique == t })
		if t == "pb" {
			pb = m
		}
		if m.Rows > 0 {
			speedups = append(speedups, fmt.Sprintf("%s %.2f", titles[t], 100*m.Absolute))
			times = append(times, fmt.Sprintf("%s %.2f", titles[t], 100*m.Parallel))
		}
	}
	fmt.Fprintf(w, "All together, %% of the speed-up: %s;\n%% of the parallel time: %s.\n", strings.Join(speedups, ", "), strings.Join(times, ", "))
	if s.Reference != ledger.Replay && pb.Sequential > 0 {
		fmt.Fprintf(w, "The model's own error, of the sequential time: %.2f %%.\n", 100*pb.Sequential)
	}
	fmt.Fprintln(w)
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

// printBenchmarks writes the paper's Tables 7, 8 and 9 for a series.
func printBenchmarks(w io.Writer, l *ledger.Ledger, s ledger.Series) {
	processors, levels, programs := axes(l, s)
	model := s.Reference != ledger.Replay
	for _, n := range processors {
		fmt.Fprintf(w, "Speed-up on %s against %s\n%s\n\n", count(n, "processor"), referenceTitle(s.Reference), seriesTitle(l, s))
		head, sub := fmt.Sprintf("%-20s %2s %7s", "", "", ""), fmt.Sprintf("%-20s %2s %7s", "Benchmark", "OL", "Real")
		for _, t := range l.Techniques() {
			head += fmt.Sprintf(" %15s", techniqueNames[t])
			sub += fmt.Sprintf(" %7s %7s", "SU", "Err.")
		}
		if model {
			head += fmt.Sprintf(" %7s", "Model")
			sub += fmt.Sprintf(" %7s", "Err.")
		}
		fmt.Fprintf(w, "%s\n%s\n", head, sub)
		for _, p := range programs {
			for k, o := range levels {
				rows := rowsAt(l, s, p, o, n)
				if len(rows) == 0 {
					continue
				}
				name := p
				if k > 0 {
					name = ""
				}
				fmt.Fprintf(w, "%-20s %2s %7.3f", name, o, rows[0].ReferenceSpeedup)
				sequential := 0.0
				for _, t := range l.Techniques() {
					r := technique(rows, t)
					if r == nil {
						fmt.Fprintf(w, " %7s %7s", "-", "-")
						continue
					}
					if t != "mt" {
						sequential = r.SequentialError
					}
					fmt.Fprintf(w, " %7.3f %7s", r.Speedup, errorText(r.Error))
				}
				if model {
					fmt.Fprintf(w, " %7s", errorText(sequential))
				}
				fmt.Fprintln(w)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "OL is the level of optimisation, Real the reference's speed-up, SU the estimated one, Err. its error in %.\n")
	if model {
		fmt.Fprint(w, "Model is the error of the estimated sequential time in %, which speed-ups do not show.\n")
	}
	fmt.Fprintln(w)
}

// trendPrograms are those of the paper's Table 10: data parallel, correlated, in mutual
// exclusion.
var trendPrograms = []string{"grad", "jpeg", "dijkstra"}

// printTrend writes the paper's Table 10: errors over the number of processors.
func printTrend(w io.Writer, l *ledger.Ledger, s ledger.Series) {
	processors, levels, programs := axes(l, s)
	if len(processors) < 2 || !slices.ContainsFunc(trendPrograms, func(p string) bool { return slices.Contains(programs, p) }) {
		return
	}
	fmt.Fprintf(w, "Error over the number of processors, against %s\n\n", referenceTitle(s.Reference))
	head, sub := fmt.Sprintf("%-12s %2s %-15s", "", "", ""), fmt.Sprintf("%-12s %2s %-15s", "Benchmark", "OL", "Technique")
	for _, n := range processors {
		head += fmt.Sprintf(" %17s", count(n, "processor"))
		sub += fmt.Sprintf(" %9s %7s", "SU", "Err.")
	}
	fmt.Fprintf(w, "%s\n%s\n", head, sub)
	for _, p := range trendPrograms {
		for _, o := range levels {
			if !slices.ContainsFunc(processors, func(n int) bool { return len(rowsAt(l, s, p, o, n)) > 0 }) {
				continue
			}
			for k, t := range append([]string{""}, l.Techniques()...) {
				if t == "pb-unmapped" {
					continue
				}
				name, level, label := "", "", techniqueNames[t]
				if k == 0 {
					name, level, label = p, o, "Real"
				}
				fmt.Fprintf(w, "%-12s %2s %-15s", name, level, label)
				for _, n := range processors {
					rows := rowsAt(l, s, p, o, n)
					r := technique(rows, t)
					switch {
					case k == 0 && len(rows) > 0:
						fmt.Fprintf(w, " %9.3f %7s", rows[0].ReferenceSpeedup, "-")
					case r != nil:
						fmt.Fprintf(w, " %9.3f %7s", r.Speedup, errorText(r.Error))
					default:
						fmt.Fprintf(w, " %9s %7s", "-", "-")
					}
				}
				fmt.Fprintln(w)
			}
		}
	}
	fmt.Fprintln(w)
}

func rowsAt(l *ledger.Ledger, s ledger.Series, program, level string, processors int) []*ledger.Row {
	var rows []*ledger.Row
	for i := range l.Rows {
		if r := &l.Rows[i]; r.Program == program && r.Level == level && r.Processors == processors && s.In(l, r) {
			rows = append(rows, r)
		}
	}
	return rows
}

func technique(rows []*ledger.Row, t string) *ledger.Row {
	for _, r := range rows {
		if r.Technique == t {
			return r
		}
	}
	return nil
}

// errorText prints an error in per cent as the paper does, without a sign when it
// rounds to nothing.
func errorText(x float64) string {
	if s := fmt.Sprintf("%.1f", 100*x); s != "-0.0" {
		return s
	}
	return "0.0"
}

// worthACause is the error of the speed-up from which a region's causes are shown for
// programs that are not known to lose anything.
const worthACause = 0.01

// printCauses says where PB and replay part, the region that does most first.
func printCauses(w io.Writer, l *ledger.Ledger, summary bool) {
	var shown []*ledger.Region
	for i := range l.Regions {
		if g := &l.Regions[i]; showsCause(l, g, summary) {
			shown = append(shown, g)
		}
	}
	if len(shown) == 0 {
		return
	}
	slices.SortStableFunc(shown, func(a, b *ledger.Region) int {
		return cmp.Or(cmp.Compare(a.Program, b.Program), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Model, b.Model),
			cmp.Compare(math.Abs(b.Difference), math.Abs(a.Difference)), cmp.Compare(a.Region, b.Region))
	})
	fmt.Fprint(w, "Where PB and exact replay part\n\n")
	last := ""
	for _, g := range shown {
		if title := fmt.Sprintf("%s -O%s, model %s, %s", g.Program, g.Level, g.Model, count(g.Processors, "processor")); title != last {
			fmt.Fprintf(w, "%s: PB %+.1f %%\n", title, 100*regionError(l, g))
			last = title
		}
		where := percent(g.SectionShare) + " of all cycles are in its sections"
		if g.SectionShare > 1 {
			where = "its sections lie within each other"
		}
		fmt.Fprintf(w, "  %s alone in parallel: %+.1f %% of the parallel time; %s\n", g.Region, 100*g.Difference, where)
		fmt.Fprintf(w, "    %s\n", causesText(g))
	}
	fmt.Fprintln(w)
}

// showsCause chooses regions that matter: of programs that are known to lose
// correlation, or where PB is off.
func showsCause(l *ledger.Ledger, g *ledger.Region, summary bool) bool {
	p := l.Program(g.Program)
	off := math.Abs(regionError(l, g)) > worthACause
	if summary {
		return off && math.Abs(g.Difference) > worthACause
	}
	return off && math.Abs(g.Difference) >= 0.001 || p != nil && len(p.Lost) > 0
}

// regionError is PB's error against replay of the region's program.
func regionError(l *ledger.Ledger, g *ledger.Region) float64 {
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Program == g.Program && r.Size == g.Size && r.Level == g.Level && r.Processors == g.Processors && r.Model == g.Model && r.Reference == ledger.Replay && r.Technique == "pb" {
			return r.Error
		}
	}
	return 0
}

// causesText names the largest causes.
func causesText(g *ledger.Region) string {
	const most = 3
	var parts []string
	named, all := 0.0, 0.0
	for i, c := range g.Causes {
		all += c.Share
		if i >= most || c.Share < 0.005 {
			continue
		}
		named += c.Share
		parts = append(parts, fmt.Sprintf("%s in %s", percent(c.Share), causeName(c)))
	}
	if rest := all - named; rest >= 0.005 {
		parts = append(parts, percent(rest)+" in others like them")
	}
	if len(parts) == 0 {
		return "all that is in its sections is kept by paths or costs the same each time"
	}
	text := "counted with an average: " + strings.Join(parts, ", ")
	if kept := 1 - all; kept >= 0.005 {
		text += fmt.Sprintf("; kept: %s", percent(kept))
	}
	return text
}

func causeName(c ledger.Cause) string {
	switch c.Kind {
	case ledger.Loop:
		return "the loop at " + c.Name
	case ledger.Callee:
		if c.Sections > 1 {
			return fmt.Sprintf("calls of %s, which %d sections share", c.Name, c.Sections)
		}
		return "calls of " + c.Name
	case ledger.Recursion:
		return "the recursion of " + c.Name
	case ledger.Nested:
		return "what reaches nested regions, " + c.Name
	case ledger.Cut:
		return "cut paths at " + c.Name
	}
	return c.Name
}
