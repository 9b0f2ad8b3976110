package asm

// This file cuts a module into top-level entries, functions, blocks and
// instructions. It only looks for line ends, brackets, strings and comments,
// so that it is fast and is not surprised by new syntax.

import (
	"errors"
	"fmt"
	"strings"
)

// SyntaxError is the only error of [Parse]: the text is no LLVM assembly or
// a function in it does not end.
type SyntaxError struct {
	Line int // 1-based
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Msg) }

// errNoBody says that a define has no body where one is expected; the entry
// is then kept as it is.
var errNoBody = errors.New("no body")

// Parse reads a module of textual LLVM assembly. The module does not keep src.
// The only errors are of type [*SyntaxError]: bitcode given as text, and a
// function without closing brace.
func Parse(src []byte) (*Module, error) {
	if strings.HasPrefix(string(src[:min(len(src), 4)]), "BC\xC0\xDE") ||
		strings.HasPrefix(string(src[:min(len(src), 4)]), "\xDE\xC0\x17\x0B") {
		return nil, &SyntaxError{1, "this is LLVM bitcode, not assembly: run llvm-dis first"}
	}
	m := &Module{}
	for k := range m.anchor {
		m.anchor[k] = -1
	}
	m.entries = make([]*entry, 0, 64+len(src)/128)
	r := reader{m: m, src: string(src)}
	if err := r.module(); err != nil {
		return nil, err
	}
	return m, nil
}

type reader struct {
	m    *Module
	src  string
	slab []entry
	// single is set once a bracket was found that never closes: from there
	// on, an entry is a line.
	single bool
}

func (r *reader) entry(k entryKind, s, e int) *entry {
	if len(r.slab) == 0 {
		r.slab = make([]entry, 128)
	}
	en := &r.slab[0]
	r.slab = r.slab[1:]
	en.kind, en.text = k, r.src[s:e]
	r.m.anchor[k] = len(r.m.entries)
	r.m.entries = append(r.m.entries, en)
	return en
}

func (r *reader) module() error {
	m, src := r.m, r.src
	for p := 0; p < len(src); {
		q := r.skipBlanks(p)
		if q == len(src) {
			r.entry(eOther, p, q)
			break
		}
		switch c := src[q]; {
		case c == '\n' || c == ';':
			next := r.nextLine(q)
			r.entry(eOther, p, next)
			p = next
			continue
		case c == '!':
			next := r.metaEnd(q)
			k := eNamed
			if q+1 < len(src) && src[q+1] >= '0' && src[q+1] <= '9' {
				k = eMeta
			}
			r.entry(k, p, next)
			p = next
			continue
		case c == 'd' && strings.HasPrefix(src[q:], "define") && q+6 < len(src) && !isIdent[src[q+6]]:
			f, next, err := r.function(q)
			if err != nil && err != errNoBody {
				return err
			}
			if f != nil {
				e := r.entry(eFunc, p, p)
				e.fn, f.entry = f, e
				f.head = src[p:q] + f.head
				m.funcs = append(m.funcs, f)
				p = next
				continue
			}
		}
		next := r.logicalEnd(q)
		k := topKind(src[q:next])
		e := r.entry(k, p, next)
		switch k {
		case eDecl:
			if name, ok := firstGlobal(e.text); ok {
				m.decls = append(m.decls, &Decl{m: m, name: name, entry: e})
			}
		case eGlobal:
			if name, ok := firstGlobal(e.text); ok {
				m.globals = append(m.globals, &Global{m: m, name: name, entry: e})
			}
		}
		p = next
	}
	return nil
}

func topKind(s string) entryKind {
	switch s[0] {
	case '@':
		return eGlobal
	case '%':
		return eType
	case 'd':
		if strings.HasPrefix(s, "declare") {
			return eDecl
		}
	case 'a':
		if strings.HasPrefix(s, "attributes") {
			return eAttrs
		}
	case 't', 's':
		if strings.HasPrefix(s, "target") || strings.HasPrefix(s, "source_filename") {
			return eTarget
		}
	}
	return eOther
}

// firstGlobal returns the first @name in s outside strings.
func firstGlobal(s string) (string, bool) {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			i = stringEnd(s, i) - 1
		case ';':
			i = lineEnd(s, i)
		case '@':
			e := i + 1
			if e < len(s) && s[e] == '"' {
				e = stringEnd(s, e)
			} else {
				e = identEnd(s, e)
			}
			if e == i+1 {
				return "", false
			}
			return unspell(s[i+1 : e]), true
		}
	}
	return "", false
}

