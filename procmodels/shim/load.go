package shim

// This file loads a system: the lenient reader, its warnings, the frame of a file.

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
)

// Warning is something in a file that Load could not use, or used in a way that it
// had to choose.
type Warning struct {
	File string
	Line int
	What string
}

func (w Warning) String() string { return fmt.Sprintf("%s:%d: %s", w.File, w.Line, w.What) }

// maxClusters bounds how deep clusters nest.
const maxClusters = 32

// Load reads a SHIM file of version 1.0 or 2.0. What it cannot use it leaves out and
// warns of, by file and line; elements that it does not know it skips in silence,
// since Lint names them. References come out as ids, whatever their spelling, and
// elements without an id get one ("C_1"), so that the System can be written.
//
// An error means that the file is no XML, or holds no SystemConfiguration, or is
// beyond any real one in size; it is one line with file and line.
func Load(path string) (*System, []Warning, error) {
	root, err := readTree(path)
	if err != nil {
		return nil, nil, err
	}
	sys, l, err := load(root, filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	slices.SortStableFunc(l.warnings, func(a, b Warning) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return sys, l.warnings, nil
}

type loader struct {
	dir      string // of files of functional units; "" when none can be read
	index    *index
	warnings []Warning
}

func (l *loader) warn(n *node, format string, args ...any) {
	l.warnings = append(l.warnings, Warning{n.file, n.line, fmt.Sprintf(format, args...)})
}

func load(root *node, dir string) (*System, *loader, error) {
	config, name := systemOf(root)
	if config == nil {
		return nil, nil, &inputError{root.file, root.line, fmt.Sprintf(
			"root element %s holds no SystemConfiguration; give a SHIM file that describes a system", clip(root.name))}
	}
	l := &loader{dir: dir}
	l.index = newIndex(root, func(n, first *node) {
		l.warn(n, "%s: id %q is that of line %d; the first has it", n.label(), clip(n.attr("id")), first.line)
	})
	sys := &System{Name: name}
	top := config.first("ComponentSet")
	if top == nil {
		return nil, nil, &inputError{config.file, config.line, "SystemConfiguration holds no ComponentSet; add the components"}
	}
	if tooDeep(top, 1) {
		return nil, nil, &inputError{top.file, top.line, fmt.Sprintf("clusters nest deeper than %d; no SHIM file does", maxClusters)}
	}
	sys.Root = l.componentSet(top)
	l.clocks(config, top, sys)
	if set := config.first("CommunicationSet"); set != nil {
		sys.Communications = l.communications(set)
	}
	if set := config.first("AddressSpaceSet"); set != nil {
		sys.AddressSpaces = l.addressSpaces(set)
	}
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
	if depth > maxClusters {
		return true
	}
	for _, c := range set.all("ComponentSet") {
		if tooDeep(c, depth+1) {
			return true
		}
	}
	return false
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

// cacheRefs reads references to caches, which SHIM 1.0 spells with a small letter.
func (l *loader) cacheRefs(n *node) []string {
	var ids []string
	for _, c := range n.children {
		if c.name != "CacheRef" && c.name != "cacheRef" {
			continue
		}
		if id, ok := l.ref(c, c.text, "Cache"); ok {
			ids = append(ids, id)
		}
	}
	return ids
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
