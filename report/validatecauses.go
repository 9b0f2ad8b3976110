package report

// This file shows where PB and exact replay part, and what is averaged there.

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pathspan/validate/ledger"
)

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
		if title := fmt.Sprintf("%s -O%s, model %s, %s", g.Program, g.Level, g.Model, Count(g.Processors, "processor")); title != last {
			fmt.Fprintf(w, "%s: PB %+.1f %%\n", title, 100*regionError(l, g))
			last = title
		}
		where := Percent(g.SectionShare) + " of all cycles are in its sections"
		if g.SectionShare > 1 {
			where = "its sections lie within each other"
		}
		fmt.Fprintf(w, "  %s alone in parallel: %+.1f %% of the parallel time; %s\n", g.Region, 100*g.Difference, where)
		fmt.Fprintf(w, "    %s\n", CausesText(g.Causes))
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

// CausesText names the largest causes of what a region's sections average.
func CausesText(causes []ledger.Cause) string {
	const most = 3
	var parts []string
	named, all := 0.0, 0.0
	for i, c := range causes {
		all += c.Share
		if i >= most || c.Share < 0.005 {
			continue
		}
		named += c.Share
		parts = append(parts, fmt.Sprintf("%s in %s", Percent(c.Share), causeName(c)))
	}
	if rest := all - named; rest >= 0.005 {
		parts = append(parts, Percent(rest)+" in others like them")
	}
	if len(parts) == 0 {
		return "all that is in its sections is kept by paths or costs the same each time"
	}
	text := "counted with an average: " + strings.Join(parts, ", ")
	if kept := 1 - all; kept >= 0.005 {
		text += fmt.Sprintf("; kept: %s", Percent(kept))
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
