package plan

// This file finds the statements that a plan makes sections of, or puts a construct around.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// block is a compound statement, whose statements can be put into braces.
type block struct {
	*node
	in *function
}

// group is a construct's statements, or a section's: some that follow each other in a block.
type group struct {
	block
	first, last int // of the block's statements
}

func (g *group) statements() []*node { return g.inner[g.first : g.last+1] }

func (b block) offset() int { return b.in.place(b.begin) }

// line returns where a statement begins.
func (b block) line(i int) int { return b.in.lineOf(b.inner[i]) }

// findSections finds an entry's sections in a unit; nil where there are none.
func (u *unit) findSections(e *Entry) ([]*site, error) {
	groups, err := u.sequence(e)
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	for i := range groups {
		if err := declaredIn(e.sectionAt(i), &groups[i], "a section"); err != nil {
			return nil, err
		}
	}
	s, err := sectionsSite(e, groups)
	if err == nil {
		err = s.sharedBetween(groups)
	}
	return []*site{s}, err
}

// sequence finds the statements of an entry's parts, which must follow each other.
func (u *unit) sequence(e *Entry) ([]group, error) {
	var groups []group
	var err error
	if e.Caller != nil {
		groups, err = u.calls(e)
	} else {
		groups, err = u.statements(e)
	}
	if err != nil || len(groups) == 0 {
		return nil, err
	}
	if err := groups[0].function(e); err != nil {
		return nil, err
	}
	for i := 1; i < len(groups); i++ {
		if err := follows(e.sectionAt(i), &groups[i-1], &groups[i], e.parts()); err != nil {
			return nil, err
		}
	}
	return groups, nil
}

// function is an error where another function is around the statements than the plan says.
func (g *group) function(e *Entry) error {
	if e.Function == nil || g.in.is(e.Function) {
		return nil
	}
	return e.At.Errorf("%s: the function around it is %s, not %s; correct one of them", g.in.where(g.in.place(g.inner[g.first].begin)), g.in.qualified(), e.Function)
}

// sectionAt is where the plan names section i.
func (e *Entry) sectionAt(i int) yamlstrict.Pos {
	if e.Caller != nil {
		return e.At
	}
	return e.Places[i].At
}

// statements finds the statements that begin in the lines of each place.
func (u *unit) statements(e *Entry) ([]group, error) {
	var all []group
	var missing *Place
	for i := range e.Places {
		g, err := u.group(&e.Places[i], e.kind.form == blockForm)
		switch {
		case err != nil:
			return nil, err
		case g != nil:
			all = append(all, *g)
		case missing == nil:
			missing = &e.Places[i]
		}
	}
	// Places of sections are in one file; those of others may be in several.
	if missing == nil || len(all) == 0 || e.kind.form == blockForm && len(u.files.fitting(missing.File)) == 0 {
		return all, nil
	}
	return nil, missing.At.Errorf("%s: no statement begins there%s", missing, u.instead(missing, false))
}

// group finds the statements that begin in lines of a file, those around rather than those
// inside; they must be of one block, but for one that is the body of another, where that is
// good enough.
func (u *unit) group(p *Place, body bool) (*group, error) {
	var found []group
	var loose *group
	for _, f := range u.around(p.File, p.First, p.Last) {
		found = append(found, f.groups(p)...)
		if n := f.looseStatement(p); n != nil {
			loose = loosely(n, f)
		}
	}
	if len(found) == 0 {
		if loose != nil && !body {
			return nil, p.At.Errorf("%s: the statement there is the body of another without braces; put braces around it, or name the other", p)
		}
		return loose, nil
	}
	g := found[0]
	for _, o := range found[1:] {
		if o.offset() != g.offset() { // the same in other instances of a template
			a, b := g.line(g.first), o.line(o.first)
			return nil, p.At.Errorf("%s: the statements of lines %d and %d are in different blocks; name statements of one block", p, min(a, b), max(a, b))
		}
	}
	return &g, nil
}

// loosely is the group of a statement that is in no block of its own.
func loosely(n *node, f *function) *group {
	return &group{block: block{&node{begin: n.begin, end: n.end, inner: []*node{n}}, f}}
}

func (f *function) within(p *Place, n *node) bool {
	if !f.inFile(n) {
		return false
	}
	line, column := f.begin.file.line(f.place(n.begin))
	return p.First <= line && line <= p.Last && (p.Column == 0 || p.Column == column)
}

// groups returns the statements of a function that begin in a place, block by block.
func (f *function) groups(p *Place) []group {
	var found []group
	f.walk(func(n, parent *node) bool {
		if parent.kind == "CompoundStmt" && f.within(p, n) {
			return false // in its block's group
		}
		if n.kind != "CompoundStmt" {
			return true
		}
		g := group{block: block{n, f}, first: -1}
		for i, s := range n.inner {
			if f.within(p, s) {
				if g.first < 0 {
					g.first = i
				}
				g.last = i
			}
		}
		if g.first >= 0 {
			found = append(found, g)
		}
		return true
	})
	return found
}

// looseStatement returns a statement in a place that is in no block of its own.
func (f *function) looseStatement(p *Place) (found *node) {
	f.walk(func(n, parent *node) bool {
		if found == nil && n.kind != "CompoundStmt" && parent.body(n) && f.within(p, n) {
			found = n
		}
		return found == nil
	})
	return found
}

