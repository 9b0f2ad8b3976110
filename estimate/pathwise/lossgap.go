package pathwise

// This file finds where averages and maxima of task times mislead: sections that are
// long on different paths.

import (
	"cmp"
	"maps"
	"slices"

	"pathspan/htg"
)

// Gap compares the path-based time with those of average and maximal task times.
type Gap struct {
	// The times of the other techniques, in microseconds. MaximalSequential is what
	// the maximal-time technique compares its time with.
	Average, Maximal, MaximalSequential float64
	Regions                             []GapRegion // largest difference to average times first
}

// GapRegion is a group of sections on the serial processor's way. Times are from its
// fork to its join in all its executions, in microseconds per execution of the root.
type GapRegion struct {
	Region, Construct int
	Function          int
	Level             int
	Paths             float64 // with a schedule for each path
	Average           float64 // with one schedule of the average times
	Maximal           float64 // with the largest time of each task every time
	Sections          []GapSection
	Classes           []GapClass // most frequent first
}

// GapSection is a section whose time varies.
type GapSection struct {
	Section               int     // index into Construct.Sections
	Least, Mean, Greatest float64 // microseconds for one execution of the group
}

// GapClass is a class of paths on which the same sections are long.
type GapClass struct {
	Share float64 // of the executions of the group
	Long  []bool  // by entry of GapRegion.Sections: longer than its mean
	Span  float64 // mean time of the group
}

// varies is the part of a group's time by which a section's time has to vary to matter.
const varies = 0.01

func (a *account) gap(out *Gap) error {
	at, mt := a.p.walker(a.m, AverageTime), a.p.walker(a.m, MaximalTime)
	root := spot{a.p.Root, 0, a.m.Serial, false}
	out.Average, out.Maximal = at.function(root).micros, mt.function(root).micros
	alone, err := a.p.total(onOne(a.m, a.m.Serial), MaximalTime)
	out.MaximalSequential = alone
	for _, e := range []error{at.err, mt.err, err} {
		if e != nil {
			return e
		}
	}
	type key struct{ fn, level, group int }
	regions := map[key]*GapRegion{}
	rows := map[key][]metRow{}
	order := slices.SortedFunc(maps.Keys(a.groups), func(x, y meeting) int {
		return cmp.Or(cmp.Compare(x.at.fn, y.at.fn), cmp.Compare(x.at.level, y.at.level), cmp.Compare(x.group, y.group), compareBool(x.partial, y.partial))
	})
	var keys []key
	for _, m := range order {
		k, seen := key{m.at.fn, m.at.level, m.group}, a.groups[m]
		r := regions[k]
		if r == nil {
			r = &GapRegion{Region: seen.group.Region, Construct: seen.group.Construct, Function: k.fn, Level: k.level}
			regions[k] = r
			keys = append(keys, k)
		}
		paths, average, maximal := a.spans(m, seen)
		r.Paths, r.Average, r.Maximal = r.Paths+paths, r.Average+average, r.Maximal+maximal
		rows[k] = append(rows[k], seen.rows...)
	}
	for _, k := range keys {
		graph := a.p.funcs[k.fn].graphs.Levels[k.level]
		regions[k].Classify(bySection(graph.Groups[k.group].Sections, rows[k]))
		out.Regions = append(out.Regions, *regions[k])
	}
	slices.SortStableFunc(out.Regions, func(x, y GapRegion) int {
		return cmp.Compare(y.Paths-y.Average, x.Paths-x.Average)
	})
	return nil
}

// bySection adds up the tasks of each section. Sections that a group lacks take nothing.
func bySection(sections []htg.Section, rows []metRow) []GapRow {
	n := 0
	for i := range sections {
		n = max(n, sections[i].Section+1)
	}
	out := make([]GapRow, len(rows))
	for i, r := range rows {
		out[i] = GapRow{N: r.n, Span: r.span, Times: make([]float64, n)}
		for k := range sections {
			for _, t := range sections[k].Tasks {
				out[i].Times[sections[k].Section] += r.times[t]
			}
		}
	}
	return out
}

func compareBool(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	}
	return 1
}

// spans returns the time of a group over all its executions: path by path, with the
// average, and with the largest time of each task.
func (a *account) spans(m meeting, seen *met) (paths, average, maximal float64) {
	l := a.w.layOut(m.at)
	sum, most, n := make([]amount, len(l.places)), make([]amount, len(l.places)), 0.0
	for _, r := range seen.rows {
		paths += r.n * r.span
		n += r.n
		for t, x := range r.times {
			sum[t].micros += r.n * x
			most[t].micros = max(most[t].micros, x)
		}
	}
	return paths, l.bar.longest(sum).micros, n * l.bar.longest(most).micros
}
