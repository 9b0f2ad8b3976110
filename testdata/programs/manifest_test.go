package programs

// This file checks that the manifest and the files of the folder agree.

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = ".."

func TestManifestNamesExistingFiles(t *testing.T) {
	list, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for _, p := range list {
		kinds[p.Kind]++
		files := append([]string{p.Expect.Stdout, p.Small().Expect.Stdout}, p.Sources...)
		if p.Stdin != "" {
			files = append(files, p.Stdin)
		}
		for _, file := range files {
			if _, err := os.Stat(filepath.Join(root, file)); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	}
	if kinds["real"] < 6 || kinds["fun0"] != 2 || kinds["feature"] < 50 {
		t.Errorf("kinds: %v", kinds)
	}
}

func TestEverySourceIsInTheManifest(t *testing.T) {
	list, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, p := range list {
		for _, source := range p.Sources {
			listed[source] = true
		}
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && slices.Contains([]string{"bench", "loops", "parallel", "pipelines", "projects"}, entry.Name()) {
			return filepath.SkipDir // these have a list, build files or tests of their own
		}
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if ext := filepath.Ext(name); (ext == ".c" || ext == ".cc") && !listed[filepath.ToSlash(name)] {
			t.Errorf("%s is in no program", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRealProgramsAreLongEnough(t *testing.T) {
	list, err := Load(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Kind != "real" {
			continue
		}
		lines := 0
		for _, path := range p.Paths(root) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			lines += strings.Count(string(data), "\n")
		}
		if lines < 150 {
			t.Errorf("%s has %d lines, want at least 150", p.Name, lines)
		}
	}
}

// The line table of the worked example prices lines by number; each must still be
// the statement that its comment names.
func TestLineTableMeetsTheStatements(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(root, "fun0", "fun0.c"))
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(root, "fun0", "table1.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	entries := regexp.MustCompile(`line: (\d+),.*# (o_\d+): `).FindAllStringSubmatch(string(table), -1)
	if len(entries) != 19 {
		t.Fatalf("%d statements in the table, want 19", len(entries))
	}
	for _, entry := range entries {
		var number int
		if _, err := fmt.Sscan(entry[1], &number); err != nil || number > len(lines) {
			t.Fatalf("%s: line %s: %v", entry[2], entry[1], err)
		}
		if !strings.Contains(lines[number-1], "/* "+entry[2]+" */") {
			t.Errorf("line %d is not %s: %s", number, entry[2], lines[number-1])
		}
	}
}

func TestLoadRefusesUnknownKeysAndKinds(t *testing.T) {
	for text, want := range map[string]string{
		"programs: [{nam: x}]":                                                                         "nam",
		"programs: [{name: x, kind: odd, language: c}]":                                                "kind",
		"programs: [{name: x, kind: real, language: d}]":                                               "language",
		"programs: [{name: x, kind: real, language: c}]":                                               "sources",
		"programs: [{kind: real, language: c, sources: [a.c], expect: {exit: 0, stdout: a.expected}}]": "name",
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "programs.yaml"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v does not name %s", text, err, want)
		}
	}
}
