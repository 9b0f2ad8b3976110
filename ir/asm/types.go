package asm

// This file parses types, finds the element types that results of getelementptr and
// extractvalue need, and tells typed pointers (i64*, LLVM 14) from opaque ones (ptr).

import (
	"strconv"
	"strings"
)

func isTypeWord(w string) bool {
	switch w {
	case "ptr", "void", "float", "double", "half", "bfloat", "x86_fp80", "fp128",
		"ppc_fp128", "label", "metadata", "token", "x86_mmx", "x86_amx", "opaque", "target":
		return true
	}
	return len(w) > 1 && (w[0] == 'i' || w[0] == 'b') && isNumber(w[1:])
}

// startsType reports whether a type may start at token i. A %name may be a
// type or a value; where both can stand the caller knows which.
func (ts *tokens) startsType(i int) bool {
	switch t := ts.t[i]; t.kind {
	case tLocal:
		return true
	case tWord:
		return isTypeWord(ts.text(i))
	case tPunct:
		c := ts.src[t.s]
		return c == '[' || c == '{' || c == '<'
	}
	return false
}

// typeEnd returns the index of the token after the type at i, or -1.
func (ts *tokens) typeEnd(i int) int {
	switch {
	case ts.t[i].kind == tLocal:
		i++
	case ts.t[i].kind == tWord:
		w := ts.text(i)
		if !isTypeWord(w) {
			return -1
		}
		i++
		if w == "target" {
			if !ts.punct(i, '(') {
				return -1
			}
			i = ts.behind(i)
		}
	case ts.startsType(i):
		i = ts.behind(i)
	default:
		return -1
	}
	for i >= 0 {
		switch {
		case ts.punct(i, '*'):
			i++
		case ts.is(i, "addrspace") && ts.punct(i+1, '('):
			i = ts.behind(i + 1)
		case ts.punct(i, '('):
			i = ts.behind(i)
		default:
			return i
		}
	}
	return -1
}

// behind returns the index of the token after the bracket that opens at i, or -1.
func (ts *tokens) behind(i int) int {
	if c := ts.closing(i); c >= 0 {
		return c + 1
	}
	return -1
}

// span text of tokens [i, j).
func (ts *tokens) slice(i, j int) string {
	if j <= i {
		return ""
	}
	return ts.src[ts.t[i].s:ts.t[j-1].e]
}

// elementType returns the type inside t at index (a number; "" when it is not
// constant), or "" when t is no aggregate that is known.
func (m *Module) elementType(t, index string) string {
	if strings.HasPrefix(t, "%") {
		t = m.NamedType(unspell(t[1:]))
	}
	ts := lex(t)
	defer ts.release()
	open := 0
	switch {
	case ts.punct(0, '<') && ts.punct(1, '{'):
		open = 1
	case ts.punct(0, '{'):
	case ts.punct(0, '[') || ts.punct(0, '<'):
		for i := 1; ts.t[i].kind != tEOF; i++ {
			if ts.is(i, "x") {
				i++
				if ts.t[i].kind == tWord && !isTypeWord(ts.text(i)) {
					continue
				}
				if e := ts.typeEnd(i); e > 0 {
					return ts.slice(i, e)
				}
				return ""
			}
		}
		return ""
	default:
		return ""
	}
	n := decimal(index)
	for i := open + 1; n >= 0; n-- {
		e := ts.typeEnd(i)
		if e < 0 {
			return ""
		}
		if n == 0 {
			return ts.slice(i, e)
		}
		if !ts.punct(e, ',') {
			return ""
		}
		i = e + 1
	}
	return ""
}

// Element returns the type at an index of an aggregate or vector type, or "" where it has none
// there: of arrays and vectors, whose elements are alike, it does not ask how long they are.
func (m *Module) Element(t string, index int) string {
	return m.elementType(t, strconv.Itoa(index))
}

// vectorLen returns the "4 x " part of a vector type, "vscale x 4 x "
// included, and whether t is a vector.
func vectorLen(t string) (string, bool) {
	if !strings.HasPrefix(t, "<") || strings.HasPrefix(t, "<{") {
		return "", false
	}
	i := strings.Index(t, " x ")
	if i < 0 {
		return "", false
	}
	if strings.HasPrefix(t, "<vscale") {
		j := strings.Index(t[i+3:], " x ")
		if j < 0 {
			return "", false
		}
		i += 3 + j
	}
	return t[1 : i+3], true
}

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
