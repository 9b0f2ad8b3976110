package plan

// This file finds in the text of a source where a statement ends: clang knows its last
// token, without the semicolon behind it.

import "bytes"

// endOf returns the offset behind a statement, its semicolon included. It fails where a macro
// hides it.
func (f *function) endOf(n *node) (int, bool) {
	if a := n.associated(); a != n {
		if a == nil {
			return 0, false // a directive by itself ends with its line
		}
		return f.endOf(a)
	}
	e := n.end
	if e.file == nil || !e.file.same(f.begin.file) {
		return 0, false
	}
	text := e.file.data
	at, hidden := e.offset+e.length, false
	if e.macro {
		if f.spelledInside(n.begin) && f.spelledInside(e) && n.begin.offset == e.offset {
			at = e.spelled + e.length
		} else {
			at, hidden = macroUse(text, e.offset), true
		}
	}
	if at <= 0 || at > len(text) {
		return 0, false
	}
	if next := space(text, at); next < len(text) && text[next] == ';' {
		return next + 1, true
	}
	return at, hidden || text[at-1] == '}' || text[at-1] == ';'
}

// associated returns the statement that an OpenMP directive is about, nil where it is about
// none; of others, the statement itself.
func (n *node) associated() *node {
	for n != nil && len(n.kind) > 3 && n.kind[:3] == "OMP" {
		var inside *node
		for _, c := range n.inner {
			if c.kind == "CapturedStmt" || c.kind == "OMPCanonicalLoop" || c.kind == "CompoundStmt" {
				inside = c
			}
		}
		for inside != nil && (inside.kind == "CapturedStmt" || inside.kind == "CapturedDecl" || inside.kind == "OMPCanonicalLoop") {
			if len(inside.inner) == 0 {
				return nil
			}
			inside = inside.inner[0]
		}
		n = inside
	}
	return n
}

// space passes over white space, comments and lines that go on.
func space(text []byte, at int) int {
	for at < len(text) {
		switch rest := text[at:]; {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\f' || rest[0] == '\v':
			at++
		case bytes.HasPrefix(rest, []byte("\\\n")):
			at += 2
		case bytes.HasPrefix(rest, []byte("\\\r\n")):
			at += 3
		case bytes.HasPrefix(rest, []byte("//")):
			n := bytes.IndexByte(rest, '\n')
			if n < 0 {
				return len(text)
			}
			at += n
		case bytes.HasPrefix(rest, []byte("/*")):
			n := bytes.Index(rest[2:], []byte("*/"))
			if n < 0 {
				return len(text)
			}
			at += n + 4
		default:
			return at
		}
	}
	return at
}

// macroUse returns the offset behind the use of a macro, its arguments included.
func macroUse(text []byte, at int) int {
	for at < len(text) && (text[at] == '_' || text[at] >= '0' && text[at] <= '9' || text[at] >= 'A' && text[at] <= 'Z' || text[at] >= 'a' && text[at] <= 'z') {
		at++
	}
	open := space(text, at)
	if open >= len(text) || text[open] != '(' {
		return at
	}
	depth := 0
	for i := open; i < len(text); {
		if next := space(text, i); next > i {
			i = next
			continue
		}
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'':
			quote := text[i]
			for i++; i < len(text) && text[i] != quote; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
		i++
	}
	return -1
}

// directive reports whether the offset lies in a line that begins with #.
func (f *file) directive(offset int) bool {
	line, _ := f.line(offset)
	if line == 0 {
		return false
	}
	text := bytes.TrimLeft(f.data[f.starts[line-1]:], " \t")
	return len(text) > 0 && text[0] == '#'
}
