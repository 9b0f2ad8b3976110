package pipeline

// This file finds what compilers leave out of loops, whose counters they choose themselves (LLVM's loop strength
// reduction): one that only ends the loop goes down to zero, and pointers go on by themselves.

import (
	"slices"

	"pathspan/ir"
)

// counter is a variable of a loop that one addition changes.
type counter struct {
	loop       int
	phi, added ir.Operand
	constant   bool // it begins with a constant
}

func computed(bi, i int) ir.Operand {
	return ir.Operand{Kind: ir.Computed, Block: int32(bi), N: int64(i)}
}

// counterOf finds the counter that an operand is the value of, before or behind its addition.
func (l *folder) counterOf(o ir.Operand) (counter, bool) {
	in := l.at(o)
	if in == nil || l.cfg == nil {
		return counter{}, false
	}
	if in.Op != "phi" {
		if !l.adds(o) {
			return counter{}, false
		}
		c, ok := l.counterOf(l.ops.Of(l.fi, int(o.Block), int(o.N))[0])
		return c, ok && c.added.Block == o.Block && c.added.N == o.N
	}
	loop := l.cfg.LoopOf[o.Block]
	if loop < 0 || l.cfg.Loops[loop].Header != int(o.Block) || l.cfg.Loops[loop].Irreducible {
		return counter{}, false
	}
	c := counter{loop: loop, phi: computed(int(o.Block), int(o.N))}
	ops := l.ops.Of(l.fi, int(o.Block), int(o.N))
	found := 0
	c.constant = true
	for k := 0; k+1 < len(ops); k += 2 {
		if ops[k+1].Kind != ir.From || !slices.Contains(l.cfg.Loops[loop].Blocks, int(ops[k+1].Block)) {
			c.constant = c.constant && ops[k].Kind == ir.Constant
			continue
		}
		if found++; !l.adds(ops[k]) {
			return counter{}, false
		}
		from := l.ops.Of(l.fi, int(ops[k].Block), int(ops[k].N))[0]
		if from.Kind != ir.Computed || from.Block != o.Block || from.N != o.N {
			return counter{}, false
		}
		c.added = computed(int(ops[k].Block), int(ops[k].N))
	}
	return c, found == 1
}

// adds tells of additions of constants.
func (l *folder) adds(o ir.Operand) bool {
	in := l.at(o)
	if in == nil || in.Op != "add" && in.Op != "sub" {
		return false
	}
	ops := l.ops.Of(l.fi, int(o.Block), int(o.N))
	return len(ops) == 2 && ops[0].Kind == ir.Computed && ops[1].Kind == ir.Constant
}

// still tells of what does not change in a loop.
func (l *folder) still(o ir.Operand, loop int) bool {
	return o.Kind != ir.Computed && o.Kind != ir.Unknown || o.Kind == ir.Computed && !slices.Contains(l.cfg.Loops[loop].Blocks, int(o.Block))
}

// steps tells of a sum or a difference of a counter and what does not change that is nothing but an index: the
// pointer goes on with the counter, or, where it is subtracted, by itself (alone).
func (l *folder) steps(bi, i int) (steps, alone bool) {
	in := &l.f.Blocks[bi].Instrs[i]
	if in.Op != "add" && in.Op != "sub" {
		return false, false
	}
	ops := l.ops.Of(l.fi, bi, i)
	if len(ops) != 2 || len(l.users[bi][i]) == 0 {
		return false, false
	}
	for _, u := range l.users[bi][i] {
		if by := &l.f.Blocks[u.block].Instrs[u.instr]; by.Op != "getelementptr" || u.operand == 0 {
			return false, false
		}
	}
	for k, o := range ops {
		if c, ok := l.counterOf(o); ok && (int(c.added.Block) != bi || int(c.added.N) != i) && l.cfg.LoopOf[bi] == c.loop && l.still(ops[1-k], c.loop) {
			return true, in.Op == "sub" && k == 1
		}
	}
	return false, false
}

// countsDown tells of a comparison that ends a loop whose counter does nothing else: it goes down to zero,
// and what subtracts compares.
func (l *folder) countsDown(bi, i int, ops []ir.Operand) bool {
	if len(ops) != 2 {
		return false
	}
	c, ok := l.counterOf(ops[0])
	if !ok || l.cfg.LoopOf[bi] != c.loop || !l.still(ops[1], c.loop) {
		return false
	}
	indexes, alone := false, false
	for _, v := range []ir.Operand{c.phi, c.added} {
		for _, u := range l.users[v.Block][v.N] {
			at := computed(u.block, u.instr)
			switch by := &l.f.Blocks[u.block].Instrs[u.instr]; {
			case at == c.phi || at == c.added || u.block == bi && u.instr == i:
			case by.Op == "getelementptr" && u.operand > 0:
				indexes = true
			default:
				steps, own := l.steps(u.block, u.instr)
				if !steps {
					return false
				}
				indexes, alone = true, alone || own
			}
		}
	}
	// Pointers that go on by themselves take no more registers than one index and its end, unless that is constant.
	return !indexes || alone || c.constant && ops[1].Kind != ir.Constant
}
