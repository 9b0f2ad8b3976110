package asm

// This file clones functions, and the debug scopes that clones and moved
// instructions need: LLVM wants each function to have a distinct DISubprogram,
// and every location in a function to lead to it.

import (
	"fmt"
	"sort"
	"strings"
)

// scopeKinds are the kinds of nodes that belong to one function. Others
// (types, files, the compile unit) are shared, although some of them lead back
// to a subprogram. "" stands for tuples: lists of variables and loop nodes.
var scopeKinds = map[string]bool{"": true, "DILocation": true, "DILexicalBlock": true,
	"DILexicalBlockFile": true, "DILocalVariable": true, "DILabel": true,
	"DIImportedEntity": true, "DIAssignID": true}

// CloneScopes makes a distinct copy of subprogram from (a metadata number) and
// of all nodes reachable from it and from roots that belong to it: lexical
// blocks, locations (those inlined into it too), variables, labels, loop
// nodes. It returns the number of the copy by that of the original, from
// included, for [Instr.RemapMeta]. Nodes that do not depend on from are not in
// the result: they stay.
func (m *Module) CloneScopes(from int, roots []int) map[int]int {
	return m.cloneScopes(from, -1, roots)
}

// RehomeScopes is [Module.CloneScopes] for instructions that move from
// subprogram from to a function whose subprogram is to: what the roots lead
// to is copied with to in the place of from.
func (m *Module) RehomeScopes(from, to int, roots []int) map[int]int {
	return m.cloneScopes(from, to, roots)
}

func (m *Module) cloneScopes(from, to int, roots []int) map[int]int {
	reached := map[int]bool{}
	users := map[int][]int{} // reverse references among reached nodes
	work := append([]int{}, roots...)
	if to < 0 && from >= 0 {
		work = append(work, from)
	}
	var depends []int // nodes that belong to the function
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		n := m.Meta(id)
		if n == nil || reached[id] || id != from && !scopeKinds[n.Kind] {
			continue
		}
		reached[id] = true
		if n.Kind == "DIAssignID" {
			depends = append(depends, id)
		}
		refs := n.Refs()
		if id == from {
			depends = append(depends, id)
			// Only the list of variables belongs to the function.
			refs = nil
			if r := n.Ref("retainedNodes"); r >= 0 && to < 0 {
				refs = []int{r}
			}
		}
		for _, r := range refs {
			users[r] = append(users[r], id)
			work = append(work, r)
		}
	}
	if !reached[from] && m.Meta(from) != nil {
		depends = append(depends, from)
	}
	ids := map[int]int{}
	var order []int
	for len(depends) > 0 {
		id := depends[len(depends)-1]
		depends = depends[:len(depends)-1]
		if _, ok := ids[id]; ok {
			continue
		}
		ids[id] = 0
		order = append(order, id)
		depends = append(depends, users[id]...)
	}
	sort.Ints(order)
	next := m.NextMetaID()
	for _, id := range order {
		if id == from && to >= 0 {
			ids[id] = to
			continue
		}
		ids[id] = next
		next++
	}
	for _, id := range order {
		if id == from && to >= 0 {
			continue
		}
		text := remapMeta(m.Meta(id).Text, ids)
		if id == from && !strings.HasPrefix(text, "distinct ") {
			text = "distinct " + text
		}
		m.AddMeta(text)
	}
	return ids
}

