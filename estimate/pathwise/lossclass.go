package pathwise

// This file sorts the paths of a group into classes, by which sections are long.

import (
	"cmp"
	"slices"

	"pathspan/htg"
)

// sectionTimes returns what each section takes on a path.
func sectionTimes(sections []htg.Section, r *metRow) []float64 {
	out := make([]float64, len(sections))
	for i := range sections {
		for _, t := range sections[i].Tasks {
			out[i] += r.times[t]
		}
	}
	return out
}

// classify fills Sections and Classes.
func (g *GapRegion) classify(sections []htg.Section, rows []metRow) {
	total, span := 0.0, 0.0
	all := make([]GapSection, len(sections))
	times := make([][]float64, len(rows))
	for i := range rows {
		r := &rows[i]
		total, span = total+r.n, span+r.n*r.span
		times[i] = sectionTimes(sections, r)
		for s, x := range times[i] {
			if i == 0 || x < all[s].Least {
				all[s].Least = x
			}
			all[s].Greatest = max(all[s].Greatest, x)
			all[s].Mean += r.n * x
		}
	}
	if total == 0 {
		return
	}
	var chosen []int
	for s := range all {
		all[s].Section = sections[s].Section
		all[s].Mean /= total
		if all[s].Greatest-all[s].Least > varies*span/total {
			chosen = append(chosen, s)
			g.Sections = append(g.Sections, all[s])
		}
	}
	for i := range rows {
		long := make([]bool, len(chosen))
		for k, s := range chosen {
			long[k] = times[i][s] > all[s].Mean
		}
		at := slices.IndexFunc(g.Classes, func(c GapClass) bool { return slices.Equal(c.Long, long) })
		if at < 0 {
			at = len(g.Classes)
			g.Classes = append(g.Classes, GapClass{Long: long})
		}
		g.Classes[at].Share += rows[i].n
		g.Classes[at].Span += rows[i].n * rows[i].span
	}
	for c := range g.Classes {
		if g.Classes[c].Share > 0 {
			g.Classes[c].Span /= g.Classes[c].Share
		}
		g.Classes[c].Share /= total
	}
	slices.SortStableFunc(g.Classes, func(x, y GapClass) int { return cmp.Compare(y.Share, x.Share) })
}
