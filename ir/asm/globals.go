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

// Text is the declaration as it stands in the module.
func (d *Decl) Text() string { return strings.TrimSpace(d.entry.text) }

func (d *Decl) header() *header {
	if d.hdr == nil {
		d.hdr = parseHeader(d.entry.text)
	}
	return d.hdr
}

// Decl returns the declaration of that name, or nil.
func (m *Module) Decl(name string) *Decl {
	return byName(&m.declOf, m.decls, func(d *Decl) string { return d.name })[name]
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
	m.decls = without(m.decls, d)
	delete(m.declOf, d.name)
}

// Defined reports whether a function, declaration, variable or alias of that
// name exists.
func (m *Module) Defined(name string) bool {
	return m.Func(name) != nil || m.Decl(name) != nil || m.Global(name) != nil
}

// FreshName returns a name that no global has: prefix, or prefix.N.
func (m *Module) FreshName(prefix string) string { return freshName(prefix, m.Defined) }

func freshName(prefix string, taken func(string) bool) string {
	name := prefix
	for n := 1; taken(name); n++ {
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

// Name returns the symbol.
func (g *Global) Name() string { return g.name }

// Text returns the definition as spelled.
func (g *Global) Text() string { return strings.TrimSpace(g.entry.text) }

// Kind returns "global", "constant", "alias" or "ifunc", "" when unknown.
func (g *Global) Kind() string {
	k, _, _ := g.parts()
	return k
}

// Value returns what follows the kind: type, initialiser and clauses, as
// spelled.
func (g *Global) Value() string {
	_, _, v := g.parts()
	return v
}

// Type returns the type of what a variable or constant holds, "" when it is neither.
func (g *Global) Type() string {
	if k := g.Kind(); k != "global" && k != "constant" {
		return ""
	}
	v := g.Value()
	ts := lex(v)
	defer ts.release()
	if e := ts.typeEnd(0); e > 0 {
		return v[:ts.t[e-1].e]
	}
	return ""
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
	return byName(&m.global, m.globals, func(g *Global) string { return g.name })[name]
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
			if e.kind != eType {
				continue
			}
			ts := lex(e.text)
			if ts.t[0].kind == tLocal && ts.punct(1, '=') && ts.is(2, "type") {
				m.types[ts.name(0)] = strings.TrimSpace(e.text[ts.t[2].e:])
			}
			ts.release()
		}
	}
	return m.types[name]
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

// LocalName returns the bare name of a local value or a named type that is all of a text
// (%x, %"a b"), and false for other texts.
func LocalName(text string) (string, bool) {
	ts := lex(text)
	defer ts.release()
	if len(ts.t) == 0 || ts.t[0].kind != tLocal || int(ts.t[0].e) != len(text) {
		return "", false
	}
	return ts.name(0), true
}
