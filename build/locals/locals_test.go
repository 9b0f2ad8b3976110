package locals

// This file holds what is said of variables to programs that say themselves what each loop does with them; the suggestions made
// of it are run in parallel in suggest.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/ir/asm"
)

// A comment behind a loop says what is to be said of it, each variable behind a comma.
const loops = `#include <stdbool.h>
int f(int); int a[100], b[300]; double d[100]; void take(int *);
void pointers(int n, int *out, int stride) {
  int j = 0, i, odd = 0;
  for (int k = 0; k < n; k++) *out++ = f(k); // linear out 1
  for (int k = 0; k < n; k++) { b[j++] = f(k); b[j++] = f(k + 1); } // linear j 2
  for (int k = 0; k < n; k++) { if (k & 1) { j += 2; f(j); } else j += 2; a[j] = k; } // linear j 2
  for (int k = 0; k < n; k++) { b[j] = f(k); j += stride; } // linear j stride
  for (int k = 0; k < n; k++) { b[j] = f(k); j += stride * 2; } // goes j -
  for (int k = 0; k < n; k++) if (f(k)) a[odd++] = k; // carried odd -
  for (int k = 0; k < n; k++) { for (int m = 0; m < k; m++) a[odd++] = k; } // carried odd -, linear odd 1
  for (int k = 0; k < n; k++, j++) a[k] = f(j); // beside j 1
  for (i = 0; i < n; i++) a[i] = f(i); // lastprivate i -
  f(i + j + odd);
  for (i = 0; i < n; i++) a[i] = f(i); //
  for (i = 0; i < n; i++) { a[i] = f(i); i++; } // counted i -
  for (i = 0; i < n; i++) { if (f(i)) n--; } // counted n -
  for (i = 0; i * i < n; i++) f(i); // condition i -
  for (i = 0; i < (stride ? n : 9) + 1; i++) a[i] = f(i); //
  for (i = 0; i < n && f(i); i++) a[i] = i; // condition i -
  for (i = 3, f(i); i < n; i++) a[i] = i; //
  i = 3;
  for ( ; i < n; i++) a[i] = i; // unset i -
}
int scalars(int n) {
  int t, k, last = 0, some = 0, ok = 1, most = 0, least = 9, sum = 0, count = 0, prev = 0, at = 0, all = 1, any = 0, both = 1, x = 3, used = 0;
  double p = 1;
  bool found = false;
  for (int i = 0; i < n; i++) { t = a[i]; f(t); } // private t -
  for (int i = 0; i < n; i++) for (k = 0; k < 4; k++) f(i + k); // private k -
  for (int i = 0; i < n; i++) { int inner = f(i); f(inner); inner++; f(inner); } //
  for (int i = 0; i < n; i++) { last = f(i); a[i] = last; } // lastprivate last -
  for (int i = 0; i < n; i++) if (f(i)) some = i; // left some -
  for (int i = 0; i < n; i++) if (f(i)) ok = 0; // reduction ok &
  for (int i = 0; i < n; i++) if (f(i)) found = true; // reduction found |
  for (int i = 0; i < n; i++) if (a[i] > most) most = a[i]; // reduction most max
  for (int i = 0; i < n; i++) if (!(least <= a[i])) least = a[i]; // reduction least min
  for (int i = 0; i < n; i++) most = a[i] > most ? a[i] : most; // reduction most max
  for (int i = 0; i < n; i++) { sum += a[i]; if (f(i)) count++; } // reduction sum +, reduction count +
  for (int i = 0; i < n; i++) { sum += a[i]; a[i] = sum; } // carried sum -
  for (int i = 0; i < n; i++) sum = sum * 31 + a[i]; // carried sum -
  for (int i = 0; i < n; i++) sum -= a[i]; // reduction sum +
  for (int i = 0; i < n; i++) sum = a[i] - sum; // carried sum -
  for (int i = 0; i < n; i++) p *= d[i]; // reduction p *
  for (int i = 0; i < n; i++) p += d[i] * d[i]; // reduction p +
  for (int i = 0; i < n; i++) { d[i] = p; p += 0.5; } // carried p -
  for (int i = 0; i < n; i++) { a[i] = prev; prev = f(i); } // carried prev -
  for (int i = 0; i < n; i++) if (a[i] > most) { most = a[i]; at = i; } // reduction most max, left at -
  for (int i = 0; i < n; i++) all = all && f(i); // reduction all &&
  for (int i = 0; i < n; i++) any = any || f(i); // reduction any ||
  for (int i = 0; i < n; i++) both &= f(i); // reduction both &
  for (int i = 0; i < n; i++) { x = x > a[i] ? x : a[i + 1]; } // carried x -
  for (int i = 0; i < n; i++) { int i3 = i; take(&i3); used += i3; } // reduction used +
  for (int i = 0; i < n; i++) { int line[4]; take(line); }
  for (int i = 0; i < n; i++) { int line[4]; take(line); } // called line line308
  return last + some + ok + found + most + least + sum + count + p + at + all + any + both + x + used;
}
`

func TestVariables(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no clang")
	}
	for _, tc := range all {
		got := variables(t, tc, "1")
		for i, line := range strings.Split(loops, "\n") {
			_, want, ok := strings.Cut(line, "// ")
			if !ok && !strings.HasSuffix(line, "//") {
				continue
			}
			var list []string
			if want != "" {
				list = strings.Split(want, ", ")
			}
			slices.Sort(list)
			slices.Sort(got[i+1])
			if !slices.Equal(list, got[i+1]) {
				t.Errorf("clang %d, line %d: got %q: %s", tc.Version, i+1, got[i+1], line)
			}
		}
	}
}

// Without markers of lives, nothing is said to be private that may be declared in the loop.
func TestVariablesUnoptimised(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	for line, list := range variables(t, tc, "0") {
		for _, x := range list {
			if strings.Contains(x, "private") || strings.HasPrefix(x, "left") {
				t.Errorf("line %d: %s", line, x)
			}
		}
	}
}

// variables are those of loops by their lines: what is said, the name and the detail.
func variables(t *testing.T, tc *toolchain.Toolchain, level string) map[int][]string {
	t.Helper()
	dir := t.TempDir()
	source, out := filepath.Join(dir, "loops.c"), filepath.Join(dir, "loops.ll")
	if err := os.WriteFile(source, []byte(loops), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tc.Compile(context.Background(), toolchain.Compile{Source: source, Output: out, Level: level, Extra: []string{"-fno-discard-value-names"}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := asm.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	m.NameValues()
	bare := regexp.MustCompile(`//.*`).ReplaceAllString(loops, "") // what is wanted names variables, too
	if err := Mark(m, func(string) []byte { return []byte(bare) }); err != nil {
		t.Fatal(err)
	}
	got := map[int][]string{}
	for _, s := range m.NamedStrings(asm.Variables) {
		w := strings.Fields(s)
		if len(w) != 7 || w[6] != "loops.c" {
			t.Fatalf("%q", s)
		}
		line := 0
		fmt.Sscan(w[0], &line)
		detail := " " + w[4]
		got[line] = append(got[line], w[2]+" "+w[3]+detail)
	}
	return got
}
