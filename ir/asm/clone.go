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

// RehomeScopes copies the nodes that belong to subprogram from (a metadata number) and are
// reachable from roots, for instructions that move to a function whose subprogram is to:
// lexical blocks, locations (those inlined into it too), variables, labels, loop nodes. A
// to of -1 stands for a distinct copy of from, which is made with all that it leads to. It
// returns the number of the copy by that of the original, from included, for
// [Instr.RemapMeta]. Nodes that do not depend on from are not in the result: they stay.
func (m *Module) RehomeScopes(from, to int, roots []int) map[int]int {
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
// still call f. It is an error when the name is taken, or when f jumps to labels
// whose addresses are taken: the copy would jump into f.
func (m *Module) CloneFunc(f *Func, name string) (*Func, error) {
	if m.Defined(name) {
		return nil, fmt.Errorf("clone @%s: @%s exists", f.name, name)
	}
	if h := f.header(); !h.ok {
		return nil, fmt.Errorf("clone @%s: header not understood: %.60q", f.name, f.Header())
	}
	text := f.Text()
	text = text[strings.Index(text, "define"):]
	if strings.Contains(text, "blockaddress(") || strings.Contains(text, "indirectbr ") {
		return nil, fmt.Errorf("clone @%s: it jumps to computed labels", f.name)
	}
	if sp := f.Dbg(); sp >= 0 {
		text = remapMeta(text, m.RehomeScopes(sp, -1, f.metaRoots()))
	}
	r := reader{m: m, src: text}
	c, _, err := r.function(0)
	if err != nil || c == nil {
		return nil, fmt.Errorf("clone @%s: its text cannot be read back: %v", f.name, err)
	}
	c.splice(c.header().name, GlobalRef(name))
	c.name = name
	if err := c.SetLinkage("internal"); err != nil {
		return nil, err
	}
	c.RemoveComdat()
	m.append(c)
	return c, nil
}

// append adds a function that was read to the module.
func (m *Module) append(f *Func) {
	f.head, f.hdr = "\n"+f.head, nil
	f.entry = m.add(eFunc, "")
	f.entry.fn = f
	m.funcs = append(m.funcs, f)
	if m.funcOf != nil {
		m.funcOf[f.name] = f
	}
}

// metaRoots returns the nodes that f's instructions refer to.
func (f *Func) metaRoots() []int {
	var out []int
	for in := range f.Instrs() {
		if strings.IndexByte(in.raw, '!') >= 0 {
			out = append(out, metaRefs(in.Text())...)
		}
	}
	return out
}
