package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
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
