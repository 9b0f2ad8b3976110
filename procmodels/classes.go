package procmodels

// This file is what files of pipelines and of accelerators have in common: those that come with pathspan, and of which class
// of theirs LLVM's instructions are.

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// Shipped are the files of models of one kind that come with pathspan, in the folder data.
type Shipped[M any] struct {
	Files embed.FS
	Kind  string // of references, "pipeline" say
	Read  func(*yamlstrict.Reader) M
}

// Names lists them.
func (s *Shipped[M]) Names() []string {
	entries, err := s.Files.ReadDir("data")
	if err != nil {
		panic(fmt.Sprintf("procmodels.Shipped: %v", err)) // embedded, so it is there
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return names
}

// Open reads the one of that name.
func (s *Shipped[M]) Open(name string) (m M, err error) {
	if !slices.Contains(s.Names(), name) {
		return m, fmt.Errorf("no %s is named %q: want %s, or the path of a YAML file without \"%s:\"", s.Kind, name, yamlstrict.List(s.Names()), s.Kind)
	}
	file := "data/" + name + ".yaml"
	data, err := s.Files.ReadFile(file)
	if err != nil {
		return m, err
	}
	r := yamlstrict.Parse(file, data)
	read := s.Read(r)
	if err := r.Err(); err != nil {
		return m, err
	}
	return read, nil
}

// OpenLibrary opens the weight table that prices calls of what a model does not know.
func OpenLibrary(v yamlstrict.Value) Model {
	name := v.Text()
	if name == "" {
		return nil
	}
	m, err := Open(name, "")
	if err == nil {
		if _, ok := m.(*weightTable); !ok {
			err = fmt.Errorf("%q is no weight table", name)
		}
	}
	if err != nil {
		v.Fail("library: %v", err)
	}
	return m
}

// ByType is the class of an opcode: its index, by the type of an instruction.
type ByType struct {
	Types map[string]int
	Other int
}

// Of returns the class of instructions of a type; vectors go by their elements' unless they have one.
func (b *ByType) Of(typ string) int {
	if at := strings.LastIndex(typ, " x "); strings.HasPrefix(typ, "<") && at > 0 {
		if c, ok := b.Types["vector"]; ok {
			return c
		}
		typ = strings.TrimSuffix(typ[at+3:], ">")
	}
	if strings.HasSuffix(typ, "*") {
		typ = "ptr"
	}
	if c, ok := b.Types[typ]; ok {
		return c
	}
	return b.Other
}

// classed are the types that classes go by.
var classed = []string{"i1", "i8", "i16", "i32", "i64", "half", "bfloat", "float", "double", "x86_fp80", "fp128", "ptr", "vector"}

// ReadOpcodes reads the classes of opcodes, which class finds by their names, in place of what to has of them. Of an opcode
// that is none of those known, hint says what there is.
func ReadOpcodes(v yamlstrict.Value, to map[string]ByType, known []string, hint string, class func(yamlstrict.Value) int) {
	for _, e := range v.Entries() {
		if !slices.Contains(known, e.Key) {
			if near := yamlstrict.Nearest(e.Key, known); near != "" {
				hint = near
			}
			e.Value.Fail("%q is no LLVM opcode: want %s", e.Key, hint)
			return
		}
		of := ByType{Types: map[string]int{}}
		hasDefault := e.Value.IsScalar()
		if hasDefault {
			of.Other = class(e.Value)
			to[e.Key] = of
			continue
		}
		for _, t := range e.Value.Entries() {
			switch {
			case t.Key == "default":
				of.Other, hasDefault = class(t.Value), true
			case !slices.Contains(classed, t.Key):
				t.Value.Fail("%q is no type that classes go by: want default, %s", t.Key, yamlstrict.List(classed))
				return
			default:
				of.Types[t.Key] = class(t.Value)
			}
		}
		if !hasDefault {
			e.Value.Fail("opcode %q has no class for other types: add default", e.Key)
		}
		to[e.Key] = of
	}
}

// UsedClasses marks, of so many classes, those that opcodes have.
func UsedClasses(opcodes map[string]ByType, classes int) []bool {
	used := make([]bool, classes)
	for _, of := range opcodes {
		used[of.Other] = true
		for _, c := range of.Types {
			used[c] = true
		}
	}
	return used
}

// ClassNamed finds a class by a name that a file gives: the index of it among names.
func ClassNamed(v yamlstrict.Value, index func(name string) int) int {
	name := v.Text()
	i := index(name)
	if i < 0 && name != "" {
		v.Fail("no class is named %q", name)
	}
	return max(i, 0)
}
