package yamlstrict

// This file reads mappings: those with a fixed set of keys and those whose keys
// are the writer's own.

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"pathspan/visible"
)

// Fields is a mapping with a fixed set of keys.
type Fields struct {
	of     Value
	values map[string]Value
}

// Entry is a key of a mapping with its value.
type Entry struct {
	Key   string
	Value Value
	At    Pos // of the key
}

// Fields reads a mapping that may hold the given keys and no others.
func (v Value) Fields(keys ...string) Fields {
	f := Fields{of: v, values: map[string]Value{}}
	for _, e := range v.Entries() {
		if !slices.Contains(keys, e.Key) {
			v.at(e.At.Line).Fail("unknown key %s%s: want %s", quote(e.Key), v.in(), suggest(e.Key, keys))
			return f
		}
		f.values[e.Key] = e.Value
	}
	return f
}

// Get returns the value of the key, which reads as a zero value where absent.
func (f Fields) Get(key string) Value {
	if v, ok := f.values[key]; ok {
		return v
	}
	return Value{r: f.of.r, line: f.of.line, what: join(f.of.what, key)}
}

// Need returns the value of the key and makes its absence an error.
func (f Fields) Need(key string) Value {
	v := f.Get(key)
	if !v.Has() {
		f.of.Fail("key %q is missing%s", key, f.of.in())
	}
	return v
}

// Refuse makes a key an error although the format has it: nothing would use its value.
func (f Fields) Refuse(key, why string) {
	if v := f.Get(key); v.Has() {
		v.Fail("%s is not used: %s", v.what, why)
	}
}

// Schema checks a key "schema" against the one that the reader knows. It may be
// absent, unless the kind of file hangs on it (need).
func (f Fields) Schema(want string, need bool) {
	v := f.Get("schema")
	if !v.Has() && !need {
		return
	}
	if s := f.Need("schema").Text(); s != want && f.of.r.err == nil {
		v.fail(want)
	}
}

// Entries reads a mapping with any keys, in the order of the file. A key that
// stands twice is an error.
func (v Value) Entries() []Entry {
	if !v.ok() {
		return nil
	}
	if v.node.Kind != yaml.MappingNode {
		v.fail("a mapping (key: value)")
		return nil
	}
	seen := map[string]int{}
	var entries []Entry
	for i := 0; i+1 < len(v.node.Content); i += 2 {
		k := v.node.Content[i]
		at := v.at(k.Line)
		if k.Kind != yaml.ScalarNode || k.Tag == "!!merge" || k.Value == "" || !visible.IsLine(k.Value) {
			at.Fail("a key%s is no plain word", v.in())
			return nil
		}
		if line, dup := seen[k.Value]; dup {
			at.Fail("key %s%s is there twice: first on line %d", quote(k.Value), v.in(), line)
			return nil
		}
		seen[k.Value] = k.Line
		entries = append(entries, Entry{k.Value, v.r.value(v.node.Content[i+1], join(v.what, k.Value)), at.Pos()})
	}
	return entries
}

// at is the value seen from another line.
func (v Value) at(line int) Value {
	v.line = line
	return v
}

// in names the mapping for a message: nothing for the whole document.
func (v Value) in() string {
	if v.what == "" {
		return ""
	}
	return " in " + v.what
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i+1) }
