package plan

// This file finds variables of loops that OpenMP treats otherwise than their writer meant.
// Whether threads may share others is not for a plan to know.

import "slices"

// assigns returns the variable that a for statement sets first, where it does not declare
// it; "" for others.
func (n *node) assigns() (id, name string) {
	if n.kind != "ForStmt" || len(n.inner) == 0 {
		return "", ""
	}
	init := n.inner[0]
	if init.kind != "BinaryOperator" || init.opcode != "=" || len(init.inner) == 0 || init.inner[0].kind != "DeclRefExpr" {
		return "", ""
	}
	return init.inner[0].refers, init.inner[0].refersName
}

// readBehind is an error where the program reads a loop's variable behind the loop, where
// OpenMP leaves it without a value. As control may reach what stands behind in many ways,
// the first use in the order of the text decides.
func (l *loop) readBehind(e *Entry) error {
	id, name := l.assigns()
	if id == "" || slices.Contains(e.Clauses.names["private"], name) || slices.Contains(e.Clauses.names["lastprivate"], name) {
		return nil
	}
	end, ok := l.in.endOf(l.node)
	if !ok {
		end = l.node.end.offset
	}
	first := l.in.readAfter(id, end)
	if first == nil {
		return nil
	}
	return e.Places[0].At.Errorf("%s: %s, the loop's variable, is used behind the loop on line %d, where OpenMP leaves it without a value; add lastprivate: [%s], or private: [%s] if that does not matter",
		l.in.where(l.offset), name, l.in.lineOf(first), name, name)
}

// team returns what is around a loop of unit k that its team shares: a region that the plan
// names; the loop itself where it makes its region; nil where that is not known.
func (m *Marking) team(k int, s *site) *site {
	if !m.inTeam(k, s) {
		return s
	}
	for o := m.around(k, s); o != nil; o = m.around(k, o) {
		if o.kind.key == "parallel" {
			return o
		}
	}
	return nil
}

// declaredInside reports whether a variable is declared in a site, or is its threads' own.
func (s *site) declaredInside(id, name string) bool {
	return s.entry.Clauses.own(name) || slices.ContainsFunc(s.statements(), func(n *node) bool { return n.declares(id) })
}

func (s *site) statements() []*node {
	if s.inside != nil {
		return s.inside.statements()
	}
	return []*node{s.first}
}

// sharedInside is an error where all iterations of a loop count their own loops in one
// variable, of which threads cannot have their own. Loops that are parallel themselves have theirs for each thread. Team is what
// variables of each thread are declared in; nil where that is around the function.
func (s *site) sharedInside(team *site, parallel map[*node]bool) error {
	l, e := s.loop, s.entry
	loops := l.inner
	if e.Clauses.collapse > 1 { // the variables of loops that are one are private
		loops = l.collapsed(e.Clauses.collapse).inner
	}
	shared := func(id, name string) bool {
		if team == nil {
			return !l.in.declares(id)
		}
		return !team.declaredInside(id, name)
	}
	for _, n := range loops {
		if err := s.sharedIn(n, shared, parallel); err != nil {
			return err
		}
	}
	return nil
}

// collapsed returns the innermost of so many loops, each the body of the one before.
func (l *loop) collapsed(count int) *node {
	n := l.node
	for ; count > 1; count-- {
		body := n.inner[len(n.inner)-1]
		for body.kind == "CompoundStmt" && len(body.inner) > 0 {
			body = body.inner[0]
		}
		if body.kind != "ForStmt" || len(body.inner) == 0 {
			break // clang will say so
		}
		n = body
	}
	return n
}

// sharedIn is an error where a loop in n counts in a variable that threads share.
func (s *site) sharedIn(n *node, shared func(id, name string) bool, parallel map[*node]bool) error {
	id, name := n.assigns()
	if id != "" && !parallel[n] && !s.entry.Clauses.own(name) && shared(id, name) && !s.ownCounter(id, name, []*node{s.loop.node}) {
		return s.entry.Places[0].At.Errorf("%s: all threads would count the loop on line %d in one variable, %s; add private: [%s], or declare it in the loop",
			s.in.where(s.in.place(s.loop.begin)), s.in.lineOf(n), name, name)
	}
	for _, c := range n.inner {
		if err := s.sharedIn(c, shared, parallel); err != nil {
			return err
		}
	}
	return nil
}

func (n *node) declares(id string) bool {
	return n.id == id || slices.ContainsFunc(n.inner, func(c *node) bool { return c.declares(id) })
}

func (n *node) uses(id string) bool {
	return n.refers == id || slices.ContainsFunc(n.inner, func(c *node) bool { return c.uses(id) })
}

