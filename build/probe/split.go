package probe

// This file ends blocks at calls: at those that may return twice, since what runs between
// two returns is no path of the graph, so that paths are cut there; and at those that may
// not return at all.

import (
	"slices"
	"strings"

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

// SplitBehind ends blocks behind calls: calls holds, by function and block, which ones,
// counted from 0 without intrinsics. The values of the functions must be named.
func SplitBehind(m *asm.Module, calls [][][]int) error {
	for i, f := range m.Funcs() {
		if i >= len(calls) {
			break
		}
		for j, b := range slices.Clone(f.Blocks) {
			nth := 0
			for k := 0; k < len(b.Instrs) && len(calls[i][j]) > 0; k++ {
				if !counts(b.Instrs[k]) {
					continue
				}
				if slices.Contains(calls[i][j], nth) {
					rest, err := f.SplitBlock(b, k+1, f.FreshName("pathspan.on"))
					if err != nil {
						return err
					}
					b, k = rest, -1
				}
				nth++
			}
		}
	}
	return nil
}

// counts reports a call of anything but intrinsics and what we put into the module.
func counts(in *asm.Instr) bool {
	c := in.Call()
	return c != nil && !strings.HasPrefix(c.Callee, "llvm.") && !strings.HasPrefix(c.Callee, "__pathspan_")
}
