package estimate

// This file evaluates one mapping under one technique: the values of hot functions
// and levels (Algorithm 1 of Lattuada, Pilato and Ferrandi).

import (
	"pathspan/estimate/table"
	"pathspan/htg"
	"pathspan/mapping"
)

// A context says where a function or a level is executed and whether a parallel
// region is active around it. Context 0 is the serial processor with none active;
// 1+p is processor p inside a region. Other combinations do not occur: code leaves the
// serial processor only as a section.
type context int32

// evaluator holds the state of one evaluation. Its slices are reused.
type evaluator struct {
	e         *Estimator
	m         *mapping.Resolved
	technique Technique
	explicit  table.RegionSet

	values [][]float64 // [context][hot function]
	state  [][]uint8   // unknown, provisional or known
	funcs  []funcState // by hot function

	start     []float64 // by task, of the last schedule
	stop      []float64
	available []float64 // by resource: when its last task ends
	times     []float64
	scratch   []float64
	load      []float64 // by processor
	firstOn   []int32   // by processor
	lastOn    []int32
	share     float64   // of the task that is being placed
	speeds    []float64 // by kind: what the level that is being planned takes on one processor

	recursion *circle    // the one being solved
	average   *evaluator // path-based values of the same mapping, for maximal times
	err       error
}

// States of a value.
const (
	unknown uint8 = iota
	provisional
	known
)

type funcState struct{ levels []levelState }

// levelState is the schedule and the value of one hot level.
type levelState struct {
	context  context
	value    float64
	parts    []float64 // values of the partial traversals
	tasks    []context // by task
	kinds    []int32   // by task: kind of its processor
	share    []float64 // by task: the part of its time that counts, below 1 in worksharing loops
	resource []int32   // by task: its processor, or what stands for one when unmapped
	taken    int32     // resources in use
	order    []int32   // tasks in schedule order
	overhead []overhead
	parallel bool // a group uses several processors
	deps     []float64
}

// overhead is added to the time of a task on paths that execute a group.
type overhead struct {
	task, group int32
	processor   int32   // whose overhead it is
	sync        bool    // else create
	cycles      float64 // of processor 0
	around      float64 // of these, what another processor spends while this one waits: forking or joining
	fork        int32   // which one: that which meets the group
}

func newEvaluator(e *Estimator) *evaluator {
	n := len(e.Platform.Processors)
	v := &evaluator{e: e, explicit: table.NewRegionSet(len(e.Bundle.Program.Regions))}
	for range n + 1 {
		v.values = append(v.values, make([]float64, len(e.hot)))
		v.state = append(v.state, make([]uint8, len(e.hot)))
	}
	most := 0
	for _, h := range e.hot {
		s := funcState{levels: make([]levelState, len(h.levels))}
		for i := range h.levels {
			if hl := &h.levels[i]; hl.on {
				s.levels[i].tasks = make([]context, len(hl.graph.Tasks))
				s.levels[i].kinds = make([]int32, len(hl.graph.Tasks))
				s.levels[i].share = make([]float64, len(hl.graph.Tasks))
				s.levels[i].resource = make([]int32, len(hl.graph.Tasks))
				s.levels[i].deps = make([]float64, len(hl.deps))
				s.levels[i].parts = make([]float64, hl.parts.rows)
				most = max(most, len(hl.graph.Tasks)) // no fewer than sections
			}
		}
		v.funcs = append(v.funcs, s)
	}
	v.start, v.stop, v.times = make([]float64, most), make([]float64, most), make([]float64, most)
	v.available = make([]float64, max(n, most))
	v.firstOn, v.lastOn, v.load = make([]int32, n), make([]int32, n), make([]float64, n)
	return v
}

// reset prepares the evaluation of a mapping.
func (v *evaluator) reset(m *mapping.Resolved, t Technique) {
	v.m, v.technique, v.err = m, t, nil
	v.average, v.recursion = nil, nil
	clear(v.explicit)
	for r := range m.Regions {
		if m.Regions[r].Explicit {
			v.explicit.Add(r)
		}
	}
	for c := range v.state {
		clear(v.state[c])
	}
}

