package asm

// This file tells typed pointers (i64*, LLVM 14) from opaque ones (ptr).

import "strings"

type pointerKind uint8

const (
	pUnknown pointerKind = iota
	pTyped
	pOpaque
)

// OpaquePointers reports whether the module spells pointers as ptr. A module
// without any pointer is judged by the compiler version in llvm.ident, and
// counts as opaque when that is missing too.
func (m *Module) OpaquePointers() bool {
	if m.opaque == pUnknown {
		m.opaque = m.findPointers()
	}
	return m.opaque == pOpaque
}

// Pointer spells the type of a pointer to elem: "ptr", or elem and "*".
func (m *Module) Pointer(elem string) string {
	if m.OpaquePointers() {
		return "ptr"
	}
	return elem + "*"
}

func (m *Module) findPointers() pointerKind {
	for _, e := range m.entries {
		text := e.text
		switch {
		case e.fn != nil:
			text = e.fn.head
		case e.kind != eDecl && e.kind != eGlobal && e.kind != eType:
			continue
		}
		if k := pointersIn(text); k != pUnknown {
			return k
		}
	}
	for in := range m.Instrs() {
		if k := pointersIn(in.Text()); k != pUnknown {
			return k
		}
	}
	for _, id := range m.NamedMeta("llvm.ident") {
		if n := m.Meta(id); n != nil {
			if i := strings.Index(n.Text, "version "); i >= 0 {
				v := n.Text[i+len("version "):]
				if major := decimal(v[:digits(v)]); major > 0 && major < 15 {
					return pTyped
				}
			}
		}
	}
	return pOpaque
}

func digits(s string) int {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}

// pointersIn finds the first spelling of a pointer type in text.
func pointersIn(text string) pointerKind {
	if strings.IndexByte(text, '*') < 0 && !strings.Contains(text, "ptr") {
		return pUnknown
	}
	ts := lex(text)
	defer ts.release()
	for i := range ts.t {
		if ts.punct(i, '*') {
			return pTyped
		}
		if ts.is(i, "ptr") {
			return pOpaque
		}
	}
	return pUnknown
}
