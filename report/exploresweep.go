package report

// This file shows the best of several platforms: a table and a curve.

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"
)

const curveWidth = 40

// exploreSweep writes the best speed-up on each platform, and a curve of them.
func exploreSweep(w io.Writer, x *Exploration) {
	fmt.Fprintf(w, "%s; %s on each of %d platforms by %s\n\n", exploreHead(x), objectiveText(x.Objective), len(x.Searches), Named(x.Technique))
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	energy := false
	for i := range x.Searches {
		energy = energy || x.Searches[i].Best.Joules > 0
	}
	fmt.Fprint(tab, "platform\tprocessors\tused\tparallel time\t")
	if energy {
		fmt.Fprint(tab, "energy\t")
	}
	fmt.Fprintln(tab, "speed-up\tOpenMP static\tat most above optimum\t")
	most, wide := 0.0, 0
	for i := range x.Searches {
		s := &x.Searches[i]
		fmt.Fprintf(tab, "%s\t%d\t%d\t%s\t", s.Platform, s.Processors, s.Best.Processors, seconds(s.Best.Seconds))
		if energy {
			fmt.Fprintf(tab, "%s\t", joules(s.Best.Joules))
		}
		gap := percent(s.Bounds.Gap)
		if s.Proven {
			gap = "proven"
		}
		static := ""
		if len(s.Static) > 0 {
			static = fmt.Sprintf("%.2f", s.Static[0].Speedup)
		}
		fmt.Fprintf(tab, "%.2f\t%s\t%s\t\n", s.Best.Speedup, static, gap)
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
	for _, n := range x.Notes {
		fmt.Fprintf(w, "note: %s\n", demangled(n))
	}
}
