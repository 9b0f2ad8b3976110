package plan

// This file finds variables in which loops inside of a construct count and that its threads may have of their own though they are
// declared around it, as C before C99 has them: nobody needs what others left there.

import (
	"slices"
	"strings"
)

// counter follows a variable through a function.
type counter struct {
	in                *function
	id                string
	parts             []*node // of the construct
	end               int     // behind it
	local, left, used bool    // left: something may read what the construct leaves; used: in a way that is not followed
}

// ownCounter adds a private clause for a variable to a site, where its threads may each have one: a local variable whose
// address goes nowhere, which the construct and the loops around it use only in for statements that set it first, and which is
// set behind them before it is read.
func (s *site) ownCounter(id, name string, parts []*node) bool {
	for _, names := range s.entry.Clauses.names {
		if slices.Contains(names, name) {
			return false
		}
	}
	clause := " private(" + name + ")"
	if !s.kind.takes("private") {
		return false
	}
	if strings.Contains(s.depends, clause) {
		return true
	}
	end, ok := s.in.endOf(parts[len(parts)-1])
	c := &counter{in: s.in, id: id, parts: parts, end: end}
	if !ok {
		return false
	}
	for settled, i := false, 0; i < len(s.in.inner); i++ {
		settled = c.visit(s.in.inner[i], s.in.node, false, false, settled)
	}
	if !c.local || c.left || c.used {
		return false
	}
	s.depends += clause
	return true
}

// holds reports whether a node is around the construct.
func (c *counter) holds(n *node) bool { return !slices.Contains(c.parts, n) && n.has(c.parts[0]) }

// visit looks at a node in the order of execution. Set is whether a for statement around it sets the variable first, maybe
// whether it may not be executed where the construct is, and settled whether the variable was set since the construct, which it returns.
func (c *counter) visit(n, parent *node, set, maybe, settled bool) bool {
	whole := slices.Contains(c.parts, n) || isLoop(n) && c.holds(n)
	switch n.kind {
	case "VarDecl", "ParmVarDecl":
		c.local = c.local || n.id == c.id && n.opcode != "static" && !strings.HasSuffix(n.typ, "&")
	case "GotoStmt", "IndirectGotoStmt", "LambdaExpr":
		c.used = c.used || n.kind != "LambdaExpr" || n.uses(c.id)
	case "SwitchStmt", "CXXTryStmt":
		maybe = true
	case "DeclRefExpr":
		if n.refers != c.id {
			return settled
		}
		writes := parent.kind == "BinaryOperator" && parent.opcode == "=" && parent.inner[0] == n
		changes := parent.kind == "CompoundAssignOperator" && parent.inner[0] == n || parent.kind == "UnaryOperator" && (parent.opcode == "++" || parent.opcode == "--")
		c.used = c.used || !writes && !changes && parent.opcode != "LValueToRValue"
		if behind := c.in.place(n.begin) >= c.end; behind && !set && !settled {
			c.left = c.left || !writes
			return writes && !maybe
		}
		return settled
	}
	id, _ := n.assigns()
	sets := id == c.id && !c.holds(n)
	c.used = c.used || whole && c.loose(n)
	inner := n.inner
	if n.kind == "BinaryOperator" && n.opcode == "=" && len(inner) == 2 {
		inner = []*node{inner[1], inner[0]}
	}
	for i, x := range inner {
		depends := n.kind == "IfStmt" || n.kind == "ConditionalOperator" || n.kind == "BinaryOperator" && (n.opcode == "&&" || n.opcode == "||") || isLoop(n) && (n.kind != "ForStmt" || i > 0)
		settled = c.visit(x, n, set || sets, maybe || depends && !c.holds(x), settled)
	}
	return settled || sets && !maybe && c.in.place(n.begin) >= c.end
}

// loose reports whether a node uses the variable but in for statements that set it first.
func (c *counter) loose(n *node) bool {
	if id, _ := n.assigns(); id == c.id {
		return c.holds(n)
	}
	return n.kind == "DeclRefExpr" && n.refers == c.id || slices.ContainsFunc(n.inner, c.loose)
}
