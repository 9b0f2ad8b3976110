package estimate

// This file singles out what depends on the mapping: the functions and loops that
// reach a parallel region. All else is a constant of the kind of processor.

import "pathspan/htg"

// regionSet is a set of regions of the program.
type regionSet []uint64

func newRegionSet(regions int) regionSet { return make(regionSet, (regions+63)/64) }

func (s regionSet) add(r int) { s[r/64] |= 1 << (r % 64) }

func (s regionSet) union(t regionSet) {
	for i := range t {
		s[i] |= t[i]
	}
}

func (s regionSet) intersects(t regionSet) bool {
	for i := range t {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

func (s regionSet) empty() bool { return !s.intersects(s) }

// hotFunc is a function that reaches a region.
type hotFunc struct {
	fn      int // function index
	cyclic  bool
	regions regionSet
	levels  []hotLevel // by level, or index -1 where the level reaches no region
}

// hotLevel is a level that reaches a region. The terms of its tables are indices
// into deps.
type hotLevel struct {
	level
	on      bool // false: no region is reached
	graph   *htg.Graph
	regions regionSet
	maximum table // class, with maximal times
	deps    []dep
	depLoop []int   // the loops that tasks of the level contain, as levels
	loopsBy []int32 // by entry of depLoop: the task
	preds   [][]int32
	place   [][]int // [group][section of the construct]: place in the group, -1
}

// dep is a value that tasks depend on.
type dep struct {
	task  int32
	hot   int32 // index into Estimator.hot, -1 for a level
	level int32
}

// findHot fills hot and hotOf, and keeps the tables of hot levels.
func (e *Estimator) findHot(levels [][]level) {
	n := len(e.Bundle.Program.Regions)
	e.hotOf = make([]int, len(e.funcs))
	for i := range e.hotOf {
		e.hotOf[i] = -1
	}
	for i := 0; i < len(e.order); {
		j := i
		all := newRegionSet(n)
		for ; j < len(e.order) && e.scc[e.order[j]] == e.scc[e.order[i]]; j++ {
			f := e.order[j]
			for l := range levels[f] {
				for g := range e.Graphs[f].Levels[l].Groups {
					all.add(e.Graphs[f].Levels[l].Groups[g].Region)
				}
				for _, id := range levels[f][l].sum.terms {
					if id.function() && e.hotOf[id] >= 0 {
						all.union(e.hot[e.hotOf[id]].regions)
					}
				}
			}
		}
		if !all.empty() {
			for _, f := range e.order[i:j] {
				e.hotOf[f] = len(e.hot)
				e.hot = append(e.hot, &hotFunc{fn: f, cyclic: e.cyclic[e.scc[f]], regions: all})
			}
			for _, f := range e.order[i:j] {
				e.hotLevels(e.hot[e.hotOf[f]], levels[f])
			}
		}
		i = j
	}
}

// hotLevels fills the levels of a hot function, inner ones first.
func (e *Estimator) hotLevels(h *hotFunc, levels []level) {
	h.levels = make([]hotLevel, len(levels))
	graphs := e.Graphs[h.fn].Levels
	for i := len(levels) - 1; i >= 0; i-- {
		hl := &h.levels[i]
		hl.regions = newRegionSet(len(e.Bundle.Program.Regions))
		for g := range graphs[i].Groups {
			hl.regions.add(graphs[i].Groups[g].Region)
		}
		for _, id := range levels[i].sum.terms {
			if !id.function() {
				hl.regions.union(h.levels[id.level()].regions)
			} else if e.hotOf[id] >= 0 {
				hl.regions.union(e.hot[e.hotOf[id]].regions)
			}
		}
		for _, o := range levels[i].orphans {
			hl.regions.union(h.levels[o].regions)
		}
		if hl.on = !hl.regions.empty(); !hl.on {
			continue
		}
		hl.level, hl.graph = levels[i], graphs[i]
		e.prepareLevel(h, hl)
	}
}

func (e *Estimator) prepareLevel(h *hotFunc, hl *hotLevel) {
	kinds := len(e.kinds)
	constant := func(of [][][]float64) func(id term, kind int) (float64, bool) {
		return func(id term, kind int) (float64, bool) {
			if !id.function() {
				return of[h.fn][id.level()][kind], !h.levels[id.level()].on
			}
			return of[id][0][kind], e.hotOf[id] < 0
		}
	}
	hl.maximum = hl.class.copy()
	hl.maximum.fold(kinds, constant(e.maximal))
	hl.class.fold(kinds, constant(e.serial))
	hl.sum.fold(kinds, constant(e.serial))
	known := map[dep]int{}
	for _, t := range []*table{&hl.sum, &hl.class, &hl.maximum} {
		for cell := range t.rows * t.tasks {
			for i := t.first[cell]; i < t.first[cell+1]; i++ {
				d := dep{task: int32(cell % t.tasks), hot: -1}
				if id := t.terms[i]; id.function() {
					d.hot = int32(e.hotOf[id])
				} else {
					d.level = int32(id.level())
				}
				n, ok := known[d]
				if !ok {
					n = len(hl.deps)
					known[d] = n
					hl.deps = append(hl.deps, d)
				}
				t.terms[i] = term(n)
			}
		}
	}
	for i := range hl.graph.Tasks {
		t := &hl.graph.Tasks[i]
		preds := make([]int32, len(t.Preds))
		for k, p := range t.Preds {
			preds[k] = int32(p)
		}
		hl.preds = append(hl.preds, preds)
		if t.Loop >= 0 {
			hl.depLoop = append(hl.depLoop, t.Loop+1)
			hl.loopsBy = append(hl.loopsBy, int32(i))
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
func (t *table) cell(i int, kind int, values []float64) float64 {
	x := t.base[kind][i]
	for n := t.first[i]; n < t.first[i+1]; n++ {
		x += t.weight[kind][n] * values[t.terms[n]]
	}
	return x
}
