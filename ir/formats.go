package ir

// This file reads the formats that a program prints by.

import (
	"strings"

	"pathspan/ir/asm"
)

var printing = map[string]bool{"printf": true, "fprintf": true, "sprintf": true, "snprintf": true}

// Formats returns, by call of one of printf's kind, the format as the module spells it: the first constant text that the
// call names. Calls that name none are not there. The module is the one that the program was made from.
func Formats(p *Program, module []byte) (map[*Call]string, error) {
	var m *asm.Module
	all := map[*Call]string{}
	for _, f := range p.Funcs {
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				c := b.Instrs[i].Call
				if c == nil || c.Callee >= 0 || !printing[c.Name] {
					continue
				}
				if m == nil {
					var err error
					if m, err = asm.Parse(module); err != nil {
						return nil, err
					}
				}
				for _, name := range asm.GlobalNames(m.Func(f.Name).Blocks[bi].Instrs[i].Text()) {
					if g := m.Global(name); g != nil && g.Kind() == "constant" {
						if _, text, ok := strings.Cut(g.Value(), ` c"`); ok {
							all[c] = text
							break
						}
					}
				}
			}
		}
	}
	return all, nil
}
