package pipeline

// This file counts the instructions that save and restore registers, and says where they stand.

import (
	"pathspan/ir"
	"pathspan/ir/flow"
)

// Registers that functions must save, two at a time: x19 to x28 and d8 to d15 of AArch64's procedure
// call standard (AAPCS64, 6.1), about as many as elsewhere.
const saved, savedFloat = 10, 8

// savedSingly are those of x86-64, one at a time: rbx, rbp and r12 to r15 (System V ABI, 3.2.1), none of floating point.
const savedSingly = 6

// frame counts what saves and restores registers: of a function that calls, those of the frame
// and those whose values live across calls. A compiler saves them no sooner than the first may be
// written (shrink-wrapping), so what leads around all calls does without.
func (l *folder) frame(g *flow.CFG) {
	if l.m.window > 0 && l.out.plain { // the frame pointer
		l.out.frames[edge{-1, 0}] = frame{saves: 1}
		l.returns(func(bi, last int) { l.out.frames[edge{bi, -1}] = frame{restores: 1} })
		for bi, b := range l.f.Blocks {
			for i := range b.Instrs {
				if b.Instrs[i].Op == "alloca" {
					l.out.across = append(l.out.across, ir.Operand{Kind: ir.Computed, Block: int32(bi), N: int64(i)})
				}
			}
		}
		return
	}
	a := l.liveAcrossCalls()
	l.out.across = a.computed
	if !a.calling {
		if a.stack && l.m.moves >= 0 {
			l.out.moves[0][0]++
			l.returns(func(bi, last int) { l.out.moves[bi][last]++ })
		}
		return
	}
	pairs := 1 + (min(a.values, saved)+1)/2 + (min(a.floats, savedFloat)+1)/2
	moves := 1 + min(a.arguments, saved+savedFloat)
	if l.m.window > 0 {
		pairs, moves = min(a.values, savedSingly)+a.floats, 0
	}
	at := edge{-1, 0}
	if g != nil {
		at = l.framed(g, a)
	}
	if at == (edge{-1, 0}) {
		l.out.frames[at] = frame{moves: moves, saves: pairs}
		l.returns(func(bi, last int) { l.out.frames[edge{bi, -1}] = frame{restores: pairs} })
		return
	}
	l.out.frames[at] = frame{moves, pairs, pairs}
}

// frame is what is executed where a function saves registers: instructions, and those that save and
// restore two registers each. They are restored where all is over, which is charged at once.
type frame struct{ moves, saves, restores int }

// returns visits the ends of a function.
func (l *folder) returns(visit func(bi, last int)) {
	for bi, b := range l.f.Blocks {
		if last := len(b.Instrs) - 1; b.Instrs[last].Op == "ret" {
			visit(bi, last)
		}
	}
}

// framed finds the block before which registers are saved, or the edge: from is -1 for blocks. It
// dominates all calls, and whatever is computed into a register that lives across one; what phis
// join is taken to be in one register.
func (l *folder) framed(g *flow.CFG, a *across) edge {
	at := -1
	cover := func(block int) {
		if !g.Reachable[block] {
			return
		}
		for at >= 0 && !g.Dominates(at, block) {
			at = g.Idom[at]
		}
		if at < 0 {
			at = block
		}
	}
	for bi, b := range l.f.Blocks {
		for i := range b.Instrs {
			if l.calls(bi, i) {
				cover(bi)
			}
		}
	}
	todo, seen := a.computed, map[ir.Operand]bool{}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		bi := int(v.Block)
		in := &l.f.Blocks[bi].Instrs[v.N]
		for _, u := range l.users[bi][v.N] {
			if l.f.Blocks[u.block].Instrs[u.instr].Op == "phi" {
				todo = append(todo, ir.Operand{Kind: ir.Computed, Block: int32(u.block), N: int64(u.instr)})
			}
		}
		if in.Op != "phi" {
			cover(bi)
			continue
		}
		ops := l.ops.Of(l.fi, bi, int(v.N))
		for k := 0; k+1 < len(ops); k += 2 {
			if ops[k].Kind == ir.Computed {
				todo = append(todo, ops[k])
			}
			from := int(ops[k+1].Block)
			if len(g.Succs[from]) > 1 && l.onlyEntry(g, bi) == from {
				from = bi // moved into place on the way
			}
			cover(from)
		}
	}
	for g.LoopOf[at] >= 0 {
		if from := l.onlyEntry(g, at); from >= 0 && g.LoopOf[from] != g.LoopOf[at] && g.LoopOf[from] < 0 {
			return edge{from, at}
		}
		if g.Idom[at] < 0 {
			break
		}
		at = g.Idom[at]
	}
	return edge{-1, at}
}

// onlyEntry is the block from which alone a loop's header is reached from outside, -1 for none.
func (l *folder) onlyEntry(g *flow.CFG, header int) int {
	from := -1
	for _, e := range g.Preds[header] {
		if e.From < 0 || g.Dominates(header, e.From) {
			continue
		}
		if from >= 0 {
			return -1
		}
		from = e.From
	}
	return from
}
