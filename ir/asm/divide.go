package asm

// This file divides a module into parts that become objects of their own. What a part is
// spelled as depends on its functions alone, not on what else the module holds: names,
// types, attributes and metadata that numbers were given for are numbered anew.

import (
	"fmt"
	"slices"
	"strings"
)

// SortFuncs puts the functions into the order of cmp, those that are alike as they were.
func (m *Module) SortFuncs(cmp func(a, b *Func) int) {
	slots := make([]*entry, len(m.funcs))
	for i, f := range m.funcs {
		slots[i] = f.entry
	}
	slices.SortStableFunc(m.funcs, cmp)
	for i, f := range m.funcs {
		slots[i].fn, f.entry = f, slots[i]
	}
}

// BaseName returns the name that a linker of modules made one of its own of, by a number
// behind a dot, as far as that can be told.
func BaseName(name string) string {
	for {
		dot := strings.LastIndexByte(name, '.')
		if dot < 1 || !isNumber(name[dot+1:]) {
			return name
		}
		name = name[:dot]
	}
}

// Divided is a module in parts, which together are the module.
type Divided struct {
	Parts []string // by group
	// Root holds what other objects may see of the module's variables.
	Root  string
	Names []string // by function: what the parts call it
}

// Divide divides the module by groups of functions: group tells each function's, and
// functions of a group stand together. Called names the groups, in letters of symbols. What
// only functions of one group refer to is in that group's part; functions for which shown
// is true are visible to other objects. The error says what keeps the module whole.
func (m *Module) Divide(group []int, called []string, shown []bool) (*Divided, error) {
	d := &divider{m: m, root: len(called), things: make(map[string]*thing), called: called, taken: make(map[string]bool)}
	for _, e := range m.entries {
		if e.kind == eOther && strings.HasPrefix(strings.TrimSpace(e.text), "module asm") {
			return nil, fmt.Errorf("it holds assembly of its own")
		}
	}
	if err := d.collect(group, shown); err != nil {
		return nil, err
	}
	d.own()
	if err := d.check(); err != nil {
		return nil, err
	}
	d.name()
	out := &Divided{}
	for g := range called {
		out.Parts = append(out.Parts, d.part(g))
	}
	out.Root = d.part(d.root)
	for _, t := range d.funcs {
		out.Names = append(out.Names, t.visibleName())
	}
	return out, nil
}

// thing is what a global name stands for.
type thing struct {
	name    string
	text    string
	fn      *Func
	g       *Global
	kind    string // of a global
	linkage string
	defined bool
	owner   int  // part, -1 for none so far
	shared  bool // other parts refer to it
	refs    []string
	as      string // its name in all parts where it is visible
}

func (t *thing) local() bool { return t.linkage == "internal" || t.linkage == "private" }

// strong holds of what is seen elsewhere and nothing else may stand in for.
func (t *thing) strong() bool {
	return !t.local() && !strings.HasPrefix(t.linkage, "linkonce") && !strings.HasPrefix(t.linkage, "weak")
}

func (t *thing) visibleName() string {
	if t.as != "" {
		return t.as
	}
	return t.name
}

// all yields functions, then the rest.
func (d *divider) all(yield func(*thing) bool) {
	for _, list := range [][]*thing{d.funcs, d.vars} {
		for _, t := range list {
			if !yield(t) {
				return
			}
		}
	}
}

type divider struct {
	m      *Module
	root   int
	called []string
	things map[string]*thing
	funcs  []*thing
	vars   []*thing
	taken  map[string]bool // names
}

func (d *divider) collect(group []int, shown []bool) error {
	for i, f := range d.m.funcs {
		if !f.header().ok {
			return fmt.Errorf("the header of @%s is not understood", f.name)
		}
		t := &thing{name: f.name, fn: f, text: f.Text(), linkage: f.Linkage(), defined: true, owner: group[i], shared: shown[i]}
		t.refs = GlobalNames(t.text)
		d.funcs = append(d.funcs, t)
		d.things[t.name] = t
		for _, b := range f.Blocks {
			if d.m.NamedType(b.name) != "" {
				return fmt.Errorf("a block of @%s is called like a type", f.name)
			}
		}
		if h := f.header(); h.comdat.e > h.comdat.s && t.strong() {
			return fmt.Errorf("@%s is in a comdat and not weak", f.name)
		}
	}
	for _, g := range d.m.globals {
		t := &thing{name: g.name, g: g, text: g.Text(), owner: -1, defined: true}
		t.kind, t.linkage, _ = g.parts()
		t.refs = g.Refs()
		first := strings.Fields(strings.TrimSpace(t.text[strings.Index(t.text, "=")+1:]))[0]
		switch {
		case t.kind == "" || t.kind == "ifunc":
			return fmt.Errorf("what @%s is is not understood", g.name)
		case t.kind == "global" || t.kind == "constant":
			t.defined = first != "external" && first != "extern_weak"
			if strings.Contains(t.text, "comdat") && t.defined && t.strong() {
				return fmt.Errorf("@%s is in a comdat and not weak", g.name)
			}
		}
		d.vars = append(d.vars, t)
		d.things[t.name] = t
	}
	return nil
}