func (r *reader) skipBlanks(p int) int {
	for p < len(r.src) && (r.src[p] == ' ' || r.src[p] == '\t' || r.src[p] == '\r') {
		p++
	}
	return p
}

// skipSpace skips blanks, newlines and comments.
func (r *reader) skipSpace(p int) int {
	for p < len(r.src) {
		switch r.src[p] {
		case ' ', '\t', '\r', '\n':
			p++
		case ';':
			p = lineEnd(r.src, p)
		default:
			return p
		}
	}
	return p
}

// nextLine returns the index after the next newline.
func (r *reader) nextLine(p int) int { return min(lineEnd(r.src, p)+1, len(r.src)) }

// metaEnd is logicalEnd for metadata, which LLVM prints on one line each.
func (r *reader) metaEnd(p int) int {
	e := lineEnd(r.src, p)
	if last := r.src[e-1]; last == ')' || last == '}' {
		return min(e+1, len(r.src))
	}
	return r.logicalEnd(p)
}

// Classes of bytes that matter when cutting.
const (
	cNewline = iota + 1
	cQuote
	cComment
	cOpen
	cClose
)

var cutClass = [256]uint8{
	'\n': cNewline, '"': cQuote, ';': cComment,
	'(': cOpen, '[': cOpen, '{': cOpen,
	')': cClose, ']': cClose, '}': cClose,
}

// logicalEnd returns the index after the line on which the entry at p ends:
// the first line end outside brackets and strings.
func (r *reader) logicalEnd(p int) int {
	if r.single {
		return r.nextLine(p)
	}
	src := r.src
	depth := 0
	for i := p; i < len(src); {
		switch cutClass[src[i]] {
		case 0:
			i++
		case cNewline:
			if depth <= 0 {
				return i + 1
			}
			i++
		case cQuote:
			i = stringEnd(src, i)
		case cComment:
			i = lineEnd(src, i)
		case cOpen:
			depth++
			i++
		case cClose:
			depth--
			i++
		}
	}
	if depth <= 0 {
		return len(src)
	}
	r.single = true
	return r.nextLine(p)
}

// bodyStart finds the brace that opens the body of the define at p and
// returns the index after it, or -1. Braces of types are balanced and
// followed by more text; the body's is the last on its line.
func (r *reader) bodyStart(p int) int {
	src := r.src
	depth := 0
	for i := p; i < len(src); {
		switch cutClass[src[i]] {
		case cQuote:
			i = stringEnd(src, i)
			continue
		case cComment:
			i = lineEnd(src, i)
			continue
		case cOpen:
			if src[i] == '{' && depth == 0 {
				q := r.skipBlanks(i + 1)
				if q == len(src) || src[q] == '\n' || src[q] == ';' {
					return i + 1
				}
			}
			depth++
		case cClose:
			depth--
		case cNewline:
			if r.single || depth <= 0 && !continuesHeader(src[i+1:]) {
				return -1
			}
		}
		i++
	}
	r.single = r.single || depth > 0
	return -1
}

// continuesHeader reports whether the line s carries on the header of a
// function; LLVM prints a header on one line.
func continuesHeader(s string) bool {
	return s != "" && (s[0] == ' ' || s[0] == '\t' || s[0] == '{' || s[0] == '#')
}

// function reads the definition that starts at p.
func (r *reader) function(p int) (*Func, int, error) {
	body := r.bodyStart(p)
	if body < 0 {
		return nil, 0, errNoBody
	}
	name, ok := firstGlobal(r.src[p:body])
	if !ok {
		return nil, 0, errNoBody
	}
	start := r.nextLine(body)
	f := &Func{m: r.m, name: name, head: r.src[p:start]}
	end, ok := r.body(f, start)
	if !ok {
		line := 1 + strings.Count(r.src[:p], "\n")
		return nil, 0, &SyntaxError{line, fmt.Sprintf("function @%s has no closing brace: the file is cut off or is no LLVM assembly", name)}
	}
	return f, end, nil
}

