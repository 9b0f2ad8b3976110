package shim

// This file reads XML into a tree that knows its lines, within bounds, and writes one.

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"pathspan/bounded"
	"pathspan/visible"
)

// The largest description published has 13,000 lines and under 1 MB.
const (
	maxElements = 1 << 20
	maxDepth    = 64
	maxText     = 4096 // bytes of text in one element: only references are text
)

// node is an element. Names are without their namespace: files of SHIM 2.0 qualify
// elements and attributes although the schema says that they are not.
type node struct {
	name     string
	space    string
	file     string
	line     int
	parent   *node
	attrs    []attr
	children []*node
	text     string // its own, trimmed
}

type attr struct{ name, value string }

// inputError is an error at a place of a file.
type inputError struct {
	file string
	line int
	what string
}

func (e *inputError) Error() string { return fmt.Sprintf("%s:%d: %s", e.file, e.line, e.what) }

func readTree(path string) (*node, error) {
	data, err := bounded.ReadRegular(path, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; give a SHIM file", path, bounded.Reason(err))
	}
	return parseTree(path, data)
}

// parseTree returns the root element. Entities that the document declares itself
// are an error, as unknown ones are: SHIM has no use for them.
func parseTree(file string, data []byte) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = charset
	var root, at *node
	elements, depth := 0, 0
	for {
		line, _ := d.InputPos()
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		fail := func(format string, args ...any) (*node, error) {
			return nil, &inputError{file, line, fmt.Sprintf(format, args...)}
		}
		if err != nil {
			line, _ = d.InputPos()
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				return fail("not well-formed XML: %s; mend it there", clip(syntax.Msg))
			}
			return fail("%s", clip(err.Error()))
		}
		switch t := t.(type) {
		case xml.StartElement:
			elements++
			depth++
			if elements > maxElements || depth > maxDepth {
				return fail("more than %d elements, or deeper than %d; no SHIM file is", maxElements, maxDepth)
			}
			if at == nil && root != nil {
				return fail("a second root element %s; keep one", clip(t.Name.Local))
			}
			n := &node{name: t.Name.Local, space: t.Name.Space, file: file, line: line, parent: at}
			for _, a := range t.Attr {
				if foreign(a.Name) {
					continue
				}
				n.attrs = append(n.attrs, attr{a.Name.Local, visible.Line(strings.TrimSpace(a.Value))})
			}
			if at == nil {
				root = n
			} else {
				at.children = append(at.children, n)
			}
			at = n
		case xml.EndElement:
			at.text = visible.Line(strings.TrimSpace(at.text))
			at = at.parent
			depth--
		case xml.CharData:
			if at == nil {
				continue
			}
			if len(at.text)+len(t) > maxText {
				if len(bytes.TrimSpace(t)) > 0 {
					return fail("%s holds more than %d bytes of text; SHIM has only references there", clip(at.name), maxText)
				}
				continue
			}
			at.text += string(t)
		}
	}
	if root == nil {
		return nil, &inputError{file, 1, "no element; give a SHIM file, whose root is Shim or SystemConfiguration"}
	}
	return root, nil
}

// foreign says whether an attribute belongs to XML itself or to XML Schema.
func foreign(n xml.Name) bool {
	return n.Space == "xmlns" || n.Space == "" && n.Local == "xmlns" || n.Space == "xml" ||
		strings.HasPrefix(n.Space, "http://www.w3.org/") || n.Space == "xsi"
}

// charset reads the encodings that editors of SHIM files write besides UTF-8.
func charset(name string, r io.Reader) (io.Reader, error) {
	switch strings.ToLower(name) {
	case "us-ascii", "ascii":
		return r, nil
	case "iso-8859-1", "latin1":
		data, err := bounded.Read(r, bounded.Text)
		if err != nil {
			return nil, err
		}
		runes := make([]rune, len(data))
		for i, b := range data {
			runes[i] = rune(b)
		}
		return strings.NewReader(string(runes)), nil
	}
	return nil, fmt.Errorf("encoding %s: convert the file to UTF-8, for example with iconv", name)
}

// clip keeps words of the input short and on one line in messages.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	const most = 160
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}

// attr returns an attribute, "" when there is none.
func (n *node) attr(name string) string {
	v, _ := n.lookup(name)
	return v
}

func (n *node) lookup(name string) (string, bool) {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return "", false
}

// add makes a child; attributes are pairs of name and value.
func (n *node) add(name string, attrs ...string) *node {
	c := &node{name: name, parent: n}
	for i := 0; i+1 < len(attrs); i += 2 {
		c.attrs = append(c.attrs, attr{attrs[i], attrs[i+1]})
	}
	n.children = append(n.children, c)
	return c
}

// all lists the children of a name.
func (n *node) all(name string) []*node {
	var list []*node
	for _, c := range n.children {
		if c.name == name {
			list = append(list, c)
		}
	}
	return list
}

// first returns the first child of a name, or nil.
func (n *node) first(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// walk visits the node and everything beneath, in document order.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, c := range n.children {
		c.walk(visit)
	}
}

// label names an element in a message: `MasterComponent "Core_0_0_0"`.
func (n *node) label() string {
	for _, a := range []string{"name", "id"} {
		if v := n.attr(a); v != "" {
			return fmt.Sprintf("%s %q", clip(n.name), clip(v))
		}
	}
	return clip(n.name)
}
