package sdk

// This file makes full models of those that look at one instruction or one block.

import (
	"context"
	"fmt"

	"pathspan/ir"
	"pathspan/procmodels"
)

// InstructionModel prices instructions one by one.
type InstructionModel interface {
	Describe() procmodels.Description
	// Instruction gives the cycles of one instruction. It is known when the model has a
	// figure for it, and otherwise assumed, which reports show. Calls are priced without
	// what a function of the program does that they call.
	Instruction(in *ir.Instr) (cycles float64, known bool)
}

// PerInstruction makes a full model of one that prices instructions: a block costs what
// its instructions cost together.
func PerInstruction(m InstructionModel) procmodels.Model { return PerBlock(addUp{m}) }

type addUp struct{ InstructionModel }

// Describe adds that blocks are sums of instructions.
func (m addUp) Describe() procmodels.Description {
	d := m.InstructionModel.Describe()
	d.Additive = true
	return d
}

func (m addUp) Block(_ *ir.Func, b *ir.Block, cost *Cost) error {
	for i := range b.Instrs {
		cycles, known := m.Instruction(&b.Instrs[i])
		if known {
			cost.Add(cycles)
		} else {
			cost.Assume(unknown(&b.Instrs[i]), cycles)
		}
	}
	return nil
}

// unknown says which kind of instruction a model does not know, the same for all alike.
func unknown(in *ir.Instr) string {
	if c := in.Call; c != nil {
		switch {
		case c.Indirect:
			return "call through a pointer: not known"
		case c.Callee < 0:
			return fmt.Sprintf("call to %s: not known", c.Name)
		}
		return "call: not known"
	}
	return fmt.Sprintf("opcode %s %s: not known", in.Op, in.Type)
}

// BlockModel prices blocks one by one.
type BlockModel interface {
	Describe() procmodels.Description
	// Block gathers in cost what one execution of block b of function f costs. An error
	// means that the model can give no figures for the program at all.
	Block(f *ir.Func, b *ir.Block, cost *Cost) error
}

// PerBlock makes a full model of one that prices blocks.
func PerBlock(m BlockModel) procmodels.Model { return blockByBlock{m} }

type blockByBlock struct{ BlockModel }

func (m blockByBlock) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	t := procmodels.NewTally(m.Describe().Name, s.Program)
	for fi, f := range s.Program.Funcs {
		for i, b := range f.Blocks {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			cost := Cost{t: t, c: &t.Costs.Blocks[fi][i]}
			if err := m.Block(f, b, &cost); err != nil {
				return nil, fmt.Errorf("block %d of %s: %w", i, f.Name, err)
			}
			cost.finish()
		}
	}
	return t.Costs, nil
}
