package asm

// This file holds attribute groups and the attributes of functions, their
// declarations and calls.

import (
	"fmt"
	"strings"
)

// attrTable indexes the attribute groups.
type attrTable struct {
	built  bool
	groups map[int]*attrGroup
	byText map[string]int // groups added, by their text
	next   int
}

type attrGroup struct {
	text  string // what stands between the braces
	attrs []Attr
}

// Attr is one attribute: nounwind, memory(none), "key"="value".
type Attr struct {
	Name string // unquoted, without value
	Text string // as spelled
}

// eachAttr calls f with each attribute of text, spelled, and its name; a group has its
// number in place of a name.
func eachAttr(text string, f func(name string, group int, spelled string)) {
	ts := lex(text)
	defer ts.release()
	for i := 0; ts.t[i].kind != tEOF; i++ {
		s, name, group := i, unspell(ts.text(i)), -1
		switch {
		case ts.t[i].kind == tAttr:
			group = decimal(ts.text(i)[1:])
		case ts.punct(i+1, '('):
			if c := ts.closing(i + 1); c > 0 {
				i = c
			}
		case ts.punct(i+1, '=') && ts.t[i+2].kind == ts.t[i].kind:
			i += 2
		}
		f(name, group, ts.slice(s, i+1))
	}
}

// parseAttrs splits attributes. Groups (#3) are left out.
func parseAttrs(text string) []Attr {
	var out []Attr
	eachAttr(text, func(name string, group int, spelled string) {
		if group < 0 {
			out = append(out, Attr{name, spelled})
		}
	})
	return out
}

func (m *Module) attrGroups() *attrTable {
	t := &m.attrs
	if t.built {
		return t
	}
	t.built = true
	t.groups, t.byText = map[int]*attrGroup{}, map[string]int{}
	for _, e := range m.entries {
		if e.kind != eAttrs {
			continue
		}
		hash, open, end := strings.IndexByte(e.text, '#'), strings.IndexByte(e.text, '{'), strings.LastIndexByte(e.text, '}')
		if hash < 0 || open < hash || end < open {
			continue
		}
		id := decimal(e.text[hash+1 : identEnd(e.text, hash+1)])
		if id < 0 {
			continue
		}
		t.groups[id] = &attrGroup{text: strings.TrimSpace(e.text[open+1 : end])}
		t.next = max(t.next, id+1)
	}
	return t
}

// AttrGroup returns what stands between the braces of attribute group id, "" when there is
// none.
func (m *Module) AttrGroup(id int) string {
	if g := m.attrGroups().groups[id]; g != nil {
		return g.text
	}
	return ""
}

// AttrGroupAttrs returns the attributes of a group. It is to be read only.
func (m *Module) AttrGroupAttrs(id int) []Attr {
	g := m.attrGroups().groups[id]
	if g == nil {
		return nil
	}
	if g.attrs == nil {
		g.attrs = parseAttrs(g.text)
	}
	return g.attrs
}

// AddAttrGroup adds a group with the attributes text (without braces) and
// returns its number. Adding a text again returns the same group.
func (m *Module) AddAttrGroup(text string) int {
	t := m.attrGroups()
	text = strings.TrimSpace(text)
	if id, ok := t.byText[text]; ok {
		return id
	}
	id := t.next
	t.next++
	t.groups[id] = &attrGroup{text: text}
	t.byText[text] = id
	m.add(eAttrs, fmt.Sprintf("attributes #%d = { %s }", id, text))
	return id
}

func findAttr(attrs []Attr, name string) (Attr, bool) {
	for _, a := range attrs {
		if a.Name == name {
			return a, true
		}
	}
	return Attr{}, false
}

// findAttrIn looks for an attribute in inline text and groups.
func (m *Module) findAttrIn(inline string, groups []int, name string) (Attr, bool) {
	if strings.Contains(inline, name) {
		if a, ok := findAttr(parseAttrs(inline), name); ok {
			return a, true
		}
	}
	for _, id := range groups {
		if a, ok := findAttr(m.AttrGroupAttrs(id), name); ok {
			return a, true
		}
	}
	return Attr{}, false
}

