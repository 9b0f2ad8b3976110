package plan

// This file finds variables of loops that OpenMP treats otherwise than their writer meant.
// Whether threads may share others is not for a plan to know.

import (
	"slices"

	"pathspan/yamlstrict"
)

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

// own reports whether the clauses give each thread a variable of its own.
func (c *Clauses) own(name string) bool {
	return slices.Contains(c.Private, name) || slices.Contains(c.FirstPrivate, name) || slices.Contains(c.LastPrivate, name)
}

// readBehind is an error where the program reads a loop's variable behind the loop, where
// OpenMP leaves it without a value. As control may reach what stands behind in many ways,
// the first use in the order of the text decides.
func (l *loop) readBehind(e *Entry) error {
	id, name := l.assigns()
	if id == "" || slices.Contains(e.Clauses.Private, name) || slices.Contains(e.Clauses.LastPrivate, name) {
		return nil
	}
	var first *node
	assigned := map[*node]bool{}
	l.in.walk(func(n, _ *node) bool {
		if n == l.node || first != nil {
			return false
		}
		if n.kind == "BinaryOperator" && n.opcode == "=" && len(n.inner) > 0 {
			assigned[n.inner[0]] = true
		}
		if n.kind == "DeclRefExpr" && n.refers == id && l.in.place(n.begin) > l.offset {
			first = n
		}
		return true
	})
	if first == nil || assigned[first] {
		return nil
	}
	return e.Loop.At.Errorf("%s: %s, the loop's variable, is used behind the loop on line %d, where OpenMP leaves it without a value; add lastprivate: [%s], or private: [%s] if that does not matter",
		l.in.where(l.offset), name, l.in.lineOf(first), name, name)
}

// sharedInside is an error where all iterations of a loop count their own loops in one
// variable. Loops that are parallel themselves have theirs for each thread.
func (l *loop) sharedInside(e *Entry, parallel map[*node]bool) error {
	loops := l.inner
	if e.Clauses.Collapse > 1 { // the variables of loops that are one are private
		loops = l.collapsed(e.Clauses.Collapse).inner
	}
	for _, n := range loops {
		if err := sharedIn(e.Loop.At, e, l.in, n, l.node, parallel); err != nil {
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

// sharedIn is an error where a loop in n counts in a variable declared outside of whole.
func sharedIn(at yamlstrict.Pos, e *Entry, f *function, n, whole *node, parallel map[*node]bool) error {
	id, name := n.assigns()
	if id != "" && !parallel[n] && !e.Clauses.own(name) && !whole.declares(id) {
		return at.Errorf("%s: all threads would count the loop on line %d in one variable, %s; add private: [%s], or declare it in the loop",
			f.where(f.place(whole.begin)), f.lineOf(n), name, name)
	}
	for _, c := range n.inner {
		if err := sharedIn(at, e, f, c, whole, parallel); err != nil {
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

// sharedBetween is an error where loops of several sections count in one variable.
func sharedBetween(e *Entry, groups []group) error {
	for i := range groups {
		g := &groups[i]
		var id, name string
		var by *node
		var find func(n *node)
		find = func(n *node) {
			if x, called := n.assigns(); id == "" && x != "" && !e.Clauses.own(called) {
				for k := range groups {
					if k != i && slices.ContainsFunc(groups[k].statements(), func(s *node) bool { return s.uses(x) }) {
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
