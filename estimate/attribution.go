package estimate

// This file says which blocks a mapping's busy cycles are spent in, on which processor.

import (
	"cmp"
	"slices"

	"pathspan/mapping"
	"pathspan/pathprof"
)

// Attribution holds what each block, and each creation and synchronisation of tasks,
// contributes to one execution of the root under a mapping, averaged over all paths.
// Cycles are those of the processor that spends them. What a model counts in the block that
// calls, callees and all, is that block's.
type Attribution struct {
	Bodies []Body
	Blocks []BlockShare // by body, then block, task and predecessor
	Forks  []ForkShare  // by body, then construct and processor
}

// Body is a function as it is executed on one processor, in a section or outside.
type Body struct {
	Func      int
	Processor int     // that runs what is outside the function's own sections
	Calls     float64 // per execution of the root
	// Caller is the body, and Block and Instr the call in it, from which all calls come;
	// Caller is -1 where there are several or none.
	Caller, Block, Instr int
}

// Place is a section of a construct; Section is -1 outside of all.
type Place struct{ Region, Construct, Section int }

// Outside is the place of what runs in no section.
var Outside = Place{-1, -1, -1}

// BlockShare is what a block of a body contributes where it is entered from one block.
type BlockShare struct {
	Body       int
	Block      int
	From       int // block that it is entered from, -1 when unknown
	Processor  int
	PricedBy   int // processor by whose costs: another one where paths know of no work on this
	Executions float64
	Cycles     float64 // of one execution
	Place              // the innermost section that it is executed in, of this function or of those that call it
}

// ForkShare is what a construct spends on one processor for tasks.
type ForkShare struct {
	Body, Processor   int
	Region, Construct int
	Executions        float64
	Create, Sync      float64 // cycles of one execution
}

// bodyAt is a function in a context.
type bodyAt struct {
	fn      int
	context context
}

// callSite is where a body calls another.
type callSite struct {
	body, block, instr int
	place              Place // in the body
}

// attribution collects the shares, for one call of each body at first.
type attribution struct {
	e      *Estimator
	v      *evaluator
	bodies []Body
	index  map[bodyAt]int
	todo   []bodyAt
	calls  []map[callSite]float64 // by callee: per call of the caller
	from   []map[Place]float64    // by body: its calls, by the section that they come from
	blocks map[BlockShare]float64
	forks  map[ForkShare]float64
	body   int
	x      *explainer

	counts func(Place) bool // sections that are told apart
	enter  []float64        // by level: entries per call
	times  [][]LevelTime    // by body and level: of one call; nil where nobody asks
}

// Attribute attributes the busy cycles of a mapping as the paths tell them. What runs in
// sections that do not count is the place's around them; nil counts all.
func (e *Estimator) Attribute(m *mapping.Resolved, counts func(Place) bool) (*Attribution, error) {
	a := e.newAttribution(counts)
	if err := a.of(m); err != nil {
		return nil, err
	}
	return a.result(), nil
}

func (e *Estimator) newAttribution(counts func(Place) bool) *attribution {
	return &attribution{e: e, v: newEvaluator(e), counts: counts, index: map[bodyAt]int{}, blocks: map[BlockShare]float64{}, forks: map[ForkShare]float64{}}
}

// of collects the shares under a mapping.
func (a *attribution) of(m *mapping.Resolved) error {
	if err := a.e.fits(m); err != nil {
		return err
	}
	a.v.reset(m, PathBased)
	if a.v.of(a.e.Root, 0); a.v.err != nil {
		return a.v.err
	}
	a.bodyOf(a.e.Root, 0)
	for a.body = 0; a.body < len(a.todo); a.body++ {
		a.walk(a.todo[a.body])
	}
	if a.v.err != nil {
		return a.v.err
	}
	return a.count()
}

// bodyOf returns the index of a function's body in a context. A function that reaches no
// region does not depend on whether one is active, so its two bodies on the serial
// processor are one.
func (a *attribution) bodyOf(fn int, c context) int {
	if a.e.hotOf[fn] < 0 && c == context(1+a.v.m.Serial) {
		c = 0
	}
	at := bodyAt{fn, c}
	if i, ok := a.index[at]; ok {
		return i
	}
	i := len(a.bodies)
	a.index[at] = i
	a.todo = append(a.todo, at)
	a.bodies = append(a.bodies, Body{Func: fn, Processor: a.v.processor(c), Caller: -1, Block: -1, Instr: -1})
	a.calls = append(a.calls, map[callSite]float64{})
	return i
}

// walk goes through one call of a body: levels from the outside in.
func (a *attribution) walk(at bodyAt) {
	f := a.e.funcs[at.fn]
	a.x = a.e.explainer(a.v, f)
	a.x.prepare(at.context)
	a.enter = make([]float64, len(f.prof.Levels))
	a.enter[0] = 1
	if a.times != nil {
		a.times = append(a.times, make([]LevelTime, len(f.prof.Levels)))
	}
	for l := range f.prof.Levels {
		each := a.enter[l] / f.denom[l]
		if each == 0 {
			continue
		}
		if a.timed(l) {
			a.levelTime(l).Entries = a.enter[l]
		}
		for i := range f.prof.Levels[l].Paths {
			p := &f.prof.Levels[l].Paths[i]
			if p.Count > 0 {
				a.path(l, i, p.Steps, f.before(l, p), each*float64(p.Count))
			}
		}
		for _, o := range f.orphans[l] {
			a.enter[o] += each
		}
	}
}

