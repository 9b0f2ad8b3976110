package estimate

// This file traces what executions.go computes.

import (
	"math"
	"slices"

	"pathspan/htg"
)

// together is evaluator.together as values of a builder.
func (l *tracedLevel[Q]) together(cells []Q, runs []float64) Q {
	return l.x.b.Sum([]Weighted[Q]{{1, cells[0]}, {1, cells[len(cells)-1]}, {1, l.serially(l.hl.graph.Series, cells, runs)}})
}

func (l *tracedLevel[Q]) serially(stages []htg.Stage, cells []Q, runs []float64) Q {
	var sum []Weighted[Q]
	for _, st := range stages {
		if st.Task >= 0 {
			sum = append(sum, Weighted[Q]{1, cells[st.Task]})
		} else {
			sum = append(sum, Weighted[Q]{1, l.groupTogether(&l.hl.graph.Groups[st.Group], cells, runs)})
		}
	}
	return l.x.b.Sum(sum)
}

func (l *tracedLevel[Q]) groupTogether(g *htg.Group, cells []Q, runs []float64) Q {
	t := l.x.v.e.executions.of(g.Region, g.Construct, l.ls.context > 0 || g.Parent >= 0)
	fixed := make([]Q, l.ls.taken)
	for i := range l.ls.overhead {
		if o := &l.ls.overhead[i]; int(o.group) == g.Index {
			r := l.ls.resource[o.task]
			fixed[r] = l.x.b.Sum([]Weighted[Q]{{1, fixed[r]}, {runs[g.Index], l.cost(o)}})
		}
	}
	var works []Work[Q]
	for i := range g.Sections {
		s := &g.Sections[i]
		works = append(works, l.x.work(t, s.Section, int(l.ls.resource[s.Tasks[0]]), l.serially(s.Series, cells, runs)))
	}
	return l.x.classes(t, fixed, works)
}

// byExecutions traces the root by executions, or by paths where those keep all that
// matters.
func (x *tracer[Q]) byExecutions() Q {
	e, m := x.v.e, x.v.m
	if e.executions.byPaths {
		return newTracer(e, m, PathBased, x.b).of(e.Root, 0)
	}
	sum := []Weighted[Q]{{1, x.serial(e.serial[e.Root].levels[0][e.kindOf[m.Serial]], 0)}}
	ok := e.eachConstruct(m, func(t *executionTable, region, construct int, often float64) {
		sum = append(sum, x.saved(t, region, construct, often)...)
	})
	if !ok {
		return x.of(e.Root, 0)
	}
	return x.b.Sum(sum)
}

// saved is what the executions of a construct add to the sequential time: the longest
// loads in place of the work done alone.
func (x *tracer[Q]) saved(t *executionTable, region, construct int, often float64) []Weighted[Q] {
	e, m := x.v.e, x.v.m
	proc, means := m.Regions[region].Proc[construct], e.means
	if !slices.ContainsFunc(proc, func(p int) bool { return p != m.Serial }) {
		return nil
	}
	fixed := make([]Q, len(e.kindOf))
	var works []Work[Q]
	alone := 0.0 // cycles
	for s, p := range proc {
		fixed[p] = x.b.Sum([]Weighted[Q]{{1, x.b.Create(p)}, {1, x.b.Sync(p)}})
		works = append(works, x.work(t, s, p, x.b.Cycles(means[e.kindOf[p]][region][construct][s], p)))
		for c, w := range t.weight {
			alone += w * e.inClass(t, c, e.kindOf[m.Serial], region, construct, s)
		}
	}
	return []Weighted[Q]{{-often, x.serial(alone, 0)}, {often, x.classes(t, fixed, works)}}
}

// unitsOfCycle is how finely works are told: they are whole numbers, nearly.
const unitsOfCycle = 8

// work is that of a section in each class, whose average time is time. Units are the units
// of work that all executions of a class did together.
func (x *tracer[Q]) work(t *executionTable, section, lane int, time Q) Work[Q] {
	w := Work[Q]{Lane: lane, Time: time, Units: make([]float64, len(t.classes))}
	if mean := t.mean[section]; mean > 0 {
		w.Time = x.b.Sum([]Weighted[Q]{{1 / (mean * unitsOfCycle), time}})
		for c := range t.classes {
			w.Units[c] = nearlyWhole(t.classes[c].count * t.classes[c].work[section] * unitsOfCycle)
		}
		return w
	}
	for c := range t.classes {
		w.Units[c] = t.classes[c].count
	}
	return w
}

// nearlyWhole takes back the rounding of a division by a count.
func nearlyWhole(x float64) float64 {
	if r := math.Round(x); math.Abs(x-r) <= 1e-14*math.Abs(x) {
		return r
	}
	return x
}

// classes is the average over classes of the largest load.
func (x *tracer[Q]) classes(t *executionTable, fixed []Q, works []Work[Q]) Q {
	count := make([]float64, len(t.classes))
	for c := range count {
		count[c] = t.classes[c].count
	}
	return x.b.Sum([]Weighted[Q]{{1 / t.total, x.b.Classes(count, fixed, works)}})
}
