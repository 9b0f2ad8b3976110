package shim

// This file relates the fields of a System to elements and attributes, for those who
// read, write and check one.

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// field is a field of a struct of System and where SHIM 2.0 has it. What type an attribute
// has and whether it is required says the schema.
type field struct {
	at        int      // in the struct
	name      string   // of an attribute; "clock" where the versions differ
	unit      string   // of the attribute that says the unit of the size
	otherwise string   // read where the attribute is absent or cannot be used
	strict    bool     // an element whose reference leads nowhere is left out
	path      []string // of children, instead of name: elements that wrap them, and theirs
}

var layouts sync.Map // []field by type

// layoutOf reads the tags of a type: `attribute`, `attribute=otherwise`, `size*unit`,
// `reference!`, or `/wrapper/child`. Fields without a tag are read and written by hand.
func layoutOf(t reflect.Type) []field {
	if list, ok := layouts.Load(t); ok {
		return list.([]field)
	}
	var list []field
	for i := range t.NumField() {
		tag := t.Field(i).Tag.Get("shim")
		f := field{at: i}
		if path, ok := strings.CutPrefix(tag, "/"); ok {
			f.path = strings.Split(path, "/")
		} else {
			tag, f.strict = strings.CutSuffix(tag, "!")
			tag, f.otherwise, _ = strings.Cut(tag, "=")
			f.name, f.unit, _ = strings.Cut(tag, "*")
		}
		if tag != "" {
			list = append(list, f)
		}
	}
	layouts.Store(t, list)
	return list
}

// child is the name of the elements at the end of the path.
func (f *field) child() string { return f.path[len(f.path)-1] }

// isChild says whether an element is one of those that the path ends with: SHIM 1.0 spells
// references to caches with a small letter, and communications are named by their kind.
func (f *field) isChild(name string) bool {
	switch want := f.child(); want {
	case "CacheRef":
		return name == want || name == "cacheRef"
	case "Communication":
		kind, ok := strings.CutSuffix(name, want)
		return ok && slices.Contains(Kinds(), kind)
	default:
		return name == want
	}
}

// elements calls visit for the elements that a field with a path holds, by name.
func (f *field) elements(v reflect.Value, visit func(name string, v reflect.Value)) {
	if v.Kind() == reflect.Struct {
		visit(f.child(), v)
		return
	}
	for i := range v.Len() {
		name := f.child()
		if c, ok := v.Index(i).Interface().(Communication); ok {
			name = c.Kind + name
		}
		visit(name, v.Index(i))
	}
}
