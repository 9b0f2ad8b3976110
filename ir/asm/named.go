package asm

// This file keeps strings in named metadata, which LLVM's passes leave as they are.

import (
	"fmt"
	"strings"
)

// Everywhere is the named metadata that says which lines all threads of a region execute, and
// between which nobody waits (build/openmp).
const Everywhere = "pathspan.everywhere"

// Variables is the named metadata that says what iterations of loops leave to each other in variables (build/locals).
const Variables = "pathspan.variables"

// AddNamedStrings adds named metadata that lists strings, and does nothing where there are none.
func (m *Module) AddNamedStrings(name string, list []string) error {
	if len(list) == 0 {
		return nil
	}
	if m.namedMeta(name) != nil {
		return fmt.Errorf("metadata !%s is there already", name)
	}
	refs := make([]string, len(list))
	for i, text := range list {
		refs[i] = fmt.Sprintf("!%d", m.AddMeta(`!{!"`+escaped(text)+`"}`))
	}
	m.add(eNamed, fmt.Sprintf("!%s = !{%s}\n", name, strings.Join(refs, ", ")))
	return nil
}

// NamedStrings reads what AddNamedStrings wrote.
func (m *Module) NamedStrings(name string) []string {
	var out []string
	for _, id := range m.NamedMeta(name) {
		n := m.Meta(id)
		if n == nil {
			continue
		}
		text, begins := strings.CutPrefix(n.Text, `!{!"`)
		text, ends := strings.CutSuffix(strings.TrimSpace(text), `"}`)
		if begins && ends {
			out = append(out, unescape(text))
		}
	}
	return out
}

func escaped(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%02X`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
