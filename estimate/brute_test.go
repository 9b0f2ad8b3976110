package estimate

// This file holds a second estimator, written from the definitions and at any cost, as
// an oracle: values are recomputed wherever they are needed, HTG-bar is built edge by
// edge, and its longest path found by recursion.

import (
	"math"

	"pathspan/htg"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/profile"
)

type brute struct {
	e         *Estimator
	m         *mapping.Resolved
	technique Technique
	// recursive holds the values of the last round for recursive functions; nil where
	// there are none.
	recursive map[where]float64
	used      map[where]bool
}

type where struct {
	fn, proc int
	inside   bool
}

// function is the value of a call on a processor, inside an active region or not.
func (b *brute) function(fn, proc int, inside bool) float64 {
	if b.e.cyclic[b.e.scc[fn]] && b.recursive != nil {
		w := where{fn, proc, inside}
		b.used[w] = true
		return b.recursive[w]
	}
	return b.level(fn, 0, proc, inside)
}

// plan is a level on a processor: where its tasks run, and HTG-bar.
type plan struct {
	b         *brute
	fn, level int
	procs     []int
	in        []bool
	extras    []extra
	edges     [][]bool
}

type extra struct {
	task, begin int
	cycles      float64
}

func (b *brute) plan(fn, level, proc int, inside bool) *plan {
	f := b.e.funcs[fn]
	graph := f.graphs.Levels[level]
	n := len(graph.Tasks)
	procs, in := make([]int, n), make([]bool, n)
	for i := range procs {
		procs[i], in[i] = proc, inside
	}
	var extras []extra
	parallel := make([]bool, len(graph.Groups)) // mapped, not kept on the processor
	for g := range graph.Groups {
		gr := &graph.Groups[g]
		rm := &b.m.Regions[gr.Region]
		from, around := procs[gr.Fork], in[gr.Fork]
		parallel[g] = rm.Explicit || !around
		away, sections := false, 0
		for _, ps := range rm.Proc {
			for _, p := range ps {
				away = away || p != from
				sections++
			}
		}
		active := away || b.technique == PathBasedUnmapped && sections > 1
		creates := false
		for s := range gr.Sections {
			p := rm.Proc[gr.Construct][gr.Sections[s].Section]
			creates = creates || p != from || b.technique == PathBasedUnmapped && len(gr.Sections) > 1
			for _, t := range gr.Sections[s].Tasks {
				if parallel[g] {
					procs[t], in[t] = p, around || active || p != from
				} else {
					procs[t], in[t] = from, around
				}
			}
		}
		other, last := &b.e.Platform.Other, gr.Construct == len(b.e.Bundle.Program.Regions[gr.Region].Constructs)-1
		own := b.e.ClockMHz[0] / b.e.ClockMHz[from]
		if parallel[g] && !creates && gr.Construct == 0 {
			extras = append(extras, extra{gr.Sections[0].Tasks[0], gr.Begin, other.TeamOfOne.Cycles * own})
		}
		if !parallel[g] || !creates {
			continue
		}
		fork, join := 0.0, other.Barrier.Cycles*own
		if gr.Construct == 0 {
			fork = other.Fork.Cycles * own
		}
		if last {
			join = other.Join.Cycles * own
		} else if b.e.Bundle.Program.Regions[gr.Region].Constructs[gr.Construct].NoWait {
			join = 0
		}
		for s := range gr.Sections {
			sec := &gr.Sections[s]
			p := rm.Proc[gr.Construct][sec.Section]
			first, last := true, true
			for o := range gr.Sections {
				if rm.Proc[gr.Construct][gr.Sections[o].Section] != p || o == s || b.technique == PathBasedUnmapped {
					continue
				}
				if b.position(gr, gr.Sections[o].Section) < b.position(gr, sec.Section) {
					first = false
				} else {
					last = false
				}
			}
			hz := b.e.ClockMHz[0] / b.e.ClockMHz[p]
			if first {
				extras = append(extras, extra{sec.Tasks[0], gr.Begin, b.e.Overheads[p].Create*hz + fork})
			}
			if last {
				extras = append(extras, extra{sec.Tasks[len(sec.Tasks)-1], gr.Begin, b.e.Overheads[p].Sync*hz + join})
			}
		}
	}
	// HTG-bar.
	edges := make([][]bool, n)
	for i := range edges {
		edges[i] = make([]bool, n)
		for _, s := range graph.Tasks[i].Succs {
			edges[i][s] = true
		}
		for j := range n {
			shared := procs[i] == procs[j]
			if b.technique == PathBasedUnmapped {
				shared = innermost(graph, parallel, i) == innermost(graph, parallel, j)
			}
			if i != j && shared && b.before(graph, parallel, i, j) {
				edges[i][j] = true
			}
		}
	}
	return &plan{b, fn, level, procs, in, extras, edges}
}

// placed is a step of a path and the block that it is entered from, -1 if unknown.
type placed struct {
	pathprof.Step
	from int
}

