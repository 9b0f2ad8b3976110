package pathprof

// This file says what blocks count of the work of sections.

import (
	"slices"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/ir/flow"
)

// Work is what the blocks of a program count, for how its sections' work went together.
type Work struct {
	Kinds   []string
	Weights []uint32     // by kind; see [Executions]
	Vectors [][][]uint32 // by function, block and kind; see [Executions]
}

// WorkOf chooses kinds of instructions and counts them in each block that may run inside
// a section. It is nil for a program without sections, and for one that starts threads,
// where one meter would count for all.
func WorkOf(p *ir.Program, threads bool) *Work { return workOf(p, threads, usualKinds) }

func workOf(p *ir.Program, threads bool, most int) *Work {
	inside := insideSections(p)
	if inside == nil || threads {
		return nil
	}
	w := &Work{Vectors: make([][][]uint32, len(p.Funcs))}
	of := map[string]int{}
	for i, k := range chooseKinds(p, inside, most) {
		w.Kinds, w.Weights = append(w.Kinds, k.title()), append(w.Weights, k.share())
		for _, n := range k.names {
			of[n] = i
		}
	}
	if w.Kinds == nil { // sections that do nothing; their executions are counted all the same
		w.Kinds, w.Weights = []string{otherName}, []uint32{1}
	}
	for fi, f := range p.Funcs {
		var blocks [][]uint32
		for bi, b := range f.Blocks {
			if !inside[fi][bi] {
				continue
			}
			for i := range b.Instrs {
				k, ok := of[instructionName(&b.Instrs[i], b)]
				if !ok {
					continue
				}
				if blocks == nil {
					blocks = make([][]uint32, len(f.Blocks))
					for j := range blocks {
						blocks[j] = make([]uint32, len(w.Kinds))
					}
				}
				blocks[bi][k]++
			}
		}
		w.Vectors[fi] = blocks
	}
	return w
}

// Meters plans the meters that count the work: one a kind.
func (w *Work) Meters(p *ir.Program, threads bool) *probe.Meters {
	m := &probe.Meters{Count: len(w.Kinds), Weights: w.Weights, Root: -1}
	leaving := findDepartures(p, threads)
	reaching := reachMarks(p)
	inside := insideSections(p)
	for fi, f := range p.Funcs {
		mf := probe.MeteredFunc{Index: fi, Before: append(callsThatReach(p, f, reaching), leaving.callsThatEnd(f, inside[fi])...), AtOnce: leaving.resumes && len(leaving.of(f).publish) > 0}
		for bi, counts := range w.Vectors[fi] {
			mb := probe.MeteredBlock{Block: bi}
			any := false
			for _, n := range counts {
				any = any || n > 0
				mb.Add = append(mb.Add, uint64(n))
			}
			if any {
				mf.Blocks = append(mf.Blocks, mb)
			}
		}
		m.Funcs = append(m.Funcs, mf)
	}
	return m
}

// reachMarks tells which functions may run regions, themselves or in what they call.
// All but main may be called indirectly.
func reachMarks(p *ir.Program) []bool {
	reaching := make([]bool, len(p.Funcs))
	for changed := true; changed; {
		changed = false
		for fi, f := range p.Funcs {
			if !reaching[fi] && (slices.ContainsFunc(f.Blocks, (*ir.Block).Tells) || callsThatReach(p, f, reaching) != nil) {
				reaching[fi], changed = true, true
			}
		}
	}
	return reaching
}

// callsThatReach lists the calls of a function that may run functions of a set.
func callsThatReach(p *ir.Program, f *ir.Func, set []bool) []probe.InstrAt {
	indirect := false
	for fn, reaches := range set {
		indirect = indirect || reaches && p.Funcs[fn].Name != "main"
	}
	var out []probe.InstrAt
	for bi, b := range f.Blocks {
		for i, c := range b.Calls() {
			if c.Callee >= 0 && set[c.Callee] || c.Indirect && indirect ||
				slices.ContainsFunc(c.FuncArgs, func(fn int) bool { return set[fn] }) {
				out = append(out, probe.InstrAt{Block: bi, Instr: i})
			}
		}
	}
	return out
}

// insideSections tells which blocks may run inside a section: those between its marks
// and those of functions that can be called from there. Nil when there is none.
func insideSections(p *ir.Program) [][]bool {
	inside := make([][]bool, len(p.Funcs))
	any := false
	for fi, f := range p.Funcs {
		inside[fi] = insideRegions(f)
		any = any || slices.Contains(inside[fi], true)
	}
	if !any {
		return nil
	}
	calls := func(fn int, enter func(fn int)) {
		for bi, b := range p.Funcs[fn].Blocks {
			if !inside[fn][bi] {
				continue
			}
			for _, c := range b.Calls() {
				if c.Callee >= 0 {
					enter(c.Callee)
				}
				for _, fn := range c.FuncArgs {
					enter(fn)
				}
				if c.Indirect {
					for fn := range p.Funcs {
						enter(fn)
					}
				}
			}
		}
	}
	regions := len(p.Funcs) // a node for all of them
	flow.Reached(regions+1, []int{regions}, func(fn int, enter func(int)) {
		if fn == regions {
			for fi := range p.Funcs {
				calls(fi, enter)
			}
			return
		}
		for bi := range inside[fn] { // it runs inside as a whole
			inside[fn][bi] = true
		}
		calls(fn, enter)
	})
	return inside
}
