package shim

// This file loads a system: the lenient reader, its warnings, the frame of a file.

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxClusters bounds how deep clusters nest.
const maxClusters = 32

// Load reads a SHIM file of version 1.0 or 2.0. What it cannot use it leaves out and
// warns of, by file and line; elements that it does not know it skips in silence,
// since Lint names them. References come out as ids, whatever their spelling, and
// elements without an id get one ("C_1"), so that the System can be written.
//
// An error means that the file is no XML, or holds no SystemConfiguration, or is
// beyond any real one in size; it is one line with file and line.
func Load(path string) (*System, []Finding, error) {
	root, err := readTree(path)
	if err != nil {
		return nil, nil, err
	}
	sys, l, err := load(root, filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(l.warnings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return sys, l.warnings, nil
}

type loader struct {
	dir      string // of files of functional units; "" when none can be read
	index    *index
	warnings []Finding
	top      *node           // the outermost cluster
	hz       map[*node]int64 // clocks that were looked for
	pointed  bool            // some element refers to an operating point
}

func (l *loader) warn(n *node, format string, args ...any) {
	l.warnings = append(l.warnings, Finding{File: n.file, Line: n.line, What: fmt.Sprintf(format, args...)})
}

func load(root *node, dir string) (*System, *loader, error) {
	config, name := systemOf(root)
	if config == nil {
		return nil, nil, &inputError{root.file, root.line, fmt.Sprintf(
			"root element %s holds no SystemConfiguration; give a SHIM file that describes a system", clip(root.name))}
	}
	l := &loader{dir: dir, top: config.first("ComponentSet"), hz: map[*node]int64{}}
	l.index = newIndex(root, func(n, first *node) {
		l.warn(n, "%s: id %q is that of line %d; the first has it", n.label(), clip(n.attr("id")), first.line)
	})
	if l.top == nil {
		return nil, nil, &inputError{config.file, config.line, "SystemConfiguration holds no ComponentSet; add the components"}
	}
	if tooDeep(l.top, 1) {
		return nil, nil, &inputError{l.top.file, l.top.line, fmt.Sprintf("clusters nest deeper than %d; no SHIM file does", maxClusters)}
	}
	sys := &System{Name: name}
	l.fill(config, schema20()["SystemConfiguration"], reflect.ValueOf(sys).Elem())
	sys.ClockHz = l.systemClock(config)
	slices.SortStableFunc(sys.Communications, func(a, b Communication) int {
		return slices.Index(Kinds(), a.Kind) - slices.Index(Kinds(), b.Kind)
	})
	return sys, l, nil
}

// systemOf finds the SystemConfiguration: the root in SHIM 1.0, beneath it in 2.0.
func systemOf(root *node) (config *node, name string) {
	if root.name == "SystemConfiguration" {
		return root, root.attr("name")
	}
	return root.first("SystemConfiguration"), root.attr("name")
}

func tooDeep(set *node, depth int) bool {
	return depth > maxClusters || slices.ContainsFunc(set.all("ComponentSet"), func(c *node) bool { return tooDeep(c, depth+1) })
}

// fill sets the fields of a struct from an element. It is false where the element is of no
// use without what it lacks.
func (l *loader) fill(n *node, e *elementType, v reflect.Value) bool {
	for _, f := range layoutOf(v.Type()) {
		x := v.Field(f.at)
		if f.path != nil {
			l.children(n, &f, x)
			continue
		}
		if f.name == "clock" {
			x.SetInt(l.clock(n))
			continue
		}
		a := e.attr(f.name)
		if a == nil {
			continue // what communications of another kind have
		}
		switch x.Kind() {
		case reflect.String:
			text, ok := l.text(n, a, &f)
			if !ok {
				return false
			}
			x.SetString(text)
		case reflect.Bool:
			x.SetBool(n.attr(f.name) == "true" || n.attr(f.name) == "1")
		case reflect.Int:
			otherwise, _ := strconv.Atoi(f.otherwise)
			x.SetInt(l.whole(n, f.name, int64(otherwise), 0, math.MaxInt32))
		case reflect.Int64:
			if f.unit != "" {
				x.SetInt(l.bytes(n, f.name, f.unit))
			} else {
				x.SetInt(l.whole(n, f.name, 0, math.MinInt64, math.MaxInt64))
			}
		}
	}
	switch x := v.Addr().Interface().(type) {
	case *ComponentSet:
		var own []Cache // SHIM 1.0: a master's caches lie in it
		for _, m := range n.all("MasterComponent") {
			l.children(m, &field{path: []string{"Cache"}}, reflect.ValueOf(&own).Elem())
		}
		x.Caches = append(own, x.Caches...)
	case *Master:
		for _, c := range n.all("Cache") {
			x.Caches = append(x.Caches, l.index.id[c])
		}
		if set := n.first("CommonInstructionSet"); set != nil {
			x.InstructionSet = cmp.Or(set.attr("name"), "CommonInstructionSet")
			x.Units = l.units(set)
		}
	case *FunctionalUnit:
		for _, c := range n.all("CustomInstruction") {
			l.warn(c, "%s is not read: no LLVM opcode stands for it", c.label())
		}
	case *Communication:
		x.Kind = strings.TrimSuffix(n.name, "Communication")
	case *Instruction:
		x.Operation = cmp.Or(x.Operation, x.Name)
		p := n.first("Performance")
		if p == nil {
			l.warn(n, "%s has no Performance; left out", n.label())
			return false
		}
		return l.performance(p, &x.Pitch, &x.Latency)
	case *Access:
		return l.performance(n, &x.Pitch, &x.Latency)
	}
	return true
}

// children fills a field from the elements at the end of its path.
func (l *loader) children(n *node, f *field, x reflect.Value) {
	for _, wrapper := range f.path[:len(f.path)-1] {
		if n = n.first(wrapper); n == nil {
			return
		}
	}
	for _, c := range n.children {
		if !f.isChild(c.name) {
			continue
		}
		if x.Kind() == reflect.Struct {
			l.fill(c, schema20()[c.name], x)
			return
		}
		one := reflect.New(x.Type().Elem()).Elem()
		ok := false
		if one.Kind() == reflect.String {
			var id string
			id, ok = l.ref(c, c.text, schema20()[f.child()].textRef)
			one.SetString(id)
		} else {
			ok = l.fill(c, schema20()[c.name], one)
		}
		if ok {
			x.Set(reflect.Append(x, one))
		}
	}
}

// text reads an attribute by its type: an id, one of several words, a reference, or text.
func (l *loader) text(n *node, a *attrType, f *field) (text string, ok bool) {
	v := n.attr(a.name)
	switch a.typ {
	case "id":
		return l.index.id[n], true
	case "words":
		return l.word(n, a, f.otherwise), true
	case "ref":
		if v == "" && !a.required {
			return "", true
		}
		id, ok := l.ref(n, v, a.ref)
		return id, ok || !a.required && !f.strict
	}
	return v, true
}

// ref resolves a reference to an element of a name and returns its id. Where there
// is none, it warns.
func (l *loader) ref(n *node, ref, to string) (string, bool) {
	target := l.index.find(ref)
	if target == nil || target.name != to {
		l.warn(n, "%s: no %s is %q; left out", n.label(), to, clip(ref))
		return "", false
	}
	return l.index.id[target], true
}

// units reads the instructions: directly beneath the set in SHIM 1.0, by functional
// unit in 2.0, perhaps in a file of their own.
func (l *loader) units(set *node) []FunctionalUnit {
	var units []FunctionalUnit
	all := FunctionalUnit{}
	l.fill(set, schema20()["FunctionalUnit"], reflect.ValueOf(&all).Elem())
	if all.Instructions != nil {
		units = append(units, FunctionalUnit{"all", all.Instructions})
	}
	sets := set.all("FunctionalUnitSet")
	for _, c := range set.all("FunctionalUnitSetFile") {
		if other := l.unitFile(c); other != nil {
			sets = append(sets, other)
		}
	}
	first := len(units)
	for _, s := range sets {
		l.children(s, &field{path: []string{"FunctionalUnit"}}, reflect.ValueOf(&units).Elem())
	}
	for i := first; i < len(units); i++ {
		units[i].Name = cmp.Or(units[i].Name, fmt.Sprintf("unit%d", i))
	}
	return units
}

// unitFile reads a FunctionalUnitSetFile: a SHIM file with nothing but functional
// units, beside the file that names it.
func (l *loader) unitFile(n *node) *node {
	src := n.attr("src")
	if l.dir == "" || !filepath.IsLocal(filepath.FromSlash(src)) {
		l.warn(n, "functional units in %q are not read: want a path below this file's folder", clip(src))
		return nil
	}
	root, err := readTree(filepath.Join(l.dir, filepath.FromSlash(src)))
	if err != nil {
		l.warn(n, "functional units in %q are not read: %s", clip(src), err)
		return nil
	}
	if root.name == "FunctionalUnitSet" {
		return root
	}
	set := root.first("FunctionalUnitSet")
	if set == nil {
		l.warn(n, "functional units in %q are not read: it holds no FunctionalUnitSet", clip(src))
	}
	return set
}
