package cc

// This file tests that programs share what is made of their sources behind the probes, and
// count as programs do that are made in one piece.

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"pathspan/build/record"
	"pathspan/profile"
)

// apartSources hold what is in the way of making objects of sources: statics of one name,
// tables that hold statics, types of one name, aliases, variables of threads, hashed
// levels, indirect calls, and activations that jumps leave.
var apartSources = map[string]string{
	"apart.h": `#include <setjmp.h>
extern jmp_buf out;
extern _Thread_local int depth;
extern const struct row { const char *name; int (*fn)(int); } rows[];
int many(unsigned), call(int, int), leave(int), fetch(int);
`,
	"apart.c": `#include "apart.h"
jmp_buf out;
_Thread_local int depth;
typedef struct { int a, b[3]; } pair;
static pair last;
__attribute__((noinline)) static int same(int x) { last.b[x % 3] += x; return last.b[x % 3] + 1; }
static int other(int x) { return x > 2 ? x * 3 : last.a++; }
static const struct row rows_[] = {{"same", same}, {"other", other}};
const struct row rows[] = {{"same", same}, {"other", other}, {"leave", leave}};
int fetch_(int x) { return rows_[x & 1].fn(x); }
int fetch(int x) __attribute__((alias("fetch_")));
int call(int i, int x) { return rows[i].fn(x); }
int leave(int x) { if (x == 0) longjmp(out, 1 + depth % 2); depth++; return leave(x - 1) + 1; }
#define B(n) if (x >> n & 1) s += n * s + same(n); else s ^= same(n + 1);
int many(unsigned x) { int s = 1; B(0) B(1) B(2) B(3) B(4) B(5) B(6) B(7) B(8) B(9) B(10) B(11) B(12) B(13) B(14) return s; }
`,
	"first.c": `#include <stdio.h>
#include "apart.h"
typedef struct { char c; long d; } pair;
static pair mine = {1, 2};
__attribute__((noinline)) static int same(int x) { mine.d += x; return (int)mine.d; }
int main(void) {
	static void *const where[] = {&&a, &&b, &&c};
	int (*volatile fn)(int) = same;
	unsigned s = 0;
	for (int i = 0; i < 40; i++) {
		if (!setjmp(out)) s += (unsigned)call(i % 3, i % 5);
		s += (unsigned)(many((unsigned)i * 977) + fn(i) + fetch(i));
		goto *where[i % 3];
	a:	s += 1; continue;
	b:	s ^= 5;
	c:	s += 7;
	}
	printf("%u %d %s\n", s, depth, rows[1].name);
	return 0;
}
`,
	"second.c": "#include \"apart.h\"\nstatic int same(int x) { return x; }\nint main(int n, char **v) { return same(n) + many(3) + call(1, 5) == 0; }\n",
}

// likeInOnePiece runs a program and compares with one that is made of the sources at once.
func likeInOnePiece(t *testing.T, exe string, sources ...string) *profile.Bundle {
	t.Helper()
	out, apart, _ := profileOf(t, "./"+exe)
	r := &record.Recorder{Toolchain: aToolchain(t), Dir: t.TempDir()}
	built, err := r.Build(context.Background(), record.Options{Sources: sources, Level: "2"})
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	whole, _, err := r.Run(context.Background(), built, nil, record.Streams{Stdout: &said})
	if err != nil {
		t.Fatal(err)
	}
	if said.String() != out {
		t.Errorf("it prints %q, in one piece %q", out, said.String())
	}
	if !reflect.DeepEqual(apart.Funcs, whole.Funcs) || !reflect.DeepEqual(apart.Targets, whole.Targets) || !reflect.DeepEqual(apart.Lost, whole.Lost) {
		t.Error("paths or targets are not those of the program in one piece")
	}
	return apart
}

// cxxSources share functions, variables and tables of classes that several objects define,
// and exceptions pass from one to the other.
var cxxSources = map[string]string{
	"apart.hpp": `#include <stdexcept>
#include <vector>
struct shape { virtual int area(int) const; virtual ~shape() {} };
struct wide : shape { wide(); ~wide(); int area(int x) const override; int w; };
inline std::vector<int> seen;
template<class T> int push(T x) { static int n; seen.push_back(int(x)); return ++n; }
inline int twice(int x) { if (x > 7) throw std::runtime_error("too much"); return 2 * push(x); }
int risky(const shape &, int);
`,
	"apart.cc": `#include "apart.hpp"
int shape::area(int x) const { return x; }
wide::wide() : w(2) {}
wide::~wide() { w = push(w); }
int wide::area(int x) const { return x > 3 ? twice(x * w) : w; }
int risky(const shape &s, int x) { wide guard; return s.area(x) + twice(x); }
`,
	"first.cc": `#include <cstdio>
#include "apart.hpp"
int main() {
	int s = 0;
	wide w;
	shape plain;
	for (int i = 0; i < 20; i++) {
		try { s += risky(i % 2 ? w : plain, i % 11); } catch (const std::exception &) { s += twice(i % 5); }
	}
	std::printf("%d %zu\n", s, seen.size());
}
`,
}

func TestCXXSourcesApart(t *testing.T) {
	if aToolchain(t).ClangXX == "" {
		t.Skip("skipped: no clang++")
	}
	folder(t)
	for name, text := range cxxSources {
		write(t, name, text)
	}
	must(t, "c++ -O2 -c apart.cc first.cc", "c++ first.o apart.o -O2 -o first")
	likeInOnePiece(t, "first", "first.cc", "apart.cc")
}

func TestSourcesApart(t *testing.T) {
	folder(t)
	for name, text := range apartSources {
		write(t, name, text)
	}
	tc := aToolchain(t)
	if tc.Version < 16 {
		t.Skip("skipped: where pointers have types, programs stay in one piece")
	}
	cache := t.TempDir()
	t.Setenv("PATHSPAN_CACHE", cache)
	steps := func() int {
		list, err := filepath.Glob(filepath.Join(cache, "steps", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	must(t, "-O2 -c apart.c first.c second.c")
	if n := steps(); n != 3 {
		t.Errorf("compiling three sources keeps %d modules", n)
	}
	must(t, "-O2 first.o apart.o -o first")
	if n := steps(); n != 3+2*2+1 {
		t.Errorf("a program of two sources keeps %d files, want an object and its sites for each, and the root's", n-3)
	}
	must(t, "-O2 second.o apart.o -o second")
	if n := steps(); n != 3+3*2+2 {
		t.Errorf("a program that shares a source with another adds %d files, want those of its own source and its root", n-8)
	}

	apart := likeInOnePiece(t, "first", "first.c", "apart.c")
	hashed := 0
	for _, f := range apart.Funcs {
		for i := range f.Levels {
			if len(f.Levels[i].Paths) > 20 {
				hashed++
			}
		}
	}
	if hashed == 0 || len(apart.Targets) < 6 {
		t.Errorf("%d levels with many paths, %d targets: the program tests nothing", hashed, len(apart.Targets))
	}

	must(t, "-O2 second.o apart.o -o again")
	first, err := os.ReadFile("second")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATHSPAN_CACHE", "off")
	must(t, "-O2 second.o apart.o -o afresh")
	for _, name := range []string{"again", "afresh"} {
		if data, err := os.ReadFile(name); err != nil || !bytes.Equal(data, first) {
			t.Errorf("%s differs: %v", name, err)
		}
	}
	if err := exec.Command("./second").Run(); err != nil {
		t.Error(err)
	}
}
