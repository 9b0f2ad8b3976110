package probe

// This file gives every marker a block of its own.

import (
	"pathspan/ir"
	"pathspan/ir/asm"
)

// SplitAtMarks splits blocks so that every marker call is the first instruction of
// its block but for phis: the inliner joins the blocks that the markers were put
// into with what stands before them.
func SplitAtMarks(m *asm.Module) error {
	for _, f := range m.Funcs() {
		for bi := 0; bi < len(f.Blocks); bi++ {
			b := f.Blocks[bi]
			for i := len(b.Instrs) - 1; i > b.StartIndex(); i-- {
				c := b.Instrs[i].Call()
				if c == nil || c.Callee != ir.MarkerFunc {
					continue
				}
				if _, err := f.SplitBlock(b, i, ""); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