// own gives each variable to a part: to the only one that refers to it where no other
// object can see it, else to the root. An alias is where its function is.
func (d *divider) own() {
	var use func(t *thing, by int)
	use = func(t *thing, by int) {
		if t.g == nil || !t.defined || t.owner == by || t.owner == d.root {
			return
		}
		if t.owner >= 0 {
			by = d.root
		}
		t.owner = by
		for _, r := range t.refs {
			if to := d.things[r]; to != nil && to.local() {
				use(to, by)
			}
		}
	}
	for _, t := range d.vars {
		switch {
		case t.kind == "alias":
			to := t
			for range d.vars {
				if to = d.things[to.g.Aliasee()]; to == nil || to.kind != "alias" {
					break
				}
			}
			if to != nil && to.fn != nil {
				t.owner = to.owner
			} else {
				use(t, d.root)
			}
		case t.defined && !t.local():
			use(t, d.root)
		}
	}
	for _, f := range d.funcs {
		for _, r := range f.refs {
			if to := d.things[r]; to != nil && to.local() {
				use(to, f.owner)
			}
		}
	}
	for t := range d.all {
		for _, r := range t.refs {
			if to := d.things[r]; to != nil && t.owner >= 0 && to.owner != t.owner {
				to.shared = true
			}
		}
	}
}

// check finds what objects cannot tell one another.
func (d *divider) check() error {
	for t := range d.all {
		if t.kind == "alias" && d.things[t.g.Aliasee()] != nil && d.things[t.g.Aliasee()].owner != t.owner {
			return fmt.Errorf("alias @%s is apart from what it stands for", t.name)
		}
		if t.owner < 0 || !strings.Contains(t.text, "blockaddress(") {
			continue
		}
		ts, own := lex(t.text), true
		for i := range ts.t {
			if ts.is(i, "blockaddress") && ts.t[i+2].kind == tGlobal {
				of := d.things[ts.name(i+2)]
				own = own && of != nil && of.owner == t.owner
			}
		}
		if ts.release(); !own {
			return fmt.Errorf("@%s holds an address of a block of another part", t.name)
		}
	}
	return nil
}

// name gives what was local and is seen from other parts a name that tells its part.
func (d *divider) name() {
	for n := range d.things {
		d.taken[n] = true
	}
	for _, f := range d.m.decls {
		d.taken[f.name] = true
	}
	for t := range d.all {
		if t.local() && t.shared {
			t.as = freshName(strings.TrimLeft(BaseName(t.name), ".")+".of."+d.partName(t.owner), func(name string) bool { return d.taken[name] })
			d.taken[t.as] = true
		}
	}
}

func (d *divider) partName(part int) string {
	if part >= 0 && part < d.root {
		return d.called[part]
	}
	return "root"
}

type partWriter struct {
	d      *divider
	part   int
	out    *strings.Builder
	names  map[string]string
	used   map[string]bool // names of the part
	queue  []string        // names to be defined or declared
	types  numbering[string]
	groups numbering[int]
	metas  numbering[int]
}

// numbering numbers things as they come.
type numbering[K comparable] struct {
	of   map[K]int
	list []K
}

func (n *numbering[K]) number(k K) int {
	i, ok := n.of[k]
	if !ok {
		if n.of == nil {
			n.of = make(map[K]int)
		}
		i = len(n.list)
		n.of[k] = i
		n.list = append(n.list, k)
	}
	return i
}

