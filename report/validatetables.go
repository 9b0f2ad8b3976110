package report

// This file lays out the tables of single programs, as Tables 7 to 10 of the paper.

import (
	"fmt"
	"io"
	"slices"

	"pathspan/validate/ledger"
)

// printBenchmarks writes the paper's Tables 7, 8 and 9 for a series.
func printBenchmarks(w io.Writer, l *ledger.Ledger, s ledger.Series) {
	processors, levels, programs := axes(l, s)
	model := s.Reference != ledger.Replay
	for _, n := range processors {
		fmt.Fprintf(w, "Speed-up on %s against %s\n%s\n\n", Count(n, "processor"), referenceTitle(s.Reference), seriesTitle(l, s))
		head, sub := fmt.Sprintf("%-20s %2s %7s", "", "", ""), fmt.Sprintf("%-20s %2s %7s", "Benchmark", "OL", "Real")
		for _, t := range l.Techniques() {
			head += fmt.Sprintf(" %15s", TechniqueOf(t).Name)
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
					if !TechniqueOf(t).Largest {
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
		head += fmt.Sprintf(" %17s", Count(n, "processor"))
		sub += fmt.Sprintf(" %9s %7s", "SU", "Err.")
	}
	fmt.Fprintf(w, "%s\n%s\n", head, sub)
	for _, p := range trendPrograms {
		for _, o := range levels {
			if !slices.ContainsFunc(processors, func(n int) bool { return len(rowsAt(l, s, p, o, n)) > 0 }) {
				continue
			}
			for k, t := range append([]string{""}, l.Techniques()...) {
				if k > 0 && TechniqueOf(t).Style == nil { // says nothing over the number of processors
					continue
				}
				name, level, label := "", "", TechniqueOf(t).Name
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
		if r := &l.Rows[i]; rowName(r) == program && r.Level == level && r.Processors == processors && s.In(l, r) {
			rows = append(rows, r)
		}
	}
	return rows
}

func technique(rows []*ledger.Row, t string) *ledger.Row {
	if i := slices.IndexFunc(rows, func(r *ledger.Row) bool { return r.Technique == t }); i >= 0 {
		return rows[i]
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