// place walks along a path. Behind L* stand the block before the loop, if its last
// traversal follows; an iteration follows one like itself.
func (b *brute) place(fn, level int, path *profile.Path) []placed {
	f := b.e.funcs[fn]
	var out []placed
	at, loops := -1, []int(nil) // the block executed last, and the loops entered since
	if end := path.Steps[len(path.Steps)-1]; level > 0 && path.End == pathprof.EndIteration && end >= 0 {
		if int(path.Steps[0]) == f.cfg.Loops[level-1].Header {
			at = int(end)
		}
	}
	for _, s := range path.Steps {
		if l := s.Loop(); l >= 0 {
			out = append(out, placed{s, -1})
			loops = append(loops, l)
			continue
		}
		if len(loops) > 1 || len(loops) == 1 && !f.cfg.InLoop(loops[0], int(s)) {
			at = -1
		}
		out = append(out, placed{s, at})
		at, loops = int(s), nil
	}
	return out
}

// split separates the steps of a path of a level from those in the last, partial
// traversals of loops that reach regions, by loop.
func (b *brute) split(fn, level int, steps []placed) (own []placed, inside map[int][]placed) {
	f := b.e.funcs[fn]
	inside = map[int][]placed{}
	for _, s := range steps {
		loop := -1
		if l := s.Loop(); l >= 0 {
			loop = f.cfg.Loops[l].Parent
		} else {
			loop = f.cfg.LoopOf[s.Step]
		}
		for loop != level-1 && f.cfg.Loops[loop].Parent != level-1 {
			loop = f.cfg.Loops[loop].Parent
		}
		if loop != level-1 && f.hot(loop+1) {
			inside[loop] = append(inside[loop], s)
		} else {
			own = append(own, s)
		}
	}
	return own, inside
}

// times returns TPC-bar of a path of the level.
func (p *plan) times(steps []placed) []float64 {
	b, f := p.b, p.b.e.funcs[p.fn]
	tpc := make([]float64, len(p.procs))
	own, inside := b.split(p.fn, p.level, steps)
	for _, s := range own {
		t := f.taskOf(p.level, s.Step)
		if l := s.Loop(); l >= 0 {
			tpc[t] += b.loop(p.fn, p.level, l+1, p.procs[t], p.in[t])
		} else {
			tpc[t] += b.block(p.fn, int(s.Step), s.from, p.procs[t], p.in[t])
		}
	}
	for loop, steps := range inside {
		t := f.graphs.LoopTask(p.level, loop)
		tpc[t] += b.partial(p.fn, loop+1, steps, p.procs[t], p.in[t])
	}
	for _, x := range p.extras {
		for _, s := range steps {
			if int(s.Step) == x.begin {
				tpc[x.task] += x.cycles
			}
		}
	}
	return tpc
}

// partial is the value of a partial traversal of a level.
func (b *brute) partial(fn, level int, steps []placed, proc int, inside bool) float64 {
	p := b.plan(fn, level, proc, inside)
	switch b.technique {
	case AverageTime:
		sum, n := make([]float64, len(p.procs)), 0.0
		b.partials(fn, level, func(steps []placed, count float64) {
			for t, x := range p.times(steps) {
				sum[t] += x * count
			}
			n += count
		})
		return longest(p.edges, sum) / n
	case MaximalTime:
		most := make([]float64, len(p.procs))
		b.partials(fn, level, func(steps []placed, _ float64) {
			for t, x := range p.times(steps) {
				most[t] = math.Max(most[t], x)
			}
		})
		return longest(p.edges, most)
	}
	return longest(p.edges, p.times(steps))
}

// partials calls visit with every partial traversal of a level in the profile.
func (b *brute) partials(fn, level int, visit func(steps []placed, count float64)) {
	f := b.e.funcs[fn]
	var in func(at int, steps []placed, count float64)
	in = func(at int, steps []placed, count float64) {
		_, inside := b.split(fn, at, steps)
		for loop, steps := range inside {
			if loop+1 == level {
				visit(steps, count)
			} else {
				in(loop+1, steps, count)
			}
		}
	}
	for at := range f.prof.Levels {
		for i := range f.prof.Levels[at].Paths {
			in(at, b.place(fn, at, &f.prof.Levels[at].Paths[i]), float64(f.prof.Levels[at].Paths[i].Count))
		}
	}
}

// level is the value of one entry of a level.
func (b *brute) level(fn, level, proc int, inside bool) float64 {
	f := b.e.funcs[fn]
	p := b.plan(fn, level, proc, inside)
	n := len(p.procs)
	paths := f.prof.Levels[level].Paths
	switch b.technique {
	case AverageTime:
		sum := make([]float64, n)
		for i := range paths {
			for t, x := range p.times(b.place(fn, level, &paths[i])) {
				sum[t] += x * float64(paths[i].Count)
			}
		}
		return longest(p.edges, sum) / f.denom[level]
	case MaximalTime:
		whole, part := make([]float64, n), make([]float64, n)
		for i := range paths {
			into := whole
			if level > 0 && paths[i].End == pathprof.EndPartial {
				into = part
			}
			for t, x := range p.times(b.place(fn, level, &paths[i])) {
				into[t] = math.Max(into[t], x)
			}
		}
		trips := 1.0
		if level > 0 {
			trips = float64(f.prof.Levels[level].MaxTrips)
		}
		return trips*longest(p.edges, whole) + longest(p.edges, part)
	}
	total := 0.0
	for i := range paths {
		total += longest(p.edges, p.times(b.place(fn, level, &paths[i]))) * float64(paths[i].Count)
	}
	return total / f.denom[level]
}

