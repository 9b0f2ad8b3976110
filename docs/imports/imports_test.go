package imports_test

// This file holds the imports of every package to the layers, and writes them down in
// docs/rooms.md.

import (
	"bytes"
	"flag"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/rooms.md anew")

const (
	module = "pathspan"
	root   = "../.."
)

// room is a package: its folder, the first sentence of its comment, and the folders of
// this module that its code imports, without tests.
type room struct {
	path, about string
	imports     []string
}

// rooms reads all packages of the module that are more than tests, by folder.
func rooms(t *testing.T) []room {
	context := build.Default
	context.GOOS, context.GOARCH = "linux", "amd64"
	var out []room
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		at, err := filepath.Rel(root, dir)
		if err != nil {
			return err
		}
		at = filepath.ToSlash(at)
		_, inner := os.Stat(filepath.Join(dir, "go.mod"))
		switch {
		case at == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), strings.HasPrefix(d.Name(), "_"), at == "out", at == "bin", inner == nil,
			d.Name() == "testdata" && at != "testdata":
			return fs.SkipDir
		}
		p, err := context.ImportDir(dir, 0)
		if p == nil || len(p.GoFiles) == 0 {
			return nil // a folder without Go, or of tests alone
		}
		if err != nil {
			return err
		}
		r := room{path: at, about: p.Doc}
		for _, path := range p.Imports {
			if path, ours := strings.CutPrefix(path, module+"/"); ours {
				r.imports = append(r.imports, path)
			}
		}
		out = append(out, r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// wrong tells what rooms break of the rules, a line each.
func wrong(rooms []room, layers []layer, keepers map[string][]string) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	layerOf, place, at := map[string]*layer{}, map[string]int{}, map[string]int{}
	for i := range layers {
		l := &layers[i]
		at[l.name] = i
		for _, s := range l.sees {
			if n, known := at[s]; !known || n >= i {
				say("layer %s sees layer %s, which does not stand before it", l.name, s)
			}
		}
		for _, p := range l.packages {
			if layerOf[p] != nil {
				say("package %s is in layers %s and %s", p, layerOf[p].name, l.name)
			}
			layerOf[p], place[p] = l, len(place)
		}
	}
	exists := map[string]bool{}
	for _, r := range rooms {
		exists[r.path] = true
		l := layerOf[r.path]
		if l == nil {
			say("package %s is in no layer: add it to docs/imports/layers_test.go", r.path)
			continue
		}
		if r.about == "" {
			say("package %s has no comment that says what it is for", r.path)
		}
		for _, p := range r.imports {
			to := layerOf[p]
			keeper, kept := keepers[p]
			switch {
			case to == nil: // told above, where it is a package
			case to == l && place[p] >= place[r.path]:
				say("%s imports %s, which stands behind it in layer %s", r.path, p, l.name)
			case to != l && !slices.Contains(l.sees, to.name):
				say("%s imports %s: layer %s does not see layer %s", r.path, p, l.name, to.name)
			case kept && !slices.Contains(keeper, r.path):
				say("%s imports %s, which is for %s alone", r.path, p, strings.Join(keeper, ", "))
			}
		}
	}
	for p := range place {
		if !exists[p] {
			say("package %s of layer %s does not exist", p, layerOf[p].name)
		}
	}
	slices.Sort(out)
	return out
}

func TestImportsPointDownward(t *testing.T) {
	for _, line := range wrong(rooms(t), layers, keepers) {
		t.Error(line)
	}
}

// TestWrongImportsAreNamed breaks each rule once.
func TestWrongImportsAreNamed(t *testing.T) {
	layers := []layer{
		{"low", "", []string{"text"}, nil},
		{"left", "", []string{"parse", "build"}, []string{"low"}},
		{"right", "", []string{"table", "estimate"}, []string{"low"}},
	}
	keepers := map[string][]string{"text": {"parse"}}
	for _, c := range []struct {
		rooms []room
		want  string
	}{
		{[]room{{"text", "x", nil}, {"parse", "x", []string{"text"}}, {"build", "x", []string{"parse"}}, {"table", "x", nil}, {"estimate", "x", []string{"table"}}}, ""},
		{[]room{{"text", "x", []string{"parse"}}}, "text imports parse: layer low does not see layer left"},
		{[]room{{"build", "x", []string{"table"}}}, "build imports table: layer left does not see layer right"},
		{[]room{{"table", "x", []string{"estimate"}}}, "table imports estimate, which stands behind it in layer right"},
		{[]room{{"build", "x", []string{"text"}}}, "build imports text, which is for parse alone"},
		{[]room{{"new", "x", nil}}, "package new is in no layer: add it to docs/imports/layers_test.go"},
		{[]room{{"text", "", nil}}, "package text has no comment that says what it is for"},
		{nil, "package table of layer right does not exist"},
	} {
		got := wrong(c.rooms, layers, keepers)
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
			t.Errorf("%v: got %q, want %q", c.rooms, got, c.want)
		}
	}
}

const intro = `# Rooms

Every package of pathspan with the first sentence of its comment and what it imports of this module, layer by layer from
the bottom up; and by layer, what its packages may import from, beside those that stand before them in it. Written by
` + "`go test ./docs/imports -update`" + ` from the packages and from
[the rules](imports/layers_test.go), which the same test holds them to. [ARCHITECTURE.md](../ARCHITECTURE.md) is the tour.
`

// TestTable holds docs/rooms.md to what packages import and say of themselves.
func TestTable(t *testing.T) {
	by := map[string]room{}
	for _, r := range rooms(t) {
		by[r.path] = r
	}
	cell := strings.NewReplacer("|", `\|`, "<", "&lt;")
	var b bytes.Buffer
	b.WriteString(intro)
	for _, l := range layers {
		sees := "nothing else"
		if len(l.sees) > 0 {
			sees = strings.Join(l.sees, ", ")
		}
		fmt.Fprintf(&b, "\n## %s: %s\n\nSees %s.\n\n| package | what it is for | imports |\n|---|---|---|\n", l.name, l.about, sees)
		for _, p := range l.packages {
			imports := strings.Join(by[p].imports, ", ")
			if imports == "" {
				imports = "-"
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p, cell.Replace(strings.TrimPrefix(by[p].about, "Package "+filepath.Base(p)+" ")), imports)
		}
	}
	const file = root + "/docs/rooms.md"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, b.Bytes()) {
		t.Errorf("docs/rooms.md is not what packages import and say: go test ./docs/imports -update writes it anew")
	}
}
