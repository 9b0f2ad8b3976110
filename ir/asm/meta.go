package asm

// This file holds numbered and named metadata.

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// metaTable indexes the metadata nodes by number.
type metaTable struct {
	built  bool
	nodes  []*Meta       // by number, nil for none
	beyond map[int]*Meta // numbers that LLVM would not give: larger than there are lines
	next   int
}

func (t *metaTable) node(id int) *Meta {
	if id >= 0 && id < len(t.nodes) {
		return t.nodes[id]
	}
	return t.beyond[id]
}

func (t *metaTable) put(n *Meta) {
	t.next = max(t.next, n.ID+1)
	switch {
	case n.ID < len(t.nodes):
		t.nodes[n.ID] = n
	case n.ID == len(t.nodes):
		t.nodes = append(t.nodes, n)
	default:
		t.beyond[n.ID] = n
	}
}

// Meta is a numbered metadata node.
type Meta struct {
	ID   int
	Text string // "distinct !DISubprogram(name: ...)", without "!5 = "
	Kind string // "DISubprogram"; "" for a tuple !{...}

	entry  *entry
	fields []metaField
}

type metaField struct{ key, value string }

func (m *Module) metaNodes() *metaTable {
	t := &m.meta
	if t.built {
		return t
	}
	t.built = true
	t.nodes, t.beyond = make([]*Meta, len(m.entries)), map[int]*Meta{}
	for _, e := range m.entries {
		if e.kind != eMeta {
			continue
		}
		s := strings.TrimLeft(e.text, " \t\r")
		n := 1 + digits(s[1:])
		id := decimal(s[1:n])
		eq := skipBlank(s, n)
		if id < 0 || eq >= len(s) || s[eq] != '=' {
			continue
		}
		node := &Meta{ID: id, entry: e}
		node.set(strings.TrimSpace(s[eq+1:]))
		t.put(node)
	}
	return t
}

func (t *metaTable) remove(id int) {
	if id < len(t.nodes) {
		t.nodes[id] = nil
	}
	delete(t.beyond, id)
}

// all yields the nodes, which may be removed meanwhile.
func (t *metaTable) all() iter.Seq[*Meta] {
	return func(yield func(*Meta) bool) {
		for _, n := range t.nodes {
			if n != nil && !yield(n) {
				return
			}
		}
		for _, n := range t.beyond {
			if !yield(n) {
				return
			}
		}
	}
}

func (n *Meta) set(text string) {
	n.Text = text
	n.fields = nil
	rest := strings.TrimPrefix(text, "distinct ")
	n.Kind = ""
	if strings.HasPrefix(rest, "!") {
		n.Kind = rest[1:identEnd(rest, 1)]
	}
}

// Meta returns the metadata node of that number, or nil.
func (m *Module) Meta(id int) *Meta { return m.metaNodes().node(id) }

// NextMetaID returns the number the next node added will have.
func (m *Module) NextMetaID() int { return m.metaNodes().next }

// MetaLines is at most the number of the module's lines: nodes that LLVM numbered have
// numbers below it.
func (m *Module) MetaLines() int { return len(m.metaNodes().nodes) }

// AddMeta adds a node and returns its number. The text is what follows
// "!5 = "; a node that refers to itself uses [Module.NextMetaID].
func (m *Module) AddMeta(text string) int {
	t := m.metaNodes()
	n := &Meta{ID: t.next}
	n.set(strings.TrimSpace(text))
	n.entry = m.add(eMeta, fmt.Sprintf("!%d = %s", n.ID, n.Text))
	t.put(n)
	return n.ID
}

// SetMeta replaces the text of a node. It is an error when there is no such
// node.
func (m *Module) SetMeta(id int, text string) error {
	n := m.Meta(id)
	if n == nil {
		return fmt.Errorf("set metadata: no node !%d", id)
	}
	n.set(strings.TrimSpace(text))
	n.entry.text = fmt.Sprintf("!%d = %s\n", id, n.Text)
	return nil
}

// NamedMeta returns the nodes that named metadata lists: llvm.dbg.cu.
func (m *Module) NamedMeta(name string) []int {
	e := m.namedMeta(name)
	if e == nil {
		return nil
	}
	return metaRefs(e.text)
}

func (m *Module) namedMeta(name string) *entry {
	prefix := "!" + name + " ="
	for _, list := range [][]*entry{m.entries, m.added[eNamed]} {
		for _, e := range list {
			if e.kind == eNamed && strings.HasPrefix(e.text, prefix) {
				return e
			}
		}
	}
	return nil
}

// Field returns the value of a field of a specialised node as spelled: "!12",
// "\"main\"", "DIFlagPrototyped"; "" when absent.
func (n *Meta) Field(key string) string {
	if n == nil {
		return ""
	}
	if n.fields == nil {
		n.parseFields()
	}
	for _, f := range n.fields {
		if f.key == key {
			return f.value
		}
	}
	return ""
}

func (n *Meta) parseFields() {
	n.fields = []metaField{}
	open := strings.IndexByte(n.Text, '(')
	if n.Kind == "" || open < 0 {
		return
	}
	ts := lex(n.Text[open:])
	defer ts.release()
	end := ts.closing(0)
	for i := 1; i < end; {
		if ts.t[i].kind != tWord || !ts.punct(i+1, ':') {
			return
		}
		s := i + 2
		e := s
		for depth := 0; e < end; e++ {
			if ts.t[e].kind != tPunct {
				continue
			}
			c := ts.src[ts.t[e].s]
			if c == ',' && depth == 0 {
				break
			}
			switch c {
			case '(', '{', '[':
				depth++
			case ')', '}', ']':
				depth--
			}
		}
		n.fields = append(n.fields, metaField{ts.text(i), ts.slice(s, e)})
		i = e + 1
	}
}

// Int returns the number in a field, 0 when absent or no number.
func (n *Meta) Int(key string) int {
	v, err := strconv.Atoi(n.Field(key))
	if err != nil {
		return 0
	}
	return v
}

// Ref returns the number of the node a field refers to, or -1.
func (n *Meta) Ref(key string) int {
	v := n.Field(key)
	if strings.HasPrefix(v, "!") {
		return decimal(v[1:])
	}
	return -1
}

// Str returns the string in a field, unquoted; "" when absent.
func (n *Meta) Str(key string) string {
	if v := n.Field(key); strings.HasPrefix(v, "\"") {
		return unspell(v)
	}
	return ""
}

// Refs returns the numbers of the nodes referenced, in order.
func (n *Meta) Refs() []int {
	if n == nil {
		return nil
	}
	return metaRefs(n.Text)
}

// metaRefs returns the numbers of all !12 in text outside strings.
func metaRefs(text string) []int {
	var out []int
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '!':
			e := i + 1 + digits(text[i+1:])
			if id := decimal(text[i+1 : e]); id >= 0 {
				out = append(out, id)
			}
			i = e
		default:
			i++
		}
	}
	return out
}

// remapMeta replaces the !12 in text by their images in ids.
func remapMeta(text string, ids map[int]int) string {
	var b strings.Builder
	last := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '"':
			i = stringEnd(text, i)
		case '!':
			e := i + 1 + digits(text[i+1:])
			if to, ok := ids[decimal(text[i+1:e])]; ok {
				b.WriteString(text[last : i+1])
				b.WriteString(strconv.Itoa(to))
				last = e
			}
			i = e
		default:
			i++
		}
	}
	if last == 0 {
		return text
	}
	b.WriteString(text[last:])
	return b.String()
}
