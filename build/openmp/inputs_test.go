package openmp_test

// This file tests modules that pathspan did not compile itself: with full debug
// information, without any, and with what Lower must refuse.

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/openmp"
	"pathspan/ir/asm"
)

// compile compiles a source with the flags of a user who makes a module for pathspan.
func (p *pipeline) compile(t *testing.T, dir, level, source string, flags ...string) string {
	t.Helper()
	out := filepath.Join(dir, "user.ll")
	driver := p.tc.Clang
	if strings.HasSuffix(source, ".cc") {
		driver = p.tc.ClangXX
	}
	args := append([]string{"-w", "-fopenmp=libomp", "-O" + level, "-Xclang", "-disable-llvm-passes", "-Xclang", "-disable-O0-optnone",
		"-idirafter", filepath.Join(runtimeDir, "include"), "-S", "-emit-llvm", source, "-o", out}, flags...)
	p.tool(t, driver, args...)
	return out
}

func TestFullDebugInfo(t *testing.T) {
	want := ""
	if !*update {
		want = readGolden(t)["fun0-a"]
	}
	for i, tc := range toolchains(t) {
		p := newPipeline(t, tc)
		for j, src := range []string{"fun0/fun0.c", "openmp/class_clauses.cc", "openmp/reduction_int.c"} {
			level := []string{"0", "2"}[(i+j)%2]
			t.Run(filepath.Base(src)+"/"+tc.Full+"/O"+level, func(t *testing.T) {
				t.Parallel()
				src := filepath.Join(testdata, src)
				exe := p.dispatched(t, src)
				dir := t.TempDir()
				driver := tc.Clang
				if strings.HasSuffix(src, ".cc") {
					driver = tc.ClangXX
				}
				b := p.finish(t, dir, level, p.compile(t, dir, level, src, "-g"), driver, nil)
				checkNesting(t, b.view, b.result)
				if got := describe(b.result); !*update && j == 0 && got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
				if len(b.result.Regions) == 0 {
					t.Error("no regions")
				}
				wantOut, wantExit := run(t, exe, "a")
				if out, exit := run(t, b.exe, "a"); out != wantOut || exit != wantExit {
					t.Errorf("exit %d, want %d; output\n%s\nwant\n%s", exit, wantExit, out, wantOut)
				}
			})
		}
	}
}

func TestNoDebugInfo(t *testing.T) {
	tc := toolchains(t)[0]
	p := newPipeline(t, tc)
	dir := t.TempDir()
	src := filepath.Join(testdata, "fun0/fun0.c")
	b := p.finish(t, dir, "2", p.compile(t, dir, "2", src, "-g0"), tc.Clang, nil)
	checkNesting(t, b.view, b.result)
	if got, want := describe(b.result), "unknown:fun_0#1 line 0 column 0 threads 3\n  sections line 0\n"+
		"    unknown:fun_0#1/1 line 0\n    unknown:fun_0#1/2 line 0\n    unknown:fun_0#1/3 line 0\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if out, _ := run(t, b.exe, "a"); !strings.HasPrefix(out, "sum ") {
		t.Errorf("prints %q", out)
	}
}

func TestLowerDeterministic(t *testing.T) {
	tc := toolchains(t)[0]
	p := newPipeline(t, tc)
	src := filepath.Join(testdata, "openmp/nested.c")
	one, two := p.build(t, "2", nil, src), p.build(t, "2", nil, src)
	// The first line names the file that LLVM read.
	rest := func(s string) string { return s[strings.IndexByte(s, '\n'):] }
	if rest(one.lowered) != rest(two.lowered) {
		t.Error("two runs of Lower on one module differ")
	}
	if a, b := rest(string(one.module.Bytes())), rest(string(two.module.Bytes())); a != b {
		t.Error("two runs of the pipeline differ")
	}
}

func TestUnnamedValues(t *testing.T) {
	m, err := asm.Parse([]byte(`
%struct.ident_t = type { i32, i32, i32, i32, ptr }
@0 = private constant [18 x i8] c";a.c;main;3;1;;\00\00\00", align 1
@1 = private constant %struct.ident_t { i32 0, i32 2, i32 0, i32 17, ptr @0 }, align 8

define i32 @main() {
  %1 = alloca i32
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @1, i32 0, ptr @outlined)
  ret i32 0
}

define internal void @outlined(ptr %0, ptr %1) {
  ret void
}

declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openmp.Lower(m); !errors.Is(err, asm.ErrUnnamed) {
		t.Errorf("Lower gives %v, want an error that wraps asm.ErrUnnamed", err)
	}
}

func TestUnknownMicrotask(t *testing.T) {
	m, err := asm.Parse([]byte(`
%struct.ident_t = type { i32, i32, i32, i32, ptr }
@0 = private constant [16 x i8] c";a\5Cb.c;f;3;1;;\00", align 1
@1 = private constant %struct.ident_t { i32 0, i32 2, i32 0, i32 15, ptr @0 }, align 8

define void @f(ptr %p) {
entry:
  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @1, i32 0, ptr %p)
  ret void
}

declare void @__kmpc_fork_call(ptr, i32, ptr, ...)
`))
	if err != nil {
		t.Fatal(err)
	}
	before := string(m.Bytes())
	r, err := openmp.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Regions) != 0 || len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], `a\b.c:3: parallel: started in a way`) {
		t.Errorf("regions %v, notes %q", r.Regions, r.Notes)
	}
	if string(m.Bytes()) != before {
		t.Error("the module changed")
	}
}
