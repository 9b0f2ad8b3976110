package openmp

// This file refuses barriers that the threads of a team come to inside of a loop or of sections
// that they share: OpenMP forbids them, as not all threads come there, and those that do wait for
// ever. Compilers refuse those in the text of a construct; these stand in functions that it calls.

import (
	"fmt"
	"slices"

	"pathspan/ir/asm"
)

func isBarrier(c *asm.Call) bool {
	return c.Callee == "__kmpc_barrier" || c.Callee == "__kmpc_cancel_barrier"
}

// barriersOf returns, for each function that cannot be left without passing a barrier, one that is
// passed in it. Bodies of regions are left out: their barriers are of a team of their own.
func barriersOf(m *asm.Module, all []*parallel) map[string]*asm.Instr {
	apart := map[string]bool{}
	for _, p := range all {
		apart[p.fn.Name()], apart[p.body.Name()] = true, true
	}
	out := map[string]*asm.Instr{}
	for some := true; some; {
		some = false
		for _, f := range m.Funcs() {
			if out[f.Name()] != nil || apart[f.Name()] || len(f.Blocks) == 0 {
				continue
			}
			if at := alwaysPassed(f, out); at != nil {
				out[f.Name()], some = at, true
			}
		}
	}
	return out
}

// barrierAt is the barrier that is passed by an instruction, in it or in what it calls; nil for none.
func barrierAt(in *asm.Instr, passed map[string]*asm.Instr) *asm.Instr {
	c := in.Call()
	switch {
	case c == nil:
		return nil
	case isBarrier(c):
		return in
	}
	return passed[c.Callee]
}

// alwaysPassed returns a barrier of a function that each way through it passes one of; nil where
// there is a way without.
func alwaysPassed(f *asm.Func, known map[string]*asm.Instr) (found *asm.Instr) {
	without := false
	newGraph(f).through([]int{0}, func(in *asm.Instr) bool {
		at := barrierAt(in, known)
		if found == nil {
			found = at
		}
		without = without || in.Op() == "ret"
		return at != nil
	})
	if without {
		return nil
	}
	return found
}

// noBarriersInside reports the first barrier in a loop or sections of the regions.
func noBarriersInside(m *asm.Module, all []*parallel) error {
	known := barriersOf(m, all)
	for _, p := range all {
		g := newGraph(p.body)
		for _, c := range p.constructs {
			if c.problem != "" || c.single || c.init == nil {
				continue
			}
			at := c.passes(g, known)
			if at == nil {
				continue
			}
			pos := identAt(m, at.Call().Args[0].Value)
			what := "the sections"
			if c.loop != nil {
				what = "the loop"
			}
			return fmt.Errorf("%s:%d: a barrier inside of %s of %s:%d, which OpenMP forbids: threads would wait there for others that never come; take it out",
				pos.file, pos.line, what, c.pos.file, c.pos.line)
		}
	}
	return nil
}

// passes returns a barrier that is passed between the begin and the ends of a construct.
func (c *construct) passes(g *graph, known map[string]*asm.Instr) (found *asm.Instr) {
	begun := false
	g.through([]int{g.index[c.init.Block()]}, func(in *asm.Instr) bool {
		if !begun {
			begun = in == c.init
			return false
		}
		if in.Block() == c.end || slices.Contains(c.ends, in) {
			return true
		}
		at := barrierAt(in, known)
		if found == nil {
			found = at
		}
		return at != nil
	})
	return found
}
