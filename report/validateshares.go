package report

// This file shows where errors against references come from, and which runs were ranked wrong.

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pathspan/validate/ledger"
)

// causeColumns are the heads of causes, in their order.
var causeColumns = map[string]string{
	ledger.OfTechnique: "Technique", ledger.OfMemory: "Memory", ledger.OfBlockCosts: "Block costs", ledger.OfOverheads: "Overheads", ledger.OfRest: "Rest",
}

// printShares writes what the errors of the technique that predicts are made of, for a series.
func printShares(w io.Writer, l *ledger.Ledger, s ledger.Series, summary bool) {
	techniques := l.Techniques()
	var rows []*ledger.Row
	for i := range l.Rows {
		if r := &l.Rows[i]; s.In(l, r) && r.Technique == techniques[len(techniques)-1] && r.Shares != nil {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "Where the error against %s comes from, in points of a per cent\n%s, %s\n\n", referenceTitle(s.Reference), seriesTitle(l, s), TechniqueOf(rows[0].Technique).Name)
	head := fmt.Sprintf("%-20s %2s %10s %8s", "Benchmark", "OL", "Processors", "Error")
	for _, c := range ledger.ShareCauses() {
		head += fmt.Sprintf(" %11s", causeColumns[c])
	}
	fmt.Fprintln(w, head)
	if !summary {
		for _, r := range rows {
			printShareLine(w, fmt.Sprintf("%-20s %2s %10d", rowName(r), r.Level, r.Processors), r.Error, func(cause string) (float64, bool) {
				x, ok := r.ShareOf(cause)
				return x.Speedup, ok
			})
		}
	}
	mean := func(label string, of func(float64) float64, whole func(*ledger.Row) float64, part func(ledger.Share) float64) {
		at := func(figure func(*ledger.Row) (float64, bool)) (sum float64, known bool) {
			for _, r := range rows {
				x, ok := figure(r)
				sum, known = sum+of(x)/float64(len(rows)), known || ok
			}
			return sum, known
		}
		all, _ := at(func(r *ledger.Row) (float64, bool) { return whole(r), true })
		printShareLine(w, fmt.Sprintf("%-34s", label), all, func(cause string) (float64, bool) {
			return at(func(r *ledger.Row) (float64, bool) {
				x, ok := r.ShareOf(cause)
				return part(x), ok
			})
		})
	}
	same := func(x float64) float64 { return x }
	speedup := func(r *ledger.Row) float64 { return r.Error }
	sequential := func(r *ledger.Row) float64 { return r.SequentialError }
	ofSpeedup := func(x ledger.Share) float64 { return x.Speedup }
	ofSequential := func(x ledger.Share) float64 { return x.Sequential }
	mean("speed-up, mean", same, speedup, ofSpeedup)
	mean("speed-up, mean of absolute values", math.Abs, speedup, ofSpeedup)
	mean("sequential time, mean", same, sequential, ofSequential)
	mean("sequential time, absolute values", math.Abs, sequential, ofSequential)
	if f := rows[0]; hasShare(f, ledger.OfOverheads) {
		fmt.Fprintf(w, "\nOverheads are taken %.3g times: so all programs together come nearest.\n\n", f.OverheadFactor)
	} else {
		fmt.Fprint(w, "\nFewer than three programs do not tell overheads, which are in the rest.\n\n")
	}
}

// printShareMeanings says what shares are, where there are some.
func printShareMeanings(w io.Writer, l *ledger.Ledger) {
	if !slices.ContainsFunc(l.Rows, func(r ledger.Row) bool { return r.Shares != nil }) {
		return
	}
	fmt.Fprint(w, `Shares add up to the error. Each is what changes when that is replaced, too: by replay under the same costs (technique),
by replay's accesses (memory), by one factor on all block costs that makes the sequential time the reference's, by one
factor on all overheads, and by the reference. The rest cannot be told apart: what blocks cost relative to each other,
memory that is not replayed, the schedule.

`)
}

func hasShare(r *ledger.Row, cause string) bool {
	_, ok := r.ShareOf(cause)
	return ok
}

func printShareLine(w io.Writer, label string, whole float64, part func(cause string) (float64, bool)) {
	line := fmt.Sprintf("%s %8s", label, errorText(whole))
	for _, c := range ledger.ShareCauses() {
		text := "-"
		if x, ok := part(c); ok {
			text = errorText(x)
		}
		line += fmt.Sprintf(" %11s", text)
	}
	fmt.Fprintln(w, line)
}

func ranRun(processors int, mapping string) string {
	if mapping == "" {
		return Count(processors, "processor")
	}
	return Count(processors, "processor") + " by " + mapping
}

// printWinners says of how many pairs of runs estimates foresee the faster one, and names those
// that the best informed technique does not.
func printWinners(w io.Writer, l *ledger.Ledger) {
	techniques := l.Techniques()
	for i := 0; i < len(l.Winners); {
		first, best := l.Winners[i], l.Winners[i]
		var counts []string
		for _, t := range techniques {
			for _, x := range l.Winners {
				if x.Technique == t && x.Reference == first.Reference && x.Model == first.Model && x.Size == first.Size && x.Host == first.Host {
					counts = append(counts, fmt.Sprintf("%s %d", Title(t), x.Right))
					best = x
					i++
				}
			}
		}
		if first.Pairs == 0 {
			continue
		}
		fmt.Fprintf(w, "Winners against %s, model %s: of %s of runs that really differ by over %.0f %%, the faster is foreseen by %s.\n",
			referenceTitle(first.Reference), first.Model, Count(first.Pairs, "pair"), 100*ledger.WinnersDiffer, strings.Join(counts, ", "))
		for _, x := range best.Wrong {
			fmt.Fprintf(w, "  wrong by %s: %s -O%s: %s really faster than %s by %.1f %%, estimated %.1f %%\n", Title(best.Technique), x.Program, x.Level,
				ranRun(x.Faster, x.FasterBy), ranRun(x.Slower, x.SlowerBy), 100*x.Real, 100*x.Estimated)
		}
		fmt.Fprintln(w)
	}
}