// body reads blocks from p to the closing brace and returns the index after
// its line. ok is false when there is no closing brace.
func (r *reader) body(f *Func, p int) (end int, ok bool) {
	src := r.src
	var b *Block
	single := false
	start := p // of what is not yet given to an item
	for p < len(src) {
		q := r.skipBlanks(p)
		if q == len(src) {
			break
		}
		c := src[q]
		switch {
		case c == '\n' || c == ';':
			p = r.nextLine(q)
			continue
		case c == '}':
			end = q + 1
			if rest := r.skipBlanks(end); rest == len(src) || src[rest] == '\n' || src[rest] == ';' {
				end = r.nextLine(rest)
			}
			f.tail = src[start:end]
			return end, true
		}
		if e := labelEnd(src, q); e > 0 {
			b = &Block{fn: f, name: unspell(src[q : e-1]), numbered: isNumber(src[q : e-1])}
			next := r.skipBlanks(e)
			if next == len(src) || src[next] == '\n' || src[next] == ';' {
				next = r.nextLine(next)
			}
			b.head = src[start:next]
			b.labelS, b.labelE = int32(q-start), int32(e-start)
			f.Blocks = append(f.Blocks, b)
			p, start = next, next
			continue
		}
		if c == 'u' && strings.HasPrefix(src[q:], "uselistorder") {
			p = r.logicalEnd(q)
			continue
		}
		stop, next, balanced := r.instrEnd(q, single)
		if !balanced {
			single = true
		}
		in := r.m.newInstr()
		in.raw = src[start:next]
		in.off, in.end = int32(q-start), int32(stop-start)
		in.readHead()
		if b == nil { // the entry; LLVM prints the labels of all others
			b = &Block{fn: f, numbered: true, implicit: true}
			f.Blocks = append(f.Blocks, b)
		}
		in.b = b
		b.Instrs = append(b.Instrs, in)
		p, start = next, next
	}
	return 0, false
}

// labelEnd returns the index after the colon when a label stands at p, or 0.
func labelEnd(src string, p int) int {
	e := p
	if src[p] == '"' {
		e = stringEnd(src, p)
	} else {
		e = identEnd(src, p)
	}
	if e > p && e < len(src) && src[e] == ':' {
		return e + 1
	}
	return 0
}

// instrEnd finds where the instruction at p ends: stop is the index after its
// last byte, next where the following line (or a closing brace on the same
// line) starts. balanced is false when its brackets do not close inside the
// function; it is then taken to end with its line.
func (r *reader) instrEnd(p int, single bool) (stop, next int, balanced bool) {
	src := r.src
	depth := 0
	comment := -1
	for i := p; i < len(src); {
		switch cutClass[src[i]] {
		case 0:
			i++
		case cQuote:
			i = stringEnd(src, i)
		case cComment:
			comment = i
			i = lineEnd(src, i)
		case cOpen:
			depth++
			i++
		case cClose:
			depth--
			if depth < 0 && src[i] == '}' {
				return trimBlanks(src, p, i), i, true
			}
			i++
		case cNewline:
			stop := i
			if comment >= 0 {
				stop = comment
			}
			stop = trimBlanks(src, p, stop)
			if depth > 0 && !single && !closesFunction(src[i+1:]) {
				comment = -1
				i++
				continue
			}
			if !single && depth <= 0 && (src[stop-1] == ',' || r.continues(i+1)) {
				comment = -1
				i++
				continue
			}
			if depth > 0 {
				e := lineEnd(src, p)
				return trimBlanks(src, p, e), min(e+1, len(src)), false
			}
			return stop, i + 1, true
		}
	}
	if depth > 0 {
		e := lineEnd(src, p)
		return trimBlanks(src, p, e), min(e+1, len(src)), false
	}
	stop = len(src)
	if comment >= 0 {
		stop = comment
	}
	return trimBlanks(src, p, stop), len(src), true
}

// trimBlanks moves e back over blanks, not before p+1.
func trimBlanks(src string, p, e int) int {
	for e > p+1 && (src[e-1] == ' ' || src[e-1] == '\t' || src[e-1] == '\r') {
		e--
	}
	return e
}

// closesFunction reports whether s starts with a line that holds only the
// brace that LLVM prints at the end of a function.
func closesFunction(s string) bool {
	return strings.HasPrefix(s, "}") && (len(s) == 1 || s[1] == '\n' || s[1] == '\r')
}

// continues reports whether the line at p carries on the instruction before
// it, as invoke, callbr and landingpad are printed.
func (r *reader) continues(p int) bool {
	p = r.skipBlanks(p)
	if p == len(r.src) {
		return false
	}
	switch r.src[p] {
	case 't', 'u', 'c', 'f':
		switch r.src[p:identEnd(r.src, p)] {
		case "to", "unwind", "catch", "cleanup", "filter":
			return labelEnd(r.src, p) == 0
		}
	}
	return false
}
