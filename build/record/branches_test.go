package record

// This file holds which branches runs tell to be foretold to what decides them.

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/profile"
)

// Each function has one branch; what of it cannot be foretold is known. The comment behind a name says in how
// many of a thousand.
const branchy = `
#include <stdlib.h>
static unsigned x = 1;
static unsigned next(void) { x = x * 1664525u + 1013904223u; return x >> 16; } /* low bits come again soon */
static long s;
__attribute__((noinline)) static void chance(void) { if (next() & 1) s += 3; else s ^= 5; }       /* 500 */
__attribute__((noinline)) static void seldom(void) { if (next() % 16 == 0) s += 3; else s ^= 5; } /* 62 */
__attribute__((noinline)) static void period(int i) { if (i % 7 == 3) s += 2; else s *= 3; }      /* 0 */
__attribute__((noinline)) static void four(void)                                                  /* 750 */
{
	switch (next() >> 3 & 3) {
	case 0: s += 1; break;
	case 1: s *= 5; break;
	case 2: s ^= 9; break;
	default: s -= 4;
	}
}
__attribute__((noinline)) static void same(unsigned bit) { if (bit) s += 7; else s ^= 1; }        /* 0 */
__attribute__((noinline)) static int fib(int k) { if (k < 2) return k; return fib(k - 1) + fib(k - 2); } /* 0 */
static unsigned char again[8192];
__attribute__((noinline)) static void learnt(int i) { if (again[i]) s += 3; else s ^= 5; }        /* 220 */
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	for (int i = 0; i < 8192; i++) again[i] = next() & 1;
	for (int k = 0; k < 64; k++)
		for (int i = 0; i < 8192; i++) learnt(i);
	for (int i = 0; i < n; i++) {
		chance();
		same(x >> 16 & 1); /* goes as chance did */
	}
	for (int i = 0; i < n; i++) seldom();
	for (int i = 0; i < n; i++) period(i);
	for (int i = 0; i < n; i++) four();
	for (int i = 0; i < n / 500; i++) s += fib(12);
	return s == 1;
}
`

func branchesOf(t *testing.T, opt Options, text string, args ...string) (*profile.Bundle, error) {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	opt.Sources = []string{filepath.Join(dir, "branchy.c")}
	if err := os.WriteFile(opt.Sources[0], []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &Recorder{Toolchain: tc, Dir: dir}
	b, err := r.Build(context.Background(), opt)
	if err != nil {
		return nil, err
	}
	bundle, _, err := r.Run(context.Background(), b, args, Streams{Stdout: io.Discard, Stderr: os.Stderr})
	return bundle, err
}

// What is left to chance is not foretold, and what others decide that went before is.
func TestBranchesAreForetold(t *testing.T) {
	for _, written := range []bool{false, true} {
		b, err := branchesOf(t, Options{Level: "0", Branches: true, SelfContained: written}, branchy, "20000")
		if err != nil {
			t.Fatal(err)
		}
		wrong, times := map[string]float64{}, map[string]float64{}
		for _, w := range b.Branches {
			name := b.Program.Funcs[w.Func].Name
			wrong[name] += float64(w.Wrong)
			times[name] += float64(w.Times)
			if got := b.Mistaken(-1)[w.Func][w.Block][w.Succ]; got != float64(w.Wrong)/float64(w.Times) {
				t.Errorf("%s: the bundle says %v of %+v", name, got, w)
			}
		}
		for _, c := range []struct {
			name          string
			times         float64
			least, mostly float64
		}{
			{"chance", 20000, 0.47, 0.53}, {"same", 20000, 0, 0.03}, {"seldom", 20000, 0.05, 0.1}, {"period", 20000, 0, 0.01},
			{"four", 20000, 0.7, 0.78},
			// Chance that comes again after 8192 branches takes an AMD EPYC of family 23 45 % of the time that its mistakes take where it never does.
			{"learnt", 64 * 8192, 0.17, 0.3}, {"fib", 465 * 40, 0, 0.05},
		} {
			if got := wrong[c.name] / times[c.name]; times[c.name] != c.times || got < c.least || got > c.mostly {
				t.Errorf("%s: %v of %v are not foretold, want %v to %v of %v", c.name, got, times[c.name], c.least, c.mostly, c.times)
			}
		}
		// Files keep it, and several runs add up.
		file := filepath.Join(t.TempDir(), "b.pspan")
		if err := b.WriteFile(file); err != nil {
			t.Fatal(err)
		}
		again, err := profile.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		both, err := profile.Merge(b, again)
		if err != nil {
			t.Fatal(err)
		}
		if len(both.Branches) != len(b.Branches) || len(b.Branches) == 0 {
			t.Fatalf("%d ways of %d", len(both.Branches), len(b.Branches))
		}
		for i, w := range both.Branches {
			if one := b.Branches[i]; w.Way != one.Way || w.Times != 2*one.Times || w.Wrong != 2*one.Wrong {
				t.Errorf("%+v of two runs, %+v of one", w, one)
			}
		}
		again.Branches[0].Wrong = again.Branches[0].Times + 1
		if err := again.Check(); err == nil {
			t.Error("more is wrong than was taken, and nothing said")
		}
	}
	b, err := branchesOf(t, Options{Level: "0"}, branchy, "100")
	if err != nil || b.Branches != nil {
		t.Errorf("%v, and %d ways are told of that were not asked for", err, len(b.Branches))
	}
}

// A program without branches, and one whose branches are those of several threads.
func TestBranchesThatAreNot(t *testing.T) {
	b, err := branchesOf(t, Options{Level: "0", Branches: true}, "int main(void) { return 0; }\n")
	if err != nil || len(b.Branches) != 0 {
		t.Errorf("%v, %v", b, err)
	}
	_, err = branchesOf(t, Options{Level: "0", Branches: true, Threads: true}, branchy, "1")
	if !errors.Is(err, ErrBranchesOfThreads) {
		t.Error(err)
	}
}