// CloneFunc appends a copy of f under a new name, with a subprogram and debug
// scopes of its own. The copy is internal and in no comdat; calls to f in it
// still call f. Constant tables of block addresses are copied with it. It is
// an error when the name is taken, or when a variable that can be written, or
// that is visible outside, holds addresses of f's blocks: the copy would jump
// into f.
func (m *Module) CloneFunc(f *Func, name string) (*Func, error) {
	if m.Defined(name) {
		return nil, fmt.Errorf("clone @%s: @%s exists", f.name, name)
	}
	if h := f.header(); !h.ok {
		return nil, fmt.Errorf("clone @%s: header not understood: %.60q", f.name, f.Header())
	}
	tables, err := m.blockTables(f)
	if err != nil {
		return nil, err
	}
	text := f.Text()
	text = text[strings.Index(text, "define"):]
	if sp := f.Dbg(); sp >= 0 {
		text = remapMeta(text, m.CloneScopes(sp, f.metaRoots()))
	}
	r := reader{m: m, src: text}
	c, _, err := r.function(0)
	if err != nil || c == nil {
		return nil, fmt.Errorf("clone @%s: its text cannot be read back: %v", f.name, err)
	}
	renames := map[string]string{}
	for _, g := range tables {
		n := m.FreshName(g.name + "." + name)
		gt := remapBlockAddresses(g.Text(), f.name, name)
		if err := m.AddGlobal(GlobalRef(n) + gt[globalEnd(gt):]); err != nil {
			return nil, err
		}
		renames[g.name] = n
	}
	c.splice(c.header().name, GlobalRef(name))
	c.name = name
	if err := c.SetLinkage("internal"); err != nil {
		return nil, err
	}
	c.RemoveComdat()
	for _, b := range c.Blocks {
		for _, in := range b.Instrs {
			if strings.Contains(in.raw, "blockaddress") {
				in.setTextUnchecked(remapBlockAddresses(in.Text(), f.name, name))
			}
			if len(renames) == 0 {
				continue
			}
			in.spliceAll(in.parse().globals, func(s string) (string, bool) {
				to, ok := renames[unspell(s[1:])]
				return GlobalRef(to), ok
			})
		}
	}
	c.head = "\n" + c.head
	c.hdr = nil
	c.entry = m.add(eFunc, "")
	c.entry.fn = c
	m.funcs = append(m.funcs, c)
	if m.funcOf != nil {
		m.funcOf[name] = c
	}
	return c, nil
}

// metaRoots returns the nodes that f's instructions refer to.
func (f *Func) metaRoots() []int {
	var out []int
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if strings.IndexByte(in.raw, '!') >= 0 {
				out = append(out, metaRefs(in.Text())...)
			}
		}
	}
	return out
}

// blockTables returns the constants that hold addresses of f's blocks.
func (m *Module) blockTables(f *Func) ([]*Global, error) {
	var out []*Global
	for _, g := range m.globals {
		if !strings.Contains(g.entry.text, "blockaddress(") || remapBlockAddresses(g.Text(), f.name, "") == g.Text() {
			continue
		}
		l := g.Linkage()
		if k := g.Kind(); l != "internal" && l != "private" || k != "constant" && !m.onlyUsedIn(g, f) {
			return nil, fmt.Errorf("clone @%s: @%s holds addresses of its blocks and may be changed elsewhere", f.name, g.name)
		}
		out = append(out, g)
	}
	return out, nil
}

// onlyUsedIn reports whether g is read only: f never stores to it and no
// other function mentions it.
func (m *Module) onlyUsedIn(g *Global, f *Func) bool {
	for _, o := range m.globals {
		for _, r := range o.Refs() {
			if r == g.name && o != g {
				return false
			}
		}
	}
	for _, o := range m.funcs {
		for _, b := range o.Blocks {
			for _, in := range b.Instrs {
				if !strings.Contains(in.raw, g.name) {
					continue
				}
				for _, r := range in.GlobalRefs() {
					if r == g.name && (o != f || in.op != "load" && in.op != "getelementptr") {
						return false
					}
				}
			}
		}
	}
	return true
}

// remapBlockAddresses replaces blockaddress(@from, by blockaddress(@to, .
func remapBlockAddresses(text, from, to string) string {
	ts := lex(text)
	defer ts.release()
	var b strings.Builder
	last := int32(0)
	for i := range ts.t {
		if ts.is(i, "blockaddress") && ts.punct(i+1, '(') && ts.t[i+2].kind == tGlobal && ts.name(i+2) == from {
			b.WriteString(text[last:ts.t[i+2].s])
			b.WriteString(GlobalRef(to))
			last = ts.t[i+2].e
		}
	}
	b.WriteString(text[last:])
	return b.String()
}

// globalEnd returns the index after the @name that text starts with.
func globalEnd(text string) int {
	if len(text) > 1 && text[1] == '"' {
		return stringEnd(text, 1)
	}
	return identEnd(text, 1)
}
