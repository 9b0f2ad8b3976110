package serve

// This file reads JSON tokens from a line, in one pass and without allocation for what
// is plain. It accepts what encoding/json accepts, of the kinds that are asked for.

import (
	"encoding/json"
	"slices"
	"strconv"
)

// scanner walks along a line. The first thing that is wrong stays in bad.
type scanner struct {
	data []byte
	at   int
	bad  *fault
}

func (s *scanner) fail(field, want string) {
	if s.bad != nil {
		return
	}
	switch s.space(); {
	case s.at >= len(s.data):
		s.bad = faultf(field, "the line ends where %s should be", want)
	default:
		s.bad = faultf(field, "%s at column %d: want %s", s.shown(), s.at+1, want)
	}
}

// shown quotes what stands at the place.
func (s *scanner) shown() string {
	end := min(len(s.data), s.at+12)
	for i := s.at + 1; i < end; i++ {
		switch s.data[i] {
		case ' ', '\t', ',', ':', ']', '}':
			end = i
		}
	}
	return strconv.QuoteToASCII(string(s.data[s.at:end]))
}

func (s *scanner) space() {
	for s.at < len(s.data) && (s.data[s.at] == ' ' || s.data[s.at] == '\t' || s.data[s.at] == '\r' || s.data[s.at] == '\n') {
		s.at++
	}
}

// next returns the next character that is not space, 0 at the end or after a fault.
func (s *scanner) next() byte {
	if s.space(); s.bad != nil || s.at >= len(s.data) {
		return 0
	}
	return s.data[s.at]
}

// take takes a character if it comes next.
func (s *scanner) take(c byte) bool {
	if s.next() != c {
		return false
	}
	s.at++
	return true
}

func (s *scanner) need(c byte, field, what string) {
	if !s.take(c) {
		s.fail(field, what)
	}
}

// list visits the elements of an array. It ends at a fault.
func (s *scanner) list(field, what string, element func(i int)) {
	if s.need('[', field, what); s.bad != nil || s.take(']') {
		return
	}
	for i := 0; s.bad == nil; i++ {
		element(i)
		if s.bad != nil || s.take(']') {
			return
		}
		s.need(',', field, "a comma or the end of the list")
	}
}

// object visits the entries of an object. It ends at a fault.
func (s *scanner) object(field, what string, entry func(key []byte)) {
	if s.need('{', field, what); s.bad != nil || s.take('}') {
		return
	}
	for s.bad == nil {
		key := s.text(field, "a name in quotes")
		s.need(':', field, "a colon")
		if s.bad != nil {
			return
		}
		entry(key)
		if s.bad != nil || s.take('}') {
			return
		}
		s.need(',', field, "a comma or the end of the object")
	}
}

// text reads a string. The result is part of the line unless it has escapes.
func (s *scanner) text(field, want string) []byte {
	raw := s.quoted(field, want)
	if s.bad != nil {
		return nil
	}
	if slices.Contains(raw, '\\') {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			s.bad = faultf(field, "%s is no string of JSON", strconv.QuoteToASCII(string(raw)))
		}
		return []byte(text)
	}
	return raw[1 : len(raw)-1]
}

func (s *scanner) quoted(field, want string) []byte {
	if s.next() != '"' {
		s.fail(field, want)
		return nil
	}
	escaped := false
	for i := s.at + 1; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c < 0x20:
			s.at = i
			s.fail(field, "no control character in a string")
			return nil
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			raw := s.data[s.at : i+1]
			s.at = i + 1
			return raw
		}
	}
	s.bad = faultf(field, "the string is not closed")
	return nil
}

// integer reads a whole number of at most nine digits.
func (s *scanner) integer(field, want string) int {
	s.next()
	i, sign, n := s.at, 1, 0
	if i < len(s.data) && s.data[i] == '-' {
		sign = -1
		i++
	}
	first := i
	for ; i < len(s.data) && '0' <= s.data[i] && s.data[i] <= '9'; i++ {
		if i-first < 10 {
			n = n*10 + int(s.data[i]-'0')
		}
	}
	digits := i - first
	if digits == 0 || digits > 9 || digits > 1 && s.data[first] == '0' || s.bad != nil || i < len(s.data) && (s.data[i] == '.' || s.data[i] == 'e' || s.data[i] == 'E') {
		s.fail(field, want)
		return 0
	}
	s.at = i
	return sign * n
}

// plain reads a number or a string as it is written.
func (s *scanner) plain(field string) []byte {
	const want = "a string or a number"
	switch c := s.next(); {
	case c == '"':
		raw := s.quoted(field, want)
		if s.bad == nil && !json.Valid(raw) {
			s.bad = faultf(field, "%s is no string of JSON", strconv.QuoteToASCII(string(raw)))
		}
		return raw
	case c == '-' || '0' <= c && c <= '9':
		from := s.at
		for s.at < len(s.data) && isNumeric(s.data[s.at]) {
			s.at++
		}
		raw := s.data[from:s.at]
		if !isInteger(raw) && !json.Valid(raw) {
			s.bad = faultf(field, "%s is no number of JSON", strconv.QuoteToASCII(string(raw)))
		}
		return raw
	}
	s.fail(field, want)
	return nil
}

func isNumeric(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'
}

// isInteger reports whether a number is one of the plain ones: no need to look closer.
func isInteger(raw []byte) bool {
	for _, c := range raw {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(raw) == 1 || raw[0] != '0'
}

// end fails unless the line ends here.
func (s *scanner) end() {
	if s.next() != 0 {
		s.fail("", "the end of the line")
	}
}
