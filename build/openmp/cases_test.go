package openmp_test

// This file runs programs written for this package. What they must print is what
// clang's own OpenMP code prints when one thread runs it with the serial run-time
// library, sections dispatched one by one.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// dispatched builds a program as the compiler lowers OpenMP.
func (p *pipeline) dispatched(t *testing.T, source string) string {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "dispatched")
	driver := p.tc.Clang
	if toolchain.IsCXX(source) {
		driver = p.tc.ClangXX
	}
	o := exe + ".o"
	p.tool(t, driver, "-w", "-fopenmp=libomp", "-O0", "-idirafter", filepath.Join(runtimeDir, "include"), "-c", source, "-o", o)
	p.tool(t, driver, append([]string{o, "-o", exe}, p.obj...)...)
	return exe
}

func TestCases(t *testing.T) {
	all := toolchains(t)
	cases, err := filepath.Glob("testdata/*.c*")
	if err != nil {
		t.Fatal(err)
	}
	for i, tc := range all {
		if *update && i > 0 {
			break
		}
		p := newPipeline(t, tc)
		for _, src := range cases {
			t.Run(filepath.Base(src)+"/"+tc.Full, func(t *testing.T) {
				t.Parallel()
				want, wantExit := run(t, p.dispatched(t, src))
				levels := [][]string{{"0", "2"}, {"1"}, {"s"}, {"0", "3"}}[(i+3)%4]
				if *update {
					levels = []string{"0"}
				}
				for _, level := range levels {
					b := p.build(t, level, nil, src)
					checkNesting(t, b.view, b.result)
					out, exit := run(t, b.exe)
					if out != want || exit != wantExit {
						t.Errorf("O%s: exit %d, want %d; output\n%s\nwant\n%s", level, exit, wantExit, out, want)
					}
					checkGolden(t, strings.TrimSuffix(src, filepath.Ext(src))+".golden", describe(b.result))
				}
			})
		}
	}
}

func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("%v (run go test with -update)", err)
	}
	if got != string(want) {
		t.Errorf("regions and notes differ from %s:\n%s\nwant\n%s", name, got, want)
	}
}
