package asm

// This file spells and unspells LLVM identifiers.

import "strings"

// isIdent marks the bytes of identifiers that need no quotes, in LLVM's
// lexer [-a-zA-Z$._0-9].
var isIdent = func() (t [256]bool) {
	for c := range t {
		b := byte(c)
		t[c] = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' ||
			b == '-' || b == '$' || b == '.' || b == '_'
	}
	return
}()

// LocalRef spells the local value or named type called name: %x or %"a b".
func LocalRef(name string) string { return "%" + Spell(name) }

// GlobalRef spells the global called name: @f or @"a b".
func GlobalRef(name string) string { return "@" + Spell(name) }

// Spell returns name as it stands after % or @ and before the colon of a
// label, quoted when it must be.
func Spell(name string) string {
	plain := name != "" && !(name[0] >= '0' && name[0] <= '9')
	for i := 0; plain && i < len(name); i++ {
		plain = isIdent[name[i]]
	}
	if plain {
		return name
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			b.WriteByte('\\')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

// unspell returns the name that s spells; s is what stands after % or @.
func unspell(s string) string {
	if len(s) < 2 || s[0] != '"' {
		return s
	}
	return unescape(s[1 : len(s)-1])
}

// unescape decodes \xx and \\ in the inside of a string.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			if i+1 < len(s) && s[i+1] == '\\' {
				b = append(b, '\\')
				i++
				continue
			}
			if i+2 < len(s) {
				hi, ok1 := hexDigit(s[i+1])
				lo, ok2 := hexDigit(s[i+2])
				if ok1 && ok2 {
					b = append(b, hi<<4|lo)
					i += 2
					continue
				}
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// isNumber reports whether s is one or more decimal digits: the spelling of
// an unnamed value.
func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
