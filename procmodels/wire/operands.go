package wire

// This file turns what instructions use into messages and back.

import (
	"fmt"
	"math"

	"pathspan/ir"
	"pathspan/procmodels/pluginpb"
)

// sendOperands adds what instruction i of a block uses to its message.
func sendOperands(out *pluginpb.Instruction, ops *ir.Operands, fn, block, i int) {
	for _, o := range ops.Of(fn, block, i) {
		out.Operands = append(out.Operands, operand(o))
	}
	if a, ok := ops.Address(fn, block, i); ok {
		out.Address = &pluginpb.Address{Root: pluginpb.Address_Root(a.Root), Base: operand(a.Base), Scale: a.Scale, Offset: a.Offset, Bytes: a.Bytes}
		if a.Scale != 0 {
			out.Address.Index = operand(a.Index)
		}
	}
}

func operand(o ir.Operand) *pluginpb.Operand {
	return &pluginpb.Operand{Kind: pluginpb.Operand_Kind(o.Kind), N: o.N, Block: uint32(o.Block)}
}

// operandsOf reads what the instructions of a program use from the messages of its blocks.
func operandsOf(p *ir.Program, messages []*pluginpb.Block) (*ir.Operands, error) {
	ops := ir.NewOperands(p)
	var uses []ir.Operand
	for _, m := range messages {
		for _, in := range m.Instructions {
			uses = uses[:0]
			for _, o := range in.Operands {
				uses = append(uses, readOperand(o))
			}
			var access *ir.Address
			if a := in.Address; a != nil {
				if a.Root < 0 || a.Root > pluginpb.Address_STATIC {
					return nil, fmt.Errorf("block %d of function %d: an address of a kind that this plugin does not know (%d)", m.Index, m.Function, a.Root)
				}
				access = &ir.Address{Root: ir.RootKind(a.Root), Base: readOperand(a.Base), Index: readOperand(a.Index), Scale: a.Scale, Offset: a.Offset, Bytes: a.Bytes}
			}
			ops.Add(int(m.Function), int(m.Index), uses, access)
		}
	}
	return ops, ops.Check(p)
}

func readOperand(m *pluginpb.Operand) ir.Operand {
	kind := m.GetKind()
	if kind < 0 || kind > pluginpb.Operand_FROM {
		return ir.Operand{} // of a later version: not known here
	}
	return ir.Operand{Kind: ir.OperandKind(kind), N: m.GetN(), Block: int32(min(m.GetBlock(), math.MaxInt32))}
}
