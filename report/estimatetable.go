package report

// This file lays out the table of estimates: a row for each platform and mapping, with
// the intervals on a line of their own below it.

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pathspan/estimate"
)

// estimateRow is one platform with one mapping.
type estimateRow struct {
	first   *estimate.Result // of the first technique
	results map[string]*estimate.Result
}

// rowsOf gathers the results by row, and lists techniques and mappings as they come.
func rowsOf(e *Estimates) (rows []*estimateRow, techniques, mappings []string) {
	for i := range e.Estimates {
		r := &e.Estimates[i]
		if !slices.Contains(techniques, r.Technique) {
			techniques = append(techniques, r.Technique)
		}
		if !slices.Contains(mappings, r.Mapping) {
			mappings = append(mappings, r.Mapping)
		}
		k := len(rows) - 1
		if k < 0 || rows[k].first.Processors != r.Processors || rows[k].first.Mapping != r.Mapping || rows[k].results[r.Technique] != nil {
			rows = append(rows, &estimateRow{first: r, results: map[string]*estimate.Result{}})
			k++
		}
		rows[k].results[r.Technique] = r
	}
	return rows, techniques, mappings
}

// printTable writes the heading, the table and what its columns are. Several mappings
// have a column; the sequential cycles then are in the heading when all have the same.
func printTable(w io.Writer, e *Estimates) {
	rows, techniques, mappings := rowsOf(e)
	several := len(mappings) > 1
	var head []string
	sequential := true
	head = append(head, e.Bundle, "function "+e.Function, "model "+strings.Join(e.Models, ", "))
	if several {
		head = append(head, fmt.Sprintf("%d mappings", len(mappings)))
		sequential = slices.ContainsFunc(rows, func(r *estimateRow) bool { return r.first.SequentialCycles != rows[0].first.SequentialCycles })
		if !sequential {
			head = append(head, Cycles(rows[0].first.SequentialCycles)+" sequential cycles")
		}
	} else {
		head = append(head, "mapping "+strings.Join(mappings, ""))
	}
	fmt.Fprintf(w, "%s\n\n", strings.Join(head, ", "))
	tab := newColumns(w)
	tab.leaveOut(!several, "mapping")
	tab.leaveOut(!sequential, "sequential cycles")
	tab.leaveOut(!slices.ContainsFunc(rows, func(r *estimateRow) bool { return r.first.Joules > 0 }), "energy")
	heads := []string{"mapping", "processors", "sequential cycles", "parallel cycles", "parallel time", "energy"}
	for _, t := range techniques {
		heads = append(heads, Title(t))
	}
	tab.row(heads...)
	for _, r := range rows {
		f, in := r.first, r.first.ParallelSecondsInterval
		cells := []string{f.Mapping, fmt.Sprint(f.Processors), Cycles(f.SequentialCycles), Cycles(f.ParallelCycles), Seconds(f.ParallelSeconds), Joules(f.Joules)}
		intervals := []string{"", "", "", "", SecondsSpan(in), ""}
		for _, t := range techniques {
			x := r.results[t]
			cells, intervals = append(cells, fmt.Sprintf("%.2f", x.Speedup)), append(intervals, Speedups(x.SpeedupInterval))
		}
		tab.row(cells...)
		if in != nil {
			tab.row(intervals...)
		}
	}
	tab.Flush()
}

// printColumns says what the columns are, by how much techniques differ and what the
// intervals are.
func printColumns(w io.Writer, e *Estimates) {
	_, techniques, _ := rowsOf(e)
	if len(techniques) == 0 {
		return
	}
	var all []string
	for _, t := range techniques {
		text := Title(t) + " " + Words(t)
		for _, d := range e.Differences {
			if d.Technique == t && math.Abs(d.Difference) >= Parted {
				text += fmt.Sprintf(" (up to %s off %s)", signedPercent(d.Difference), Title(techniques[0]))
			}
		}
		all = append(all, text)
	}
	what := "cycles and time"
	if e.Estimates[0].Joules > 0 {
		what = "cycles, time and energy"
	}
	fmt.Fprintf(w, "Speed-ups by %s; %s are those of %s.", strings.Join(all, "; "), what, Title(techniques[0]))
	switch s := e.Sampling; {
	case s == nil:
	case s.Samples == 0:
		fmt.Fprint(w, " The models know how uncertain their costs are; --samples 200 gives intervals.")
	default:
		fmt.Fprintf(w, " Below them are %s%% intervals, as the models' costs vary, in %s.", strconv.FormatFloat(100*s.Confidence, 'g', 6, 64), Count(s.Samples, "sample"))
	}
	fmt.Fprintln(w)
}

// Speedups renders an interval of speed-ups, "" when there is none.
func Speedups(in *estimate.Interval) string {
	if in == nil {
		return ""
	}
	return fmt.Sprintf("%.2f-%.2f", in.Low, in.High)
}
