package probe

// This file ends blocks at calls that may return twice: what runs between two
// returns is no path of the graph, so paths are cut there.

import (
	"slices"

	"pathspan/ir/asm"
)

// SplitReturnsTwice splits the blocks of m so that every call that may return
// twice (setjmp and the like) is followed by nothing but an unconditional branch.
// The values of functions with such calls must be named.
func SplitReturnsTwice(m *asm.Module) error {
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			for b != nil {
				var rest *asm.Block
				for i, in := range b.Instrs {
					if !returnsTwice(m, in) || i == len(b.Instrs)-1 {
						continue
					}
					if next := b.Instrs[i+1]; i == len(b.Instrs)-2 && next.Op() == "br" && len(next.Succs()) == 1 {
						continue
					}
					var err error
					if rest, err = f.SplitBlock(b, i+1, f.FreshName("pathspan.again")); err != nil {
						return err
					}
					break
				}
				b = rest
			}
		}
	}
	return nil
}

func returnsTwice(m *asm.Module, in *asm.Instr) bool {
	const attr = "returns_twice"
	c := in.Call()
	if c == nil {
		return false
	}
	if in.HasCallAttr(attr) {
		return true
	}
	if d := m.Decl(c.Callee); d != nil && c.Callee != "" {
		return d.HasAttr(attr)
	}
	if f := m.Func(c.Callee); f != nil && c.Callee != "" {
		return f.HasAttr(attr)
	}
	return false
}
