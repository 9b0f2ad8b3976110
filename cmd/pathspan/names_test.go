package main

// This file holds the names of regions to surviving edits: lines that say nothing, at
// random places, change no name, and a mapping that was saved before means the same.

import (
	"fmt"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/mapping"
)

func TestNamesSurviveEdits(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile programs with: %v", err)
	}
	for _, folder := range [][]string{ // and the sources in it
		{"../../testdata/openmp/same_names", "main.c", "left/part.c", "right/part.c"},
		{"../../testdata/openmp", "nested.c"},
		{"../../testdata/openmp", "several_constructs.c"},
		{"../../testdata/openmp", "same_line.c"},
		{"../../build/openmp/testdata", "names.cc"},
	} {
		t.Run(folder[1], func(t *testing.T) {
			t.Parallel()
			before := edition(t, tc, folder[0], folder[1:], "0", nil)
			names := map[string]bool{}
			for i := range before.Regions {
				names[before.Regions[i].Name] = true
			}
			if len(names) != len(before.Regions) || len(names) == 0 {
				t.Fatalf("%d names of %d regions", len(names), len(before.Regions))
			}
			rng := rand.New(rand.NewSource(1))
			pl := mapping.Homogeneous(3, "")
			saved := randomMapping(rng, pl, before)
			file := filepath.Join(t.TempDir(), "m.yaml")
			if err := os.WriteFile(file, saved.YAML(before), 0o666); err != nil {
				t.Fatal(err)
			}
			moved := false
			for i, level := range []string{"0", "2", "2"} {
				after := edition(t, tc, folder[0], folder[1:], level, rng)
				for r := range after.Regions {
					x, y := &before.Regions[r], &after.Regions[r]
					if x.Name != y.Name {
						t.Fatalf("edit %d at -O%s: region %s becomes %s", i, level, x.Label(), y.Label())
					}
					moved = moved || x.Line != y.Line
				}
				read, err := mapping.LoadMapping(file)
				if err != nil {
					t.Fatal(err)
				}
				again, err := mapping.Resolve(pl, read, after)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := string(again.YAML(after)), string(saved.YAML(before)); got != want || len(again.Defaulted) > 0 {
					t.Errorf("the mapping\n%s becomes\n%s", want, got)
				}
			}
			if !moved {
				t.Error("no edit moved a region, so nothing was tested")
			}
		})
	}
}

// edition compiles a copy of the sources in a folder, with lines put in where rng is one.
func edition(t *testing.T, tc *toolchain.Toolchain, folder string, sources []string, level string, rng *rand.Rand) *ir.Program {
	t.Helper()
	dir := t.TempDir()
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(folder, path)
		if err != nil || relErr != nil {
			return fmt.Errorf("%w, %w", err, relErr)
		}
		if d.IsDir() || filepath.Ext(name) != ".h" && !slices.Contains(sources, filepath.ToSlash(name)) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if rng != nil {
			text = edited(rng, text)
		}
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, s := range sources {
		paths = append(paths, filepath.Join(dir, s))
	}
	r := &record.Recorder{Toolchain: tc, Dir: t.TempDir()}
	built, err := r.Costed(t.Context(), record.Options{Sources: paths, Level: level, CFlags: []string{"-w"}})
	if err != nil {
		t.Fatal(err)
	}
	return built.Program
}

// edited puts empty lines and comments between the lines of a source, but where a
// backslash joins two.
func edited(rng *rand.Rand, text []byte) []byte {
	var out strings.Builder
	joined := false
	for line := range strings.Lines(string(text)) {
		if !joined && rng.Intn(3) == 0 {
			out.WriteString([]string{"\n", "// a comment\n", "\n\n    // two\n    // lines\n", "\t\n"}[rng.Intn(4)])
		}
		out.WriteString(line)
		joined = strings.HasSuffix(strings.TrimRight(line, "\r\n"), `\`)
	}
	return []byte(out.String())
}

// randomMapping maps all regions explicitly, in an order that mapping files can say.
func randomMapping(rng *rand.Rand, pl *mapping.Platform, prog *ir.Program) *mapping.Resolved {
	m := mapping.Default(pl, prog)
	for i := range m.Regions {
		rm := &m.Regions[i]
		rm.Explicit = true
		for c := range rm.Proc {
			for s := range rm.Proc[c] {
				rm.Proc[c][s] = rng.Intn(len(pl.Processors))
			}
			rng.Shuffle(len(rm.Order[c]), func(a, b int) { rm.Order[c][a], rm.Order[c][b] = rm.Order[c][b], rm.Order[c][a] })
			slices.SortStableFunc(rm.Order[c], func(a, b int) int { return rm.Proc[c][a] - rm.Proc[c][b] })
		}
	}
	return m
}
