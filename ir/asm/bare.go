package asm

// This file takes out of a module what its meaning does not depend on: what debuggers
// want to know, and the names of values.

import (
	"regexp"
	"strconv"
	"strings"
)

// debugAttachments are those of instructions whose nodes only debuggers read.
var debugAttachments = []string{"!dbg", "!DIAssignID", "!heapallocsite"}

// StripDebug removes debug information: locations, records and the nodes of metadata that
// nothing else refers to.
func (m *Module) StripDebug() error {
	for _, f := range m.funcs {
		f.SetDbg(-1)
		if err := f.DeleteIf((*Instr).IsDebug); err != nil {
			return err
		}
		for in := range f.Instrs() {
			if strings.IndexByte(in.raw, '!') < 0 {
				continue
			}
			for _, kind := range debugAttachments {
				in.SetAttachment(kind, "")
			}
		}
	}
	for _, list := range [][]*entry{m.entries, m.added[eDecl], m.added[eGlobal]} {
		for _, e := range list {
			switch e.kind {
			case eGlobal:
				e.text = globalDebug.ReplaceAllString(e.text, "")
			case eDecl:
				e.text = declDebug.ReplaceAllString(e.text, "$1")
			}
		}
	}
	for _, d := range m.decls {
		d.hdr = nil
	}
	if e := m.namedMeta("llvm.dbg.cu"); e != nil {
		e.removed = true
	}
	for _, n := range m.metaNodes().nodes {
		if n.Kind == "" && strings.HasPrefix(strings.TrimPrefix(n.Text, "distinct "), "!{") {
			m.forget(n)
		}
	}
	m.sweep()
	return nil
}

var (
	globalDebug = regexp.MustCompile(`, !dbg ![0-9]+`)
	declDebug   = regexp.MustCompile(`^(\s*declare) !dbg ![0-9]+`)
	metaElement = regexp.MustCompile(`![0-9]+(, )?`)
)

// forget takes nodes for debuggers out of a tuple: the locations of a loop.
func (m *Module) forget(n *Meta) {
	if strings.IndexByte(n.Text, '"') >= 0 {
		return
	}
	text := metaElement.ReplaceAllStringFunc(n.Text, func(ref string) string {
		to := m.Meta(decimal(strings.TrimSuffix(ref, ", ")[1:]))
		if to != nil && isDebugNode(to) {
			return ""
		}
		return ref
	})
	if text != n.Text {
		m.SetMeta(n.ID, strings.Replace(text, ", }", "}", 1))
	}
}

func isDebugNode(n *Meta) bool {
	return strings.HasPrefix(n.Kind, "DI") || n.Kind == "GenericDINode"
}

// sweep removes numbered metadata that nothing refers to.
func (m *Module) sweep() {
	reached := make(map[int]bool)
	var reach func(text string)
	reach = func(text string) {
		for _, id := range metaRefs(text) {
			if n := m.Meta(id); n != nil && !reached[id] {
				reached[id] = true
				reach(n.Text)
			}
		}
	}
	lists := [][]*entry{m.entries}
	for k := range m.added {
		lists = append(lists, m.added[k])
	}
	for _, list := range lists {
		for _, e := range list {
			if !e.removed && e.fn == nil && e.kind != eMeta {
				reach(e.text)
			}
		}
	}
	for _, f := range m.funcs {
		reach(f.head)
		for in := range f.Instrs() {
			if strings.IndexByte(in.raw, '!') >= 0 {
				reach(in.Text())
			}
		}
	}
	t := m.metaNodes()
	for id, n := range t.nodes {
		if !reached[id] {
			n.entry.removed = true
			delete(t.nodes, id)
		}
	}
}

// NumberValues names the results of instructions v0, v1 and so on in each function, as
// far as no block or parameter has such a name, and leaves out the comments that list
// predecessors. Functions with text that is not understood keep their names.
func (m *Module) NumberValues() {
	for _, f := range m.funcs {
		f.numberValues()
	}
}

func (f *Func) numberValues() {
	taken := make(map[string]bool)
	for _, p := range f.Params() {
		taken[p.Name] = true
	}
	results := 0
	for _, b := range f.Blocks {
		taken[b.Name()] = true
		for _, in := range b.Instrs {
			if in.Opaque() {
				return
			}
			if in.result != "" {
				results++
			}
		}
	}
	names := make(map[string]string, results)
	next := 0
	for in := range f.Instrs() {
		if in.result == "" {
			continue
		}
		for taken["v"+strconv.Itoa(next)] {
			next++
		}
		names[in.result] = "v" + strconv.Itoa(next)
		next++
	}
	for in := range f.Instrs() {
		in.spliceAll(in.parse().locals, func(s string) (string, bool) {
			to, ok := names[unspell(s[1:])]
			return LocalRef(to), ok
		})
		if in.result != "" {
			in.SetResult(names[in.result])
		}
	}
	f.names, f.fresh = nil, nil
	f.cfgChanged()
}
