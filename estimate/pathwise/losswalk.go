package pathwise

// This file walks over all code that runs outside active regions, by how often it runs,
// and books what is lost there.

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
	"gonum.org/v1/gonum/mat"
)

// body is a function that runs on the serial processor outside active regions, in the
// region that stays there, -1 when in none.
type body struct{ fn, region int }

// tally is one walk through a body. Without an account it only counts calls.
type tally struct {
	a      *account
	book   bool
	called map[body]float64
	loops  map[body]float64 // entries; fn is a level of the function being walked
	order  []body           // of called, as met
}

// walk books the losses of all bodies, each as often as it is invoked.
func (a *account) walk() error {
	bodies := []body{{a.p.Root, -1}}
	index := map[body]int{bodies[0]: 0}
	var calls []map[body]float64
	for i := 0; i < len(bodies); i++ {
		t := &tally{a: a}
		t.body(bodies[i], 1)
		calls = append(calls, t.called)
		for _, b := range t.order {
			if _, ok := index[b]; !ok {
				index[b] = len(bodies)
				bodies = append(bodies, b)
			}
		}
	}
	times, err := invocations(bodies, calls, index)
	if err != nil {
		return err
	}
	for i, b := range bodies {
		t := &tally{a: a, book: true}
		t.body(b, times[i])
	}
	return a.w.err
}

// invocations solves how often each body is invoked for one invocation of the first.
func invocations(bodies []body, calls []map[body]float64, index map[body]int) ([]float64, error) {
	g := simple.NewDirectedGraph()
	for i := range calls {
		g.AddNode(simple.Node(i))
	}
	for i := range calls {
		for b := range calls[i] {
			if index[b] != i {
				g.SetEdge(g.NewEdge(simple.Node(i), simple.Node(index[b])))
			}
		}
	}
	n := make([]float64, len(calls))
	components := topo.TarjanSCC(g) // callees first
	for k := len(components) - 1; k >= 0; k-- {
		var members []int
		for _, v := range components[k] {
			members = append(members, int(v.ID()))
		}
		slices.Sort(members)
		m, from := mat.NewDense(len(members), len(members), nil), mat.NewVecDense(len(members), nil)
		for at, i := range members {
			outside := 0.0
			if i == 0 {
				outside = 1
			}
			for j := range calls { // in this order, so that sums are the same each time
				if c := calls[j][bodies[i]]; c != 0 && !slices.Contains(members, j) {
					outside += c * n[j]
				}
			}
			from.SetVec(at, outside)
			for to, j := range members {
				m.Set(at, to, -calls[j][bodies[i]])
			}
			m.Set(at, at, m.At(at, at)+1)
		}
		x := mat.NewVecDense(len(members), nil)
		if err := x.SolveVec(m, from); err != nil && !isCondition(err) {
			return nil, fmt.Errorf("why: how often recursive functions are invoked has no solution")
		}
		for at, i := range members {
			n[i] = x.AtVec(at)
		}
	}
	return n, nil
}

// body walks a function that is invoked times times.
func (t *tally) body(b body, times float64) {
	t.called, t.loops = map[body]float64{}, map[body]float64{{0, b.region}: times}
	f := t.a.p.funcs[b.fn]
	for level := range f.levels { // outer levels first
		for region := -1; region < len(t.a.m.Regions); region++ {
			if n := t.loops[body{level, region}]; n != 0 {
				t.level(spot{b.fn, level, t.a.m.Serial, false}, n/f.entries[level], region)
			}
		}
	}
}

// level walks the paths of a level; each occurs its count times the weight.
func (t *tally) level(at spot, weight float64, region int) {
	f := t.a.p.funcs[at.fn]
	for i := range f.levels[at.level].Paths {
		if p := &f.levels[at.level].Paths[i]; p.Count > 0 {
			t.row(at, f.stepsOf(at.level, p), float64(p.Count)*weight, region, false)
		}
	}
	for _, stray := range f.strays[at.level] {
		t.enter(at, stray-1, weight, region)
		if in := t.a.w.loop(at, stray-1); in.inside && t.book {
			t.stray(at, in, weight)
		}
	}
}

