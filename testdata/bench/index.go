package bench

// This file reads the index, bench.yaml, strictly.

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"

	"pathspan/yamlstrict"
)

// IndexName is the name of the index in its folder.
const IndexName = "bench.yaml"

const schema = "pathspan.bench/1"

var nameForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// Read returns the programs of a folder with an index, in its order. Sources and
// expected outputs that the index names must be there. Errors are of one line and
// name file and line.
func Read(files fs.FS) ([]*Program, error) {
	data, err := fs.ReadFile(files, IndexName)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w", IndexName, err)
	}
	r := yamlstrict.Parse(IndexName, data)
	top := r.Root().Fields("schema", "programs")
	top.Schema(schema, true)
	seen := map[string]bool{}
	var list []*Program
	for _, v := range top.Need("programs").List() {
		p := program(v, files)
		if seen[p.Name] && r.Err() == nil {
			v.Fail("program %s is there twice", p.Name)
		}
		seen[p.Name] = true
		list = append(list, p)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no programs", IndexName)
	}
	return list, nil
}

func program(v yamlstrict.Value, files fs.FS) *Program {
	f := v.Fields("name", "title", "group", "half", "files", "cflags", "libs", "arguments", "expected", "regions", "correlated", "lost", "table4", "notes")
	p := &Program{
		Name:       f.Need("name").Text(),
		Title:      f.Need("title").Text(),
		Group:      Group(f.Need("group").Word(string(Paper), string(Own))),
		Files:      texts(f.Need("files")),
		CFlags:     texts(f.Get("cflags")),
		Libs:       texts(f.Get("libs")),
		Correlated: f.Need("correlated").Word("true", "false") == "true",
		Notes:      f.Get("notes").Paragraph(),
		args:       map[Size][]string{},
		expected:   map[Size]string{},
		files:      files,
	}
	if half := f.Get("half"); half.Has() {
		p.Half = Half(half.Word(string(Making), string(Judging)))
	}
	if !nameForm.MatchString(p.Name) {
		f.Get("name").Fail("name %q: want letters, digits and underscores, a letter first", p.Name)
	}
	if len(p.Files) == 0 {
		f.Get("files").Fail("files: want at least one source")
	}
	table := f.Get("table4")
	switch {
	case p.Group == Paper:
		p.Table4 = table4(f.Need("table4"))
	case table.Has():
		table.Fail("table4: a program of group %s has no row there", p.Group)
	}
	for i, item := range f.Get("files").List() {
		needFile(item, files, p.Files[i])
	}
	arguments := f.Need("arguments").Fields(string(Tiny), string(Small), string(Large))
	expected := f.Get("expected").Fields(string(Tiny), string(Small), string(Large))
	for _, size := range Sizes() {
		value := arguments.Get(string(size))
		if size == Tiny && !value.Has() {
			continue
		}
		value = arguments.Need(string(size))
		p.args[size] = texts(value)
		p.expected[size] = path.Join(string(p.Group), fmt.Sprintf("%s.%s.expected", p.Name, size))
		if named := expected.Get(string(size)); named.Has() {
			p.expected[size], value = named.Text(), named
		}
		needFile(value, files, p.expected[size])
	}
	for _, item := range f.Need("regions").List() {
		p.Regions = append(p.Regions, item.Int(1, math.MaxInt))
	}
	for _, item := range f.Get("lost").List() {
		p.Lost = append(p.Lost, item.Word(Loops, Callees))
	}
	return p
}

func table4(v yamlstrict.Value) *Table4 {
	f := v.Fields("name", "lines", "functions", "loops", "depth", "if", "regions", "tasks")
	number := func(key string) int { return f.Need(key).Int(1, math.MaxInt) }
	return &Table4{
		Name: f.Need("name").Text(), Lines: number("lines"), Functions: number("functions"), Loops: number("loops"),
		Depth: number("depth"), If: number("if"), Regions: number("regions"), Tasks: number("tasks"),
	}
}

func texts(v yamlstrict.Value) []string {
	var out []string
	for _, item := range v.List() {
		out = append(out, item.Text())
	}
	return out
}

// needFile makes a file that is not there an error at the value that names it.
func needFile(v yamlstrict.Value, files fs.FS, name string) {
	switch info, err := fs.Stat(files, path.Clean(name)); {
	case err != nil:
		v.Fail("%s: no such file beside %s", name, IndexName)
	case info.IsDir():
		v.Fail("%s is a folder, want a file", name)
	}
}