// sharedBetween is an error where loops of several sections count in one variable, of which threads cannot have their own.
func (s *site) sharedBetween(groups []group) error {
	e := s.entry
	var parts []*node
	for i := range groups {
		parts = append(parts, groups[i].statements()...)
	}
	for i := range groups {
		g := &groups[i]
		var id, name string
		var by *node
		var find func(n *node)
		find = func(n *node) {
			if x, called := n.assigns(); id == "" && x != "" && !e.Clauses.own(called) {
				for k := range groups {
					if k != i && id == "" && slices.ContainsFunc(groups[k].statements(), func(s *node) bool { return s.uses(x) }) && !s.ownCounter(x, called, parts) {
						id, name, by = x, called, n
					}
				}
			}
			for _, c := range n.inner {
				find(c)
			}
		}
		for _, s := range g.statements() {
			find(s)
		}
		if id != "" {
			return e.sectionAt(i).Errorf("%s: sections would count loops in one variable, %s; add private: [%s], or declare it in the loops", g.in.where(g.in.place(by.begin)), name, name)
		}
	}
	return nil
}

// lost lists the variables that a task assigns and that are read behind it: tasks have copies
// of the variables of functions, unless they share them.
func (m *Marking) lost(k int, s *site) []string {
	var names []string
	if s.apart != nil {
		names = append(names, s.apart.name)
	}
	visit := func(n *node) {
		id, name := n.changes()
		if id == "" || !s.in.declares(id) || s.declaredInside(id, name) || slices.Contains(s.entry.Clauses.names["shared"], name) || m.sharedAround(k, s, id, name) {
			return
		}
		if s.in.readAfter(id, s.close) != nil {
			names = append(names, name)
		}
	}
	for _, n := range s.statements() {
		n.each(visit)
	}
	return names
}

// counts reports whether loops of a site count in a variable, or what they reduce is in it: each task has its own.
func (s *site) counts(name string) (own bool) {
	for _, names := range s.entry.Clauses.names {
		own = own || slices.Contains(names, name)
	}
	for _, n := range s.statements() {
		n.each(func(n *node) {
			_, counter := n.assigns()
			own = own || counter == name
		})
	}
	return own
}

// sharedAround reports whether tasks share a variable since a region around them does.
func (m *Marking) sharedAround(k int, s *site, id, name string) bool {
	for o := m.around(k, s); o != nil; o = m.around(k, o) {
		if o.kind.key == "parallel" && !o.declaredInside(id, name) || slices.Contains(o.entry.Clauses.names["shared"], name) {
			return true
		}
		if o.kind.key == "task" {
			return false
		}
	}
	return s.in.inParallel(s.first) // of the program: who wrote it knows
}

// stale is an error where tasks share the variable that a loop around them counts in.
func (m *Marking) stale(k int, s *site) error {
	var region *site
	for o := m.around(k, s); o != nil && region == nil && o.kind.key != "task"; o = m.around(k, o) {
		if o.kind.key == "parallel" {
			region = o
		}
	}
	if region == nil {
		return nil
	}
	var out error
	for _, whole := range region.statements() {
		whole.each(func(n *node) {
			id, name := n.assigns()
			if out != nil || id == "" || !n.has(s.first) || n == s.first || s.entry.Clauses.own(name) || region.declaredInside(id, name) {
				return
			}
			if slices.ContainsFunc(s.statements(), func(t *node) bool { return t.uses(id) }) {
				out = s.entry.At.Errorf("%s: tasks would read %s while the loop on line %d changes it; add firstprivate: [%s], or declare it in the loop", s.in.where(s.open), name, s.in.lineOf(n), name)
			}
		})
	}
	return out
}

// each visits a node and those in it.
func (n *node) each(visit func(n *node)) {
	visit(n)
	for _, c := range n.inner {
		c.each(visit)
	}
}

// changes returns the variable that a node assigns, an element or a member of it included; ""
// where it assigns none, or through a pointer.
func (n *node) changes() (id, name string) {
	switch {
	case len(n.inner) == 0:
		return "", ""
	case n.kind == "BinaryOperator" && n.opcode == "=" || n.kind == "CompoundAssignOperator":
	case n.kind == "UnaryOperator" && (n.opcode == "++" || n.opcode == "--"):
	default:
		return "", ""
	}
	for c := n.inner[0]; ; c = c.inner[0] {
		switch {
		case c.kind == "DeclRefExpr":
			return c.refers, c.refersName
		case len(c.inner) == 0 || c.kind == "MemberExpr" && c.arrow || c.kind == "ImplicitCastExpr" && c.opcode == "LValueToRValue":
			return "", ""
		case c.kind != "ParenExpr" && c.kind != "MemberExpr" && c.kind != "ArraySubscriptExpr" && c.kind != "ImplicitCastExpr":
			return "", ""
		}
	}
}

// readAfter returns the first use of a variable behind an offset; nil where there is none, or
// it is assigned there.
func (f *function) readAfter(id string, offset int) *node {
	var first *node
	assigned := map[*node]bool{}
	f.walk(func(n, _ *node) bool {
		if n.kind == "BinaryOperator" && n.opcode == "=" && len(n.inner) > 0 {
			assigned[n.inner[0]] = true
		}
		if first == nil && n.kind == "DeclRefExpr" && n.refers == id && f.place(n.begin) >= offset {
			first = n
		}
		return first == nil
	})
	if first == nil || assigned[first] {
		return nil
	}
	return first
}