// body reports whether c is a statement that n controls.
func (n *node) body(c *node) bool {
	switch n.kind {
	case "ForStmt", "WhileStmt", "CXXForRangeStmt":
		return c == n.inner[len(n.inner)-1]
	case "DoStmt":
		return c == n.inner[0]
	case "IfStmt":
		last := len(n.inner) - 1
		return c == n.inner[last] || n.hasElse && last > 0 && c == n.inner[last-1]
	}
	return false
}

// follows is an error where part b, of what parts names, does not stand behind part a.
func follows(at yamlstrict.Pos, a, b *group, parts string) error {
	if a.offset() != b.offset() {
		return at.Errorf("the %s on lines %d and %d are in different blocks; name statements of one block", parts, a.line(a.first), b.line(b.first))
	}
	if b.first <= a.last {
		return at.Errorf("the %s on lines %d and %d overlap, or stand the other way round in the source; name each statement once, in the order of the source", parts, a.line(a.first), b.line(b.first))
	}
	for i := a.last + 1; i < b.first; i++ {
		if a.inner[i].kind != "NullStmt" {
			return at.Errorf("the statement of line %d is between the %s on lines %d and %d and in neither; put it into one of them, or move it before them",
				a.line(i), parts, a.line(a.first), b.line(b.first))
		}
	}
	return nil
}

// declaredIn is an error where statements behind a construct, or a section, use what it
// declares.
func declaredIn(at yamlstrict.Pos, g *group, what string) error {
	declared := map[string]*node{}
	for _, s := range g.statements() {
		if s.kind != "DeclStmt" {
			continue
		}
		for _, d := range s.inner {
			declared[d.id] = d
			for _, c := range d.inner {
				if c.kind == "BindingDecl" {
					declared[c.id] = c
				}
			}
		}
	}
	var used, by *node
	var find func(n *node)
	find = func(n *node) {
		if d := declared[n.refers]; used == nil && n.refers != "" && d != nil {
			used, by = d, n
		}
		for _, c := range n.inner {
			find(c)
		}
	}
	for _, s := range g.inner[g.last+1:] {
		find(s)
	}
	if used == nil {
		return nil
	}
	return at.Errorf("%s: %s is declared in %s and used behind it, on line %d; declare it before that, on a line of its own, and only assign it here",
		g.in.where(g.in.place(used.begin)), used.name, what, g.in.lineOf(by))
}

// calls finds the statements of a function, one behind the other, that call functions.
func (u *unit) calls(e *Entry) ([]group, error) {
	functions := u.named(e.Caller)
	if len(functions) == 0 {
		return nil, nil
	}
	var found [][]group
	called := map[string][]string{}
	for _, f := range functions {
		f.walk(func(n, _ *node) bool {
			if n.kind == "CompoundStmt" && !slices.ContainsFunc(found, func(g []group) bool { return g[0].offset() == f.place(n.begin) }) {
				found = append(found, (block{n, f}).calling(e.Calls)...)
			}
			if name := n.callee(); name != "" {
				line := fmt.Sprint(f.lineOf(n))
				if !slices.Contains(called[name], line) {
					called[name] = append(called[name], line)
				}
			}
			return true
		})
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		slices.SortFunc(found, func(a, b []group) int { return a[0].line(a[0].first) - b[0].line(b[0].first) })
		var lines []string
		for _, g := range found {
			lines = append(lines, fmt.Sprint(g[0].line(g[0].first)))
		}
		return nil, e.At.Errorf("%s calls %s in this order in several places, from %s; name the statements by FILE:LINE", e.Caller, strings.Join(e.Calls, ", "), lineList(lines))
	}
	var where []string
	for _, name := range e.Calls {
		if len(called[name]) == 0 {
			return nil, e.At.Errorf("%s does not call %s; name functions that it calls", e.Caller, name)
		}
		where = append(where, fmt.Sprintf("%s on %s", name, lineList(called[name])))
	}
	return nil, e.At.Errorf("%s does not call %s in statements that follow each other (%s); name the statements by FILE:LINE", e.Caller, strings.Join(e.Calls, ", "), strings.Join(where, ", "))
}

// calling returns where statements of a block that follow each other call functions.
func (b block) calling(names []string) [][]group {
	var found [][]group
	var at []int // statements that do something
	for i, s := range b.inner {
		if s.kind != "NullStmt" {
			at = append(at, i)
		}
	}
	for i := 0; i+len(names) <= len(at); i++ {
		var groups []group
		for k, name := range names {
			if !b.inner[at[i+k]].calls(name) {
				break
			}
			groups = append(groups, group{b, at[i+k], at[i+k]})
		}
		if len(groups) == len(names) {
			found = append(found, groups)
		}
	}
	return found
}

// calls reports whether a statement calls a function by name, outside of the blocks in it.
func (n *node) calls(name string) bool {
	return n.kind != "CompoundStmt" && (n.callee() == name || slices.ContainsFunc(n.inner, func(c *node) bool { return c.calls(name) }))
}

// callee is the name of the function that an expression calls, "" where it calls none or one
// without a name.
func (n *node) callee() string {
	switch n.kind {
	case "CallExpr", "CXXMemberCallExpr", "CXXOperatorCallExpr":
	default:
		return ""
	}
	if len(n.inner) == 0 {
		return ""
	}
	for c := n.inner[0]; ; c = c.inner[0] {
		switch c.kind {
		case "DeclRefExpr":
			return c.refersName
		case "MemberExpr", "UnresolvedLookupExpr", "UnresolvedMemberExpr", "CXXDependentScopeMemberExpr":
			return strings.TrimPrefix(c.name, "->")
		}
		if len(c.inner) == 0 {
			return ""
		}
	}
}
