package asm

// This file holds the module: the list of top-level entries in their order,
// and how it is printed again.

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

type entryKind uint8

const (
	eOther  entryKind = iota // comments, blank lines, what is not understood
	eFunc                    // define
	eDecl                    // declare
	eGlobal                  // @x = global, constant, alias, ifunc
	eType                    // %x = type
	eAttrs                   // attributes #n =
	eMeta                    // !n =
	eNamed                   // !name =
	eTarget                  // target, source_filename
	nKinds
)

// entry is one top-level entry with its newline.
type entry struct {
	kind    entryKind
	removed bool
	text    string // "" for eFunc
	fn      *Func
}

// Module is an LLVM module. It is not safe for concurrent use.
type Module struct {
	entries []*entry
	// added holds new entries by kind, printed after the last entry of their
	// kind that was read, or at the end.
	added  [nKinds][]*entry
	anchor [nKinds]int // index into entries, -1 when the kind was not read

	funcs   []*Func
	funcOf  map[string]*Func
	decls   []*Decl
	declOf  map[string]*Decl
	globals []*Global
	global  map[string]*Global
	types   map[string]string // named types, built when first needed

	meta   metaTable
	attrs  attrTable
	opaque pointerKind

	instrs   []Instr // slabs of what is not yet handed out
	insides  []inside
	operands []Operand
	spans    []span
}

// newInstr takes an instruction from the slab.
func (m *Module) newInstr() *Instr { return &take(&m.instrs, 1)[0] }

// add appends a new entry of kind k. The text gets a final newline.
func (m *Module) add(k entryKind, text string) *entry {
	e := &entry{kind: k, text: text}
	if k != eFunc && !strings.HasSuffix(text, "\n") {
		e.text += "\n"
	}
	m.added[k] = append(m.added[k], e)
	return e
}

// printAnchor returns after which read entry the new entries of kind k go.
func (m *Module) printAnchor(k entryKind) int {
	a := m.anchor[k]
	if a < 0 && k == eFunc {
		a = m.anchor[eDecl]
	}
	if a < 0 && k == eDecl {
		a = m.anchor[eFunc]
	}
	if a < 0 {
		a = len(m.entries) - 1
	}
	return a
}

// WriteTo prints the module. A module that was not edited prints as it was
// read, byte for byte.
func (m *Module) WriteTo(w io.Writer) (int64, error) {
	p := printer{w: w, last: '\n'}
	extra := map[int][]entryKind{}
	for k := entryKind(0); k < nKinds; k++ {
		if len(m.added[k]) > 0 {
			a := m.printAnchor(k)
			extra[a] = append(extra[a], k)
		}
	}
	flush := func(i int) {
		for _, k := range extra[i] {
			if p.last != '\n' {
				p.put("\n")
			}
			for _, e := range m.added[k] {
				p.entry(e)
			}
		}
	}
	flush(-1)
	for i, e := range m.entries {
		p.entry(e)
		if len(extra) > 0 {
			flush(i)
		}
	}
	return p.n, p.err
}

// Bytes returns the printed module.
func (m *Module) Bytes() []byte {
	var b bytes.Buffer
	size, _ := m.WriteTo(io.Discard) // cheaper than a buffer that grows
	b.Grow(int(size))
	m.WriteTo(&b)
	return b.Bytes()
}

type printer struct {
	w    io.Writer
	n    int64
	err  error
	last byte
}

func (p *printer) put(s string) {
	if s == "" || p.err != nil {
		return
	}
	n, err := io.WriteString(p.w, s)
	p.n += int64(n)
	p.err = err
	p.last = s[len(s)-1]
}

func (p *printer) entry(e *entry) {
	switch {
	case e.removed:
	case e.fn != nil:
		p.fn(e.fn)
	default:
		p.put(e.text)
	}
}

func (p *printer) fn(f *Func) {
	p.put(f.head)
	for _, b := range f.Blocks {
		if b.fn.cfgEdited {
			p.put(b.headWithoutPreds())
		} else {
			p.put(b.head)
		}
		for _, in := range b.Instrs {
			p.put(in.raw)
		}
	}
	p.put(f.tail)
}

// Funcs returns the functions defined, in module order, new ones last.
func (m *Module) Funcs() []*Func { return m.funcs }

// Func returns the function defined under that name, or nil.
func (m *Module) Func(name string) *Func {
	return byName(&m.funcOf, m.funcs, func(f *Func) string { return f.name })[name]
}

// byName returns the index of a list, which is made when first needed.
func byName[T any](index *map[string]T, list []T, name func(T) string) map[string]T {
	if *index == nil {
		*index = make(map[string]T, len(list))
		for _, x := range list {
			(*index)[name(x)] = x
		}
	}
	return *index
}

// RemoveFunc takes f out of the module. References to it are not looked for.
func (m *Module) RemoveFunc(f *Func) {
	f.entry.removed = true
	f.entry.fn = nil
	m.funcs = without(m.funcs, f)
	delete(m.funcOf, f.name)
}

// without returns a new list without one element.
func without[T comparable](list []T, x T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(y T) bool { return y == x })
}

// Triple returns the target triple, "" when absent.
func (m *Module) Triple() string { return m.target("target triple") }

// DataLayout returns the target data layout string, "" when absent.
func (m *Module) DataLayout() string { return m.target("target datalayout") }

func (m *Module) target(key string) string {
	for _, e := range m.entries {
		if e.kind != eTarget || !strings.HasPrefix(e.text, key) {
			continue
		}
		if i := strings.IndexByte(e.text, '"'); i >= 0 {
			return unspell(e.text[i:stringEnd(e.text, i)])
		}
	}
	return ""
}

// AddFunc parses a whole definition and appends it. The function is usable at
// once. It is an error when the name is already defined. A declaration of the
// same name is dropped, as the definition replaces it.
func (m *Module) AddFunc(text string) (*Func, error) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	r := reader{m: m, src: text}
	p := r.skipSpace(0)
	if !strings.HasPrefix(text[p:], "define") {
		return nil, fmt.Errorf("add function: text does not start with define: %.60q", text)
	}
	f, next, err := r.function(p)
	if err != nil {
		return nil, fmt.Errorf("add function: %w", err)
	}
	if f == nil {
		return nil, fmt.Errorf("add function: no body found in %.60q", text)
	}
	if strings.TrimSpace(text[next:]) != "" {
		return nil, fmt.Errorf("add function @%s: text after its closing brace: %.60q", f.name, text[next:])
	}
	if m.Func(f.name) != nil {
		return nil, fmt.Errorf("add function: @%s is already defined", f.name)
	}
	if d := m.Decl(f.name); d != nil {
		m.removeDecl(d)
	}
	m.append(f)
	return f, nil
}
