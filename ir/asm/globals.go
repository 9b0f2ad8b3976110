package asm

// This file holds declarations, global variables, aliases and named types.

import (
	"fmt"
	"strconv"
	"strings"
)

// Decl is a function declaration.
type Decl struct {
	m     *Module
	name  string
	entry *entry
	hdr   *header
}

func (d *Decl) header() *header {
	if d.hdr == nil {
		d.hdr = parseHeader(d.entry.text)
	}
	return d.hdr
}

// Name returns the linker name.
func (d *Decl) Name() string { return d.name }

// Text returns the declaration as spelled.
func (d *Decl) Text() string { return strings.TrimSpace(d.entry.text) }

// RetType returns the type returned, as spelled.
func (d *Decl) RetType() string { return d.header().retType }

// Params returns the parameters; their names are numbers.
func (d *Decl) Params() []Param { return d.header().params }

// Variadic reports whether the parameters end with "...".
func (d *Decl) Variadic() bool { return d.header().variadic }

// FnType spells the function's type.
func (d *Decl) FnType() string { return fnType(d.header()) }

// Decls returns the functions declared, in module order, new ones last.
func (m *Module) Decls() []*Decl { return m.decls }

// Decl returns the declaration of that name, or nil.
func (m *Module) Decl(name string) *Decl {
	if m.declOf == nil {
		m.declOf = make(map[string]*Decl, len(m.decls))
		for _, d := range m.decls {
			m.declOf[d.name] = d
		}
	}
	return m.declOf[name]
}

// AddDecl adds a declaration, unless its name is declared or defined already.
func (m *Module) AddDecl(text string) error {
	name, ok := firstGlobal(text)
	if !ok || !strings.HasPrefix(text, "declare") {
		return fmt.Errorf("add declaration: not a declaration: %.60q", text)
	}
	if m.Defined(name) {
		return nil
	}
	d := &Decl{m: m, name: name}
	d.entry = m.add(eDecl, text)
	m.decls = append(m.decls, d)
	m.declOf[name] = d
	return nil
}

// RemoveDecl drops a declaration.
func (m *Module) removeDecl(d *Decl) {
	d.entry.removed = true
	m.decls = remove(m.decls, d)
	delete(m.declOf, d.name)
}

// Defined reports whether a function, declaration, variable or alias of that
// name exists.
func (m *Module) Defined(name string) bool {
	return m.Func(name) != nil || m.Decl(name) != nil || m.Global(name) != nil
}

// FreshName returns a name that no global has: prefix, or prefix.N.
func (m *Module) FreshName(prefix string) string {
	name := prefix
	for n := 1; m.Defined(name); n++ {
		name = prefix + "." + strconv.Itoa(n)
	}
	return name
}

// Global is a global variable, constant, alias or ifunc.
type Global struct {
	m     *Module
	name  string
	entry *entry
}

// Name returns the linker name.
func (g *Global) Name() string { return g.name }

// Text returns the definition as spelled.
func (g *Global) Text() string { return strings.TrimSpace(g.entry.text) }

// SetText replaces the definition, which must define the same name.
func (g *Global) SetText(text string) error {
	name, ok := firstGlobal(text)
	if !ok || name != g.name || text[0] != '@' {
		return fmt.Errorf("set @%s: not a definition of that name: %.60q", g.name, text)
	}
	g.entry.text = strings.TrimSpace(text) + "\n"
	return nil
}

// Kind returns "global", "constant", "alias" or "ifunc", "" when unknown.
func (g *Global) Kind() string {
	k, _, _ := g.parts()
	return k
}

// Linkage returns the linkage, "external" when none is written.
func (g *Global) Linkage() string {
	_, l, _ := g.parts()
	return l
}

// Value returns what follows the kind: type, initialiser and clauses, as
// spelled.
func (g *Global) Value() string {
	_, _, v := g.parts()
	return v
}

// Aliasee returns the symbol that an alias or ifunc stands for, "" when g is
// neither.
func (g *Global) Aliasee() string {
	k, _, v := g.parts()
	if k != "alias" && k != "ifunc" {
		return ""
	}
	// The aliased type cannot hold a global; the first one is the aliasee.
	name, _ := firstGlobal(v)
	return name
}

// Refs returns the names of the globals that the definition references.
func (g *Global) Refs() []string {
	return GlobalNames(g.entry.text)[1:] // the first is its own
}

func (g *Global) parts() (kind, linkage, value string) {
	ts := lex(g.entry.text)
	defer ts.release()
	linkage = "external"
	for i := 0; ts.t[i].kind != tEOF; i++ {
		switch w := ts.text(i); {
		case ts.punct(i, '('):
			if c := ts.closing(i); c > 0 {
				i = c
			}
		case ts.t[i].kind != tWord:
		case linkages[w]:
			linkage = w
		case w == "global" || w == "constant" || w == "alias" || w == "ifunc":
			return w, linkage, strings.TrimSpace(g.entry.text[ts.t[i].e:])
		}
	}
	return "", linkage, ""
}

// Globals returns the variables, constants, aliases and ifuncs in module
// order, new ones last.
func (m *Module) Globals() []*Global { return m.globals }

// Global returns the variable, constant, alias or ifunc of that name, or nil.
func (m *Module) Global(name string) *Global {
	if m.global == nil {
		m.global = make(map[string]*Global, len(m.globals))
		for _, g := range m.globals {
			m.global[g.name] = g
		}
	}
	return m.global[name]
}

// AddGlobal adds a definition "@x = ...", unless the name exists already.
func (m *Module) AddGlobal(text string) error {
	name, ok := firstGlobal(text)
	if !ok || text[0] != '@' {
		return fmt.Errorf("add global: not a definition of a global: %.60q", text)
	}
	if m.Defined(name) {
		return nil
	}
	g := &Global{m: m, name: name}
	g.entry = m.add(eGlobal, text)
	m.globals = append(m.globals, g)
	m.global[name] = g
	return nil
}

// NamedType returns the definition of the type %name ("{ i32, i8* }",
// "opaque"), or "" when the module has none.
func (m *Module) NamedType(name string) string {
	if m.types == nil {
		m.types = map[string]string{}
		for _, e := range m.entries {
			if e.kind == eType {
				m.noteType(e.text)
			}
		}
	}
	return m.types[name]
}

func (m *Module) noteType(text string) (string, bool) {
	ts := lex(text)
	defer ts.release()
	if ts.t[0].kind != tLocal || !ts.punct(1, '=') || !ts.is(2, "type") {
		return "", false
	}
	m.types[ts.name(0)] = strings.TrimSpace(text[ts.t[2].e:])
	return ts.name(0), true
}

// AddType adds a definition "%x = type ...", unless the name exists already.
func (m *Module) AddType(text string) error {
	m.NamedType("") // builds the table
	ts := lex(text)
	known := ts.t[0].kind == tLocal && m.types[ts.name(0)] != ""
	ts.release()
	if known {
		return nil
	}
	if _, ok := m.noteType(text); !ok {
		return fmt.Errorf("add type: not a type definition: %.60q", text)
	}
	m.add(eType, text)
	return nil
}

// GlobalNames returns the bare names of the globals that text mentions, in
// order.
func GlobalNames(text string) []string {
	ts := lex(text)
	defer ts.release()
	var out []string
	for i := range ts.t {
		if ts.t[i].kind == tGlobal {
			out = append(out, ts.name(i))
		}
	}
	return out
}