func (v *evaluator) processor(c context) int {
	if c == 0 {
		return v.m.Serial
	}
	return int(c) - 1
}

func (v *evaluator) kind(c context) int { return v.e.kindOf[v.processor(c)] }

// of returns the value of a function in a context, per call.
func (v *evaluator) of(fn int, c context) float64 {
	if h := v.e.hotOf[fn]; h >= 0 {
		return v.hot(h, c)
	}
	return v.e.constants(v.technique)[fn].levels[0][v.kind(c)]
}

// hot returns the value of a hot function.
func (v *evaluator) hot(h int, c context) float64 {
	f := v.e.hot[h]
	if c > 0 && !v.e.funcs[f.fn].reaches.Intersects(v.explicit) {
		// Every region it reaches stays on the processor.
		return v.e.constants(v.technique)[f.fn].levels[0][v.kind(c)]
	}
	switch {
	case v.state[c][h] != unknown:
		return v.values[c][h]
	case f.cyclic && v.technique != MaximalTime:
		return v.recursive(h, c)
	}
	x := v.function(h, c)
	v.values[c][h], v.state[c][h] = x, known
	return x
}

// stays reports whether every region of a level stays on the processor that runs it.
func (v *evaluator) stays(hl *hotLevel, ls *levelState) bool {
	return ls.context > 0 && !hl.regions.Intersects(v.explicit)
}

// function evaluates a hot function in a context: its levels' contexts and schedules
// from the outside in, then their values from the inside out.
func (v *evaluator) function(h int, c context) float64 {
	f, s := v.e.hot[h], &v.funcs[h]
	v.planLevels(f, s, c)
	for i := len(f.levels) - 1; i >= 0; i-- {
		hl, ls := &f.levels[i], &s.levels[i]
		switch {
		case !hl.on:
		case v.stays(hl, ls):
			c, kind := &v.e.constants(v.technique)[f.fn], v.kind(ls.context)
			ls.value = c.levels[i][kind]
			for k := range ls.parts {
				ls.parts[k] = c.of(partTerm(i, k), kind)
			}
		default:
			v.resolve(f, s, hl, ls)
			ls.value = v.level(f, s, hl, ls, i)
			v.partials(hl, ls)
		}
	}
	return s.levels[0].value
}

// planLevels finds the contexts of a function's levels, and plans those whose regions
// do not stay where they are met.
func (v *evaluator) planLevels(f *hotFunc, s *funcState, c context) {
	s.levels[0].context = c
	for i := range f.levels {
		hl, ls := &f.levels[i], &s.levels[i]
		if !hl.on {
			continue
		}
		serial := v.stays(hl, ls)
		if !serial {
			v.speeds = v.e.constants(v.technique)[f.fn].levels[i]
			v.plan(hl, ls)
		}
		for _, in := range hl.inner {
			s.levels[in.level].context = ls.context
			if !serial {
				s.levels[in.level].context = ls.tasks[in.task]
			}
		}
	}
}

// resolve finds the values that a level's tasks depend on.
func (v *evaluator) resolve(f *hotFunc, s *funcState, hl *hotLevel, ls *levelState) {
	for i, d := range hl.deps {
		if d.hot < 0 {
			ls.deps[i] = s.levels[d.level].value
			if d.part >= 0 {
				ls.deps[i] = s.levels[d.level].parts[d.part]
			}
			continue
		}
		c := ls.tasks[d.task]
		if v.technique == MaximalTime && f.cyclic && v.e.scc[v.e.hot[d.hot].fn] == v.e.scc[f.fn] {
			ls.deps[i] = v.pathBased().hot(int(d.hot), c)
			continue
		}
		ls.deps[i] = v.hot(int(d.hot), c)
	}
}

// pathBased returns an evaluator of the path-based values of the same mapping.
func (v *evaluator) pathBased() *evaluator {
	if v.average == nil {
		v.average = newEvaluator(v.e)
		v.average.reset(v.m, PathBased)
	}
	return v.average
}

