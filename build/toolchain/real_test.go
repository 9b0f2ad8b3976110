package toolchain

// This file tests the flags and the error messages on every LLVM that is
// installed.

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// eachInstalled runs a test on every installed version.
func eachInstalled(t *testing.T, test func(*testing.T, *Toolchain)) {
	t.Helper()
	found := All()
	if len(found) == 0 {
		t.Skip(ErrNoClang)
	}
	for _, tc := range found {
		t.Run(strconv.Itoa(tc.Version), func(t *testing.T) { test(t, tc) })
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

const sectionsC = `#include <stdio.h>
#include <omp.h>
static int sum(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; }
int main(int argc, char **argv) {
  int v[16] = {argc}, a = 0, b = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = sum(v, 8);
#pragma omp section
    b = sum(v + 8, 8);
  }
  return printf("%d %d %d\n", a, b, omp_get_max_threads());
}
`

const sectionsCXX = `#include <iostream>
#include <vector>
int main(int argc, char **) {
  std::vector<int> v; int a = 0;
#pragma omp parallel sections
  {
#pragma omp section
    v.push_back(argc);
#pragma omp section
    a = argc;
  }
  std::cout << v.size() + a << '\n';
}
`

// fallbackOmpH gives a directory with an omp.h, as pathspan ships one.
func fallbackOmpH(t *testing.T) string {
	return filepath.Dir(write(t, "omp.h", "int omp_get_max_threads(void);\n"))
}

func TestCompanionsAreOfOneVersion(t *testing.T) {
	eachInstalled(t, func(t *testing.T, tc *Toolchain) {
		for _, tool := range []string{tc.Opt, tc.Link, tc.Dis} {
			if major, ok := llvmVersion(tool); !ok || major != tc.Version {
				t.Errorf("%q is of version %d, clang of %d", tool, major, tc.Version)
			}
		}
		if major, _, err := clangVersion(tc.ClangXX); err != nil || major != tc.Version {
			t.Errorf("%q is of version %d, clang of %d: %v", tc.ClangXX, major, tc.Version, err)
		}
		if again, err := Find(tc.Clang); err != nil || *again != *tc {
			t.Errorf("Find(%s) = %+v, %v; want %+v", tc.Clang, again, err, tc)
		}
	})
}

// The module that comes out has section lowering, line tables only, no optnone,
// and the opt of the same version takes it at its level.
func TestCompile(t *testing.T) {
	emission := regexp.MustCompile(`emissionKind: (\w+)`)
	eachInstalled(t, func(t *testing.T, tc *Toolchain) {
		include := fallbackOmpH(t)
		for _, source := range []string{write(t, "s.c", sectionsC), write(t, "s.cpp", sectionsCXX)} {
			for _, level := range []string{"0", "2", "s"} {
				out := filepath.Join(t.TempDir(), "s.ll")
				// The user's flags try to undo what the module must be.
				_, err := tc.Compile(context.Background(), Compile{
					Source: source, Output: out, Level: level, OpenMP: true, IncludeAfter: include,
					Extra: []string{"-g3", "-ggdb", "-gno-column-info", "-fno-openmp", "-fopenmp=libgomp", "-lm", "-DX=1"},
				})
				if err != nil {
					t.Fatal(err)
				}
				module, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err)
				}
				if m := emission.FindSubmatch(module); m == nil || string(m[1]) != "LineTablesOnly" {
					t.Errorf("%s -O%s: emission kind %q", source, level, m)
				}
				for _, want := range []string{"@__kmpc_fork_call", "@__kmpc_for_static_init_4", ", column: "} {
					if !bytes.Contains(module, []byte(want)) {
						t.Errorf("%s -O%s: no %s in the module", source, level, want)
					}
				}
				for _, unwanted := range []string{"optnone", "DILocalVariable"} {
					if bytes.Contains(module, []byte(unwanted)) {
						t.Errorf("%s -O%s: %s in the module", source, level, unwanted)
					}
				}
				_, err = tc.Run(context.Background(), Cmd{Path: tc.Opt, Args: OptArgs(
					"function(instnamer),default<O"+level+">,function(fix-irreducible,loop-simplify,break-crit-edges,instnamer)",
					false, out, filepath.Join(t.TempDir(), "o.ll"))})
				if err != nil {
					t.Errorf("%s -O%s: %v", source, level, err)
				}
			}
		}
	})
}

func TestVectorisationIsOffUnlessAsked(t *testing.T) {
	source := "void scale(float *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }\n" +
		"void add(float *restrict a, float *restrict b) { a[0] = b[0]+1; a[1] = b[1]+2; a[2] = b[2]+3; a[3] = b[3]+4; }\n"
	eachInstalled(t, func(t *testing.T, tc *Toolchain) {
		for _, vectorize := range []bool{false, true} {
			dir := t.TempDir()
			raw, optimised := filepath.Join(dir, "v.ll"), filepath.Join(dir, "o.ll")
			_, err := tc.Compile(context.Background(), Compile{
				Source: write(t, "v.c", source), Output: raw, Level: "3",
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, err = tc.Run(context.Background(), Cmd{Path: tc.Opt, Args: OptArgs("default<O3>", vectorize, raw, optimised)}); err != nil {
				t.Fatal(err)
			}
			module, err := os.ReadFile(optimised)
			if err != nil {
				t.Fatal(err)
			}
			if got := bytes.Contains(module, []byte(" x float>")); got != vectorize {
				t.Errorf("vectorize %v: module with vectors is %v", vectorize, got)
			}
		}
	})
}

func TestCompileErrorIsQuoted(t *testing.T) {
	source := write(t, "bad.c", "#warning careful\nint main(void) {\n  return x +\n    y;\n}\n")
	eachInstalled(t, func(t *testing.T, tc *Toolchain) {
		out := filepath.Join(t.TempDir(), "bad.ll")
		_, err := tc.Compile(context.Background(), Compile{Source: source, Output: out, Level: "2"})
		var failed *Error
		if !errors.As(err, &failed) {
			t.Fatalf("got %v", err)
		}
		wantError(t, err, "bad.c:3:10: error: use of undeclared identifier 'x'", "(and 1 more)")
		if failed.Exit != 1 || !strings.Contains(failed.Stderr, "warning: careful") ||
			!strings.Contains(failed.Stderr, "undeclared identifier 'y'") {
			t.Errorf("exit %d, stderr %q", failed.Exit, failed.Stderr)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("a failed compilation left a module behind")
		}
		_, err = tc.Compile(context.Background(), Compile{Source: "absent.c", Output: out, Level: "2"})
		wantError(t, err, "no such file or directory: 'absent.c'")
	})
}

func TestToolErrorsAreQuoted(t *testing.T) {
	garbage := write(t, "g.ll", "define garbage\n")
	object := write(t, "f.c", "int absent(void);\nint main(void) { return absent(); }\n")
	eachInstalled(t, func(t *testing.T, tc *Toolchain) {
		run := func(path string, args ...string) error {
			_, err := tc.Run(context.Background(), Cmd{Path: path, Args: args, Dir: t.TempDir()})
			return err
		}
		wantError(t, run(tc.Opt, "-S", garbage), "g.ll:1:8: error: expected type")
		wantError(t, run(tc.Link, "-S", garbage), "g.ll:1:8: error: expected type")
		wantError(t, run(tc.Opt, "-S", "-passes=nonsense", garbage), "opt")
		wantError(t, run(tc.Clang, object, "-o", "x"), "undefined reference to `absent'")
	})
}