func (d *divider) part(part int) string {
	w := &partWriter{d: d, part: part, names: make(map[string]string), used: make(map[string]bool), out: &strings.Builder{}}
	var head, types strings.Builder
	fmt.Fprintf(&head, "source_filename = %q\n", d.partName(part))
	for _, key := range []string{"target datalayout", "target triple"} {
		if v := d.m.target(key); v != "" {
			fmt.Fprintf(&head, "%s = %q\n", key, v)
		}
	}
	// Names that are not the part's to choose come first.
	var own []*thing
	for t := range d.all {
		if t.owner != part {
			continue
		}
		if t.fn != nil || part == d.root || t.kind == "alias" {
			own = append(own, t)
		}
		for _, r := range append(t.refs, t.name) {
			if to := d.things[r]; to == nil || !to.local() || to.as != "" {
				name := r
				if to != nil {
					name = to.visibleName()
				}
				w.names[r], w.used[name] = name, true
			}
		}
	}
	for _, t := range own {
		if t.fn != nil {
			w.global(t.name)
		}
	}
	for _, t := range own {
		w.define(t)
	}
	w.flags()
	w.rest(own)
	body := w.out.String()
	w.out = &types
	for i := 0; i < len(w.types.list); i++ {
		w.line(fmt.Sprintf("%s = type %s", LocalRef(w.types.list[i]), d.m.NamedType(w.types.list[i])))
	}
	return head.String() + types.String() + body
}

// flags writes what the linker of modules wants modules to agree on.
func (w *partWriter) flags() {
	e := w.d.m.namedMeta("llvm.module.flags")
	if e == nil {
		return
	}
	ids := metaRefs(e.text)
	slices.SortFunc(ids, func(a, b int) int { return strings.Compare(w.d.m.Meta(a).Text, w.d.m.Meta(b).Text) })
	var list []string
	for _, id := range ids {
		list = append(list, fmt.Sprintf("!%d", id))
	}
	w.line("!llvm.module.flags = !{" + strings.Join(list, ", ") + "}")
}

// rest writes all but types that what is written refers to.
func (w *partWriter) rest(own []*thing) {
	done := make(map[string]bool)
	for _, t := range own {
		done[t.name] = true
	}
	var names, groups, metas int
	for {
		switch {
		case names < len(w.queue):
			name := w.queue[names]
			names++
			if done[name] {
				continue
			}
			done[name] = true
			if t := w.d.things[name]; t != nil && (t.owner == w.part || !t.defined) {
				w.define(t)
			} else if t != nil {
				w.declare(t)
			} else if decl := w.d.m.Decl(name); decl != nil {
				w.line(decl.Text())
			}
		case groups < len(w.groups.list):
			fmt.Fprintf(w.out, "attributes #%d = { %s }\n", groups, w.d.m.AttrGroup(w.groups.list[groups]))
			groups++
		case metas < len(w.metas.list):
			id := w.metas.list[metas]
			metas++
			if n := w.d.m.Meta(id); n != nil {
				w.line(fmt.Sprintf("!%d = %s", id, n.Text))
			}
		default:
			return
		}
	}
}

func (w *partWriter) global(name string) string {
	as, ok := w.names[name]
	if !ok {
		as = freshName(BaseName(name), func(name string) bool { return w.used[name] })
		w.names[name], w.used[as] = as, true
	}
	if !strings.HasPrefix(name, "llvm.") || w.d.things[name] == nil {
		w.queue = append(w.queue, name)
	}
	return as
}

// line writes text as the part spells it.
func (w *partWriter) line(text string) {
	w.out.WriteString(respelled(text, func(ts *tokens, i int) (string, bool) {
		switch ts.t[i].kind {
		case tGlobal:
			return GlobalRef(w.global(ts.name(i))), true
		case tLocal:
			if name := ts.name(i); w.d.m.NamedType(name) != "" {
				return fmt.Sprintf("%%pspan.t%d", w.types.number(name)), true
			}
		case tAttr:
			if id := decimal(ts.text(i)[1:]); id >= 0 {
				return fmt.Sprintf("#%d", w.groups.number(id)), true
			}
		case tMeta:
			if id := ts.metaID(i); id >= 0 {
				return fmt.Sprintf("!%d", w.metas.number(id)), true
			}
		}
		return "", false
	}))
	if !strings.HasSuffix(text, "\n") {
		w.out.WriteByte('\n')
	}
}

// define writes a definition. What is local stays so unless it is shared.
func (w *partWriter) define(t *thing) {
	text := t.text
	head := len(text)
	if t.fn != nil {
		head = len(t.fn.head)
	}
	w.line(relinked(text[:head], t.as != "") + text[head:])
}

