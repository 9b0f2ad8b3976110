package pathprof

// This file plans the probes of one function from its numbering.

import (
	"pathspan/build/probe"
	"pathspan/ir/flow"
)

// Layout says where the counters of one level are.
type Layout struct {
	Counter int // first counter of the level, -1 when hashed
	Table   int // hash table, -1 when in an array
	// Trips is the counter of the largest number of completed iterations seen in
	// one entry of the loop, -1 for level 0 and where it cannot be known.
	Trips int
	// Summed: the loop has one path and no call; its count is added on leaving it.
	Summed bool
}

// Planner lays out the counters of a module and plans its probes.
type Planner struct {
	Plan    probe.Plan
	Layouts [][]Layout // [function][level]; nil for a function without probes
	Sites   []Site     // blocks inside which activations can be left, by site number
	Returns []Site     // blocks to which control may return a second time, by number
	// Entered holds a counter of entries by function, where activations may be lost.
	Entered []int

	counts bool // entries are counted
}

// Site is a block whose activation tells the paths under way when it is left inside one
// of the block's calls.
type Site struct {
	Func, Block int
	Regs        []int // registers of the levels around the block, outermost first, -1 when always zero
}

// Calls reports, for the blocks of a function, which hold calls that may run code
// that ends the program or counts on its own.
type Calls func(block int) bool

// Add plans the probes of function index fn and lays out its counters. leave says where
// its activations can be left.
func (p *Planner) Add(fn int, n *Numbering, calls Calls, leave *leaving) {
	for len(p.Layouts) <= fn {
		p.Layouts = append(p.Layouts, nil)
	}
	first := probe.Numbers{Counter: p.Plan.Counters, Table: p.Plan.Tables, Site: len(p.Sites), Return: len(p.Returns)}
	b := &funcPlanner{n: n, p: p, edges: make(map[flow.Edge][]probe.Op)}
	b.layOut(calls)
	p.Layouts[fn] = b.layouts
	b.registers()
	entered := -1
	if p.counts {
		entered = p.Plan.Counters
		p.Plan.Counters++
		p.Entered = append(p.Entered, entered)
	}
	f := probe.Func{Index: fn, First: first, Link: b.link(leave)}
	b.plan()
	f.Registers = b.count
	ends := b.countEarly(calls)
	for _, from := range n.CFG.Order {
		ops := b.top(from)
		if from == 0 && entered >= 0 {
			ops = append(ops, probe.Op{Kind: probe.Count, Register: -1, Counter: entered})
		}
		if len(ops) > 0 {
			f.Top = append(f.Top, probe.BlockOps{Block: from, Ops: ops})
		}
		if op, ok := ends[from]; ok {
			f.End = append(f.End, probe.BlockOps{Block: from, Ops: []probe.Op{op}})
		}
		for k := range n.CFG.Succs[from] {
			e := flow.Edge{From: from, Index: k}
			ops := b.edges[e]
			if len(ops) == 0 {
				continue
			}
			if n.restarts[n.CFG.Target(e)] {
				f.BeforeCall = append(f.BeforeCall, probe.BlockOps{Block: from, Ops: ops})
			} else {
				f.Edges = append(f.Edges, probe.EdgeOps{Edge: e, Ops: ops})
			}
		}
	}
	for _, block := range leave.publish {
		site := p.site(fn, b, block)
		linked := f.Link != nil && b.linked[block]
		f.Frames = append(f.Frames, probe.Frame{Block: block, Site: site, Regs: p.Sites[site].Regs, Linked: linked})
	}
	for _, t := range leave.lets {
		site := p.site(fn, b, t.block)
		f.Unwinds = append(f.Unwinds, probe.Unwind{Block: t.block, Calls: t.calls, Site: site, Regs: p.Sites[site].Regs})
	}
	if f.Link != nil {
		for _, block := range leave.again {
			f.Link.Again = append(f.Link.Again, probe.Return{Block: block, Number: uint64(len(p.Returns))})
			p.Returns = append(p.Returns, Site{Func: fn, Block: block})
		}
	}
	p.Plan.Funcs = append(p.Plan.Funcs, f)
	p.Plan.Ends = probe.Numbers{Counter: p.Plan.Counters, Table: p.Plan.Tables, Site: len(p.Sites), Return: len(p.Returns)}
}

// site returns the number of a block of function fn, which it gets on first use.
func (p *Planner) site(fn int, b *funcPlanner, block int) uint64 {
	for i := len(p.Sites) - 1; i >= 0 && p.Sites[i].Func == fn; i-- {
		if p.Sites[i].Block == block {
			return uint64(i)
		}
	}
	s := Site{Func: fn, Block: block}
	for _, level := range b.n.LevelsAround(block) {
		s.Regs = append(s.Regs, b.path[level])
	}
	p.Sites = append(p.Sites, s)
	return uint64(len(p.Sites) - 1)
}

type funcPlanner struct {
	n       *Numbering
	p       *Planner
	layouts []Layout
	path    []int // register of the level's path, -1 when it is always zero
	trip    []int // register of the loop's iterations, by loop
	count   int
	holds   []bool // by loop: it holds a block whose activation is published in a linked record
	linked  []bool // by block: the linked record is there
	edges   map[flow.Edge][]probe.Op
}

