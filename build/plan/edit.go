package plan

// This file says what is put where into a source, and puts it there.

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// site is a construct of an entry in one unit, or a region that its tasks need.
type site struct {
	entry   *Entry
	kind    *kind
	in      *function
	loop    *loop  // nil for what is no loop
	first   *node  // the first statement; nil for points
	inside  *group // the statements of blockForm
	apart   *parted
	depends string // of a stage of a pipeline: its depend clauses; of a loop: linear ones of what its for statement changes beside its counter
	stage   int    // of a pipeline, from 1; 0 for what is none
	span           // all of it
	parts   []span // its sections
	edits   []edit
	pragmas []string
	made    bool // not named by the plan: a region for its tasks
}

// span is a part of a file, in bytes.
type span struct{ open, close int }

func (s span) holds(o span) bool { return s.open <= o.open && o.close <= s.close }

func (s span) meets(o span) bool { return s.open < o.close && o.open < s.close }

// edit is a text that is put before an offset.
type edit struct {
	offset int
	rank   rank
	text   string
	pragma bool // those of the site go before the text
}

// rank orders the edits at one offset.
type rank int

const (
	closing rank = iota
	between      // sections of one construct
	alone        // a pragma that stands by itself
	opening
	assigning // what a declaration gives its variable, behind all that opens there
)

const section = `_Pragma("omp section") { `

// sectionsSite puts each section's statements into braces.
func sectionsSite(e *Entry, groups []group) (*site, error) {
	s := &site{entry: e, kind: e.kind, in: groups[0].in, first: groups[0].inner[groups[0].first]}
	for i := range groups {
		g := &groups[i]
		at := e.sectionAt(i)
		for _, n := range []*node{g.inner[g.first], g.inner[g.last]} {
			if why := g.in.hidden(n); why != "" {
				return nil, at.Errorf("%s: the statement %s, so it cannot be put into braces; write it out", g.in.where(g.in.place(n.begin)), why)
			}
		}
		open, ok := g.open()
		if !ok {
			return nil, at.Errorf("%s: what stands before the statement is hidden by a macro, so it cannot be put into braces; write it out", g.in.where(g.in.place(g.inner[g.first].begin)))
		}
		switch {
		case i == 0:
			s.edits = append(s.edits, edit{open, opening, "{ " + section, true})
			s.open = open
		default:
			s.edits = append(s.edits, edit{open, between, "} " + section, false})
			s.parts[i-1].close = open
		}
		s.parts = append(s.parts, span{open: open})
	}
	last := &groups[len(groups)-1]
	end, ok := last.close()
	if !ok {
		return nil, e.sectionAt(len(groups)-1).Errorf("%s: the end of the statement is hidden by a macro, so it cannot be put into braces; write it out", last.in.where(last.in.place(last.inner[last.last].begin)))
	}
	s.edits = append(s.edits, edit{end, closing, " } }", false})
	s.parts[len(groups)-1].close, s.close = end, end
	return s, nil
}

// open returns the offset before which a section's brace goes. Nothing can stand before a
// directive on its line, so that it goes behind what is before it.
func (g *group) open() (int, bool) {
	at := g.in.place(g.inner[g.first].begin)
	if !g.in.begin.file.directive(at) {
		return at, true
	}
	if g.first > 0 {
		return g.in.endOf(g.inner[g.first-1])
	}
	return g.offset() + 1, !g.begin.macro
}

// close returns the offset behind a section's last statement, or before what follows it.
func (g *group) close() (int, bool) {
	if at, ok := g.in.endOf(g.inner[g.last]); ok {
		return at, true
	}
	if g.last+1 < len(g.inner) {
		next := g.inner[g.last+1]
		at := g.in.place(next.begin)
		return at, g.in.hidden(next) == "" && !g.in.begin.file.directive(at)
	}
	closes := g.node.end
	return closes.offset, !closes.macro && closes.file != nil && closes.file.same(g.in.begin.file)
}

// nested is an error where two constructs of a file are neither apart nor one in a part of
// the other.
func nested(a, b *site) error {
	if !a.meets(b.span) {
		return nil
	}
	if a.entry.At.Line > b.entry.At.Line {
		a, b = b, a
	}
	lineA, lineB := a.in.where(a.open), b.in.where(b.open)
	if a.loop != nil && b.loop != nil && a.open == b.open {
		return b.entry.At.Errorf("%s: line %d of the plan names this loop already; leave one out", lineB, a.entry.At.Line)
	}
	if (a.loop != nil && b.kind.form == stagesForm || b.loop != nil && a.kind.form == stagesForm) && a.open == b.open {
		return b.entry.At.Errorf("%s: line %d of the plan has this loop already, and one of the two as that of a pipeline, whose items come in their order; leave one out", lineB, a.entry.At.Line)
	}
	if a.entry != b.entry && a.kind.form == stagesForm && b.kind.form == stagesForm && a.open == b.open {
		return b.entry.At.Errorf("%s: line %d of the plan makes a pipeline of this loop already; make all stages ones of it, or leave one out", lineB, a.entry.At.Line)
	}
	if a.kind == b.kind && a.entry == b.entry && a.span == b.span {
		return b.entry.At.Errorf("%s: the entry names this place twice; leave one out", lineB)
	}
	inside := func(outer, inner *site) bool {
		switch outer.kind.form {
		case loopForm:
			return outer.holds(inner.span) && outer.open != inner.open
		case sectionsForm:
			return slices.ContainsFunc(outer.parts, func(p span) bool { return p.holds(inner.span) })
		}
		return outer.holds(inner.span)
	}
	if inside(a, b) || inside(b, a) {
		return nil
	}
	return b.entry.At.Errorf("%s: overlaps with line %d of the plan, which has statements from %s on; give each statements of its own, or all of one to a section of the other", lineB, a.entry.At.Line, lineA)
}

// apply returns the text with the edits of sites made.
func apply(text []byte, sites []*site) []byte {
	type ranked struct {
		edit
		site  *site
		order int // of its site, those around before those inside
	}
	var edits []ranked
	for i, s := range sites {
		order := i
		switch {
		case s.made:
			order = -1
		case s.loop != nil:
			order = len(sites)
		}
		for _, e := range s.edits {
			edits = append(edits, ranked{e, s, order})
		}
	}
	slices.SortStableFunc(edits, func(a, b ranked) int {
		size := cmp.Or(cmp.Compare(a.site.close-a.site.open, b.site.close-b.site.open), cmp.Compare(b.order, a.order)) // the inner one closes first
		if a.rank == opening {
			size = -size
		}
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.rank, b.rank), size)
	})
	var out bytes.Buffer
	at := 0
	for i, e := range edits {
		out.Write(text[at:e.offset])
		if e.pragma {
			for _, p := range e.site.pragmas {
				fmt.Fprintf(&out, "_Pragma(%q) ", p)
			}
		}
		if e.rank == assigning && i+1 < len(edits) && edits[i+1].rank == assigning && edits[i+1].offset == e.offset {
			e.text = "{ " // of constructs around one declaration the innermost names the variable
		}
		out.WriteString(e.text)
		at = e.offset
	}
	out.Write(text[at:])
	return out.Bytes()
}