// level returns the value of a level per entry.
func (v *evaluator) level(f *hotFunc, s *funcState, hl *hotLevel, ls *levelState, index int) float64 {
	total := 0.0
	if v.technique == MaximalTime {
		total = v.worst(hl, ls)
	} else {
		total = v.paths(hl, ls) / hl.denom
	}
	for _, o := range hl.orphans {
		x := 0.0
		if f.levels[o].on {
			x = s.levels[o].value
		} else {
			x = v.e.constants(v.technique)[f.fn].levels[o][v.kind(ls.tasks[v.e.Graphs[f.fn].LoopTask(index, o-1)])]
		}
		if v.technique != MaximalTime {
			x /= hl.denom
		}
		total += x
	}
	return total
}

// partials fills the values of a level's partial traversals. Maximal times know one value
// for all.
func (v *evaluator) partials(hl *hotLevel, ls *levelState) {
	if v.technique == MaximalTime && hl.parts.rows > 0 {
		extra := func(r int, times []float64) { addOverhead(ls, hl.partRuns[r*hl.groups:], times) }
		v.scratch = hl.level.worstPart(&hl.maximumPart, v.scratch, ls.cell, extra)
		x := v.schedule(hl, ls, v.scratch)
		for r := range ls.parts {
			ls.parts[r] = x
		}
		return
	}
	for r := range ls.parts {
		ls.parts[r] = v.row(hl, ls, &hl.parts, r, hl.partRuns)
	}
}

func (v *evaluator) row(hl *hotLevel, ls *levelState, t *costTable, r int, runs []bool) float64 {
	times := v.times[:t.tasks]
	for task := range times {
		times[task] = ls.cell(t, r*t.tasks+task)
	}
	addOverhead(ls, runs[r*hl.groups:], times)
	return v.schedule(hl, ls, times)
}

// cell is the time of a task where it runs, of a row of a table.
func (ls *levelState) cell(t *costTable, i int) float64 {
	task := i % t.tasks
	return ls.share[task] * t.cell(i, int(ls.kinds[task]), ls.deps)
}

// paths sums the times of all paths of a level (eq. 6-11).
func (v *evaluator) paths(hl *hotLevel, ls *levelState) float64 {
	total := 0.0
	if !ls.parallel && len(ls.overhead) == 0 {
		for t := range hl.sum.tasks {
			total += ls.cell(&hl.sum, t)
		}
		return total
	}
	for c, count := range hl.count {
		total += count * v.row(hl, ls, &hl.class, c, hl.runs)
	}
	return total
}

func addOverhead(ls *levelState, runs []bool, times []float64) {
	for i := range ls.overhead {
		if o := &ls.overhead[i]; runs[o.group] {
			times[o.task] += o.cycles
		}
	}
}

// worst schedules the largest times.
func (v *evaluator) worst(hl *hotLevel, ls *levelState) float64 {
	total := 0.0
	extra := func(c int, times []float64) { addOverhead(ls, hl.runs[c*hl.groups:], times) }
	for _, half := range halves {
		if n := hl.passes(half); n > 0 {
			v.scratch = hl.level.worst(&hl.maximum, half, v.scratch, ls.cell, extra)
			total += n * v.schedule(hl, ls, v.scratch)
		}
	}
	return total
}

// schedule returns the end of the Exit task when tasks take the given times (eq. 8-10).
// The edges of HTG-bar between tasks that share a processor are those of the schedule
// order; only the last task on a processor matters to the next.
func (v *evaluator) schedule(hl *hotLevel, ls *levelState, times []float64) float64 {
	stop, available := v.stop, v.available[:ls.taken]
	clear(available)
	for _, t := range ls.order {
		r := ls.resource[t]
		start := available[r]
		for _, p := range hl.graph.Tasks[t].Preds {
			start = max(start, stop[p])
		}
		end := start + times[t]
		v.start[t], stop[t], available[r] = start, end, end
	}
	return stop[len(hl.graph.Tasks)-1]
}

