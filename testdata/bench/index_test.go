package bench

// This file holds the index to its folder and the reader to its strictness.

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestIndexNamesFourteenAndEight(t *testing.T) {
	list, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	groups := map[Group]int{}
	rows := map[string]bool{}
	for _, p := range list {
		groups[p.Group]++
		if p.Group == Own {
			if !p.Correlated || len(p.Lost) == 0 {
				t.Errorf("%s: a program of our own has correlated sections, and the index says what loses that", p.Name)
			}
			continue
		}
		rows[p.Table4.Name] = true
		sections := 0
		for _, n := range p.Regions {
			sections += n
		}
		if len(p.Regions) != p.Table4.Regions || sections != p.Table4.Tasks {
			t.Errorf("%s: %d regions and %d sections, the paper's has %d and %d", p.Name, len(p.Regions), sections, p.Table4.Regions, p.Table4.Tasks)
		}
	}
	if groups[Paper] != 14 || len(rows) != 14 || groups[Own] != 8 {
		t.Errorf("groups %v, rows %v: want the 14 rows of Table 4 and 8 of our own", groups, rows)
	}
}

func TestEveryFileIsInTheIndex(t *testing.T) {
	list, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{IndexName: true}
	for _, p := range list {
		for _, name := range p.Files {
			used[name] = true
		}
		for _, size := range Sizes() {
			used[p.expected[size]] = true
		}
		if p.Half == "" {
			t.Errorf("%s: the index says neither that models are made with it nor that it judges them", p.Name)
		}
	}
	err = fs.WalkDir(embedded, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !used[name] {
			t.Errorf("%s belongs to no program", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every header says what the program does, how it is called and what matters about
// its correlation.
func TestSourcesSayWhatTheyAreFor(t *testing.T) {
	list, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		data, err := fs.ReadFile(embedded, p.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		header, _, _ := strings.Cut(string(data), "*/")
		want := []string{"/*\n * This file ", "small|large", "Structure", "Correlation"}
		if p.Group == Own {
			want = []string{"/*\n * This file ", "small|large", "What is hard", "What averages miss"}
		}
		for _, words := range want {
			if !strings.Contains(header, words) {
				t.Errorf("%s: the header lacks %q", p.Files[0], words)
			}
		}
	}
}

func TestUnpackWritesTheSources(t *testing.T) {
	list, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	paths, err := list[0].Unpack(dir)
	if err != nil || len(paths) != 1 || path.Base(paths[0]) != path.Base(list[0].Files[0]) {
		t.Errorf("%v, %v", paths, err)
	}
	if _, err := list[0].Unpack(path.Join(dir, "absent")); err == nil {
		t.Error("a folder that is not there takes sources")
	}
}

const goodIndex = `schema: pathspan.bench/1
programs:
  - name: one
    title: A program
    group: own
    files: [own/one.c]
    arguments: {small: [small], large: [large]}
    regions: [2]
    correlated: true
`

func TestReadRefuses(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(goodIndex, old, new, 1) }
	for _, c := range []struct{ text, want string }{
		{goodIndex, ""},
		{with("/1", "/2"), "bench.yaml:1: "},
		{with("name: one", "name: one two"), `bench.yaml:3: name "one two"`},
		{with("title:", "tile:"), `unknown key "tile"`},
		{with("group: own", "group: mine"), "bench.yaml:5: "},
		{with("group: own", "group: paper"), `bench.yaml:3: key "table4" is missing`},
		{with("own/one.c", "own/two.c"), "bench.yaml:6: own/two.c: no such file"},
		{with("own/one.c", "own"), "bench.yaml:6: own is a folder"},
		{with("own/one.c", "../one.c"), "no such file"},
		{with("[own/one.c]", "[]"), "at least one source"},
		{with(", large: [large]", ""), `key "large" is missing`},
		{with("name: one", "name: two"), "own/two.small.expected: no such file"},
		{with("[2]", "[0]"), "bench.yaml:8: "},
		{with("true", "perhaps"), "bench.yaml:9: "},
		{with("{small", "{tiny: [tiny], small"), "own/one.tiny.expected: no such file"},
		{with("{small", "{tiny: [tiny], small") + "    expected: {tiny: own/one.large.expected}\n", ""},
		{goodIndex + "    expected: {small: own/none}\n", "bench.yaml:10: own/none: no such file"},
		{goodIndex + "    half: both\n", "bench.yaml:10: "},
		{goodIndex + "    half: judging\n", ""},
		{goodIndex + "    lost: [paths]\n", "bench.yaml:10: "},
		{goodIndex + "    table4: {name: x}\n", "bench.yaml:10: "},
		{goodIndex + goodIndex[strings.Index(goodIndex, "  - name"):], "program one is there twice"},
		{"schema: pathspan.bench/1\nprograms: []\n", "no programs"},
	} {
		files := fstest.MapFS{"bench.yaml": {Data: []byte(c.text)}}
		for _, name := range []string{"own/one.c", "own/one.small.expected", "own/one.large.expected"} {
			files[name] = &fstest.MapFile{}
		}
		list, err := Read(files)
		switch {
		case c.want == "" && (err != nil || len(list) != 1 || !slices.Equal(list[0].Regions, []int{2})):
			t.Errorf("the good index: %v, %v", list, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("error %v, want one line with %q", err, c.want)
		}
	}
	if _, err := Read(fstest.MapFS{}); err == nil || !strings.HasPrefix(err.Error(), "bench.yaml: ") {
		t.Errorf("without an index: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(goodIndex))
	index, err := embedded.ReadFile(IndexName)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(index)
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Read(fstest.MapFS{"bench.yaml": {Data: data}, "own/one.c": {}})
		if (err == nil) != (len(list) > 0) || (err != nil && strings.Contains(err.Error(), "\n")) {
			t.Errorf("%d programs, error %v", len(list), err)
		}
	})
}
