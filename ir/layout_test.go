package ir_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/ir"
)

// clang compiles C to assembly with the compiler that pathspan takes.
func clang(t testing.TB, source string, flags ...string) []byte {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	out, err := exec.Command(tc.Clang, append(flags, "-S", "-emit-llvm", "-o", "-", source)...).Output()
	if err != nil {
		t.Fatalf("%s %v: %v", tc.Clang, flags, err)
	}
	return out
}

// TestFieldsLieWhereTheCompilerSays stores to fields whose place the compiler also gives as
// the constant that offsetof stands for.
func TestFieldsLieWhereTheCompilerSays(t *testing.T) {
	const source = `#include <stddef.h>
struct inner { short a; int b; long long c; };
struct __attribute__((packed)) tight { char a; long long b; double c; };
struct outer { char c0; struct inner i; float f[3]; struct tight t[2]; long double ld; char *p; short last; union { double d; char ch; } u; _Bool yes; };
`
	fields := []string{"c0", "i.a", "i.b", "i.c", "f[2]", "t[1].a", "t[1].b", "t[1].c", "ld", "p", "last", "u.d", "u.ch", "yes"}
	var text strings.Builder
	text.WriteString(source)
	for i, f := range fields {
		fmt.Fprintf(&text, "unsigned place%d = offsetof(struct outer, %s);\nvoid set%d(struct outer *o) { o->%s = 0; }\n", i, f, i, f)
	}
	file := filepath.Join(t.TempDir(), "fields.c")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-O0"}, {"-O2"}, {"-O0", "--target=i386-linux-gnu", "-ffreestanding"}, {"-O0", "--target=arm-linux-gnueabi", "-ffreestanding"}} {
		module := clang(t, file, flags...)
		p, ops := operandsOf(t, string(module))
		for i, f := range fields {
			m := regexp.MustCompile(fmt.Sprintf(`@place%d = .*i32 (\d+)`, i)).FindSubmatch(module)
			want := "0"
			if m != nil {
				want = string(m[1])
			}
			fn := p.Func(fmt.Sprint("set", i))
			got := "no store"
			for k, in := range fn.Blocks[0].Instrs {
				if a, ok := ops.Address(fn.Index, 0, k); ok && in.Op == "store" {
					got = fmt.Sprint(a.Offset) // the last: -O0 stores the argument before
				}
			}
			if got != want {
				t.Errorf("%v: %s lies at %s, want %s", flags, f, got, want)
			}
		}
	}
}

// BenchmarkView measures the view, and beside it what its instructions use, of the largest
// program here.
func BenchmarkView(b *testing.B) {
	files, err := filepath.Glob("../testdata/*/*.c")
	if err != nil {
		b.Fatal(err)
	}
	file := slices.MaxFunc(files, func(x, y string) int { return int(size(b, x) - size(b, y)) })
	module := clang(b, file, "-O0", "-g")
	var p *ir.Program
	var ops *ir.Operands
	b.Run("view", func(b *testing.B) {
		held(b, func() { p, err = ir.Read(module) })
	})
	b.Run("operands", func(b *testing.B) {
		held(b, func() { ops, err = ir.ReadOperands(p, module) })
	})
	if err != nil || ops == nil {
		b.Fatal(err)
	}
	b.Logf("%s: %d bytes of assembly", file, len(module))
}

// held measures an operation and reports how much of what it allocates stays.
func held(b *testing.B, run func()) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		run()
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc)-float64(before.HeapAlloc), "held-B")
}

func size(b *testing.B, file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}
