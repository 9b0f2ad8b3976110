package account

// This file finds where averages and maxima of section times mislead: sections that are
// long in different executions.

import (
	"cmp"
	"slices"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

// GapRegion is a construct whose sections, or what is inside them, run on several
// processors. Times are from its fork to its join in all its executions outside of other
// sections, in microseconds per execution of the root.
type GapRegion struct {
	Region, Construct int
	Rows              float64 // each row for itself
	Average           float64 // with the average of the rows every time
	Maximal           float64 // with the largest times of the rows every time
	Sections          []GapSection
	Classes           []GapClass // most frequent first
}

// GapSection is a section whose time varies. Times are those of the section and all inside
// it on its processor.
type GapSection struct {
	Construct, Section    int     // the section: of the construct, or of another of its streak
	Least, Mean, Greatest float64 // microseconds for one execution of the construct
}

// GapClass is a class of executions in which the same sections are long.
type GapClass struct {
	Share float64 // of the executions of the construct
	Long  []bool  // by entry of GapRegion.Sections: longer than its mean
	Span  float64 // mean time of the construct
}

// gapRows gathers the rows of constructs.
type gapRows struct {
	of    map[[2]int][]gapRow
	forks map[[2]int]bool
	order [][2]int
}

// gapRow is an execution that happens n times per execution of the root. Times are in
// cycles.
type gapRow struct {
	n, span float64
	times   []float64 // by section
}

func (g *gapRows) add(rows *table.Table, p *table.Played, m *mapping.Resolved) {
	var key [2]int
	key[0], key[1] = rows.Construct(p.Execution)
	if rows.MakesTasks(p.Execution) {
		return // averages know no tasks
	}
	if g.of == nil {
		g.of, g.forks = map[[2]int][]gapRow{}, map[[2]int]bool{}
	}
	if g.of[key] == nil {
		g.order = append(g.order, key)
	}
	proc, _ := rows.Placed(&m.Regions[key[0]], key[0], key[1])
	r := gapRow{n: p.Weight, span: p.Span, times: make([]float64, len(proc))}
	for s, q := range proc {
		r.times[s], _ = rows.Alone(p.Execution, s, rows.KindOf[q])
	}
	g.of[key] = append(g.of[key], r)
	for q := range p.Busy {
		g.forks[key] = g.forks[key] || q != m.Serial && p.Busy[q]+p.Overhead[q] > 0
	}
}

// regions compares the rows with their averages and maxima.
func (g *gapRows) regions(rows *table.Table, m *mapping.Resolved, micro float64) ([]GapRegion, error) {
	average, err := spansOf(rows.Averaged, m)
	if err != nil {
		return nil, err
	}
	largest, err := spansOf(rows.Largest, m)
	if err != nil {
		return nil, err
	}
	var out []GapRegion
	for _, key := range g.order {
		if !g.forks[key] {
			continue
		}
		r := GapRegion{Region: key[0], Construct: key[1], Average: average[key] * micro, Maximal: largest[key] * micro}
		for _, x := range g.of[key] {
			r.Rows += x.n * x.span * micro
		}
		r.classify(g.of[key], micro)
		for i := range r.Sections {
			s := &r.Sections[i]
			s.Construct, s.Section = rows.Split(key[0], key[1], s.Section)
		}
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(x, y GapRegion) int { return cmp.Compare(y.Rows-y.Average, x.Rows-x.Average) })
	return out, nil
}

// spansOf returns the time of all executions of each construct by a table made of another.
func spansOf(made func() (*table.Table, error), m *mapping.Resolved) (map[[2]int]float64, error) {
	rows, err := made()
	if err != nil {
		return nil, err
	}
	out := map[[2]int]float64{}
	return out, rows.NewValuer().Play(m, func(p *table.Played) {
		r, c := rows.Construct(p.Execution)
		out[[2]int{r, c}] += p.Weight * p.Span
	})
}

// varies is the part of a construct's time by which a section's time has to vary to matter.
const varies = 0.01

// classify sorts the executions into classes, by which sections are long.
func (g *GapRegion) classify(rows []gapRow, micro float64) {
	total, span := 0.0, 0.0
	all := make([]GapSection, len(rows[0].times))
	for i := range rows {
		r := &rows[i]
		total, span = total+r.n, span+r.n*r.span*micro
		for s, x := range r.times {
			x *= micro
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
			long[k] = rows[i].times[s]*micro > all[s].Mean
		}
		at := slices.IndexFunc(g.Classes, func(c GapClass) bool { return slices.Equal(c.Long, long) })
		if at < 0 {
			at = len(g.Classes)
			g.Classes = append(g.Classes, GapClass{Long: long})
		}
		g.Classes[at].Share += rows[i].n
		g.Classes[at].Span += rows[i].n * rows[i].span * micro
	}
	for c := range g.Classes {
		if g.Classes[c].Share > 0 {
			g.Classes[c].Span /= g.Classes[c].Share
		}
		g.Classes[c].Share /= total
	}
	slices.SortStableFunc(g.Classes, func(x, y GapClass) int { return cmp.Compare(y.Share, x.Share) })
}
