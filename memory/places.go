package memory

// This file numbers what a program has that accesses memory.

import (
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// Index says which instructions stand for the places, loops and calls of a Data.
type Index struct {
	places map[instr]int
	loops  []map[int]int // by function: index into Data.Loops by loop of the graph
	lanes  map[ir.Mark]int
	calls  map[instr]int
}

type instr struct{ fn, block, index int }

// Place returns the number of the place of an instruction, or -1 where it accesses no memory.
func (x *Index) Place(fn, block, index int) int { return find(x.places, instr{fn, block, index}) }

// Loop returns the number of a loop of a function's graph, or -1 where nothing in it needs one.
func (x *Index) Loop(fn, loop int) int { return find(x.loops[fn], loop) }

// Call returns the number of a call, or -1 where it leads to nothing that makes objects.
func (x *Index) Call(fn, block, index int) int { return find(x.calls, instr{fn, block, index}) }

// Lane returns the number of the lane that a mark begins or ends.
func (x *Index) Lane(m *ir.Mark) int {
	key := *m
	switch m.Kind {
	case ir.RegionEnd:
		key.Kind = ir.RegionBegin
	case ir.SectionEnd:
		key.Kind = ir.SectionBegin
	case ir.TaskEnd:
		key.Kind = ir.TaskBegin
	}
	return find(x.lanes, key)
}

func find[K comparable](m map[K]int, key K) int {
	if at, ok := m[key]; ok {
		return at
	}
	return -1
}

// Of numbers the places, loops and lanes of a program. Graphs are those of its functions, by
// index; how tells which instructions access memory, and which do so atomically. The paths of what
// it returns are the calls that may lead to where objects are made, in the order of their numbers,
// for [Data.Told].
func Of(p *ir.Program, graphs func(fn int) *flow.CFG, how func(fn, block, index int) (accesses, atomic bool)) (*Data, *Index) {
	d := &Data{Paths: []Path{{Outer: -1, Func: -1}}, Guards: []Guard{{Outer: -1, Lock: -1}}}
	x := &Index{places: make(map[instr]int), loops: make([]map[int]int, len(p.Funcs)), calls: make(map[instr]int)}
	d.Lanes, x.lanes = lanesOf(p)
	known, making := make(map[Place]int), leadToHeap(p)
	knownCalls := make(map[Path]int)
	for fi, f := range p.Funcs {
		g := graphs(fi)
		x.addLoops(d, p, fi, g, how)
		for bi, b := range f.Blocks {
			if !g.Reachable[bi] {
				continue
			}
			for i := range b.Instrs {
				in := &b.Instrs[i]
				loc := in.Loc
				loc.Col = 0
				if in.Call != nil && leads(in.Call, making) {
					x.calls[instr{fi, bi, i}] = number(knownCalls, &d.Paths, Path{Func: fi, Loc: loc, Into: in.Into}) - 1
				}
				accesses, atomic := how(fi, bi, i)
				if !accesses {
					continue
				}
				place := Place{Func: fi, Loop: -1, Loc: loc, Into: in.Into, Atomic: atomic}
				for l := g.LoopOf[bi]; l >= 0 && place.Loop < 0; l = g.Loops[l].Parent {
					place.Loop = x.Loop(fi, l)
				}
				x.places[instr{fi, bi, i}] = number(known, &d.Places, place)
			}
		}
	}
	return d, x
}

func number[T comparable](known map[T]int, list *[]T, e T) int {
	at, ok := known[e]
	if !ok {
		at = len(*list)
		known[e] = at
		*list = append(*list, e)
	}
	return at
}

// addLoops numbers the loops of a function in whose iterations something may be accessed.
// Those that are entered beside their header have no number, nor those that are entered,
// gone round or left by jumps on which nothing can be told.
func (x *Index) addLoops(d *Data, p *ir.Program, fn int, g *flow.CFG, how func(fn, block, index int) (accesses, atomic bool)) {
	f := p.Funcs[fn]
	x.loops[fn] = make(map[int]int)
	for li, l := range g.Loops {
		if l.Irreducible || !told(f, l) || !busy(f, l, func(b, i int) bool { is, _ := how(fn, b, i); return is }) {
			continue
		}
		parent, depth := -1, 1
		for up := l.Parent; up >= 0; up = g.Loops[up].Parent {
			if at, ok := x.loops[fn][up]; ok {
				parent, depth = at, d.Loops[at].Depth+1
				break
			}
		}
		x.loops[fn][li] = len(d.Loops)
		d.Loops = append(d.Loops, Loop{Func: fn, Header: l.Header, Parent: parent, Depth: depth, Lane: -1})
	}
	for _, w := range flow.Worksharing(p, f, g) {
		if at := x.Loop(fn, w.Loop.Index); at >= 0 {
			d.Loops[at].Lane = find(x.lanes, ir.Mark{Kind: ir.SectionBegin, Region: w.Region, Construct: w.Construct})
		}
	}
}

// told reports whether it can be told where iterations of a loop begin, and where it is left.
// Where that is by an exception, its handler tells.
func told(f *ir.Func, l *flow.Loop) bool {
	jumps := func(e flow.Edge, thrown bool) bool {
		if e.From < 0 {
			return true
		}
		switch f.Blocks[e.From].Terminator().Op {
		case "indirectbr", "callbr":
			return false
		case "invoke":
			return thrown || e.Index == 0
		}
		return true
	}
	for _, e := range slices.Concat(l.EntryEdges, l.Latches) {
		if !jumps(e, false) {
			return false
		}
	}
	return !slices.ContainsFunc(l.Exits, func(e flow.Edge) bool { return !jumps(e, true) })
}

func busy(f *ir.Func, l *flow.Loop, accesses func(block, index int) bool) bool {
	for _, b := range l.Blocks {
		for i := range f.Blocks[b].Instrs {
			if f.Blocks[b].Instrs[i].Call != nil || accesses(b, i) {
				return true
			}
		}
	}
	return false
}

// lanesOf lists the lanes of a program, and tells which a mark begins.
func lanesOf(p *ir.Program) ([]Lane, map[ir.Mark]int) {
	lanes, by := []Lane{{Serial, -1, -1, -1}}, make(map[ir.Mark]int)
	add := func(l Lane, m ir.Mark) {
		by[m] = len(lanes)
		lanes = append(lanes, l)
	}
	for r := range p.Regions {
		add(Lane{InRegion, r, -1, -1}, ir.Mark{Kind: ir.RegionBegin, Region: r})
		for c := range p.Regions[r].Constructs {
			construct := &p.Regions[r].Constructs[c]
			kind := InSection
			if construct.Loop != nil {
				kind = InLoop
			} else if construct.Single {
				kind = InSingle
			}
			for s := range construct.Sections {
				add(Lane{kind, r, c, s}, ir.Mark{Kind: ir.SectionBegin, Region: r, Construct: c, Section: s})
			}
		}
	}
	for t := range p.Tasks {
		add(Lane{InTask, -1, t, -1}, ir.Mark{Kind: ir.TaskBegin, Construct: t})
	}
	return lanes, by
}

// leadToHeap tells the functions in which objects of the heap may be made, or in what they call.
func leadToHeap(p *ir.Program) []bool {
	makes := make([]bool, len(p.Funcs))
	for changed := true; changed; {
		changed = false
		for fi, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, c := range b.Calls() {
					if !makes[fi] && (leads(c, makes) || c.Callee < 0 && makesObjects(c.Name)) {
						makes[fi], changed = true, true
					}
				}
			}
		}
	}
	return makes
}

// leads reports whether a call may lead to where objects are made: one of a function that does,
// through a pointer, or of foreign code that calls back.
func leads(c *ir.Call, makes []bool) bool {
	if c.Callee >= 0 {
		return makes[c.Callee]
	}
	if c.Indirect {
		for _, m := range makes {
			if m {
				return true
			}
		}
	}
	return slices.ContainsFunc(c.FuncArgs, func(f int) bool { return makes[f] })
}

func makesObjects(name string) bool {
	how, ok := Makes(name)
	return ok && how.Takes < 0
}
