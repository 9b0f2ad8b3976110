package profile_test

// This file holds what calls of the library work on to programs that count it themselves.

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/ir"
)

// moving prints for each line of which calls work on: the line, the function, and the bytes on average. The last three lines have
// a size that is fixed, one beside an access of which the size is not known, and one that never runs.
const moving = `#include <stdio.h>
#include <string.h>
#define COUNT(n) (times++, bytes += (n))
#define DONE(name, line) (printf("%d %s %.17g\n", line, name, bytes / times), bytes = times = 0)
static double times, bytes;
static char a[1 << 16], b[1 << 16];
static struct { int kept; size_t n; char text[256]; } s;
__attribute__((noinline)) static size_t rest(size_t x) { return x * x % 997; }
__attribute__((noinline)) static void move(char *to, const char *from, size_t n) {
  memcpy(to, from, n);
}
int main(int argc, char **argv) {
  volatile size_t one = (size_t)argc;
  for (size_t i = 0; i < 50; i++) { size_t n = rest(i); COUNT(n); move(a, b, n); }
  for (size_t i = 0; i < 7; i++) { size_t n = 3 * one; COUNT(n); move(b, a, n); }
  DONE("memcpy", 10);
  for (size_t i = 0; i < 50; i++) { size_t n = rest(i + 1); COUNT(n);
    memset(a, (int)i, n);
  }
  DONE("memset", 18);
  for (size_t i = 0; i < 20; i++) { size_t n = 100 * one + i; COUNT(n); COUNT(2 * n);
    memmove(a + 1, a, n), memmove(b + 1, b, 2 * n);
  }
  DONE("memmove", 22);
  for (size_t i = 0; i < 20; i++) { size_t n = 10 * i * one; COUNT(n);
    s.kept = (int)i; memset(a, s.kept, n);
  }
  DONE("memset", 26);
  int same = 0;
  for (size_t i = 0; i < 20; i++) { size_t n = 40 * i * one; COUNT(n);
    same += memcmp(a, b, n);
  }
  DONE("memcmp", 31);
  memset(a, 'x', 5000);
  for (size_t i = 0; i < 20; i++) { COUNT(200 - i + 1); a[200 - i] = 0;
    same += (int)strlen(a + (one - 1));
  }
  DONE("strlen", 36);
  for (size_t i = 0; i < 9; i++) { s.n = i * one;
    memcpy(s.text, a, rest(s.n));
    memcpy(a, b, 64);
    if (same == -12345) memcpy(a, b, s.n);
  }
  return same == 12345;
}
`

func TestMovedIsWhatProgramsCount(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	for _, level := range []string{"0", "2"} {
		dir := t.TempDir()
		source := filepath.Join(dir, "moving.c")
		if err := os.WriteFile(source, []byte(moving), 0o600); err != nil {
			t.Fatal(err)
		}
		r := &record.Recorder{Toolchain: tc, Dir: dir}
		built, err := r.Build(t.Context(), record.Options{Sources: []string{source}, Level: level, CFlags: []string{"-fno-builtin-memcmp"}, Memory: true})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		b, _, err := r.Run(t.Context(), built, nil, record.Streams{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]float64{}
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			var at, name string
			var bytes float64
			if n, err := fmt.Sscan(line, &at, &name, &bytes); n != 3 {
				t.Fatalf("%q: %v", line, err)
			}
			want[at+" "+name] = bytes
		}
		moved, met := b.Moved(b.Program), map[string]bool{}
		for _, f := range b.Program.Funcs {
			for _, block := range f.Blocks {
				for i := range block.Instrs {
					c := block.Instrs[i].Call
					if c == nil || c.Callee >= 0 {
						continue
					}
					name, _, _ := strings.Cut(strings.TrimPrefix(c.Name, "llvm."), ".")
					at := fmt.Sprint(block.Instrs[i].Loc.Line, " ", name)
					got, known := moved[c]
					if bytes, ok := want[at]; ok {
						met[at] = true
						if !known || math.Abs(got-bytes) > 1e-9*bytes {
							t.Errorf("-O%s: %s works on %g bytes (known: %t), the program counts %g", level, at, got, known, bytes)
						}
					} else if known {
						t.Errorf("-O%s: %s is said to work on %g bytes", level, at, got)
					}
				}
			}
		}
		if len(met) != len(want) || len(want) != 6 {
			t.Errorf("-O%s: met %v of %v", level, met, want)
		}
		b.Memory = nil
		if moved := b.Moved(&ir.Program{}); moved != nil {
			t.Errorf("without --memory: %v", moved)
		}
	}
}
