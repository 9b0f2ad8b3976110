package asm

// This file spells and unspells LLVM identifiers.

import (
	"encoding/hex"
	"fmt"
	"strings"
)

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
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\%02X`, c)
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
				if c, err := hex.DecodeString(s[i+1 : i+3]); err == nil {
					b = append(b, c...)
					i += 2
					continue
				}
			}
		}
		b = append(b, s[i])
	}
	return string(b)
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