// plan decides where the tasks of a level run, in which order, and with which
// overheads.
func (v *evaluator) plan(hl *hotLevel, ls *levelState) {
	ls.order, ls.overhead, ls.parallel = ls.order[:0], ls.overhead[:0], false
	last := len(hl.graph.Tasks) - 1
	resource := int32(v.processor(ls.context))
	ls.taken = int32(len(v.e.Platform.Processors))
	if v.technique == PathBasedUnmapped {
		resource, ls.taken = 0, 1
	}
	v.share = 1
	v.place(ls, 0, ls.context, resource)
	v.series(hl, ls, hl.graph.Series, ls.context, resource)
	v.place(ls, last, ls.context, resource)
}

func (v *evaluator) place(ls *levelState, task int, c context, resource int32) {
	ls.tasks[task], ls.kinds[task], ls.resource[task], ls.share[task] = c, int32(v.kind(c)), resource, v.share
	ls.order = append(ls.order, int32(task))
}

func (v *evaluator) series(hl *hotLevel, ls *levelState, stages []htg.Stage, c context, resource int32) {
	for _, st := range stages {
		if st.Task >= 0 {
			v.place(ls, st.Task, c, resource)
		} else {
			v.group(hl, ls, &hl.graph.Groups[st.Group], c, resource)
		}
	}
}

// group places the sections of a group. Inside an active region a region that no
// mapping file names stays on its processor, as OpenMP runs nested regions by default.
func (v *evaluator) group(hl *hotLevel, ls *levelState, g *htg.Group, c context, resource int32) {
	rm := &v.m.Regions[g.Region]
	if c > 0 && !rm.Explicit {
		for i := range g.Sections {
			v.series(hl, ls, g.Sections[i].Series, c, resource)
		}
		return
	}
	if l := rm.Loop(g.Construct); l != nil {
		v.loop(hl, ls, g, l, c)
		return
	}
	fork := v.processor(c)
	proc, place := rm.Proc[g.Construct], hl.place[g.Index]
	v.groupOverhead(ls, g, rm.Order[g.Construct], proc, place, fork)
	active := v.active(rm, fork)
	for _, s := range rm.Order[g.Construct] {
		if place[s] < 0 {
			continue // never reached
		}
		in := c
		if active || proc[s] != fork {
			in = context(1 + proc[s])
		}
		own := int32(proc[s])
		if v.technique == PathBasedUnmapped {
			own = ls.taken
			ls.taken++
		}
		v.series(hl, ls, g.Sections[place[s]].Series, in, own)
	}
}

// loop places the only section of a worksharing loop, which is all its iterations: by paths
// no more is known of them. Each thread takes its part of their time, and the one that ends
// last counts, with the overheads of its processor. Where all stay on one processor there is
// nothing to share.
func (v *evaluator) loop(hl *hotLevel, ls *levelState, g *htg.Group, l *mapping.LoopMap, c context) {
	rm, fork := &v.m.Regions[g.Region], v.processor(c)
	separate := v.technique == PathBasedUnmapped
	p, share, forks := v.slowest(l, rm.Proc[g.Construct], fork, separate)
	in, own := c, int32(p)
	if v.active(rm, fork) || p != fork {
		in = context(1 + p)
	}
	if separate {
		own = ls.taken
		ls.taken++
	}
	before, after, alone := v.around(g, fork)
	if forks {
		ls.parallel = true
		tasks, over := g.Sections[0].Tasks, &v.e.Overheads[p]
		by := v.share * v.e.factor[v.e.kindOf[p]]
		ls.overhead = append(ls.overhead,
			overhead{int32(tasks[0]), int32(g.Index), int32(p), false, by*over.Create + before, before, int32(fork)},
			overhead{int32(tasks[len(tasks)-1]), int32(g.Index), int32(p), true, by*over.Sync + after, after, int32(fork)})
	} else if alone > 0 {
		ls.overhead = append(ls.overhead, overhead{int32(g.Sections[0].Tasks[0]), int32(g.Index), int32(p), false, alone, 0, int32(fork)})
	}
	outer := v.share
	v.share *= share
	v.series(hl, ls, g.Sections[0].Series, in, own)
	v.share = outer
}