// relinked takes the linkage that only makes sense where all of a program is in one
// object from a definition, and comdats.
func relinked(text string, shared bool) string {
	ts := lex(text)
	defer ts.release()
	var b strings.Builder
	last := int32(0)
	cut := func(from, to int, s string) {
		b.WriteString(strings.TrimRight(text[last:ts.t[from].s], " "))
		if s != "" {
			b.WriteString(" " + s)
		}
		last = ts.t[to].e
	}
	changed := false
	for i := 0; ts.t[i].kind != tEOF; i++ {
		if ts.t[i].kind == tPunct && (ts.punct(i, '(') || ts.punct(i, '{') || ts.punct(i, '[')) {
			if c := ts.closing(i); c > 0 {
				i = c
			}
			continue
		}
		if ts.t[i].kind != tWord {
			continue
		}
		switch word := ts.text(i); {
		case !changed && linkages[word]:
			changed = true
			switch {
			case shared && (word == "internal" || word == "private"):
				cut(i, i, "hidden")
			case word == "linkonce":
				cut(i, i, "weak")
			case word == "linkonce_odr":
				cut(i, i, "weak_odr")
			}
		case word == "comdat":
			from, to := i, i
			if i > 0 && ts.punct(i-1, ',') {
				from = i - 1
			}
			if ts.punct(i+1, '(') {
				to = ts.closing(i + 1)
			}
			cut(from, to, "")
			i = to
		}
	}
	b.WriteString(text[last:])
	return b.String()
}

// declare writes the declaration of what another part defines.
func (w *partWriter) declare(t *thing) {
	switch {
	case t.fn != nil:
		f, h := t.fn, t.fn.header()
		params := h.paramList(func(p Param) string { return strings.TrimSpace(p.Type + " " + p.Attrs) })
		w.line("declare " + t.seen(f.head) + strings.TrimLeft(h.retAttrs+" ", " ") + h.retType + " " + GlobalRef(t.name) + params + f.head[h.attrs.s:h.attrs.e])
	case t.kind == "alias":
		_, _, value := t.g.parts()
		ts := lex(value)
		defer ts.release()
		typ := ts.slice(0, ts.typeEnd(0))
		if open := functionParams(typ); open > 0 {
			w.line("declare " + t.seen(t.text) + strings.TrimSpace(typ[:open]) + " " + GlobalRef(t.name) + typ[open:])
			return
		}
		w.line(GlobalRef(t.name) + " = external " + t.seen(t.text) + "global " + typ)
	default:
		ts := lex(t.text)
		defer ts.release()
		var words []string
		for i := 2; ts.t[i].kind != tEOF; i++ {
			word := ts.text(i)
			if linkages[word] || visibilities[word] {
				continue
			}
			words = append(words, word)
			if word == "global" || word == "constant" {
				typ := ts.slice(i+1, ts.typeEnd(i+1))
				align := ""
				if at := strings.LastIndex(t.text, ", align "); at >= 0 {
					align = ", align " + t.text[at+8:at+8+digits(t.text[at+8:])]
				}
				w.line(GlobalRef(t.name) + " = external " + t.seen(t.text) + joinWords(words) + " " + typ + align)
				return
			}
		}
	}
}

// joinWords spells words of a definition, with brackets close to what they belong to.
func joinWords(words []string) string {
	s := strings.Join(words, " ")
	return strings.NewReplacer("thread_local ( ", "thread_local(", "addrspace ( ", "addrspace(", " )", ")").Replace(s)
}

// seen returns the words about visibility that a declaration has where other parts see it.
func (t *thing) seen(text string) string {
	if t.as != "" {
		return "hidden "
	}
	ts := lex(text)
	defer ts.release()
	out := ""
	i := 1
	if t.g != nil {
		i = 2
	}
	for ; ts.t[i].kind == tWord && (linkages[ts.text(i)] || visibilities[ts.text(i)]); i++ {
		if visibilities[ts.text(i)] {
			out += ts.text(i) + " "
		}
	}
	return out
}

// functionParams returns where the parameters of a function's type begin, 0 for another.
func functionParams(typ string) int {
	ts := lex(typ)
	defer ts.release()
	n := 0
	for ts.t[n].kind != tEOF {
		n++
	}
	if n == 0 || !ts.punct(n-1, ')') {
		return 0
	}
	for i := range n {
		if ts.punct(i, '(') && ts.closing(i) == n-1 {
			return int(ts.t[i].s)
		}
	}
	return 0
}
