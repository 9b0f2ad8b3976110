package procmodels

// This file lets a weight table extend another.
//
// The key extends names a built-in table or a YAML file relative to the table that
// extends it. The table starts out as a copy of that parent and every key of its own
// overrides the parent's: a number, a range, a formula and a mapping with a default replace all
// that the parent says of an opcode, intrinsic or function; a mapping without a default
// only the types it lists. A key with a * overrides the same key, not the longer names
// it covers. The name is always the table's own; the clock and the notes are the
// parent's where it gives none, and the source names both.

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/yamlstrict"
)

// maxChain bounds how many tables may extend one another. Links in the file system
// can give one file endlessly many names, which no comparison of names finds.
const maxChain = 16

// builtinMark begins the entries of a chain that are built-in tables, as a file may
// have the path that a built-in table has.
const builtinMark = "built-in "

// readParent reads the table that v, the value of extends, names. After an error,
// which v's reader keeps, it returns an empty table.
func readParent(v yamlstrict.Value, chain []string) *weightTable {
	ref := v.Text()
	if ref == "" {
		return &weightTable{}
	}
	file, entry := ref+"/"+ref+".yaml", builtinMark+ref
	read := builtin.ReadFile
	if !slices.Contains(names, ref) {
		if !isYAML(ref) {
			v.Fail("extends %q: want %s, or the path of a .yaml file", ref, suggestName(ref))
			return &weightTable{}
		}
		file = ref
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(v.Pos().File), file)
		}
		entry, read = filepath.Clean(file), func(file string) ([]byte, error) { return bounded.ReadFile(file, bounded.Text) }
	}
	if slices.ContainsFunc(chain, func(f string) bool { return filepath.Clean(f) == entry }) {
		v.Fail("extends %s: a cycle: %s", ref, strings.Join(append(chain, entry), " extends "))
		return &weightTable{}
	}
	if len(chain) >= maxChain {
		v.Fail("extends %s: want at most %d tables that extend one another", ref, maxChain)
		return &weightTable{}
	}
	data, err := read(file)
	if err != nil {
		v.Fail("extends %s: %s: %v", ref, file, bounded.Reason(err))
		return &weightTable{}
	}
	r := yamlstrict.Parse(file, data)
	if r.Err() == nil && schemaOf(r) == linesSchema {
		v.Fail("extends %s: that is a line table: want a weight table", ref)
		return &weightTable{}
	}
	t := readWeightsBelow(r, append(slices.Clip(chain), entry))
	if err := r.Err(); err != nil {
		v.Fail("extends %s: %v", ref, err)
	}
	return t
}

func isYAML(path string) bool {
	return strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml")
}

// inheritDescription completes a table's description by its parent's.
func inheritDescription(own, parent Description) Description {
	rest := "what it does not list: table " + parent.Name
	if parent.Source != "" {
		rest += " (" + parent.Source + ")"
	}
	if own.Source == "" {
		own.Source = rest
	} else {
		own.Source = strings.TrimSuffix(own.Source, ".") + "; " + rest
	}
	if own.Notes == "" {
		own.Notes = parent.Notes
	}
	if own.ClockMHz == 0 {
		own.ClockMHz = parent.ClockMHz
	}
	return own
}

// with returns the weight overridden by another: wholly by one that says something of
// all types, else type by type.
func (w weight) with(over weight) weight {
	if over.has || over.size != nil || w.size != nil {
		return over
	}
	if over.byType == nil {
		return w
	}
	byType := maps.Clone(w.byType)
	if byType == nil {
		byType = map[string]figure{}
	}
	maps.Copy(byType, over.byType)
	w.byType = byType
	return w
}