func (b *funcPlanner) layOut(calls Calls) {
	n := b.n
	quiet := make([]bool, len(n.CFG.Loops))
	for l, loop := range n.CFG.Loops {
		quiet[l] = true
		for _, x := range loop.Blocks {
			if calls(x) || len(n.CFG.Succs[x]) == 0 {
				quiet[l] = false
				break
			}
		}
	}
	b.layouts = make([]Layout, len(n.Levels))
	for i := range n.Levels {
		level, lay := &n.Levels[i], &b.layouts[i]
		*lay = Layout{Counter: -1, Table: -1, Trips: -1}
		if level.Hashed(n.Limits) {
			lay.Table = b.p.Plan.Tables
			b.p.Plan.Tables++
		} else {
			lay.Counter = b.p.Plan.Counters
			b.p.Plan.Counters += int(level.Paths)
		}
		if l := level.Loop; l >= 0 && !level.Degraded {
			lay.Trips = b.p.Plan.Counters
			b.p.Plan.Counters++
			lay.Summed = quiet[l] && level.Paths == 1
		}
	}
}

// registers gives a register to every level whose path number can differ from 0.
func (b *funcPlanner) registers() {
	n := b.n
	b.path = make([]int, len(n.Levels))
	b.trip = make([]int, len(n.CFG.Loops))
	needs := make([]bool, len(n.Levels))
	for _, from := range n.CFG.Order {
		for k := range n.CFG.Succs[from] {
			n.walk(flow.Edge{From: from, Index: k}, func(s step) {
				switch s.kind {
				case stepEnter, stepJoin:
					needs[s.level] = needs[s.level] || s.value != 0
				case stepFold:
					needs[s.level] = true
				}
			})
		}
	}
	for i := range needs {
		b.path[i] = -1
		if needs[i] {
			b.path[i] = b.count
			b.count++
		}
	}
	for l := range b.trip {
		b.trip[l] = -1
		if b.layouts[l+1].Trips >= 0 {
			b.trip[l] = b.count
			b.count++
		}
	}
}

// plan fills the operations of every edge.
func (b *funcPlanner) plan() {
	n := b.n
	for _, from := range n.CFG.Order {
		for k := range n.CFG.Succs[from] {
			e := flow.Edge{From: from, Index: k}
			var ops []probe.Op
			n.walk(e, func(s step) { ops = b.translate(ops, s) })
			if len(ops) > 0 {
				b.edges[e] = ops
			}
		}
	}
}

func (b *funcPlanner) translate(ops []probe.Op, s step) []probe.Op {
	switch s.kind {
	case stepCount:
		if l := b.n.Levels[s.level].Loop; l >= 0 && s.sink.Kind == EndIteration {
			if b.layouts[s.level].Summed {
				return ops // added when the loop is left
			}
		}
		return append(ops, b.countOp(s.level, s.sink.Offset))
	case stepFold:
		return append(ops, probe.Op{Kind: probe.Fold, Register: b.path[s.level], Other: b.path[s.from], Value: s.value})
	case stepJoin:
		if s.value != 0 {
			return append(ops, probe.Op{Kind: probe.Add, Register: b.path[s.level], Value: s.value})
		}
	case stepEnter:
		if b.path[s.level] >= 0 {
			return append(ops, probe.Op{Kind: probe.Set, Register: b.path[s.level], Value: s.value})
		}
	case stepTripStart:
		if r := b.trip[s.level-1]; r >= 0 {
			ops = append(ops, probe.Op{Kind: probe.Set, Register: r})
		}
		if b.holds != nil && b.holds[s.level-1] {
			// The outer register stands still as long as control is in the loop.
			outer := b.n.CFG.Loops[s.level-1].Parent
			if r := b.path[outer+1]; r >= 0 {
				ops = append(ops, probe.Op{Kind: probe.Publish, Register: r, Counter: b.depth(outer)})
			}
		}
	case stepTrip:
		if r := b.trip[s.level-1]; r >= 0 {
			return append(ops, probe.Op{Kind: probe.Add, Register: r, Value: 1})
		}
	case stepLeave:
		if r := b.trip[s.level-1]; r >= 0 {
			lay := b.layouts[s.level]
			ops = append(ops, probe.Op{Kind: probe.Max, Register: r, Counter: lay.Trips})
			if lay.Summed {
				ops = append(ops, probe.Op{Kind: probe.AddTo, Register: r, Counter: lay.Counter})
			}
		}
	}
	return ops
}

func (b *funcPlanner) countOp(level int, offset uint64) probe.Op {
	lay := b.layouts[level]
	if lay.Table >= 0 {
		return probe.Op{Kind: probe.Hash, Register: b.path[level], Table: lay.Table, Value: offset}
	}
	return probe.Op{Kind: probe.Count, Register: b.path[level], Counter: lay.Counter + int(offset)}
}

// top zeroes the register of a level where its paths start: at a loop's header,
// which back edges reach as well, and at a cut.
func (b *funcPlanner) top(block int) []probe.Op {
	r := b.path[b.n.LevelOf(block)]
	if r < 0 || !b.starts(block) {
		return nil
	}
	return []probe.Op{{Kind: probe.Set, Register: r}}
}

// starts reports whether paths of its level start at the top of a block.
func (b *funcPlanner) starts(block int) bool {
	n := b.n
	level := n.LevelOf(block)
	return n.cut[block] || block == 0 && level == 0 || level > 0 && n.CFG.Loops[level-1].Header == block
}