// withoutAttr returns attribute text (groups included) without attribute
// name. A group that holds it is replaced by a new one, so that others who
// share the group keep it.
func (m *Module) withoutAttr(text, name string) string {
	var keep []string
	eachAttr(text, func(n string, group int, spelled string) {
		attrs := m.AttrGroupAttrs(group)
		if _, ok := findAttr(attrs, name); !ok {
			if n != name {
				keep = append(keep, spelled)
			}
			return
		}
		var rest []string
		for _, a := range attrs {
			if a.Name != name {
				rest = append(rest, a.Text)
			}
		}
		if len(rest) > 0 {
			keep = append(keep, fmt.Sprintf("#%d", m.AddAttrGroup(strings.Join(rest, " "))))
		}
	})
	return strings.Join(keep, " ")
}

// Attr returns the function attribute of that name, inline or from a group.
func (f *Func) Attr(name string) (Attr, bool) {
	h := f.header()
	return f.m.findAttrIn(f.head[h.attrs.s:h.attrs.e], h.groups, name)
}

// HasAttr reports whether the function has the attribute, inline or through a
// group: "nounwind", "frame-pointer".
func (f *Func) HasAttr(name string) bool {
	_, ok := f.Attr(name)
	return ok
}

// RemoveAttr removes a function attribute, inline and from groups.
func (f *Func) RemoveAttr(name string) {
	if !f.HasAttr(name) {
		return
	}
	h := f.header()
	text := f.m.withoutAttr(f.head[h.attrs.s:h.attrs.e], name)
	if text != "" {
		text = " " + text
	}
	f.splice(h.attrs, text)
}

// AddAttr adds a function attribute, given as spelled: noinline, "key"="v". One
// of the same name is replaced.
func (f *Func) AddAttr(text string) error {
	attrs := parseAttrs(text)
	if len(attrs) != 1 {
		return fmt.Errorf("add attribute to @%s: not one attribute: %q", f.name, text)
	}
	f.RemoveAttr(attrs[0].Name)
	h := f.header()
	if !h.ok {
		return fmt.Errorf("add attribute to @%s: header not understood: %.60q", f.name, f.Header())
	}
	// Behind unnamed_addr and the like, before the groups.
	old := f.head[h.attrs.s:h.attrs.e]
	at := len(old)
	if i := strings.Index(old, " #"); i >= 0 && !strings.Contains(old[:i], "\"") {
		at = i
	}
	f.splice(h.attrs, old[:at]+" "+attrs[0].Text+old[at:])
	return nil
}

// HasAttr reports whether the declaration has the attribute.
func (d *Decl) HasAttr(name string) bool {
	h := d.header()
	_, ok := d.m.findAttrIn(d.entry.text[h.attrs.s:h.attrs.e], h.groups, name)
	return ok
}

// HasCallAttr reports whether a call has the attribute at the call itself,
// inline or through a group. Attributes of the callee are not looked at.
func (in *Instr) HasCallAttr(name string) bool {
	c := in.Call()
	if c == nil || in.b == nil || c.Attrs == "" {
		return false
	}
	_, ok := in.b.fn.m.findAttrIn(c.Attrs, in.CallAttrGroups(), name)
	return ok
}

// RemoveCallAttr removes an attribute from a call.
func (in *Instr) RemoveCallAttr(name string) {
	if c := in.Call(); c != nil && in.HasCallAttr(name) {
		in.setCallAttrs(in.b.fn.m.withoutAttr(c.Attrs, name))
	}
}

func (in *Instr) setCallAttrs(attrs string) {
	sp := in.parse().callAttrs
	if attrs != "" {
		attrs = " " + attrs
	}
	in.splice(sp, attrs)
}
