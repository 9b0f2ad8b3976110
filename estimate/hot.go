package estimate

// This file singles out what depends on the mapping: the functions and levels that
// reach a parallel region. All else is folded into constants of the kinds of processor.

import (
	"pathspan/estimate/table"
	"pathspan/htg"
)

// hotFunc is a function that reaches a region.
type hotFunc struct {
	fn     int // function index
	cyclic bool
	levels []hotLevel // by level
}

// hotLevel is a level that reaches a region. Terms of its tables are found in deps.
type hotLevel struct {
	level
	on          bool // false: no region is reached
	graph       *htg.Graph
	regions     table.RegionSet
	maximum     costTable // class, with maximal times
	maximumPart costTable // parts, with maximal times
	deps        []dep
	inner       []inner
	place       [][]int // [group][section of the construct]: place in the group, -1
}

// dep is a value that tasks depend on.
type dep struct {
	task  int32
	hot   int32 // index into Estimator.hot, -1 for a level of the function
	level int32
	part  int32
}

// inner is a loop directly in a level.
type inner struct {
	level int
	task  int
}

// findHot fills hot and hotOf, and keeps the tables of hot levels.
func (e *Estimator) findHot(levels [][]level) {
	e.hotOf = make([]int, len(e.funcs))
	for i := range e.hotOf {
		e.hotOf[i] = -1
	}
	for _, f := range e.CalleesFirst() {
		if e.funcs[f].hot(0) {
			e.hotOf[f] = len(e.hot)
			e.hot = append(e.hot, &hotFunc{fn: f, cyclic: e.cyclic[e.scc[f]]})
		}
	}
	for _, h := range e.hot {
		f := e.funcs[h.fn]
		h.levels = make([]hotLevel, len(f.regions))
		for l := range h.levels {
			if hl := &h.levels[l]; f.hot(l) {
				hl.on, hl.level, hl.graph, hl.regions = true, levels[h.fn][l], f.graphs.Levels[l], f.regions[l]
				e.prepareLevel(h, hl)
			}
		}
	}
}

func (e *Estimator) prepareLevel(h *hotFunc, hl *hotLevel) {
	f := e.funcs[h.fn]
	folded := func(id term) bool {
		if id.fn < 0 {
			return !f.hot(int(id.level))
		}
		return e.hotOf[id.fn] < 0
	}
	fold := func(t *costTable, values []constants) {
		t.fold(len(e.kinds), folded, func(id term, kind int) float64 {
			if id.fn < 0 {
				return values[h.fn].of(id, kind)
			}
			return values[id.fn].levels[0][kind]
		})
	}
	hl.maximum, hl.maximumPart = hl.class.copy(), hl.parts.copy()
	fold(&hl.maximum, e.maximal)
	fold(&hl.maximumPart, e.maximal)
	known := map[dep]int32{}
	for _, t := range []*costTable{&hl.sum, &hl.class, &hl.parts, &hl.partSum} {
		fold(t, e.serial)
	}
	for _, t := range []*costTable{&hl.sum, &hl.class, &hl.parts, &hl.partSum, &hl.maximum, &hl.maximumPart} {
		t.deps = make([]int32, len(t.terms))
		for cell := range t.rows * t.tasks {
			for i := t.first[cell]; i < t.first[cell+1]; i++ {
				id := t.terms[i]
				d := dep{task: int32(cell % t.tasks), hot: -1, level: id.level, part: id.part}
				if id.fn >= 0 {
					d.hot = int32(e.hotOf[id.fn])
				}
				n, ok := known[d]
				if !ok {
					n = int32(len(hl.deps))
					known[d] = n
					hl.deps = append(hl.deps, d)
				}
				t.deps[i] = n
			}
		}
	}
	for i := range hl.graph.Tasks {
		if loop := hl.graph.Tasks[i].Loop; loop >= 0 {
			hl.inner = append(hl.inner, inner{loop + 1, i})
		}
	}
	for g := range hl.graph.Groups {
		gr := &hl.graph.Groups[g]
		place := make([]int, len(e.Bundle.Program.Regions[gr.Region].Constructs[gr.Construct].Sections))
		for i := range place {
			place[i] = -1
		}
		for i := range gr.Sections {
			place[gr.Sections[i].Section] = i
		}
		hl.place = append(hl.place, place)
	}
}

// cell returns the cost of a cell under a kind, given the values of deps.
func (t *costTable) cell(i int, kind int, values []float64) float64 {
	x := t.base[kind][i]
	for n := t.first[i]; n < t.first[i+1]; n++ {
		x += t.weight[kind][n] * values[t.deps[n]]
	}
	return x
}
