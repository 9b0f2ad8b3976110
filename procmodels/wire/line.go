package wire

// This file makes one line of text that a plugin sent.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineLimit is what is shown of one text, in bytes.
const lineLimit = 400

// Line makes one printable line of a text from elsewhere: line ends become blanks,
// control characters go, and what is too long is cut.
func Line(s string) string {
	s = strings.ToValidUTF8(s, "?")
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)), " ")
	if len(s) > lineLimit {
		end := lineLimit
		for !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end] + "..."
	}
	return s
}
