package asm

// This file cuts assembly text into tokens. Tokens are spans of the text, so
// that whatever is built on them keeps the spelling.

import (
	"strconv"
	"strings"
	"sync"
)

type kind uint8

const (
	tEOF    kind = iota
	tWord        // keyword, number, type name, "..."
	tLocal       // %x
	tGlobal      // @f
	tMeta        // !12 or !dbg
	tAttr        // #3 or #dbg_value
	tComdat      // $x
	tStr         // "..." or c"..."
	tPunct       // one byte
)

type tok struct {
	kind kind
	s, e int32
}

// tokens is a token list over its text. The list ends with four tEOF, so that
// parsers may look three tokens ahead.
type tokens struct {
	src  string
	t    []tok
	info instrInfo // where what they tell is parsed
}

func (ts *tokens) text(i int) string { return ts.src[ts.t[i].s:ts.t[i].e] }

// name returns the bare name of a %, @ or $ token.
func (ts *tokens) name(i int) string { return unspell(ts.src[ts.t[i].s+1 : ts.t[i].e]) }

// is reports whether token i is the word or punctuation w.
func (ts *tokens) is(i int, w string) bool {
	k := ts.t[i].kind
	return (k == tWord || k == tPunct) && ts.text(i) == w
}

func (ts *tokens) punct(i int, c byte) bool {
	return ts.t[i].kind == tPunct && ts.src[ts.t[i].s] == c
}

// metaID returns the number of a !12 token, or -1.
func (ts *tokens) metaID(i int) int {
	if ts.t[i].kind != tMeta {
		return -1
	}
	return decimal(ts.src[ts.t[i].s+1 : ts.t[i].e])
}

// decimal returns the value of a short string of digits, or -1.
func decimal(s string) int {
	if !isNumber(s) || len(s) > 9 {
		return -1
	}
	n, _ := strconv.Atoi(s)
	return n
}

var tokenPool = sync.Pool{New: func() any { return &tokens{t: make([]tok, 0, 128)} }}

// lex returns the tokens of src from the pool; give them back with release.
func lex(src string) *tokens {
	ts := tokenPool.Get().(*tokens)
	ts.src = src
	ts.t = appendTokens(ts.t[:0], src)
	return ts
}

func (ts *tokens) release() {
	ts.src = ""
	tokenPool.Put(ts)
}

// respelled returns text with those tokens replaced for which as returns a spelling.
func respelled(text string, as func(ts *tokens, i int) (string, bool)) string {
	ts := lex(text)
	defer ts.release()
	var b strings.Builder
	last := int32(0)
	for i := range ts.t {
		if s, ok := as(ts, i); ok {
			b.WriteString(text[last:ts.t[i].s])
			b.WriteString(s)
			last = ts.t[i].e
		}
	}
	b.WriteString(text[last:])
	return b.String()
}

func appendTokens(out []tok, src string) []tok {
	i, n := 0, len(src)
	for i < n {
		c := src[i]
		s := i
		k := tPunct
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == ';':
			i = lineEnd(src, i)
			continue
		case c == '"':
			i = stringEnd(src, i)
			k = tStr
		case c == '%' || c == '@' || c == '$':
			i++
			if i < n && src[i] == '"' {
				i = stringEnd(src, i)
			} else {
				i = identEnd(src, i)
			}
			if i > s+1 {
				k = sigilKind(c)
			}
		case c == '!':
			i++
			for i < n && (isIdent[src[i]] || src[i] == '\\') {
				i++
			}
			if i > s+1 {
				k = tMeta
			}
		case c == '#':
			if i = identEnd(src, i+1); i > s+1 {
				k = tAttr
			}
		case c == 'c' && i+1 < n && src[i+1] == '"':
			i = stringEnd(src, i+1)
			k = tStr
		case isIdent[c] || c == '+':
			for i++; i < n && (isIdent[src[i]] || src[i] == '+'); i++ {
			}
			k = tWord
		default:
			i++
		}
		out = append(out, tok{k, int32(s), int32(i)})
	}
	end := tok{tEOF, int32(n), int32(n)}
	return append(out, end, end, end, end)
}

func sigilKind(c byte) kind {
	switch c {
	case '%':
		return tLocal
	case '@':
		return tGlobal
	}
	return tComdat
}

func identEnd(src string, i int) int {
	for i < len(src) && isIdent[src[i]] {
		i++
	}
	return i
}

// lineEnd returns the index of the next newline, or the length of src.
func lineEnd(src string, i int) int {
	if j := strings.IndexByte(src[i:], '\n'); j >= 0 {
		return i + j
	}
	return len(src)
}

// stringEnd returns the index after the string that opens at i. Without a
// closing quote the string ends with its line.
func stringEnd(src string, i int) int {
	if j := strings.IndexByte(src[i+1:], '"'); j >= 0 {
		return i + 1 + j + 1
	}
	return lineEnd(src, i)
}

// closing returns the index of the token that closes the bracket at token i,
// or -1. Only ( [ { and < count.
func (ts *tokens) closing(i int) int { return ts.partner(i, 1) }

// opening returns the token that opens the bracket closed at token i.
func (ts *tokens) opening(i int) int { return ts.partner(i, -1) }

func (ts *tokens) partner(i, step int) int {
	depth := 0
	for ; i >= 0 && ts.t[i].kind != tEOF; i += step {
		if ts.t[i].kind != tPunct {
			continue
		}
		switch ts.src[ts.t[i].s] {
		case '(', '[', '{', '<':
			depth += step
		case ')', ']', '}', '>':
			depth -= step
		default:
			continue
		}
		if depth == 0 {
			return i
		}
	}
	return -1
}
