package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/profile"
)

// A recursion that goes the same way each time is foretold by what went before, of which paths know nothing: so a processor that
// executes out of order takes less time for it where the run told of branches.
func TestProfileOfBranches(t *testing.T) {
	if _, err := toolchain.Find(""); err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "fib.c")
	text := "static volatile int n = 15;\n__attribute__((noinline)) static int fib(int k) { if (k < 2) return k; return fib(k - 1) + fib(k - 2); }\n" +
		"int main(void) { int s = 0; for (int i = 0; i < 20; i++) s += fib(n); return s == 1; }\n"
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cycles := map[string]float64{}
	for name, flags := range map[string][]string{"paths": nil, "branches": {"--branches"}} {
		bundle := filepath.Join(dir, name+".pspan")
		succeed(t, append(append([]string{"profile", "-q", "-O0", "-o", bundle}, flags...), source)...)
		shown := succeed(t, "inspect", bundle)
		if got := strings.Contains(shown, "\nbranches   39,481 taken, 0.2% not foretold\n"); got != (flags != nil) {
			t.Errorf("%s: inspect shows\n%s", name, shown)
		}
		var got struct {
			Estimates []struct {
				Sequential float64 `json:"sequential_cycles"`
			} `json:"estimates"`
		}
		if err := json.Unmarshal([]byte(succeed(t, "estimate", "--json", "--samples", "0", "--model", "pipeline:out-of-order", bundle)), &got); err != nil {
			t.Fatal(err)
		}
		cycles[name] = got.Estimates[0].Sequential
	}
	if cycles["branches"] == 0 || cycles["branches"] > 0.8*cycles["paths"] {
		t.Errorf("it takes %v cycles where the run told of branches, %v where not", cycles["branches"], cycles["paths"])
	}
	o := pathspan("", "profile", "--branches", "--threads", "-o", filepath.Join(dir, "no.pspan"), source)
	if o.status == 0 || !strings.Contains(o.stderr, "--branches follows one thread; leave out --branches") {
		t.Errorf("status %d, %s", o.status, o.stderr)
	}
}

// A search by halves has selects that compilers for x86-64 make branches of: a run tells how often they went either way, as counted
// here, and that half of those of numbers drawn at random are foretold; a processor that executes out of order is held up by the others.
func TestSelectsOfARun(t *testing.T) {
	if _, err := toolchain.Find(""); err != nil || runtime.GOARCH != "amd64" {
		t.Skipf("skipped: selects become branches on x86-64, by clang: %v", err)
	}
	dir := t.TempDir()
	source := writeText(t, dir, "halves.c", `static unsigned p[1024];
__attribute__((noinline)) static unsigned find(unsigned k) {
    unsigned lo = 0, hi = 1024;
    while (hi - lo > 1) { unsigned m = (lo + hi) / 2; if (p[m] > k) hi = m; else lo = m; }
    return lo;
}
int main(void) {
    unsigned s = 0, x = 1;
    for (unsigned i = 0; i < 1024; i++) p[i] = i * 4;
    for (int i = 0; i < 400; i++) { x = x * 1103515245u + 12345u; s += find(x >> 20); }
    return s == 1;
}
`)
	var went [2]uint64
	for i, x := 0, uint32(1); i < 400; i++ {
		x = x*1103515245 + 12345
		for lo, hi := uint32(0), uint32(1024); hi-lo > 1; {
			if m := (lo + hi) / 2; m*4 > x>>20 {
				hi, went[0] = m, went[0]+1
			} else {
				lo, went[1] = m, went[1]+1
			}
		}
	}
	var cycles [2]float64
	for i, flags := range [][]string{{"--branches"}, nil} {
		bundle := filepath.Join(dir, "halves.pspan")
		succeed(t, append(append([]string{"profile", "-q", "-O2", "-o", bundle}, flags...), source)...)
		all, _ := estimatesOf(t, "--samples", "0", "-p", "1", "--model", "pipeline:out-of-order", bundle)
		cycles[i] = all[0].SequentialCycles
		b, err := profile.ReadFile(bundle)
		if err != nil {
			t.Fatal(err)
		}
		told := b.Selected()
		if len(told) != 1-i {
			t.Fatalf("%q tells of selects %+v", flags, told)
		}
		for _, of := range told {
			if got := [2]uint64{of[0].Times, of[1].Times}; got != went && got != [2]uint64{went[1], went[0]} {
				t.Errorf("the run tells of %v, want %v", got, went)
			}
			if wrong := of[0].Wrong + of[1].Wrong; wrong < 1600 || wrong > 2400 {
				t.Errorf("%d of 4000 are not foretold, want about half", wrong)
			}
		}
	}
	if cycles[0] < 3*cycles[1] || cycles[1] < 4000 {
		t.Errorf("%.0f cycles where half are not foretold, %.0f where selects are moves: 4,000 iterations of 8 instructions, six a cycle", cycles[0], cycles[1])
	}
}
