package plan

// This file puts constructs around statements and before them.

import (
	"slices"

	"pathspan/yamlstrict"
)

// findBlocks finds what an entry's constructs stand around in a unit; nil where there is none.
func (u *unit) findBlocks(e *Entry) ([]*site, error) {
	var groups []group
	var err error
	if e.Caller != nil {
		groups, err = u.callers(e)
	} else {
		groups, err = u.statements(e)
	}
	if err != nil {
		return nil, err
	}
	var sites []*site
	for i := range groups {
		if err := groups[i].function(e); err != nil {
			return nil, err
		}
		at := e.At
		if e.Caller == nil && len(groups) == len(e.Places) {
			at = e.Places[i].At
		}
		s, err := groups[i].site(e, e.kind, at)
		if err != nil {
			return nil, err
		}
		sites = append(sites, s)
	}
	if e.Clauses.wait {
		err = waitFor(e, sites)
	}
	return sites, err
}

// site puts a construct around statements: before one, around several in braces.
func (g *group) site(e *Entry, k *kind, at yamlstrict.Pos) (*site, error) {
	first, last := g.inner[g.first], g.inner[g.last]
	where := g.in.where(g.in.place(first.begin))
	for _, n := range []*node{first, last} {
		if why := g.in.hidden(n); why != "" {
			return nil, at.Errorf("%s: the statement %s, so it cannot be made %s; write it out", where, why, k.what)
		}
	}
	var apart *parted
	if err := declaredIn(at, g, k.what); err != nil {
		if apart = g.part(); apart == nil {
			return nil, err
		}
	}
	open, ok := g.open()
	if !ok {
		return nil, at.Errorf("%s: what stands before the statement is hidden by a macro, so it cannot be made %s; write it out", where, k.what)
	}
	end, ok := g.close()
	if !ok {
		return nil, at.Errorf("%s: the end of the statement is hidden by a macro, so it cannot be made %s; write it out", where, k.what)
	}
	s := &site{entry: e, kind: k, in: g.in, first: first, inside: g, span: span{open, end}, apart: apart}
	if apart != nil {
		s.edits = apart.edits(end)
	} else if first == last && first.kind != "DeclStmt" {
		s.edits = []edit{{open, opening, "", true}}
	} else {
		s.edits = []edit{{open, opening, "{ ", true}, {end, closing, " }", false}}
	}
	return s, nil
}

// callers finds each statement of a function that calls one of an entry's functions, by
// itself: none with other statements in it.
func (u *unit) callers(e *Entry) ([]group, error) {
	functions := u.named(e.Caller)
	var all []group
	elsewhere := map[string]int{} // lines of calls that are no statement's own
	for _, name := range e.Calls {
		found := false
		for _, f := range functions {
			for _, g := range f.calling(func(called string) bool { return called == name }) {
				if g.inner[g.first].kind == "ReturnStmt" {
					continue // no construct can be left
				}
				found = true
				if !slices.ContainsFunc(all, func(o group) bool { return o.in.place(o.inner[o.first].begin) == g.in.place(g.inner[g.first].begin) }) {
					all = append(all, g)
				}
			}
			f.walk(func(n, _ *node) bool {
				if n.callee() == name && elsewhere[name] == 0 {
					elsewhere[name] = f.lineOf(n)
				}
				return true
			})
		}
		switch {
		case found || len(functions) == 0:
		case elsewhere[name] > 0:
			return nil, e.At.Errorf("%s calls %s on line %d, where no statement can be %s: keep what it returns in a variable", e.Caller, name, elsewhere[name], e.kind.what)
		default:
			return nil, e.At.Errorf("%s does not call %s; name functions that it calls", e.Caller, name)
		}
	}
	slices.SortFunc(all, func(a, b group) int { return a.in.place(a.inner[a.first].begin) - b.in.place(b.inner[b.first].begin) })
	return all, nil
}

// calling returns the statements of a function that call others, each by itself.
func (f *function) calling(is func(called string) bool) []group {
	var found []group
	f.walk(func(n, parent *node) bool {
		if parent.kind != "CompoundStmt" && !parent.body(n) {
			return true
		}
		switch n.kind {
		case "CompoundStmt", "ForStmt", "WhileStmt", "DoStmt", "CXXForRangeStmt", "IfStmt", "SwitchStmt", "CaseStmt", "DefaultStmt", "LabelStmt", "CXXTryStmt":
			return true
		}
		if len(n.kind) > 3 && n.kind[:3] == "OMP" || !n.callsAny(is) {
			return true
		}
		if parent.kind != "CompoundStmt" {
			found = append(found, *loosely(n, f))
			return false
		}
		i := slices.Index(parent.inner, n)
		found = append(found, group{block{parent, f}, i, i})
		return false
	})
	return found
}

// callsAny reports whether an expression calls one of some functions.
func (n *node) callsAny(is func(called string) bool) bool {
	if n.kind == "CompoundStmt" {
		return false
	}
	name := n.callee()
	return name != "" && is(name) || slices.ContainsFunc(n.inner, func(c *node) bool { return c.callsAny(is) })
}

// findPoints finds the statements before which an entry's constructs stand in a unit, or the
// ends of blocks; nil where there is none.
func (u *unit) findPoints(e *Entry) ([]*site, error) {
	var sites []*site
	for i := range e.Places {
		p := &e.Places[i]
		s, err := u.point(e, p)
		if err != nil {
			return nil, err
		}
		if s != nil {
			sites = append(sites, s)
		} else if len(u.around(p.File, p.First, p.First)) > 0 {
			return nil, p.At.Errorf("%s: no statement begins there, and no block ends%s", p, u.instead(p, false))
		}
	}
	return sites, nil
}

func (u *unit) point(e *Entry, p *Place) (*site, error) {
	for _, f := range u.around(p.File, p.First, p.First) {
		for _, g := range f.groups(p) {
			if err := g.function(e); err != nil {
				return nil, err
			}
			where := f.where(f.place(g.inner[g.first].begin))
			if why := f.hidden(g.inner[g.first]); why != "" {
				return nil, p.At.Errorf("%s: the statement %s, so no pragma can stand before it; write it out", where, why)
			}
			at, ok := g.open()
			if !ok {
				return nil, p.At.Errorf("%s: what stands before the statement is hidden by a macro; write it out", where)
			}
			return pointSite(e, f, at), nil
		}
		if f.looseStatement(p) != nil {
			return nil, p.At.Errorf("%s: the statement there is the body of another without braces; put braces around it, or name the other", p)
		}
		var at = -1
		f.walk(func(n, _ *node) bool {
			if n.kind == "CompoundStmt" && at < 0 && n.end.file != nil && n.end.file.same(f.begin.file) && !n.end.macro {
				line, column := n.end.file.line(n.end.offset)
				if line == p.First && (p.Column == 0 || p.Column == column) {
					at = n.end.offset
				}
			}
			return true
		})
		if at >= 0 {
			return pointSite(e, f, at), nil
		}
	}
	return nil, nil
}

func pointSite(e *Entry, f *function, at int) *site {
	return &site{entry: e, kind: e.kind, in: f, span: span{at, at}, edits: []edit{{at, alone, "", true}}}
}
