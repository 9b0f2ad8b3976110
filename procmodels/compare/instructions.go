package compare

// This file finds out what single instructions cost under an additive model.

import (
	"context"
	"fmt"
	"math"

	"pathspan/ir"
	"pathspan/procmodels"
)

// byInstruction splits a block's cycles by what its instructions cost on their own.
// What is left is the terminator's, whose cost may depend on the block.
type byInstruction struct {
	index  map[string]int // kind of instruction to place
	cycles []float64      // by place
}

// newInstructionSplitter prices one instruction of each kind in the program in a block
// of its own, and takes off what the end of that block costs.
func newInstructionSplitter(ctx context.Context, m Candidate, p *ir.Program) (*byInstruction, error) {
	s := &byInstruction{index: map[string]int{}}
	single := &ir.Program{Triple: p.Triple, DataLayout: p.DataLayout, Files: p.Files}
	add := func(instrs ...ir.Instr) {
		end := ir.Instr{Op: "ret", Type: "void", Loc: ir.Loc{File: -1}}
		n := len(single.Funcs)
		single.Funcs = append(single.Funcs, &ir.Func{Index: n, Name: fmt.Sprint("f", n), Source: fmt.Sprint("f", n),
			Loc: ir.Loc{File: -1}, Blocks: []*ir.Block{{Name: "entry", Instrs: append(instrs, end)}}})
	}
	add() // the end alone
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for i := range b.Instrs[:max(len(b.Instrs), 1)-1] {
				k := kindOf(&b.Instrs[i])
				if _, ok := s.index[k]; ok {
					continue
				}
				in := b.Instrs[i]
				if in.Call != nil {
					c := *in.Call
					c.FuncArgs = nil
					c.Callee = min(c.Callee, 0) // any function of this program stands for those of the other
					in.Call = &c
				}
				s.index[k] = len(single.Funcs)
				add(in)
			}
		}
	}
	costs, err := m.Model.Costs(ctx, &procmodels.Subject{Program: single})
	if err == nil {
		err = costs.Check(single)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: priced by instruction: %w", m.Ref, err)
	}
	for _, f := range costs.Blocks {
		s.cycles = append(s.cycles, f[0].Cycles-costs.Blocks[0][0].Cycles)
	}
	return s, nil
}

func (s *byInstruction) split(b *ir.Block, cycles float64) []float64 {
	parts := make([]float64, len(b.Instrs))
	if len(parts) == 0 {
		return parts
	}
	last := len(parts) - 1
	rest := cycles
	for i := range b.Instrs[:last] {
		parts[i] = s.cycles[s.index[kindOf(&b.Instrs[i])]]
		rest -= parts[i]
	}
	const rounding = 1e-9
	if math.Abs(rest) > rounding*cycles {
		parts[last] = rest
	}
	return parts
}

// kindOf holds all that an additive model may look at but the source line.
func kindOf(in *ir.Instr) string {
	c := in.Call
	if c == nil {
		return in.Op + " " + in.Type
	}
	return fmt.Sprintf("%s %s %q %v %v %v", in.Op, in.Type, c.Name, c.Callee >= 0, c.Indirect, c.ConstArgs)
}
