package pathwise

// This file sorts the executions of a group into classes, by which sections are long.

import (
	"cmp"
	"slices"
)

// GapRow is executions of a group that take the same times, in microseconds.
type GapRow struct {
	N     float64   // per execution of the root
	Span  float64   // from the fork to the end of the last section
	Times []float64 // by section of the construct
}

// Classify fills Sections and Classes.
func (g *GapRegion) Classify(rows []GapRow) {
	if len(rows) == 0 {
		return
	}
	total, span := 0.0, 0.0
	all := make([]GapSection, len(rows[0].Times))
	for i := range rows {
		r := &rows[i]
		total, span = total+r.N, span+r.N*r.Span
		for s, x := range r.Times {
			if i == 0 || x < all[s].Least {
				all[s].Least = x
			}
			all[s].Greatest = max(all[s].Greatest, x)
			all[s].Mean += r.N * x
		}
	}
	if total == 0 {
		return
	}
	var chosen []int
	for s := range all {
		all[s].Section = s
		all[s].Mean /= total
		if all[s].Greatest-all[s].Least > varies*span/total {
			chosen = append(chosen, s)
			g.Sections = append(g.Sections, all[s])
		}
	}
	for i := range rows {
		long := make([]bool, len(chosen))
		for k, s := range chosen {
			long[k] = rows[i].Times[s] > all[s].Mean
		}
		at := slices.IndexFunc(g.Classes, func(c GapClass) bool { return slices.Equal(c.Long, long) })
		if at < 0 {
			at = len(g.Classes)
			g.Classes = append(g.Classes, GapClass{Long: long})
		}
		g.Classes[at].Share += rows[i].N
		g.Classes[at].Span += rows[i].N * rows[i].Span
	}
	for c := range g.Classes {
		if g.Classes[c].Share > 0 {
			g.Classes[c].Span /= g.Classes[c].Share
		}
		g.Classes[c].Share /= total
	}
	slices.SortStableFunc(g.Classes, func(x, y GapClass) int { return cmp.Compare(y.Share, x.Share) })
}
