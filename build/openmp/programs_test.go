package openmp_test

// This file runs the programs of testdata through the pipeline: they must print
// what they print without OpenMP, their markers must nest, and their regions and
// notes must be those of the golden file, whatever the version of LLVM.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/openmp"
	"pathspan/build/toolchain"
	"pathspan/testdata/programs"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	testdata = "../../testdata"
	golden   = "testdata/programs.golden"
)

// openmpPrograms returns the programs of testdata that use OpenMP.
func openmpPrograms(t *testing.T) []*programs.Program {
	t.Helper()
	all, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	var out []*programs.Program
	seen := map[string]bool{}
	for _, p := range all {
		omp := false
		for _, s := range p.Paths(testdata) {
			text, err := os.ReadFile(s)
			if err != nil {
				t.Fatal(err)
			}
			omp = omp || strings.Contains(string(text), "ragma omp") || strings.Contains(string(text), "_Pragma")
		}
		if key := strings.Join(p.Sources, " "); omp && !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}

func toolchains(t *testing.T) []*toolchain.Toolchain {
	t.Helper()
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no clang with opt and llvm-link of a version from 14 to 22 is installed")
	}
	return all
}

func TestPrograms(t *testing.T) {
	all := toolchains(t)
	var want map[string]string
	if *update {
		all = all[:1]
	} else {
		want = readGolden(t)
	}
	list := openmpPrograms(t)
	got := make([]string, len(list))
	t.Run("run", func(t *testing.T) {
		for i, tc := range all {
			p := newPipeline(t, tc)
			for j, g := range list {
				for _, level := range []string{"0", "2"} {
					// The newest and the oldest see all programs, at one level each by turns, versions
					// in between a few, at -O2; PATHSPAN_TEST_ALL=1 crosses them all.
					first, last := i == 0, i == len(all)-1
					switch {
					case *update:
						if level == "0" {
							continue
						}
					case os.Getenv("PATHSPAN_TEST_ALL") != "":
					case first || last:
						if len(all) > 1 && (level == "0") == (first == (j%2 == 0)) {
							continue
						}
					case j%8 != 0 || level == "0":
						continue
					}
					t.Run(fmt.Sprintf("%s/llvm%d/O%s", g.Name, tc.Version, level), func(t *testing.T) {
						t.Parallel()
						b := p.build(t, level, g.Link, g.Paths(testdata)...)
						checkNesting(t, b.view, b.result)
						text := describe(b.result)
						if got[j] = text; !*update && text != want[g.Name] {
							t.Errorf("regions and notes differ from %s:\n%s\nwant\n%s", golden, text, want[g.Name])
						}
						checkRun(t, b.exe, g.Small())
					})
				}
			}
		}
	})
	if *update {
		var b strings.Builder
		for j, g := range list {
			fmt.Fprintf(&b, "-- %s --\n%s", g.Name, got[j])
		}
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func checkRun(t *testing.T, exe string, r programs.Run) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(testdata, r.Expect.Stdout))
	if err != nil {
		t.Fatal(err)
	}
	out, exit := run(t, exe, r.Args...)
	if exit != r.Expect.Exit || out != string(want) {
		t.Errorf("exit %d, want %d; output\n%s\nwant\n%s", exit, r.Expect.Exit, out, want)
	}
}

// describe prints regions and notes.
func describe(r *openmp.Result) string {
	var b strings.Builder
	for _, g := range r.Regions {
		fmt.Fprintf(&b, "%s line %d column %d", g.Name, g.Line, g.Col)
		if g.NumThreads > 0 {
			fmt.Fprintf(&b, " threads %d", g.NumThreads)
		}
		b.WriteString("\n")
		for _, c := range g.Constructs {
			fmt.Fprintf(&b, "  sections line %d", c.Line)
			if c.NoWait {
				b.WriteString(" nowait")
			}
			b.WriteString("\n")
			for _, s := range c.Sections {
				fmt.Fprintf(&b, "    %s line %d\n", s.Name, s.Line)
			}
		}
	}
	for _, n := range r.Notes {
		b.WriteString("note " + strings.TrimPrefix(n, testdata+"/") + "\n")
	}
	return b.String()
}

// readGolden returns the parts of the golden file by program.
func readGolden(t *testing.T) map[string]string {
	t.Helper()
	src, err := os.ReadFile(golden)
	if err != nil {
		t.Fatalf("%v (run go test with -update)", err)
	}
	out := map[string]string{}
	name := ""
	for line := range strings.Lines(string(src)) {
		if n, ok := strings.CutPrefix(line, "-- "); ok {
			name = strings.TrimSuffix(n, " --\n")
			continue
		}
		out[name] += line
	}
	return out
}
