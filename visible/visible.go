// Package visible makes text of others safe to show: of a bundle, of a plugin, of a
// command line.
//
//	visible.Line("a\x1b[31mb\nc\u202e\xff") // a\x1b[31mb\nc\u202e\xff, in printable characters
//
// Names in bundles and what plugins say become visible where they are read, so whatever
// is written of them, to terminals and to files of any format, is what it seems: no
// escape sequence reaches a terminal, no name ends a line, and no override of the
// direction of writing lets one name look like another. It changes no name that a
// compiler gives. What is no name, such as the arguments of a run, is kept as it is and
// made visible where it is shown; and standard output and error are writers of this
// package as well, for what came in elsewhere.
package visible

import (
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line returns s with all that is not printable, line ends and tabs among it, and bytes
// that are not UTF-8 as escapes of Go: \n, \x1b, \u202e.
func Line(s string) string {
	if IsLine(s) {
		return s
	}
	return string(escaped(s, ""))
}

// IsLine tells whether Line leaves s as it is.
func IsLine(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f {
			return isLine(s[i:])
		}
	}
	return true
}

func isLine(s string) bool {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			return false
		}
		s = s[n:]
	}
	return true
}

// Lines makes each of a list visible, in place, and returns it.
func Lines(list []string) []string {
	for i, s := range list {
		list[i] = Line(s)
	}
	return list
}

// Text returns s with all that Line escapes but line ends and tabs.
func Text(s string) string { return string(escaped(s, "\n\t")) }

// InJSON tells whether a string of JSON can hold s as it is: what is not printable in it
// are characters that JSON escapes, and no byte of it gets lost.
func InJSON(s string) bool { return string(escaped(s, controls)) == s }

var controls = func() string {
	var all []byte
	for c := byte(0); c < ' '; c++ {
		all = append(all, c)
	}
	return string(all)
}()

// escaped returns s with all escaped that is neither printable nor in keep.
func escaped(s, keep string) (to []byte) {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			to = append(to, `\x`...)
			to = append(to, "0123456789abcdef"[s[0]>>4], "0123456789abcdef"[s[0]&15])
		case unicode.IsPrint(r) || strings.ContainsRune(keep, r):
			to = append(to, s[:n]...)
		default:
			quoted := strconv.QuoteRuneToASCII(r)
			to = append(to, quoted[1:len(quoted)-1]...)
		}
		s = s[n:]
	}
	return to
}

// Writer makes what is written to it visible, all but line ends and tabs.
type Writer struct {
	W    io.Writer
	held []byte // the beginning of a character whose rest comes with the next call
}

// Write writes the text of data.
func (w *Writer) Write(data []byte) (int, error) {
	text := string(w.held) + string(data)
	end := len(text)
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if c := text[len(text)-n]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(text[len(text)-n:]) {
				end -= n
			}
			break
		}
	}
	w.held = append(w.held[:0], text[end:]...)
	if _, err := w.W.Write(escaped(text[:end], "\n\t")); err != nil {
		return 0, err
	}
	return len(data), nil
}
