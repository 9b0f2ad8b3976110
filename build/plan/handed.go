package plan

// This file finds variables that statements hand on by their place, as fill(buffer), &x, a C++
// reference or the object of a method do: what was handed on may be written there, and a task
// that has a copy of the variable would keep what was written to itself.

import (
	"maps"
	"slices"
	"strings"
)

// hands visits the variables whose places are handed on within a node, but for what is cast to
// a constant, and so not written.
func (n *node) hands(visit func(variable *node)) {
	switch {
	case n.kind == "UnaryExprOrTypeTraitExpr":
		return // sizeof evaluates nothing
	case n.kind == "ImplicitCastExpr" && (n.opcode == "LValueToRValue" || n.opcode == "NoOp"):
		n.inner[0].place(visit)
		return
	case n.kind == "BinaryOperator" && n.opcode == "=" || n.kind == "CompoundAssignOperator", n.kind == "UnaryOperator" && (n.opcode == "++" || n.opcode == "--"):
		n.inner[0].place(visit) // node.changes knows
		for _, c := range n.inner[1:] {
			c.hands(visit)
		}
		return
	case n.names():
		if v := n.place(visit); v != nil {
			visit(v)
		}
		return
	}
	for _, c := range n.inner {
		c.hands(visit)
	}
}

// names reports whether a node is the place of something, or the address of one.
func (n *node) names() bool {
	switch n.kind {
	case "DeclRefExpr":
		return true
	case "MemberExpr":
		return !n.arrow && len(n.inner) > 0
	case "ArraySubscriptExpr":
		return len(n.inner) == 2
	case "ImplicitCastExpr":
		return n.opcode == "ArrayToPointerDecay"
	case "UnaryOperator":
		return n.opcode == "&"
	}
	return n.kind == "ParenExpr" && n.inner[0].names()
}

// place returns the variable that a place is in; nil where it is behind a pointer. What is handed on
// by the expressions that say where it is, it visits.
func (n *node) place(visit func(variable *node)) *node {
	switch {
	case n.kind == "DeclRefExpr":
		return n
	case !n.names():
		n.hands(visit)
		return nil
	case n.kind == "ArraySubscriptExpr":
		n.inner[1].hands(visit)
	}
	return n.inner[0].place(visit)
}

// copied lists the variables that a task must share lest it work on copies: those that it hands on, where
// other statements use them as well, and references, which mean what they refer to.
func (m *Marking) copied(k int, s *site) []string {
	var stages []*site
	if whole := m.pipelineOf(k, s); whole != nil {
		stages = m.stagesOf(k, whole)
	}
	var names []string
	handed := func(by *site) map[string]bool {
		ids := map[string]bool{}
		for _, n := range by.statements() {
			n.hands(func(v *node) { ids[v.refers] = true })
		}
		return ids
	}
	mine, others := handed(s), map[string]bool{}
	for _, o := range stages {
		if o != s {
			maps.Copy(others, handed(o)) // a stage that reads what others write must not have a copy either
		}
	}
	for _, n := range s.statements() {
		n.each(func(n *node) {
			id, name := n.refers, n.refersName
			if id == "" || slices.Contains(names, name) || !s.in.declares(id) || s.declaredInside(id, name) ||
				slices.Contains(s.entry.Clauses.names["shared"], name) || m.sharedAround(k, s, id, name) {
				return
			}
			switch v := s.in.variable(id); {
			case v == nil || v.constant():
			case strings.HasSuffix(v.typ, "&") && !v.holdsTemporary(), mine[id] && s.in.readAfter(id, s.close) != nil, others[id]:
				names = append(names, name)
			}
		})
	}
	return names
}

// variable returns the declaration of a variable or an argument; nil where the id is another's.
func (f *function) variable(id string) *node {
	var out *node
	f.walk(func(n, _ *node) bool {
		if n.id == id && (n.kind == "VarDecl" || n.kind == "ParmVarDecl") {
			out = n
		}
		return out == nil
	})
	return out
}

// constant reports whether nothing can write a variable.
func (n *node) constant() bool {
	return strings.HasPrefix(n.typ, "const ") && !strings.ContainsAny(n.typ, "*&")
}

// holdsTemporary reports whether a reference keeps an object that only it knows, which is gone
// where it ends: tasks need copies, unless they change it for others as they do variables.
func (n *node) holdsTemporary() bool {
	for c := n; len(c.inner) > 0 && (c == n || strings.HasSuffix(c.kind, "CastExpr") || c.kind == "ExprWithCleanups" || c.kind == "InitListExpr"); {
		if c = c.inner[len(c.inner)-1]; c.kind == "MaterializeTemporaryExpr" {
			return true
		}
	}
	return false
}

// stagesOf returns the stages of a pipeline.
func (m *Marking) stagesOf(k int, whole *site) []*site {
	var stages []*site
	for _, s := range m.sites[k] {
		if m.pipelineOf(k, s) == whole {
			stages = append(stages, s)
		}
	}
	return stages
}
