package scaffold

// This file tests what is written and what is refused.

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/procmodels"
)

func write(t *testing.T, o Options) (dir string, s *Skeleton) {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), o.Name)
	if err := s.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir, s
}

func TestTable(t *testing.T) {
	dir, s := write(t, Options{Name: "my-core_2", Language: Table})
	m, err := procmodels.Open(filepath.Join(dir, s.Model), "")
	if err != nil {
		t.Fatal(err)
	}
	if d := m.Describe(); d.Name != "my-core_2" || d.ClockMHz != 100 {
		t.Errorf("describes itself as %+v", d)
	}
}

// Names that YAML reads as something else, or that Go and Python have a meaning for.
func TestAwkwardNames(t *testing.T) {
	for _, name := range []string{"true", "null", "Y", "no", "main", "grpc", "time", "pathspan", "pathspan_model", "e", "go"} {
		dir, s := write(t, Options{Name: name, Language: Table})
		m, err := procmodels.Open(filepath.Join(dir, s.Model), "")
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := m.Describe().Name; got != name {
			t.Errorf("the table of %s says it is %s", name, got)
		}
	}
}

func TestGoIsFormatted(t *testing.T) {
	s, err := New(Options{Name: "mycore", Language: Go, Tree: "../.."})
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(s.Files[0].Data); err != nil || !bytes.Equal(formatted, s.Files[0].Data) {
		t.Errorf("main.go is not formatted (%v)", err)
	}
}

func TestRefuses(t *testing.T) {
	notOurs := t.TempDir()
	if err := os.WriteFile(filepath.Join(notOurs, "go.mod"), []byte("module other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Options{
		"the name is empty":                   {Language: Table},
		`"../x" is no name for a model`:       {Name: "../x", Language: Table},
		`"-o" is no name for a model`:         {Name: "-o", Language: Table},
		`"a b" is no name for a model`:        {Name: "a b", Language: Table},
		"is no name for a model":              {Name: strings.Repeat("x", 65), Language: Table},
		"leon3 is a built-in model":           {Name: "leon3", Language: Python},
		`did you mean python?`:                {Name: "x", Language: "pyton"},
		`want table, go, python`:              {Name: "x", Language: "haskell"},
		"name its folder with --pathspan DIR": {Name: "x", Language: Go},
		"is not that of pathspan":             {Name: "x", Language: Go, Tree: notOurs},
		"no such file or directory; name the": {Name: "x", Language: Go, Tree: filepath.Join(notOurs, "none")},
	} {
		_, err := New(o)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want one line with %q", o, err, want)
		}
	}
}

// What exists is left as it is, and a failure leaves nothing.
func TestWriteAllOrNothing(t *testing.T) {
	s, err := New(Options{Name: "x", Language: Python})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, taken := range []string{"file", "folder", "link"} {
		path := filepath.Join(dir, taken)
		switch taken {
		case "file":
			err = os.WriteFile(path, []byte("mine"), 0o644)
		case "folder":
			err = os.Mkdir(path, 0o755)
		case "link":
			err = os.Symlink("nowhere", path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Write(path); err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("over a %s: %v", taken, err)
		}
	}
	s.Files = append(s.Files, File{Name: "no/such/folder/file"})
	if err := s.Write(filepath.Join(dir, "half")); err == nil {
		t.Error("a file that cannot be written is no error")
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 3 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestFindTree(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Dir(filepath.Dir(wd))
	if got := FindTree(t.TempDir(), wd); got != root {
		t.Errorf("found %q, want %q", got, root)
	}
	if got := FindTree(t.TempDir()); got != "" {
		t.Errorf("found %q where there is none", got)
	}
}
