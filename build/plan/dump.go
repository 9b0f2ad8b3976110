package plan

// This file reads clang's dump of a program's syntax tree (-ast-dump=json) as it comes: a
// small C++ program is 200 MB of it, of which the functions that a plan names are kept.
//
// clang writes one key or bracket a line, with strings escaped, so that a line tells what
// it is by its first and last bytes. A location names its file only where the one before it,
// anywhere in the dump, was in another.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// position is where a token begins. Of one that a macro makes, it is where that macro is
// used; of an argument of a macro, spelled is where it is written.
type position struct {
	file    *file // nil for what has no place
	offset  int
	length  int // of the token, in bytes
	macro   bool
	arg     bool
	spelled int // where arg
}

// node is a declaration, a statement or an expression.
type node struct {
	kind, id   string
	name       string // of a declaration or member
	refers     string // id of the declaration that it names
	refersName string
	opcode     string // of an operator; what a cast is; how a variable is stored
	arrow      bool   // of a member: behind ->
	typ        string // of a variable, with what typedefs stand for
	hasElse    bool
	parent     string // id of the class of a function that stands outside of it
	begin, end position
	inner      []*node
}

// isFunction tells the kinds of declarations that have bodies.
func isFunction(kind string) bool {
	switch kind {
	case "FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl":
		return true
	}
	return false
}

// dump is one that is being read.
type dump struct {
	in    *bufio.Reader
	line  []byte // trimmed, without its comma
	cut   bool   // the line is longer than the buffer: a value that nobody needs
	files *files
	file  *file // of the location before
	kinds map[string]string
	// scope is the classes and namespaces around what is read, and scopes those of each
	// class by its id, which declarations outside of their class name.
	scope  []string
	scopes map[string]string
	// wanted is asked of each function, before its body is read.
	wanted func(f *function) bool
	found  []*function
}

// function is one that a plan may name, with its body.
type function struct {
	*node
	scope string // classes and namespaces around it, as A::B
}

var errNoDump = errors.New("clang's dump of the program is not as it was with LLVM 14 to 22")

// readDump reads a dump to its end.
func readDump(in io.Reader, files *files, wanted func(f *function) bool) ([]*function, error) {
	d := &dump{in: bufio.NewReaderSize(in, 1<<20), files: files, wanted: wanted, kinds: map[string]string{}, scopes: map[string]string{}}
	if err := d.next(); err != nil {
		return nil, err
	}
	if string(d.line) != "{" {
		return nil, errNoDump
	}
	if err := d.declaration(); err != nil {
		return nil, err
	}
	_, err := io.Copy(io.Discard, d.in)
	return d.found, err
}

// next reads a line.
func (d *dump) next() error {
	line, err := d.in.ReadSlice('\n')
	d.cut = errors.Is(err, bufio.ErrBufferFull)
	if d.cut {
		line = bytes.Clone(line[:256])
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = d.in.ReadSlice('\n')
		}
	}
	if err != nil && !(errors.Is(err, io.EOF) && len(line) > 0) {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	line = bytes.TrimSpace(line)
	d.line = bytes.TrimSuffix(line, []byte(","))
	return nil
}

// field splits the line into key and value; lines of array elements have no key. Brackets
// that close give neither.
func (d *dump) field() (key, value []byte, closes bool) {
	if len(d.line) == 0 {
		return nil, nil, false
	}
	switch d.line[0] {
	case '}', ']':
		return nil, nil, true
	case '"':
		if end := bytes.IndexByte(d.line[1:], '"'); end >= 0 && bytes.HasPrefix(d.line[end+2:], []byte(": ")) {
			return d.line[1 : end+1], d.line[end+4:], false
		}
	}
	return nil, d.line, false
}

// opens reports whether a value goes on in further lines.
func opens(value []byte) bool {
	return len(value) == 1 && (value[0] == '{' || value[0] == '[')
}

func (d *dump) text(value []byte) string {
	if d.cut || len(value) < 2 || value[0] != '"' {
		return ""
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1])
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// skip reads to the end of what was opened, and follows the files of locations.
func (d *dump) skip() error {
	for depth := 1; depth > 0; {
		if err := d.next(); err != nil {
			return err
		}
		switch key, value, closes := d.field(); {
		case closes:
			depth--
		case string(key) == "includedFrom":
			if opens(value) {
				if err := d.included(); err != nil {
					return err
				}
			}
		case string(key) == "file":
			d.file = d.files.named(d.text(value))
		case opens(value):
			depth++
		}
	}
	return nil
}

// each visits the keys and elements of what was opened, to its end. A visit reads what a
// value opens, and keeps neither key nor value.
func (d *dump) each(visit func(key, value []byte) error) error {
	for {
		if err := d.next(); err != nil {
			return err
		}
		key, value, closes := d.field()
		if closes {
			return nil
		}
		if err := visit(key, value); err != nil {
			return err
		}
	}
}

// included passes over the file that includes another.
func (d *dump) included() error {
	return d.each(func(_, _ []byte) error { return nil })
}