// stray books a loop in an active region of whose entries nothing is known, so that it
// is in no schedule: all others wait for it.
func (t *tally) stray(at, in spot, n float64) {
	l := t.a.w.layOut(at)
	task := &l.graph.Tasks[t.a.p.funcs[at.fn].graphs.LoopTask(at.level, in.level-1)]
	item := NoPlace
	if task.Group >= 0 {
		g := &l.graph.Groups[task.Group]
		item.Region, item.Construct, item.Section = g.Region, g.Construct, g.Sections[task.Section].Section
	}
	serial := t.a.alone[t.a.m.Serial].level(spot{at.fn, in.level, t.a.m.Serial, false}).micros
	t.a.items[Imbalance][item] += n * (t.a.ideal*t.a.w.level(in).micros - serial)
}

// enter counts entries of a loop, unless it lies in an active region.
func (t *tally) enter(at spot, loop int, n float64, region int) {
	f, l := t.a.p.funcs[at.fn], t.a.w.layOut(at)
	if task := f.graphs.LoopTask(at.level, loop); !l.places[task].inside && !t.a.w.loop(at, loop).inside {
		t.loops[body{loop + 1, t.single(l, task, region)}] += n
	}
}

// single returns the region on one processor that a task lies in.
func (t *tally) single(l *layout, task, region int) int {
	if g := l.graph.Tasks[task].Group; g >= 0 {
		return l.graph.Groups[g].Region
	}
	return region
}

// row walks a path, or a partial traversal, that occurs n times.
func (t *tally) row(at spot, steps []step, n float64, region int, partial bool) {
	f, l := t.a.p.funcs[at.fn], t.a.w.layOut(at)
	own, inner := f.split(at.level, steps)
	for _, s := range own {
		task := f.taskOf(at.level, s.Step)
		switch in := t.single(l, task, region); {
		case l.places[task].inside:
		case s.Loop() >= 0:
			t.enter(at, s.Loop(), n, region)
		default:
			t.block(at.fn, int(s.Step), s.from, n, in)
		}
	}
	for _, tr := range inner {
		if task := f.graphs.LoopTask(at.level, tr.loop); !l.places[task].inside {
			t.row(t.a.w.loop(at, tr.loop), tr.steps, n, t.single(l, task, region), true)
		}
	}
	if !t.book {
		return
	}
	var sched *schedule
	for g := range l.graph.Groups {
		gr := &l.graph.Groups[g]
		if !l.spread[g] || l.places[gr.Fork].inside || !passes(own, gr.Begin) && !t.ranPart(f, l, at, gr.Index, own, inner) {
			continue
		}
		if sched == nil {
			sched = t.a.schedule(at, steps)
		}
		t.a.region(meeting{at, g, partial}, sched, own, n)
	}
}

// ranPart reports whether a path has a step in a group although it does not run
// through its first block: it was cut, or was entered in the middle.
func (t *tally) ranPart(f *function, l *layout, at spot, group int, own []step, inner []traversal) bool {
	in := func(task int) bool {
		for g := l.graph.Tasks[task].Group; g >= 0; g = l.graph.Groups[g].Parent {
			if g == group {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(own, func(s step) bool { return in(f.taskOf(at.level, s.Step)) }) ||
		slices.ContainsFunc(inner, func(tr traversal) bool { return in(f.graphs.LoopTask(at.level, tr.loop)) })
}

// block books a block outside active regions, and counts its calls.
func (t *tally) block(fn, block, from int, n float64, region int) {
	serial := t.a.m.Serial
	c := &t.a.p.Costs[serial].Blocks[fn][block]
	cycles := c.Cycles
	for _, after := range c.After {
		if after.Pred == from {
			cycles = after.Cycles
		}
	}
	if t.book {
		lost := n * cycles / t.a.p.ClockMHz[serial] * (t.a.ideal - 1)
		item := NoPlace
		if region < 0 {
			item.Func, item.Block = fn, block
			t.a.items[Serial][item] += lost
		} else {
			item.Region = region
			t.a.items[Single][item] += lost
		}
	}
	for _, call := range t.a.p.funcs[fn].calls[block] {
		if slices.Contains(c.Included, call.instr) {
			continue
		}
		b := body{call.callee, region}
		if _, ok := t.called[b]; !ok {
			t.order = append(t.order, b)
		}
		t.called[b] += n * call.share
	}
}
