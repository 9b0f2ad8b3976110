package record

// This file tests that sources are optimised on their own, unless link-time optimisation
// is asked for, and that sections of several sources are told apart.

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"pathspan/build/toolchain"
	"pathspan/ir"
)

var severalSources = map[string]string{
	"head.h": `static inline int both(int n) {
	int a = 0, b = 0;
#pragma omp parallel sections
	{
#pragma omp section
		for (int i = 0; i < n; i++) a += i;
#pragma omp section
		b = n;
	}
	return a + b;
}
int twice(int), other(int);
`,
	"main.c": `#include "head.h"
static int local(int n) { return both(n) + 1; }
int main(void) { return local(3) + twice(2) + other(1) == 21 ? 0 : 1; }
`,
	"a.c": `#include "head.h"
int twice(int n) { return 2 * n; }
static int local(int n) {
	int a = 0, b = 0;
#pragma omp parallel sections
	{
#pragma omp section
		a = twice(n);
#pragma omp section
		b = 3 * n;
	}
	return a + b;
}
int other(int n) { return both(n) + local(n) + 4; }
`,
}

func costedOf(t *testing.T, folder string, flags ...string) *Built {
	t.Helper()
	r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
	b, err := r.Costed(context.Background(), Options{Sources: []string{filepath.Join(folder, "main.c"), filepath.Join(folder, "a.c")}, Level: "2", CFlags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSourcesAreOptimisedOnTheirOwn(t *testing.T) {
	t.Setenv("PATHSPAN_CACHE", t.TempDir())
	folder := t.TempDir()
	for name, text := range severalSources {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	apart, whole := costedOf(t, folder), costedOf(t, folder, "-flto")
	calls := func(b *Built) int {
		n := 0
		for _, block := range b.Program.Func("main").Blocks {
			for i := range block.Instrs {
				if c := block.Instrs[i].Call; c != nil && c.Name == "twice" {
					n++
				}
			}
		}
		return n
	}
	if calls(apart) != 1 || calls(whole) != 0 {
		t.Errorf("main calls twice %d times, and %d with -flto; want 1 and 0", calls(apart), calls(whole))
	}
	if !reflect.DeepEqual(apart.Program.Regions, whole.Program.Regions) || len(apart.Program.Regions) != 3 {
		t.Errorf("regions %v, and with -flto %v", apart.Program.Regions, whole.Program.Regions)
	}
	// Each region's markers stand in code of its own source.
	for _, f := range apart.Program.Funcs {
		for _, b := range f.Blocks {
			if b.Mark == nil || b.Mark.Kind != ir.SectionBegin {
				continue
			}
			if !apart.Program.HasSection(b.Mark) {
				t.Fatalf("function %s: a marker of no section: %+v", f.Name, b.Mark)
			}
			if g := apart.Program.Regions[b.Mark.Region]; g.Function == "local" && f.Name == "main" {
				t.Errorf("main holds %s", g.Name)
			}
		}
	}
	if again := costedOf(t, folder); string(again.Module) != string(apart.Module) || !reflect.DeepEqual(again.Program, apart.Program) {
		t.Error("what was kept is not what was made")
	}
}

func TestKept(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("PATHSPAN_CACHE", cache)
	made := 0
	step := func(key, text string) string {
		t.Helper()
		r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
		err := r.kept(r.step([]byte(key)), []string{"one", "two"}, func() error {
			made++
			if err := r.write("one", []byte(text)); err != nil {
				return err
			}
			return r.write("two", []byte(text+text))
		})
		if err != nil {
			t.Fatal(err)
		}
		one, _ := os.ReadFile(r.path("one"))
		two, _ := os.ReadFile(r.path("two"))
		return fmt.Sprintf("%s %s", one, two)
	}
	for _, want := range []int{1, 1} {
		if got := step("a", "x"); got != "x xx" || made != want {
			t.Errorf("%q, made %d times, want %d", got, made, want)
		}
	}
	if got := step("b", "y"); got != "y yy" || made != 2 {
		t.Errorf("%q of other input, made %d times", got, made)
	}
	// One file is gone: all are made again.
	files, err := filepath.Glob(filepath.Join(cache, "steps", "*-1"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			t.Fatal(err)
		}
	}
	if got := step("a", "x"); got != "x xx" || made != 3 {
		t.Errorf("%q, made %d times, want 3", got, made)
	}
	t.Setenv("PATHSPAN_CACHE", "off")
	if got := step("a", "z"); got != "z zz" || made != 4 {
		t.Errorf("%q without a cache, made %d times", got, made)
	}
}

// TestToolsAreKept: the same of what has another name in another folder is taken, and nothing else is.
func TestToolsAreKept(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("PATHSPAN_CACHE", cache)
	tc := anyLLVM(t)
	other := *tc
	other.Full += " of another day"
	for _, step := range []struct {
		tc               *toolchain.Toolchain
		name, text, pass string
		kept             int
	}{
		{tc, "a.ll", "define i32 @f() {\n  ret i32 1\n}\n", "verify", 1},
		{tc, "b.ll", "define i32 @f() {\n  ret i32 1\n}\n", "verify", 1},
		{tc, "b.ll", "define i32 @f() {\n  ret i32 2\n}\n", "verify", 2},
		{tc, "b.ll", "define i32 @f() {\n  ret i32 2\n}\n", "globaldce", 3},
		{&other, "b.ll", "define i32 @f() {\n  ret i32 2\n}\n", "globaldce", 4},
		{tc, "b.ll", "define i32 @f() {\n  ret i32 x\n}\n", "verify", 4},
	} {
		r := &Recorder{Toolchain: step.tc, Dir: t.TempDir()}
		if err := r.write(step.name, []byte(step.text)); err != nil {
			t.Fatal(err)
		}
		err := r.tool(t.Context(), tc.Opt, []string{"-S", "-passes=" + step.pass, step.name, "-o", "out.ll"}, "out.ll", step.name)
		if sound := !strings.Contains(step.text, "x"); (err == nil) != sound {
			t.Errorf("%s: %v", step.text, err)
		} else if out, _ := os.ReadFile(r.path("out.ll")); sound && !strings.Contains(string(out), strings.Fields(step.text)[6]) {
			t.Errorf("of %s it made %s", step.text, out)
		}
		if files, err := filepath.Glob(filepath.Join(cache, "steps", "*")); err != nil || len(files) != step.kept {
			t.Errorf("%s by %s: %d files are kept, want %d", step.text, step.pass, len(files), step.kept)
		}
	}
}

// TestForget bounds what is kept: the oldest goes, and no more than needed.
func TestForget(t *testing.T) {
	folder := t.TempDir()
	for i, name := range []string{"old", "middle", "new"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, keepAtMost/2); err != nil { // takes no room
			t.Fatal(err)
		}
		at := time.Date(2020, 1, 1+i, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	forget(folder)
	left, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || strings.Join(left, " ") != filepath.Join(folder, "middle")+" "+filepath.Join(folder, "new") {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestLooks: there is a look for each lookEach bytes, whatever the size of what is added.
func TestLooks(t *testing.T) {
	for _, size := range []int{lookEach / 64, lookEach / 8, lookEach, 3 * lookEach} {
		const steps = 2000
		made := 0
		for i := range steps {
			if looks(fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, size, i))), size) {
				made++
			}
		}
		want := steps * min(1, float64(size)/lookEach)
		if math.Abs(float64(made)-want) > 4*math.Sqrt(want) || size >= lookEach && made != steps {
			t.Errorf("%d steps that add %d bytes look %d times, want %.0f", steps, size, made, want)
		}
	}
}
