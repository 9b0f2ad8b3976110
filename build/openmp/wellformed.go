package openmp

// This file refuses modules that are not understood, before anything of them is changed.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// operands is how many operands the instructions have at least that the lowering looks at.
var operands = map[string]int{"load": 1, "store": 2, "bitcast": 1, "getelementptr": 1, "switch": 1}

// wellFormed reports the first block that does not end in a terminator, or that leads to
// a block which is not there, and the first instruction without its operands. LLVM's
// verifier passes none of them; but the reader may not know how an LLVM to come spells
// them.
func wellFormed(m *asm.Module) {
	for _, f := range m.Funcs() {
		blocks := make(map[string]bool, len(f.Blocks))
		for _, b := range f.Blocks {
			blocks[b.Name()] = true
		}
		for _, b := range f.Blocks {
			if b.Term() == nil {
				must(fmt.Errorf("function @%s, block %s: no terminator that is understood", f.Name(), b.Name()))
			}
			for _, s := range b.Succs() {
				if !blocks[s] {
					must(fmt.Errorf("function @%s, block %s: branch to block %s, which does not exist", f.Name(), b.Name(), s))
				}
			}
			for _, in := range b.Instrs {
				c := in.Call()
				if n, ok := operands[in.Op()]; ok && len(in.Operands()) < n || c != nil && strings.Contains(c.Callee, "for_static_init_") && len(c.Args) == 0 {
					must(fmt.Errorf("function @%s, block %s: not understood: %.80s", f.Name(), b.Name(), strings.TrimSpace(in.Text())))
				}
			}
		}
	}
}
