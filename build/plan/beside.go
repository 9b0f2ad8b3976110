package plan

// This file has for statements count with one variable alone, as OpenMP asks: what goes on beside it,
// as p of "for (i = 0, p = a; i < n; i++, p++)", becomes linear, and begins right in each iteration. It goes on at the end of
// the body then, as compilers take it that it does: what the last iteration made of it is its value behind the loop.

import (
	"slices"
	"strings"
)

// beside takes what goes on beside a loop's counter out of its for statement, by comments around it, and what it begins with to
// before the loop. It returns the edits for that and the linear clauses, none where there is nothing to take out, or where that cannot be done: clang says
// then what it thinks of the statement.
func (l *loop) beside(e *Entry) (edits []edit, clauses string) {
	if l.kind != "ForStmt" || len(l.inner) != 4 || e.Clauses.collapse > 1 {
		return nil, ""
	}
	start, condition, steps, body := l.inner[0].commas(), l.inner[1], l.inner[2].commas(), l.inner[3]
	if len(steps) < 2 || body.continues() {
		return nil, ""
	}
	counts := -1
	for i, s := range steps {
		id, _, _ := l.step(s)
		switch {
		case id == "":
			return nil, ""
		case condition.uses(id) && counts >= 0:
			return nil, ""
		case condition.uses(id):
			counts = i
		}
	}
	if counts < 0 {
		return nil, ""
	}
	counter, _, _ := l.step(steps[counts])
	behind := ""
	for i, s := range steps {
		id, name, by := l.step(s)
		if i == counts {
			continue
		}
		if e.Clauses.own(name) && !slices.Contains(e.Clauses.names["linear"], name) {
			return nil, ""
		}
		if slices.ContainsFunc(start, func(x *node) bool { return x.kind == "DeclStmt" && x.declares(id) }) {
			return nil, ""
		}
		if by != "1" {
			name += ": " + by
		}
		if !e.Clauses.own(strings.TrimSuffix(name, ": "+by)) {
			clauses += " linear(" + name + ")"
		}
		text, _ := l.text(s)
		behind += " " + text + ";"
	}
	out, ok := l.without(steps, steps[counts])
	end, known := l.in.endOf(body)
	if !ok || !known || l.in.hidden(body) != "" {
		return nil, ""
	}
	out = append(out, edit{l.in.place(body.begin), opening, "{ ", false}, edit{end, closing, behind + " }", false})
	at := slices.IndexFunc(start, func(s *node) bool {
		return s.kind == "DeclStmt" || s.kind == "BinaryOperator" && s.opcode == "=" && len(s.inner) > 0 && s.inner[0].refers == counter
	})
	if at < 0 {
		return nil, ""
	}
	if len(start) > 1 {
		before := ""
		for i, s := range start {
			text, ok := l.text(s)
			if !ok || i != at && (s.uses(counter) || s.kind != "BinaryOperator" || s.opcode != "=" || slices.ContainsFunc(start[i+1:], func(o *node) bool { return o.uses(s.inner[0].refers) })) {
				return nil, ""
			}
			if i != at {
				before += text + "; "
			}
		}
		more, ok := l.without(start, start[at])
		if !ok {
			return nil, ""
		}
		out = append(append(out, more...), edit{l.offset, alone, "{ " + before, false}, edit{end, closing, " }", false})
	}
	return out, clauses
}

// continues reports whether something in a loop's body goes to its end at once.
func (n *node) continues() bool {
	return n.kind == "ContinueStmt" || !isLoop(n) && n.kind != "LambdaExpr" && slices.ContainsFunc(n.inner, (*node).continues)
}

// commas are the expressions that commas join.
func (n *node) commas() []*node {
	if n.kind == "BinaryOperator" && n.opcode == "," && len(n.inner) == 2 {
		return append(n.inner[0].commas(), n.inner[1])
	}
	return []*node{n}
}

// step says which variable an expression changes, and by what; "" for others.
func (l *loop) step(n *node) (id, name, by string) {
	if len(n.inner) == 0 || n.inner[0].kind != "DeclRefExpr" {
		return "", "", ""
	}
	id, name = n.inner[0].refers, n.inner[0].refersName
	sign := ""
	switch {
	case n.kind == "UnaryOperator" && n.opcode == "++":
		return id, name, "1"
	case n.kind == "UnaryOperator" && n.opcode == "--":
		return id, name, "-1"
	case n.kind == "CompoundAssignOperator" && n.opcode == "-=":
		sign = "-"
	case n.kind == "CompoundAssignOperator" && n.opcode == "+=":
	default:
		return "", "", ""
	}
	value := n.inner[1]
	for (value.kind == "ImplicitCastExpr" || value.kind == "ParenExpr") && len(value.inner) == 1 {
		value = value.inner[0]
	}
	text, ok := l.text(value)
	if !ok || value.kind != "IntegerLiteral" && value.kind != "DeclRefExpr" {
		return "", "", ""
	}
	return id, name, sign + text
}

// span is where an expression stands, where no macro hides that.
func (l *loop) spanOf(n *node) (span, bool) {
	if !l.in.inFile(n) || n.begin.macro || n.end.macro || n.end.file == nil || !n.end.file.same(l.in.begin.file) {
		return span{}, false
	}
	s := span{n.begin.offset, n.end.offset + n.end.length}
	return s, 0 <= s.open && s.open < s.close && s.close <= len(l.in.begin.file.data)
}

// text is how an expression is written, in one line.
func (l *loop) text(n *node) (string, bool) {
	s, ok := l.spanOf(n)
	if !ok {
		return "", false
	}
	text := string(l.in.begin.file.data[s.open:s.close])
	return strings.Join(strings.Fields(text), " "), !strings.Contains(text, "//") && !strings.Contains(text, "/*")
}

// without puts all of a list of expressions but one into comments, with the commas between.
func (l *loop) without(list []*node, kept *node) ([]edit, bool) {
	first, ok := l.spanOf(list[0])
	last, known := l.spanOf(list[len(list)-1])
	keep, seen := l.spanOf(kept)
	if !ok || !known || !seen || strings.Contains(string(l.in.begin.file.data[first.open:last.close]), "/*") || strings.Contains(string(l.in.begin.file.data[first.open:last.close]), "//") {
		return nil, false
	}
	var out []edit
	for _, s := range []span{{first.open, keep.open}, {keep.close, last.close}} {
		if s.open < s.close {
			out = append(out, edit{s.open, opening, "/*", false}, edit{s.close, closing, "*/", false})
		}
	}
	return out, true
}