// slowest returns the processor that ends a loop last, as far as the time of the level around it tells,
// and its part of the iterations; and whether threads are created at all. Separate threads
// share no processor.
func (v *evaluator) slowest(l *mapping.LoopMap, proc []int, fork int, separate bool) (processor int, share float64, forks bool) {
	clear(v.load)
	forks = separate && l.Threads > 1
	processor = proc[0]
	longest := -1.0
	for t := range l.Threads {
		p := proc[t]
		forks = forks || p != fork
		if v.load[p] += l.Part(t); separate {
			v.load[p] = l.Part(t)
		}
		if x := v.load[p] * v.speeds[v.e.kindOf[p]]; x > longest {
			processor, share, longest = p, v.load[p], x
		}
	}
	return processor, share, forks
}

// active reports whether a region runs on more than the processor that forks it.
func (v *evaluator) active(rm *mapping.RegionMap, fork int) bool {
	sections := 0
	for _, proc := range rm.Proc {
		for _, p := range proc {
			if p != fork {
				return true
			}
		}
		sections += len(proc)
	}
	return v.technique == PathBasedUnmapped && sections > 1
}

// groupOverhead adds the overheads of a group: create to the first task on each of
// its processors, sync to the last (Appendix A, step 5). A group that stays on the
// processor that forks it creates nothing.
func (v *evaluator) groupOverhead(ls *levelState, g *htg.Group, order, proc, place []int, fork int) {
	separate := v.technique == PathBasedUnmapped
	forks := separate && len(g.Sections) > 1
	for i := range v.firstOn {
		v.firstOn[i], v.lastOn[i] = -1, -1
	}
	for _, s := range order {
		if place[s] < 0 {
			continue
		}
		p := proc[s]
		forks = forks || p != fork
		tasks := g.Sections[place[s]].Tasks
		if v.firstOn[p] < 0 {
			v.firstOn[p] = int32(tasks[0])
		}
		v.lastOn[p] = int32(tasks[len(tasks)-1])
	}
	before, after, alone := v.around(g, fork)
	if !forks {
		for _, s := range order {
			if alone > 0 && place[s] >= 0 {
				ls.overhead = append(ls.overhead, overhead{int32(g.Sections[place[s]].Tasks[0]), int32(g.Index), int32(fork), false, alone, 0, int32(fork)})
				break
			}
		}
		return
	}
	ls.parallel = true
	for _, s := range order {
		if place[s] < 0 {
			continue
		}
		p := proc[s]
		tasks := g.Sections[place[s]].Tasks
		first, last := int32(tasks[0]), int32(tasks[len(tasks)-1])
		factor := v.e.factor[v.e.kindOf[p]]
		if separate || first == v.firstOn[p] {
			ls.overhead = append(ls.overhead, overhead{first, int32(g.Index), int32(p), false, v.share*v.e.Overheads[p].Create*factor + before, before, int32(fork)})
		}
		if separate || last == v.lastOn[p] {
			ls.overhead = append(ls.overhead, overhead{last, int32(g.Index), int32(p), true, v.share*v.e.Overheads[p].Sync*factor + after, after, int32(fork)})
		}
	}
}

// around returns what forking and joining a group costs the processor that meets it, or
// executing it alone. Levels charge the former to each processor that takes part, ahead of
// its first task and behind its last, which comes to the same time.
func (v *evaluator) around(g *htg.Group, fork int) (before, after, alone float64) {
	o, r := &v.e.Platform.Other, &v.e.Bundle.Program.Regions[g.Region]
	factor := v.share * v.e.factor[v.e.kindOf[fork]]
	if g.Construct == 0 {
		before, alone = factor*o.Fork.Cycles, factor*o.TeamOfOne.Cycles
	}
	switch {
	case g.Construct == len(r.Constructs)-1:
		after = factor * o.Join.Cycles
	case !r.Constructs[g.Construct].NoWait:
		after = factor * o.Barrier.Cycles
	}
	if r.Constructs[g.Construct].Reduces {
		after += factor * o.Reduction.Cycles
	}
	return before, after, alone
}
