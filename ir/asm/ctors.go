package asm

// This file adds functions to the list that runs before main.

import (
	"fmt"
	"strings"
)

// AppendCtor adds function fn, of type void (), to llvm.global_ctors with that
// priority (lower runs earlier, 65535 is the usual one). The list is created
// when missing.
func (m *Module) AppendCtor(fn string, priority int) error {
	return m.appendFnList("llvm.global_ctors", fn, priority)
}

// AppendDtor is [Module.AppendCtor] for llvm.global_dtors.
func (m *Module) AppendDtor(fn string, priority int) error {
	return m.appendFnList("llvm.global_dtors", fn, priority)
}

func (m *Module) appendFnList(list, fn string, priority int) error {
	fnPtr, data := m.Pointer("void ()"), m.Pointer("i8")
	elem := fmt.Sprintf("{ i32, %s, %s }", fnPtr, data)
	item := fmt.Sprintf("%s { i32 %d, %s %s, %s null }", elem, priority, fnPtr, GlobalRef(fn), data)
	g := m.Global(list)
	if g == nil {
		return m.AddGlobal(fmt.Sprintf("@%s = appending global [1 x %s] [%s]", list, elem, item))
	}
	text := g.Text()
	ts := lex(text)
	defer ts.release()
	for i := 0; ts.t[i].kind != tEOF; i++ {
		if !ts.punct(i, '[') || !ts.is(i+2, "x") {
			continue
		}
		n := decimal(ts.text(i + 1))
		typeEnd := ts.closing(i)
		if n < 0 || typeEnd < 0 {
			break
		}
		v := typeEnd + 1
		items := ""
		end := ts.t[v].e
		if ts.punct(v, '[') {
			c := ts.closing(v)
			if c < 0 {
				break
			}
			end = ts.t[c].e
			if c > v+1 {
				items = ts.slice(v+1, c) + ", "
			}
		} else if !ts.is(v, "zeroinitializer") {
			break
		}
		if got := ts.slice(i+3, typeEnd); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(elem, " ", "") {
			return fmt.Errorf("append to @%s: its elements are %s, not %s", list, got, elem)
		}
		return g.SetText(fmt.Sprintf("%s[%d x %s] [%s%s]%s", text[:ts.t[i].s], n+1, elem, items, item, text[end:]))
	}
	return fmt.Errorf("append to @%s: not an array that is understood: %.80q", list, text)
}
