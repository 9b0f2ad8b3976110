package procmodels

// This file finds a model by its reference: a built-in name or a file.

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"pathspan/bounded"
	"pathspan/yamlstrict"
)

//go:embed arm922t/arm922t.yaml c6000/c6000.yaml cortex-a7/cortex-a7.yaml
//go:embed cortex-m4/cortex-m4.yaml generic/generic.yaml leon3/leon3.yaml
var builtin embed.FS

var names = []string{"arm922t", "c6000", "cortex-a7", "cortex-m4", "generic", "leon3"}

// Names lists the built-in models.
func Names() []string { return append([]string(nil), names...) }

// Open returns the model that ref stands for: a built-in name, or the path of a
// weight table or line table in YAML, relative to dir. The key schema of the file
// says which of the two it is. Errors are one line each and name the file.
//
// "weights:REF" is the same. References that begin with a registered scheme, as in
// "shim:FILE", go to its package; see RegisterScheme. Files of a registered schema
// are read by its package; see RegisterSchema.
func Open(ref, dir string) (Model, error) {
	if open, rest, ok := schemeOf(ref); ok {
		return open(rest, dir)
	}
	ref = strings.TrimPrefix(ref, "weights:")
	if slices.Contains(names, ref) {
		return openBuiltin(ref)
	}
	path := ref
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if !looksLikeFile(ref) {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("no model is named %q: want %s, or the path of a YAML table", ref, suggestName(ref))
		}
	}
	data, err := bounded.ReadFile(path, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("processor model: %w", err)
	}
	return parseModel(path, data)
}

// opened holds the built-in models that were asked for: nobody changes a model, and reading one takes milliseconds.
var opened sync.Map // by name

func openBuiltin(name string) (Model, error) {
	if m, ok := opened.Load(name); ok {
		return m.(Model), nil
	}
	path := name + "/" + name + ".yaml"
	data, err := builtin.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("built-in model %s: %w", name, err)
	}
	m, err := parseModel(path, data)
	if err == nil {
		opened.Store(name, m)
	}
	return m, err
}

func looksLikeFile(ref string) bool {
	return strings.ContainsAny(ref, `/\`) || strings.HasSuffix(ref, ".yaml") || strings.HasSuffix(ref, ".yml")
}

func suggestName(ref string) string {
	known, all := map[string]string{}, Names()
	for _, name := range names {
		known[name] = name
	}
	for _, s := range schemes.names() {
		kind, _ := schemes.of(s)
		for _, name := range kind.shipped {
			if known[name] == "" { // cortex-a7 alone is the weight table
				known[name], all = s+":"+name, append(all, name)
			}
		}
	}
	if n := yamlstrict.Nearest(ref, all); n != "" {
		return `"` + known[n] + `"`
	}
	return yamlstrict.List(names)
}

func parseModel(file string, data []byte) (Model, error) {
	r := yamlstrict.Parse(file, data)
	var m Model
	if read, ok := readers.of(schemaOf(r)); ok {
		m = read(r)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// schemaOf reads the key schema ahead of the rest, which depends on it.
func schemaOf(r *yamlstrict.Reader) string {
	schemas := readers.names()
	for _, e := range r.Root().Entries() {
		if e.Key == "schema" {
			return e.Value.Word(schemas...)
		}
	}
	r.Root().Fail("key \"schema\" is missing: want %s", yamlstrict.List(schemas))
	return ""
}
