package pathwise

// This file lays a level out on processors: where its tasks run, what overheads they
// have, and HTG-bar, the task graph with the edges of the schedule.

import (
	"slices"

	"pathspan/htg"
	"pathspan/mapping"
)

// spot is a level of a function on a processor, inside an active region or not.
type spot struct {
	fn, level, proc int
	inside          bool
}

// layout is a level laid out at a spot.
type layout struct {
	graph  *htg.Graph
	places []place // by task
	order  []int   // tasks in schedule order
	extras []extra
	bar    *dag
}

// place is where a task runs. Tasks of one lane wait for each other: the lanes are the
// processors, except where each section is to have a processor of its own.
type place struct {
	proc   int
	inside bool
	lane   int
}

// extra is an overhead of a task on paths that run through a block.
type extra struct {
	task, begin int
	micros      float64
}

// layOut lays a level out.
func (w *walker) layOut(at spot) *layout {
	if l := w.layouts[at]; l != nil {
		return l
	}
	graph := w.p.funcs[at.fn].graphs.Levels[at.level]
	l := &layout{graph: graph, places: make([]place, len(graph.Tasks))}
	x := &layer{w: w, l: l, lanes: len(w.p.Costs)}
	start := place{at.proc, at.inside, at.proc}
	x.task(0, start)
	x.series(graph.Series, start)
	x.task(len(graph.Tasks)-1, start)
	l.bar = newDag(len(graph.Tasks))
	for i := range graph.Tasks {
		for _, s := range graph.Tasks[i].Succs {
			l.bar.edge(i, s)
		}
	}
	for i, early := range l.order {
		for _, late := range l.order[i+1:] {
			if l.places[early].lane == l.places[late].lane {
				l.bar.edge(early, late)
			}
		}
	}
	l.bar.sort()
	w.layouts[at] = l
	return l
}

// layer fills a layout.
type layer struct {
	w     *walker
	l     *layout
	lanes int // in use
}

func (x *layer) task(t int, p place) {
	x.l.places[t] = p
	x.l.order = append(x.l.order, t)
}

func (x *layer) series(stages []htg.Stage, p place) {
	for _, s := range stages {
		if s.Task >= 0 {
			x.task(s.Task, p)
		} else {
			x.group(&x.l.graph.Groups[s.Group], p)
		}
	}
}

// group lays out the sections of a group that is met at p. A region inside an active
// one that the mapping does not name stays where it is met.
func (x *layer) group(g *htg.Group, p place) {
	rm := &x.w.m.Regions[g.Region]
	if p.inside && !rm.Explicit {
		for _, s := range g.Sections {
			x.series(s.Series, p)
		}
		return
	}
	apart := x.w.technique == PathBasedUnmapped
	active := away(rm, p.proc) || apart && sections(rm) > 1
	var placed []*htg.Section // in schedule order
	for _, s := range rm.Order[g.Construct] {
		if i := slices.IndexFunc(g.Sections, func(have htg.Section) bool { return have.Section == s }); i >= 0 {
			placed = append(placed, &g.Sections[i])
		}
	}
	proc := func(s *htg.Section) int { return rm.Proc[g.Construct][s.Section] }
	creates := apart && len(placed) > 1 ||
		slices.ContainsFunc(placed, func(s *htg.Section) bool { return proc(s) != p.proc })
	for i, s := range placed {
		same := func(o *htg.Section) bool { return !apart && proc(o) == proc(s) }
		if creates && !slices.ContainsFunc(placed[:i], same) {
			x.overhead(s.Tasks[0], g, proc(s), x.w.p.Overheads[proc(s)].Create)
		}
		if creates && !slices.ContainsFunc(placed[i+1:], same) {
			x.overhead(s.Tasks[len(s.Tasks)-1], g, proc(s), x.w.p.Overheads[proc(s)].Sync)
		}
		in := place{proc(s), p.inside || active || proc(s) != p.proc, proc(s)}
		if apart {
			in.lane = x.lanes
			x.lanes++
		}
		x.series(s.Series, in)
	}
}

func (x *layer) overhead(task int, g *htg.Group, proc int, cycles float64) {
	x.l.extras = append(x.l.extras, extra{task, g.Begin, cycles / x.w.p.ClockMHz[proc]})
}

// away reports whether a region has a section on another processor than proc.
func away(rm *mapping.RegionMap, proc int) bool {
	return slices.ContainsFunc(rm.Proc, func(procs []int) bool {
		return slices.ContainsFunc(procs, func(p int) bool { return p != proc })
	})
}

func sections(rm *mapping.RegionMap) int {
	n := 0
	for _, procs := range rm.Proc {
		n += len(procs)
	}
	return n
}
