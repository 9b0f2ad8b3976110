package report

// This file shows the best of several platforms: a table and a curve.

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const curveWidth = 40

// exploreSweep writes the best speed-up on each platform, and a curve of them.
func exploreSweep(w io.Writer, x *Exploration) {
	fmt.Fprintf(w, "%s; %s on each of %d platforms by %s\n\n", exploreHead(x), objectiveText(x.Objective), len(x.Searches), Named(x.Technique))
	tab := newColumns(w)
	tab.leaveOut(!slices.ContainsFunc(x.Searches, func(s Searched) bool { return s.Best.Joules > 0 }), "energy")
	static := "OpenMP static"
	if s := x.Searches[0].Static; len(s) > 0 {
		static = s[0].Mapping
	}
	tab.row("platform", "processors", "used", "parallel time", "energy", "speed-up", static, "at most above optimum")
	most, wide := 0.0, 0
	for i := range x.Searches {
		s := &x.Searches[i]
		gap := Percent(s.Bounds.Gap)
		if s.Proven {
			gap = "proven"
		}
		static := ""
		if len(s.Static) > 0 {
			static = fmt.Sprintf("%.2f", s.Static[0].Speedup)
		}
		tab.row(s.Platform, fmt.Sprint(s.Processors), fmt.Sprint(s.Best.Processors), Seconds(s.Best.Seconds), Joules(s.Best.Joules), fmt.Sprintf("%.2f", s.Best.Speedup), static, gap)
		most, wide = max(most, s.Best.Speedup), max(wide, utf8.RuneCountInString(s.Platform))
	}
	tab.Flush()
	fmt.Fprintf(w, "\nbest speed-up by platform:\n")
	for i := range x.Searches {
		s := &x.Searches[i]
		bar := 0
		if most > 0 {
			bar = int(s.Best.Speedup/most*curveWidth + 0.5)
		}
		fmt.Fprintf(w, "  %*s  %-*s  %.2f\n", wide, s.Platform, curveWidth, strings.Repeat("*", bar), s.Best.Speedup)
	}
	fmt.Fprintln(w, "\nnext: one platform alone (its best mapping, and what is proven of it)")
	printNotes(w, x.Notes)
}
