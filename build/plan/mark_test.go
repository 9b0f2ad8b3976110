package plan_test

// This file marks small programs, each with one LLVM that is installed, by turns, and with
// PATHSPAN_TEST_ALL=1 with all, and compares the lines that changed, or the error. -update rewrites
// what they are compared with.

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pathspan/build/plan"
	"pathspan/build/toolchain"
)

var update = flag.Bool("update", false, "rewrite the expected marks")

func TestMark(t *testing.T) {
	cases, err := filepath.Glob("testdata/mark/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal(cases, err)
	}
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no LLVM is installed")
	}
	for n, name := range cases {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, tc := range all {
			if i != n%len(all) && !*update && os.Getenv("PATHSPAN_TEST_ALL") == "" {
				continue
			}
			t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+fmt.Sprint("/llvm", tc.Version), func(t *testing.T) {
				archive := txtar.Parse(data)
				for i := range archive.Files {
					f := &archive.Files[i]
					if text, ok := strings.CutPrefix(f.Name, "plan"); ok {
						want := &archive.Files[slices.IndexFunc(archive.Files, func(w txtar.File) bool { return w.Name == "want"+text })]
						got := marks(t, tc, archive, f)
						if *update {
							want.Data = got
						} else if !bytes.Equal(got, want.Data) {
							t.Errorf("%s gives\n%swant\n%s", f.Name, got, want.Data)
						}
					}
				}
				if *update {
					data = txtar.Format(archive)
					if err := os.WriteFile(path, data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			})
		}
	}
}

// marks returns the lines that a plan changes in the files of an archive, or why it cannot
// be followed. The archive's comment may name flags.
func marks(t *testing.T, tc *toolchain.Toolchain, archive *txtar.Archive, planFile *txtar.File) []byte {
	t.Helper()
	t.Chdir(t.TempDir())
	var sources []string
	for _, f := range archive.Files {
		if strings.HasPrefix(f.Name, "plan") || strings.HasPrefix(f.Name, "want") {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		if ext := filepath.Ext(f.Name); ext == ".c" || ext == ".cc" {
			sources = append(sources, f.Name)
		}
	}
	var flags []string
	if _, line, ok := strings.Cut(string(archive.Comment), "flags:"); ok {
		line, _, _ = strings.Cut(line, "\n")
		flags = strings.Fields(line)
	}
	p, err := plan.Parse("plan.yaml", planFile.Data)
	if err != nil {
		return fmt.Appendln(nil, err)
	}
	m := plan.NewMarking(p, tc, filepath.Join(t.TempDir(), "marked"))
	compile := func(source string) toolchain.Compile {
		return toolchain.Compile{Source: source, Output: filepath.Join(t.TempDir(), "out.ll"), Level: "1", OpenMP: true, Extra: flags}
	}
	for _, s := range sources {
		if err := m.Survey(t.Context(), compile(s)); err != nil {
			return fmt.Appendln(nil, err)
		}
	}
	if err := m.Mark(); err != nil {
		return fmt.Appendln(nil, err)
	}
	var out bytes.Buffer
	for k, s := range sources {
		if _, err := m.Compile(t.Context(), k, compile(s)); err != nil {
			text, _, _ := strings.Cut(err.Error(), ": clang says of line") // and what differs from LLVM to LLVM
			return fmt.Appendln(nil, text)
		}
		for _, c := range m.Copies(k) {
			now, err := os.ReadFile(c.Marked)
			if err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(c.File)
			if err != nil {
				t.Fatal(err)
			}
			a, b := strings.Split(string(before), "\n"), strings.Split(string(now), "\n")
			if len(a) != len(b) {
				t.Fatalf("%s has %d lines, and %d once it is marked", c.File, len(a), len(b))
			}
			for i := range a {
				if a[i] != b[i] {
					fmt.Fprintf(&out, "%s:%d: %s\n", filepath.Clean(c.File), i+1, strings.TrimSpace(b[i]))
				}
			}
		}
	}
	return out.Bytes()
}
