package pipeline

// This file plays selects of which the compiler made branches: what follows takes the value that is foretold, and waits for no
// condition.

import (
	"pathspan/ir"
	"pathspan/ir/flow"
)

// decided is the value that selects of a condition take in one execution of a block.
type decided struct {
	condition ir.Operand
	side      int
}

// side returns the operand that a select takes, 0 where it is none that became a branch. The first of a condition in a block is the branch
// of all of them.
func (w *walker) side(a *activation, s stop, i int, in *ir.Instr, ops []ir.Operand, sides *[]decided) int {
	if in.Op != "select" || len(w.selected) == 0 || len(ops) != 3 {
		return 0
	}
	for _, d := range *sides {
		if d.condition == ops[0] {
			return d.side
		}
	}
	told, ok := w.selected[flow.Way{Func: s.fn, Block: s.block, Select: i + 1}]
	if !ok {
		return 0
	}
	side := 2
	if w.sides.Float64()*float64(told[0].Times+told[1].Times) < float64(told[0].Times) {
		side = 1
	}
	*sides = append(*sides, decided{ops[0], side})
	resolved := w.there(a, ops[0])
	if c := &w.m.classes[w.m.opcodes[conditional].Other]; c.unit >= 0 {
		resolved = w.machine.issue(c, 1, resolved)
	}
	if of := told[side-1]; w.wrongs && w.dice2.Float64()*float64(of.Times) < w.m.branch.rate*float64(of.Wrong) {
		w.machine.refill(resolved + w.m.branch.penalty)
	}
	return side
}
