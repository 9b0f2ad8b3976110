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
	for n := range m.metaNodes().all() {
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
	reached := make(map[*Meta]bool)
	var reach func(text string)
	reach = func(text string) {
		for _, id := range metaRefs(text) {
			if n := m.Meta(id); n != nil && !reached[n] {
				reached[n] = true
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
	for n := range t.all() {
		if !reached[n] {
			n.entry.removed = true
			t.remove(n.ID)
		}
	}
}

// NumberValues names the results of instructions v0, v1 and so on in each function. Where
// the source named no blocks, so that the first has no name or that of instnamer, bb, it names
// them bb0, bb1 and so on: other names of them are the optimiser's. Parameters without a name
// become arg0 and so on, and comments that list predecessors go. Functions with text that
// is not understood keep their names.
func (m *Module) NumberValues() {
	blocks := map[string]map[string]string{}
	for _, f := range m.funcs {
		if renamed := f.numberValues(); renamed != nil {
			blocks[f.name] = renamed
		}
	}
	m.renameBlockAddresses(blocks)
}

// numberValues returns the new names of blocks by the spelling of the old ones, nil where
// they stay.
func (f *Func) numberValues() map[string]string {
	if len(f.Blocks) == 0 {
		return nil
	}
	results := 0
	for in := range f.Instrs() {
		if in.Opaque() {
			return nil
		}
		if in.result != "" {
			results++
		}
	}
	values := renaming{to: make(map[string]string, results), taken: map[string]bool{}}
	for _, p := range f.Params() {
		if !p.numbered {
			values.taken[p.Name] = true
		}
	}
	for _, p := range f.Params() {
		if p.numbered {
			values.add("arg", p.Name, true)
		}
	}
	labels := renaming{taken: values.taken}
	if first := f.Blocks[0]; first.numbered || first.name == "bb" {
		labels.to = make(map[string]string, len(f.Blocks))
		for _, b := range f.Blocks {
			labels.add("bb", b.Name(), b.numbered)
		}
	} else {
		for _, b := range f.Blocks {
			labels.taken[b.Name()] = true
		}
	}
	values.next = 0
	for in := range f.Instrs() {
		if in.result != "" {
			values.add("v", in.result, in.numbered)
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			result := ""
			if in.result != "" {
				result = values.to[spelt(in.result, in.numbered)]
			}
			in.rename(result, values.renamed, labels.renamed)
		}
		if labels.to != nil {
			b.setLabel(labels.to[spelt(b.Name(), b.numbered)])
		}
	}
	f.nameParams(values.to)
	f.checked, f.names, f.fresh, f.index = 0, nil, nil, nil
	f.cfgChanged()
	return labels.to
}

// renaming gives names in turn, by the spelling of those that they take the place of.
type renaming struct {
	to    map[string]string
	taken map[string]bool // of the function, numbered or not
	next  int
}

func (n *renaming) add(prefix, old string, unnamed bool) {
	name := prefix + strconv.Itoa(n.next)
	if n.next++; n.taken[name] {
		n.add(prefix, old, unnamed)
		return
	}
	n.taken[name], n.to[spelt(old, unnamed)] = true, name
}

func spelt(name string, unnamed bool) string {
	if unnamed {
		return name
	}
	return Spell(name)
}

// renamed gives what a reference is to be.
func (n *renaming) renamed(ref string) (string, bool) {
	old := ref[1:]
	if strings.HasPrefix(old, `"`) {
		old = Spell(unspell(old)) // quoted although it need not be
	}
	to, ok := n.to[old]
	return to, ok
}
