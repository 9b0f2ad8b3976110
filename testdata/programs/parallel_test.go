package programs

// This file proves the programs of ../parallel, which pathspan does not profile yet: each prints the same without OpenMP as
// with the real threads of each runtime there is, on any number of them, and says what is
// hard about it. The long runs are made where PATHSPAN_TEST_ALL is set.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

const parallel = "../parallel"

// compiler builds programs.
type compiler struct {
	name, c, cxx string
	openmp       string // the flag for it
	missing      string // why it links no program with OpenMP, or ""
}

// compilers returns clang and gcc, as far as there are any. Of several clangs it is the newest
// that links programs with OpenMP, or else the newest.
func compilers(t *testing.T) []compiler {
	t.Helper()
	var list []compiler
	clangs := toolchain.All()
	slices.SortFunc(clangs, func(a, b *toolchain.Toolchain) int { return b.Version - a.Version })
	for _, tc := range clangs {
		c := compiler{name: "clang", c: tc.Clang, cxx: tc.Clang, openmp: "-fopenmp=libomp"}
		c.missing = links(t, c)
		if c.missing == "" {
			list = []compiler{c}
			break
		}
		if len(list) == 0 {
			list = append(list, c)
		}
	}
	if _, err := exec.LookPath("g++"); err == nil {
		c := compiler{name: "gcc", c: "gcc", cxx: "g++", openmp: "-fopenmp"}
		c.missing = links(t, c)
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Skip("skipped: neither clang nor gcc is installed")
	}
	return list
}

// links tries a program with OpenMP, and says why it could not be linked.
func links(t *testing.T, c compiler) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "nothing.c")
	text := "int main(void) {\n#pragma omp parallel\n{ }\nreturn 0; }\n"
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), c.c, c.openmp, "-o", source+".out", source).CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s links no program with OpenMP, install its runtime (Debian: libomp-N-dev): %s", c.c, firstLine(said))
	}
	return ""
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return line
}

// build compiles a program, without a warning.
func build(ctx context.Context, t *testing.T, p *Program, c compiler, flags ...string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), p.Name)
	driver, standard := c.c, "-std=gnu11"
	if p.Language == "c++" {
		driver, standard = c.cxx, "-std=gnu++17"
	}
	args := slices.Concat([]string{standard, "-O2", "-Wall", "-Wextra"}, flags, []string{"-o", exe}, p.Paths(parallel))
	for _, lib := range p.Link {
		args = append(args, "-l"+lib)
	}
	if p.Language == "c++" {
		args = append(args, "-lstdc++", "-lm")
	}
	if said, err := exec.CommandContext(ctx, driver, args...).CombinedOutput(); err != nil || len(said) > 0 {
		t.Fatalf("%s %s: %v\n%s", driver, strings.Join(args, " "), err, said)
	}
	return exe
}

// compare runs a program and holds its output against the expected one.
func compare(ctx context.Context, t *testing.T, exe string, threads int, run Run) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(parallel, run.Expect.Stdout))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, run.Args...)
	// Threads that spin while they wait are slow where processors are few.
	cmd.Env = append(os.Environ(), fmt.Sprint("OMP_NUM_THREADS=", threads), "OMP_WAIT_POLICY=passive", "OMP_DYNAMIC=false")
	got, err := cmd.Output()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d threads, arguments %q: %v, output\n%swant\n%s", threads, run.Args, err, got, want)
	}
}

func runs(p *Program) []Run {
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		return []Run{p.Small(), p.Default()}
	}
	return []Run{p.Small()}
}

func loadParallel(t *testing.T) []*Program {
	t.Helper()
	list, err := Load(parallel)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestParallelProgramsPrintTheSame(t *testing.T) {
	list := loadParallel(t)
	for _, c := range compilers(t) {
		each := func(t *testing.T, threads []int, flags ...string) {
			for _, p := range list {
				t.Run(p.Name, func(t *testing.T) {
					t.Parallel()
					exe := build(t.Context(), t, p, c, flags...)
					for _, run := range runs(p) {
						for _, n := range threads {
							compare(t.Context(), t, exe, n, run)
						}
					}
					said, err := exec.CommandContext(t.Context(), exe, "other").CombinedOutput()
					if err == nil || !bytes.HasPrefix(said, []byte("usage: "+p.Name+" ")) {
						t.Errorf("argument \"other\": %v, %q", err, said)
					}
				})
			}
		}
		t.Run(c.name+" without OpenMP", func(t *testing.T) { each(t, []int{1}, "-Wno-unknown-pragmas") })
		t.Run(c.name+" with threads", func(t *testing.T) {
			if c.missing != "" {
				t.Skip("skipped: " + c.missing)
			}
			each(t, []int{1, 2, 4}, c.openmp)
		})
	}
}

func TestEveryParallelProgramIsListedLongAndSaysWhatIsHard(t *testing.T) {
	listed := map[string]bool{}
	for _, p := range loadParallel(t) {
		for _, source := range p.Sources {
			listed[source] = true
			text, err := os.ReadFile(filepath.Join(parallel, source))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte("\n")); n < 150 {
				t.Errorf("%s has %d lines, want at least 150", source, n)
			}
			if !bytes.Contains(text, []byte("What is hard. ")) || !bytes.Contains(text, []byte("#pragma omp")) {
				t.Errorf("%s does not say what is hard, or has no construct", source)
			}
		}
	}
	for _, pattern := range []string{"*.c", "*.cc"} {
		files, err := filepath.Glob(filepath.Join(parallel, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !listed[filepath.Base(file)] {
				t.Errorf("%s is in no program", file)
			}
		}
	}
}