// loop is the value of a loop met in a path of an outer level, on the processor of its
// task there. A loop deeper inside runs where the levels between put it.
func (b *brute) loop(fn, level, inner, proc int, inside bool) float64 {
	f := b.e.funcs[fn]
	var chain []int // levels from inner outward, without level
	for l := inner; l != level; l = f.parents[l] {
		chain = append(chain, l)
	}
	for i := len(chain) - 1; i > 0; i-- {
		proc, inside = b.taskPlace(fn, chain[i], chain[i-1]-1, proc, inside)
	}
	return b.level(fn, inner, proc, inside)
}

// taskPlace returns where the task of a loop runs in a level.
func (b *brute) taskPlace(fn, level, loop, proc int, inside bool) (int, bool) {
	f := b.e.funcs[fn]
	graph := f.graphs.Levels[level]
	t := &graph.Tasks[f.graphs.LoopTask(level, loop)]
	var chain [][2]int
	for g, s := t.Group, t.Section; g >= 0; g, s = graph.Groups[g].Parent, graph.Groups[g].ParentSection {
		chain = append([][2]int{{g, s}}, chain...)
	}
	for _, c := range chain {
		gr := &graph.Groups[c[0]]
		rm := &b.m.Regions[gr.Region]
		if inside && !rm.Explicit {
			continue
		}
		away, sections := false, 0
		for _, ps := range rm.Proc {
			for _, p := range ps {
				away = away || p != proc
				sections++
			}
		}
		p := rm.Proc[gr.Construct][gr.Sections[c[1]].Section]
		inside = inside || away || b.technique == PathBasedUnmapped && sections > 1
		proc = p
	}
	return proc, inside
}

func (b *brute) block(fn, block, from, proc int, inside bool) float64 {
	cost := &b.e.Costs[proc].Blocks[fn][block]
	sum := cost.Cycles
	for _, a := range cost.After {
		if a.Pred == from {
			sum = a.Cycles
		}
	}
	sum *= b.e.ClockMHz[0] / b.e.ClockMHz[proc]
	for _, c := range b.e.funcs[fn].calls[block] {
		if !b.e.included(b.e.kindOf[proc], fn, block, c.instr) {
			sum += c.share * b.function(c.callee, proc, inside)
		}
	}
	return sum
}

func (b *brute) position(gr *htg.Group, section int) int {
	for i, s := range b.m.Regions[gr.Region].Order[gr.Construct] {
		if s == section {
			return i
		}
	}
	return -1
}

// innermost returns the innermost mapped section that holds a task, as a group and a
// place in it.
func innermost(graph *htg.Graph, parallel []bool, t int) [2]int {
	g, s := graph.Tasks[t].Group, graph.Tasks[t].Section
	for g >= 0 && !parallel[g] {
		g, s = graph.Groups[g].Parent, graph.Groups[g].ParentSection
	}
	return [2]int{g, s}
}

// before reports whether task i stands before task j in the schedule order: by the
// mapping's order where they part in different sections of one group, else in order
// of the code.
func (b *brute) before(graph *htg.Graph, parallel []bool, i, j int) bool {
	up := func(t int) [][2]int {
		var chain [][2]int
		for g, s := graph.Tasks[t].Group, graph.Tasks[t].Section; g >= 0; g, s = graph.Groups[g].Parent, graph.Groups[g].ParentSection {
			chain = append([][2]int{{g, s}}, chain...)
		}
		return chain
	}
	x, y := up(i), up(j)
	for k := 0; k < len(x) && k < len(y) && x[k][0] == y[k][0]; k++ {
		if x[k][1] == y[k][1] {
			continue
		}
		gr := &graph.Groups[x[k][0]]
		if !parallel[x[k][0]] {
			break
		}
		return b.position(gr, gr.Sections[x[k][1]].Section) < b.position(gr, gr.Sections[y[k][1]].Section)
	}
	return i < j
}

// longest returns the length of the longest path to the last task.
func longest(edges [][]bool, times []float64) float64 {
	n := len(times)
	memo := make([]float64, n)
	for i := range memo {
		memo[i] = -1
	}
	var end func(t int) float64
	end = func(t int) float64 {
		if memo[t] < 0 {
			start := 0.0
			for u := range n {
				if edges[u][t] {
					start = math.Max(start, end(u))
				}
			}
			memo[t] = start + times[t]
		}
		return memo[t]
	}
	return end(n - 1)
}
