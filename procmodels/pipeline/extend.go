package pipeline

// This file has a pipeline begin as another.

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/yamlstrict"
)

// mostBases bounds how many files extend one another, which may go round.
const mostBases = 16

// base is the pipeline that a file extends: one that comes with pathspan, or a file relative to it.
func base(v yamlstrict.Value, depth int) *Model {
	ref := v.Text()
	if ref == "" {
		return nil
	}
	if name := strings.TrimPrefix(ref, Kind+":"); slices.Contains(Names(), name) {
		m, err := open(name)
		if err != nil {
			v.Fail("extends: %v", err)
			return nil
		}
		return m
	}
	if ext := filepath.Ext(ref); ext != ".yaml" && ext != ".yml" {
		v.Fail("extends %q: want %s, or the path of a YAML file", ref, yamlstrict.List(Names()))
		return nil
	}
	if depth >= mostBases {
		v.Fail("extends %s: want at most %d pipelines that extend one another", ref, mostBases)
		return nil
	}
	file := ref
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(v.Pos().File), file)
	}
	data, err := bounded.ReadFile(file, bounded.Text)
	if err != nil {
		v.Fail("extends: %v", err)
		return nil
	}
	r := yamlstrict.Parse(file, data)
	m := readAt(r, depth+1)
	if err := r.Err(); err != nil {
		v.Fail("extends %s: %v", ref, err)
		return nil
	}
	return m
}

// whole are the keys that make a processor; a file that extends one has it as it is.
var whole = []string{"issue", "units", "classes", "opcodes", "fold", "moves", "saves", "restores", "vector", "schedule"}

// extend takes over what a pipeline says, but its calls, which a file may say more of.
func (m *Model) extend(b *Model, top yamlstrict.Fields) {
	for _, key := range whole {
		top.Refuse(key, "the pipeline that it extends says so; a file that extends one gives calls, branch, library and clock_mhz")
	}
	d := m.desc
	*m = *b
	m.calls = maps.Clone(b.calls)
	m.desc.Name = d.Name
	if d.Notes != "" {
		m.desc.Notes = d.Notes
	}
	if d.Source = strings.TrimSuffix(d.Source, "."); d.Source != "" {
		d.Source += "; the rest: "
	}
	m.desc.Source = d.Source + b.desc.Name + " (" + b.desc.Source + ")"
}
