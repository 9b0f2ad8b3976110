package yamlstrict

// This file reads scalars and sequences.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"pathspan/visible"
)

// Value is one value of a document, or nothing where a key is absent.
type Value struct {
	r    *Reader
	node *yaml.Node // nil: absent
	line int
	what string // key path for messages, "processors[2].name"
}

// Has says whether the value is there. A key with an empty value is.
func (v Value) Has() bool { return v.node != nil }

// Pos returns the value's place.
func (v Value) Pos() Pos { return Pos{v.r.file, v.line} }

// Fail records an error at the value, unless one was recorded before.
func (v Value) Fail(format string, args ...any) {
	if v.r.err == nil {
		v.r.err = v.Pos().Errorf(format, args...)
	}
}

// fail records what the value should have been.
func (v Value) fail(want string) {
	name := v.what
	if name == "" {
		name = "the file"
	}
	v.Fail("%s is %s: want %s", name, v.describe(), want)
}

func (v Value) describe() string {
	switch v.node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if v.node.Tag == "!!null" {
			return "empty"
		}
		return quote(v.node.Value)
	}
	return "not understood"
}

// quote shortens and quotes a word of the file for a message.
func quote(s string) string {
	const most = 60
	s = visible.Line(strings.Join(strings.Fields(s), " "))
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	return `"` + s + `"`
}

func (v Value) ok() bool { return v.r.err == nil && v.node != nil }

// IsScalar says whether the value is a single word or number.
func (v Value) IsScalar() bool { return v.ok() && v.node.Kind == yaml.ScalarNode }

// IsMapping says whether the value is a mapping (key: value).
func (v Value) IsMapping() bool { return v.ok() && v.node.Kind == yaml.MappingNode }

// Text reads one line of text that is not empty. Numbers count as text.
func (v Value) Text() string { return v.text("text", visible.IsLine) }

// Paragraph reads text that is not empty and may have several lines.
func (v Value) Paragraph() string {
	return v.text("text", func(s string) bool { return visible.Text(s) == s })
}

func (v Value) text(want string, shows func(string) bool) string {
	if !v.ok() {
		return ""
	}
	if v.node.Kind != yaml.ScalarNode || v.node.Tag == "!!null" || strings.TrimSpace(v.node.Value) == "" {
		v.fail(want)
		return ""
	}
	if !shows(v.node.Value) {
		v.fail(want + " without control characters")
		return ""
	}
	return v.node.Value
}

// Word reads one of the given words.
func (v Value) Word(words ...string) string {
	s := v.Text()
	if v.ok() && !slices.Contains(words, s) {
		v.fail(suggest(s, words))
		return ""
	}
	return s
}

// NonNegative reads a finite number of 0 or more.
func (v Value) NonNegative() float64 {
	return v.number("a number of 0 or more", func(x float64) bool { return x >= 0 && !math.IsInf(x, 1) })
}

// Positive reads a finite number above 0.
func (v Value) Positive() float64 {
	return v.number("a number above 0", func(x float64) bool { return x > 0 && !math.IsInf(x, 1) })
}

// Number reads a number from low to high.
func (v Value) Number(low, high float64) float64 {
	return v.number(fmt.Sprintf("a number from %g to %g", low, high), func(x float64) bool { return x >= low && x <= high })
}

func (v Value) number(want string, fits func(float64) bool) float64 {
	if !v.ok() || v.padded() {
		return 0
	}
	var x float64
	if v.node.Kind != yaml.ScalarNode || v.node.Tag != "!!int" && v.node.Tag != "!!float" || v.node.Decode(&x) != nil || !fits(x) {
		v.fail(want)
		return 0
	}
	return x
}

// padded refuses numbers with leading zeros: YAML 1.1 reads 0100 as 64, which nobody
// means, and 0900 as a word.
func (v Value) padded() bool {
	digits := strings.TrimLeft(v.node.Value, "+-")
	if v.node.Kind != yaml.ScalarNode || v.node.Style != 0 || len(digits) < 2 || digits[0] != '0' || strings.Trim(digits, "0123456789_.eE+-") != "" || digits[1] == '.' || digits[1] == 'e' || digits[1] == 'E' {
		return false
	}
	v.fail("a number without leading zeros, which YAML reads as octal")
	return true
}

// Int reads a whole number from low to high.
func (v Value) Int(low, high int) int {
	want := fmt.Sprintf("a whole number from %d to %d", low, high)
	if high == math.MaxInt {
		want = fmt.Sprintf("a whole number of %d or more", low)
	}
	var n int
	v.number(want, func(float64) bool {
		return v.node.Tag == "!!int" && v.node.Decode(&n) == nil && n >= low && n <= high
	})
	if !v.ok() {
		return 0
	}
	return n
}

// List reads a sequence; it is empty after an error and where the value is absent.
func (v Value) List() []Value {
	if !v.ok() {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		v.fail("a list")
		return nil
	}
	items := make([]Value, len(v.node.Content))
	for i, n := range v.node.Content {
		items[i] = v.r.value(n, indexed(v.what, i))
	}
	return items
}