// declaration reads a declaration outside of functions, whose bracket was read, and what
// is in it.
func (d *dump) declaration() error {
	n := &node{}
	return d.each(func(key, value []byte) error {
		if string(key) != "inner" || !opens(value) {
			return d.property(n, key, value)
		}
		if isFunction(n.kind) {
			f := &function{n, strings.Join(d.scope, "::")}
			if n.parent != "" {
				f.scope = d.scopes[n.parent]
			}
			if d.wanted(f) {
				d.found = append(d.found, f)
				return d.children(n)
			}
		}
		if n.name == "" || n.kind != "NamespaceDecl" && !strings.HasSuffix(n.kind, "RecordDecl") && n.kind != "ClassTemplateSpecializationDecl" {
			return d.declarations()
		}
		d.scope = append(d.scope, n.name)
		d.scopes[n.id] = strings.Join(d.scope, "::")
		err := d.declarations()
		d.scope = d.scope[:len(d.scope)-1]
		return err
	})
}

// declarations reads the elements of an array outside of functions.
func (d *dump) declarations() error {
	return d.each(func(_, value []byte) error {
		if !opens(value) {
			return nil
		}
		return d.declaration()
	})
}

// children reads what is in a node that is kept.
func (d *dump) children(n *node) error {
	return d.each(func(_, value []byte) error {
		if !opens(value) {
			return nil // {}: a part that is not there
		}
		child := &node{}
		n.inner = append(n.inner, child)
		return d.kept(child)
	})
}

// kept reads a node in a function that is kept.
func (d *dump) kept(n *node) error {
	return d.each(func(key, value []byte) error {
		if string(key) == "inner" && opens(value) {
			return d.children(n)
		}
		return d.property(n, key, value)
	})
}

// property reads what a node says of itself.
func (d *dump) property(n *node, key, value []byte) error {
	switch string(key) {
	case "kind":
		n.kind = d.kind(value)
	case "id":
		n.id = d.text(value)
	case "name", "member":
		n.name = d.text(value)
	case "parentDeclContextId":
		n.parent = d.text(value)
	case "opcode", "castKind", "storageClass":
		n.opcode = d.text(value)
	case "isArrow":
		n.arrow = string(value) == "true"
	case "hasElse":
		n.hasElse = string(value) == "true"
	case "range":
		if opens(value) {
			return d.extent(n)
		}
	case "referencedDecl":
		if opens(value) {
			return d.reference(n)
		}
	case "type":
		if opens(value) {
			return d.typed(n)
		}
	default:
		if opens(value) {
			if string(key) == "includedFrom" {
				return d.included()
			}
			return d.skip()
		}
		if string(key) == "file" {
			return errNoDump
		}
	}
	return nil
}

// typed reads a node's type.
func (d *dump) typed(n *node) error {
	return d.each(func(key, value []byte) error {
		switch {
		case opens(value):
			return d.skip()
		case (n.kind == "VarDecl" || n.kind == "ParmVarDecl") && (string(key) == "desugaredQualType" || string(key) == "qualType" && n.typ == ""):
			n.typ = d.text(value)
		}
		return nil
	})
}

// kind returns the name of a kind, which is held once.
func (d *dump) kind(value []byte) string {
	k, ok := d.kinds[string(value)]
	if !ok {
		k = d.text(value)
		d.kinds[string(value)] = k
	}
	return k
}

// extent reads a node's begin and end.
func (d *dump) extent(n *node) error {
	return d.each(func(key, value []byte) error {
		p := &n.begin
		if string(key) == "end" {
			p = &n.end
		}
		if !opens(value) {
			return nil
		}
		return d.location(p)
	})
}

// location reads one, which a macro splits into where it is spelled and where expanded.
func (d *dump) location(p *position) error {
	return d.each(func(key, value []byte) error {
		switch {
		case string(key) == "spellingLoc" && opens(value):
			var spelled position
			if err := d.location(&spelled); err != nil {
				return err
			}
			p.spelled = spelled.offset
			p.length = spelled.length
		case string(key) == "expansionLoc" && opens(value):
			spelled, length := p.spelled, p.length
			if err := d.location(p); err != nil {
				return err
			}
			p.macro, p.spelled = true, spelled
			if p.arg {
				p.length = length
			}
		case string(key) == "includedFrom" && opens(value):
			return d.included()
		case opens(value):
			return d.skip()
		case string(key) == "offset":
			p.file = d.file // unless the next line names another
			n, err := strconv.Atoi(string(value))
			if err != nil {
				return fmt.Errorf("%w: offset %s", errNoDump, value)
			}
			p.offset = n
		case string(key) == "file":
			d.file = d.files.named(d.text(value))
			p.file = d.file
		case string(key) == "tokLen":
			p.length, _ = strconv.Atoi(string(value))
		case string(key) == "isMacroArgExpansion":
			p.arg = string(value) == "true"
		}
		return nil
	})
}

// reference reads which declaration an expression names.
func (d *dump) reference(n *node) error {
	return d.each(func(key, value []byte) error {
		switch {
		case string(key) == "id":
			n.refers = d.text(value)
		case string(key) == "name":
			n.refersName = d.text(value)
		case opens(value):
			return d.skip()
		}
		return nil
	})
}
