// Package memory knows what a profiled program told of its memory: which place of the source
// wrote what another read, what iterations leave to each other, and how much memory lies
// between two uses of a line.
package memory

// This file numbers the places of a program that access memory.

import (
	"pathspan/ir"
	"pathspan/ir/flow"
)

// Place is where the source accesses memory: a line of a function, in a loop.
type Place struct {
	Func int // index into Program.Funcs
	Loop int // index into Places.Loops, the innermost around it; -1 for none
	Loc  ir.Loc
	Into int // see ir.Instr
}

// Loop is a loop of the program that accesses memory or calls something.
type Loop struct {
	Func   int
	Header int // block
	Parent int // index into Places.Loops, -1 for none
	Depth  int // 1 for an outermost loop of its function
}

// Places are the places of a program, numbered in the order of their first instruction, so
// that equal programs have equal numbers.
type Places struct {
	List  []Place
	Loops []Loop

	at    map[instr]int
	loops []map[int]int // by function: index into Loops by loop of the graph
}

type instr struct{ fn, block, index int }

// At returns the number of the place of an instruction, or -1 where it accesses no memory.
func (p *Places) At(fn, block, index int) int {
	if at, ok := p.at[instr{fn, block, index}]; ok {
		return at
	}
	return -1
}

// Loop returns the number of a loop of a function's graph, or -1 where nothing in it needs one.
func (p *Places) Loop(fn, loop int) int {
	if at, ok := p.loops[fn][loop]; ok {
		return at
	}
	return -1
}

// PlacesOf numbers the places of a program. Graphs are those of its functions, by index.
func PlacesOf(p *ir.Program, graphs func(fn int) *flow.CFG) *Places {
	out := &Places{at: make(map[instr]int), loops: make([]map[int]int, len(p.Funcs))}
	known := make(map[Place]int)
	for fi, f := range p.Funcs {
		g := graphs(fi)
		out.addLoops(fi, f, g)
		for bi, b := range f.Blocks {
			if !g.Reachable[bi] {
				continue
			}
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if !Accesses(in) {
					continue
				}
				place := Place{Func: fi, Loop: -1, Loc: in.Loc, Into: in.Into}
				if l := g.LoopOf[bi]; l >= 0 {
					place.Loop = out.Loop(fi, l)
				}
				place.Loc.Col = 0
				at, ok := known[place]
				if !ok {
					at = len(out.List)
					known[place] = at
					out.List = append(out.List, place)
				}
				out.at[instr{fi, bi, i}] = at
			}
		}
	}
	return out
}

// addLoops numbers the loops of a function in whose iterations something may be accessed.
// Those that are entered beside their header have no number.
func (p *Places) addLoops(fn int, f *ir.Func, g *flow.CFG) {
	p.loops[fn] = make(map[int]int)
	for li, l := range g.Loops {
		if l.Irreducible || !busy(f, l) {
			continue
		}
		parent, depth := -1, 1
		for up := l.Parent; up >= 0; up = g.Loops[up].Parent {
			if at, ok := p.loops[fn][up]; ok {
				parent, depth = at, p.Loops[at].Depth+1
				break
			}
		}
		p.loops[fn][li] = len(p.Loops)
		p.Loops = append(p.Loops, Loop{Func: fn, Header: l.Header, Parent: parent, Depth: depth})
	}
}

func busy(f *ir.Func, l *flow.Loop) bool {
	for _, b := range l.Blocks {
		for i := range f.Blocks[b].Instrs {
			if in := &f.Blocks[b].Instrs[i]; in.Call != nil || Accesses(in) {
				return true
			}
		}
	}
	return false
}

// Accesses reports whether an instruction is one that pathspan sees access memory.
func Accesses(in *ir.Instr) bool {
	switch in.Op {
	case "load", "store", "atomicrmw", "cmpxchg":
		return true
	}
	if in.Call == nil || in.Call.Callee >= 0 {
		return false
	}
	_, makes := Makes(in.Call.Name)
	return makes || Effects(in.Call.Name) != nil
}
