// Package compact spells LLVM assembly in a form that general compressors pack several
// times smaller, and back without loss. Most of a module's text are the names of values
// and labels, which repeat at no distance that a compressor could know. So uses are told
// by how many definitions, or labels, ago the name was defined.
//
// Nothing of this depends on the text being sound assembly.
package compact

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// The bytes that stand for names. They are in no assembly text.
const (
	value  = 1 // and a number: the value defined so many definitions ago, 1 the last
	label  = 2 // and a number: the label that stands so many labels further on, 1 the next
	result = 3 // "  %v7 = ", where the definition before this one was that of %v6
	block  = 4 // "bb7", where the label before this one of that kind was bb6
)

const (
	// mostExpanded bounds how many times longer than its compact form a text is, beyond
	// anyText bytes, so that forged data cannot take all memory.
	mostExpanded = 16
	anyText      = 1 << 20
)

// Encode returns the compact form of a text, and false where there is none: the text
// holds bytes that no assembly does. Decode refuses that of a text that is too repetitive.
func Encode(text []byte) ([]byte, bool) {
	if bytes.ContainsAny(text, "\x01\x02\x03\x04") {
		return nil, false
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		f, piece, rest := function(text)
		text = rest
		if f == nil {
			out = append(out, piece...)
			continue
		}
		out = encode(out, f)
	}
	return out, true
}

// Decode returns the text of a compact form.
func Decode(data []byte) ([]byte, error) {
	most := anyText + mostExpanded*len(data)
	out := make([]byte, 0, 2*len(data))
	for len(data) > 0 {
		f, piece, rest := function(data)
		data = rest
		if f == nil {
			out = append(out, piece...)
			continue
		}
		var err error
		if out, err = decode(out, f, most); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// cut returns the first line, with its newline, and the rest.
func cut(text []byte) (line, rest []byte) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1], text[i+1:]
	}
	return text, nil
}

// function returns the function that the text begins with, nil for none, and the rest.
// Text that no function ends in is one piece: nothing is looked for in it again.
func function(text []byte) (f, piece, rest []byte) {
	if !bytes.HasPrefix(text, []byte("define ")) {
		piece, rest = cut(text)
		return nil, piece, rest
	}
	end := bytes.Index(text, []byte("\n}\n"))
	if end < 0 {
		return nil, text, nil
	}
	return text[:end+3], nil, text[end+3:]
}

// names numbers the values and labels of a function in the order of their definitions.
type names struct {
	values, labels []string
	value, label   map[string]int
}

// read finds the definitions of a function, in either form.
func read(f []byte) *names {
	n := &names{value: make(map[string]int), label: make(map[string]int)}
	last := numbers()
	for len(f) > 0 {
		var line []byte
		line, f = cut(f)
		name, is := definition(line, &last)
		switch {
		case is == result:
			n.value[name] = len(n.values)
			n.values = append(n.values, name)
		case is == label:
			n.label[name] = len(n.labels)
			n.labels = append(n.labels, name)
		}
	}
	return n
}

// last is the last number of values v0, v1 and so on, and of labels bb0, bb1 and so on.
type last struct{ value, block int }

func numbers() last { return last{-1, -1} }

// definition tells what a line defines, and keeps its number.
func definition(line []byte, last *last) (name string, is byte) {
	switch {
	case len(line) > 0 && line[0] == result:
		last.value++
		return "%v" + strconv.Itoa(last.value), result
	case len(line) > 0 && line[0] == block:
		last.block++
		return "%bb" + strconv.Itoa(last.block), label
	case len(line) > 3 && line[0] == ' ' && line[1] == ' ' && line[2] == '%':
		if e := identEnd(line, 3); e > 3 && bytes.HasPrefix(line[e:], []byte(" = ")) {
			name = string(line[2:e])
			if k, ok := numbered(name, "%v"); ok {
				last.value = k
			}
			return name, result
		}
	default:
		if e := identEnd(line, 0); e > 0 && e < len(line) && line[e] == ':' {
			name = "%" + string(line[:e])
			if k, ok := numbered(name, "%bb"); ok {
				last.block = k
			}
			return name, label
		}
	}
	return "", 0
}

func numbered(name, prefix string) (int, bool) {
	if !strings.HasPrefix(name, prefix) {
		return 0, false
	}
	k, err := strconv.Atoi(name[len(prefix):])
	return k, err == nil && k >= 0 && prefix+strconv.Itoa(k) == name
}

func identEnd(s []byte, i int) int {
	for ; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-' || c == '$') {
			break
		}
	}
	return i
}

// encode appends the compact form of a function.
func encode(out, f []byte) []byte {
	n := read(f)
	values, labels, last := 0, 0, numbers()
	for len(f) > 0 {
		var line []byte
		line, f = cut(f)
		before := last
		name, is := definition(line, &last)
		at := 0
		switch {
		case is == label:
			labels++
			if last.block == before.block+1 {
				out, at = append(out, block), len(name)-1
			}
		case is == result:
			at = 2 + len(name)
			if last.value == before.value+1 {
				out = append(out, result)
				at += len(" = ")
			} else {
				out = append(out, line[:at]...)
			}
		}
		out = n.encode(out, line[at:], values, labels)
		if is == result {
			values++
		}
	}
	return out
}

func (n *names) encode(out, text []byte, values, labels int) []byte {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '%')
		if i < 0 {
			break
		}
		out = append(out, text[:i]...)
		text = text[i:]
		e := identEnd(text, 1)
		name := string(text[:e])
		if k, ok := n.value[name]; ok {
			out = strconv.AppendInt(append(out, value), int64(values-k), 10)
		} else if k, ok := n.label[name]; ok {
			out = strconv.AppendInt(append(out, label), int64(k-labels+1), 10)
		} else {
			out = append(out, name...)
		}
		text = text[e:]
	}
	return append(out, text...)
}

var errDamaged = errors.New("the module's compact form is damaged")

// decode appends the text of a function.
func decode(out, f []byte, most int) ([]byte, error) {
	n := read(f)
	values, labels, last := 0, 0, numbers()
	for len(f) > 0 {
		var line []byte
		line, f = cut(f)
		name, is := definition(line, &last)
		if is == label {
			labels++
		}
		switch line[0] {
		case result:
			out = append(append(append(out, "  "...), name...), " = "...)
			line = line[1:]
		case block:
			out = append(out, name[1:]...)
			line = line[1:]
		}
		for {
			i := bytes.IndexAny(line, "\x01\x02")
			if i < 0 {
				break
			}
			out = append(out, line[:i]...)
			e := i + 1
			if e < len(line) && line[e] == '-' {
				e++
			}
			for e < len(line) && line[e] >= '0' && line[e] <= '9' {
				e++
			}
			d, err := strconv.Atoi(string(line[i+1 : e]))
			if err != nil {
				return nil, errDamaged
			}
			list, k := n.values, values-d
			if line[i] == label {
				list, k = n.labels, labels-1+d
			}
			if k < 0 || k >= len(list) || len(out) > most {
				return nil, errDamaged
			}
			out = append(out, list[k]...)
			line = line[e:]
		}
		out = append(out, line...)
		if is == result {
			values++
		}
	}
	return out, nil
}
