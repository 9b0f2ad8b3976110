package plan

// This file finds the loops that a plan names.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// findLoop finds an entry's loop in a unit; nil where there is none.
func (u *unit) findLoop(e *Entry) ([]*site, error) {
	var loops []*loop
	var err error
	if e.Places[0].Function != nil {
		loops, err = u.numberedLoop(&e.Places[0])
	} else {
		loops, err = u.loopsAt(e)
	}
	if err != nil || len(loops) == 0 {
		return nil, err
	}
	l := loops[0]
	where := l.in.where(l.offset)
	if e.Function != nil && !l.in.is(e.Function) {
		return nil, e.Places[0].At.Errorf("%s: the function around it is %s, not %s; correct one of them", where, l.in.qualified(), e.Function)
	}
	if l.marked {
		return nil, e.Places[0].At.Errorf("%s: the loop has an OpenMP pragma already; take the pragma out, or the loop out of the plan", where)
	}
	if why := l.in.hidden(l.node); why != "" {
		return nil, e.Places[0].At.Errorf("%s: the for statement %s, so no pragma can stand before it; write the loop out", where, why)
	}
	if err := l.readBehind(e); err != nil {
		return nil, err
	}
	end, ok := l.in.endOf(l.node)
	if !ok {
		end = l.offset + 1
	}
	s := &site{entry: e, kind: e.kind, in: l.in, loop: l, first: l.node, span: span{l.offset, end}, edits: []edit{{l.offset, opening, "", true}}}
	if e.kind.key == "loop" {
		edits, linear := l.beside(e)
		s.edits, s.depends = append(s.edits, edits...), linear
	}
	return []*site{s}, nil
}

// loopsAt returns the loop that begins on an entry's line; several are an error.
func (u *unit) loopsAt(e *Entry) ([]*loop, error) {
	p := &e.Places[0]
	var found []*loop
	var columns []string
	for _, f := range u.around(p.File, p.First, p.First) {
		for _, l := range f.loops() {
			line, column := f.begin.file.line(l.offset)
			if line != p.First || p.Column > 0 && column != p.Column || slices.ContainsFunc(found, func(x *loop) bool { return x.offset == l.offset }) {
				continue
			}
			found = append(found, l)
			columns = append(columns, fmt.Sprintf("%s:%d:%d", p.File, line, column))
		}
	}
	if len(found) > 1 {
		return nil, p.At.Errorf("%s: %d for statements begin on this line; name one by its column: %s", p, len(found), strings.Join(columns, ", "))
	}
	return found, nil
}

// numberedLoop returns the n-th loop of a function by name.
func (u *unit) numberedLoop(p *Place) ([]*loop, error) {
	functions := u.named(p.Function)
	if len(functions) == 0 {
		return nil, nil
	}
	f := functions[0]
	loops := f.loops()
	for _, g := range functions[1:] { // other instances of a template may lack some
		if more := g.loops(); len(more) > len(loops) {
			f, loops = g, more
		}
	}
	if p.Number > len(loops) {
		var lines []string
		for _, l := range loops {
			line, _ := f.begin.file.line(l.offset)
			lines = append(lines, fmt.Sprint(line))
		}
		has := "no for statement"
		if len(lines) > 0 {
			has = fmt.Sprintf("%d, on %s", len(loops), lineList(slices.Compact(lines)))
		}
		return nil, p.At.Errorf("loop %d of %s: the function at %s has %s; name one that is there", p.Number, p.Function, f.where(f.begin.offset), has)
	}
	return loops[p.Number-1 : p.Number], nil
}

// lineList names lines: line 5, or lines 5, 9.
func lineList(lines []string) string {
	if len(lines) == 1 {
		return "line " + lines[0]
	}
	return "lines " + yamlstrict.List(lines)
}