// path adds the steps of a path of a level that is taken w times; its number is -1 for a
// partial traversal.
func (a *attribution) path(level, number int, steps []pathprof.Step, first int, w float64) {
	if a.timed(level) {
		a.addTimes(level, number, steps, first, w)
	}
	for _, in := range a.x.f.walk(level, steps, first,
		func(t, block, from int) { a.block(level, t, block, from, w) },
		func(_, loop int) { a.enter[loop+1] += w },
	) {
		a.path(in.loop+1, -1, in.steps, in.first, w)
	}
	if a.x.planned(level) {
		a.fork(level, steps, w)
	}
}

// block adds a block and the calls in it.
func (a *attribution) block(level, task, block, from int, w float64) {
	e, f := a.e, a.x.f
	c := a.x.context(level, task)
	p := a.v.processor(c)
	kind := e.kindOf[p]
	from = e.known(f.index, pathprof.Step(block), from)
	s := BlockShare{Body: a.body, Block: block, From: from, Processor: p, PricedBy: p, Place: a.place(level, task, block)}
	s.Cycles = e.cost(kind, f.index, block, from) / e.factor[kind]
	a.blocks[s] += w
	for _, call := range f.calls[block] {
		if !e.included(kind, f.index, block, call.instr) {
			a.calls[a.bodyOf(call.callee, c)][callSite{a.body, block, call.instr, s.Place}] += w * call.share
		}
	}
}

// place finds the innermost section of the function around a block that counts.
func (a *attribution) place(level, task, block int) Place {
	f := a.x.f
	for {
		graph := f.graphs.Levels[level]
		t := &graph.Tasks[task]
		for g, section := t.Group, t.Section; g >= 0; {
			gr := &graph.Groups[g]
			if p := (Place{gr.Region, gr.Construct, gr.Sections[section].Section}); a.counts == nil || a.counts(p) {
				return p
			}
			g, section = gr.Parent, gr.ParentSection
		}
		if graph.Inside < 0 {
			return Outside
		}
		level = f.graphs.Instances[graph.Inside].Level
		task = f.graphs.TaskOf(level, block)
	}
}

// fork adds the overheads of the groups that a path runs.
func (a *attribution) fork(level int, steps []pathprof.Step, w float64) {
	graph := a.x.f.graphs.Levels[level]
	ls := &a.x.state.levels[level]
	type place struct{ group, processor int }
	type edge struct {
		group int
		sync  bool
	}
	charged := map[edge]bool{} // what the processor that meets a group spends, once
	shares := map[place]*ForkShare{}
	var order []place
	for _, o := range ls.overhead {
		g := &graph.Groups[o.group]
		if !slices.Contains(steps, pathprof.Step(g.Begin)) {
			continue
		}
		p := a.v.processor(ls.tasks[o.task])
		at := place{int(o.group), p}
		s := shares[at]
		if s == nil {
			order = append(order, at)
			s = &ForkShare{Body: a.body, Processor: p, Region: g.Region, Construct: g.Construct}
			shares[at] = s
		}
		s.spend(o.sync, (o.cycles-o.around)/a.e.factor[a.e.kindOf[p]])
		if key := (edge{int(o.group), o.sync}); o.around > 0 && !charged[key] {
			charged[key] = true
			own := place{int(o.group), int(o.fork)}
			if shares[own] == nil {
				order = append(order, own)
				shares[own] = &ForkShare{Body: a.body, Processor: own.processor, Region: g.Region, Construct: g.Construct}
			}
			shares[own].spend(o.sync, o.around/a.e.factor[a.e.kindOf[o.fork]])
		}
	}
	for _, at := range order {
		a.forks[*shares[at]] += w
	}
}

func (s *ForkShare) spend(sync bool, cycles float64) {
	if sync {
		s.Sync += cycles
	} else {
		s.Create += cycles
	}
}

// Compare orders places by region, construct and section.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.Region, q.Region), cmp.Compare(p.Construct, q.Construct), cmp.Compare(p.Section, q.Section))
}

// result weights the shares of a call by the calls.
func (a *attribution) result() *Attribution {
	out := &Attribution{Bodies: a.bodies}
	add := func(s BlockShare, executions float64) {
		if s.Executions = executions; executions > 0 {
			out.Blocks = append(out.Blocks, s)
		}
	}
	for s, n := range a.blocks {
		if s.Place != Outside {
			add(s, n*a.bodies[s.Body].Calls)
			continue
		}
		for place, calls := range a.from[s.Body] {
			s.Place = place
			add(s, n*calls)
		}
	}
	for s, n := range a.forks {
		if s.Executions = n * a.bodies[s.Body].Calls; s.Executions > 0 {
			out.Forks = append(out.Forks, s)
		}
	}
	slices.SortFunc(out.Blocks, func(x, y BlockShare) int {
		return cmp.Or(cmp.Compare(x.Body, y.Body), cmp.Compare(x.Block, y.Block), cmp.Compare(x.Processor, y.Processor),
			x.Place.Compare(y.Place), cmp.Compare(x.From, y.From))
	})
	slices.SortFunc(out.Forks, func(x, y ForkShare) int {
		return cmp.Or(cmp.Compare(x.Body, y.Body), cmp.Compare(x.Region, y.Region), cmp.Compare(x.Construct, y.Construct),
			cmp.Compare(x.Processor, y.Processor), cmp.Compare(x.Create, y.Create), cmp.Compare(x.Sync, y.Sync))
	})
	return out
}
