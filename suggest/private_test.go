package suggest

// This file pastes suggested pragmas into programs whose iterations share objects, and holds what the parallel programs print
// to what the sequential ones do.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/mapping"
	"pathspan/testdata/profiled"
)

// medians sorts windows in a scratch array of main, and filters rows in a global one.
const medians = `#include <stdio.h>
#define N 96
static int image[N][N], out[N][N];
int line[N];
int main(void) {
  int window[9];
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++)
      image[y][x] = (y * 31 + x * 17 + y * x) % 251;
  for (int y = 1; y < N - 1; y++) { // pragma
    for (int x = 1; x < N - 1; x++) {
      for (int k = 0; k < 9; k++) window[k] = image[y - 1 + k / 3][x - 1 + k % 3];
      for (int k = 0; k < 9; k++)
        for (int m = k + 1; m < 9; m++)
          if (window[m] < window[k]) { int t = window[m]; window[m] = window[k]; window[k] = t; }
      line[x] = window[4];
    }
    for (int x = 2; x < N - 2; x++) out[y][x] = (line[x - 1] + 2 * line[x] + line[x + 1]) / 4;
  }
  unsigned sum = 0;
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++) sum = sum * 31 + (unsigned)out[y][x];
  printf("%u\n", sum);
  return 0;
}
`

// rates fills a part of a record anew in each iteration, of which it reads another part as it was.
const rates = `#include <stdio.h>
#define N 400
static struct { double kept[8], scratch[64]; } table;
static double result[N];
int main(int argc, char **argv) {
  for (int k = 0; k < 8; k++) table.kept[k] = 1.0 + k * argc;
  for (int i = 0; i < N; i++) { // pragma
    for (int k = 0; k < 64; k++) table.scratch[k] = (i * 13 + k) % 29;
    double s = 0;
    for (int round = 0; round < 50; round++)
      for (int k = 0; k < 64; k++) s = s * 0.5 + table.scratch[k] *
        table.kept[k % 8] * (round + 1);
    result[i] = s;
  }
  double all = 0;
  for (int i = 0; i < N; i++) all = all * 0.9 + result[i];
  printf("%.17g\n", all);
  return argv == 0;
}
`

// words counts letters of each text in a record that a function fills, and looks at the record alone.
const words = `#include <stdio.h>
#include <string.h>
#define N 300
struct counts { int of[26]; int most; };
static char texts[N][200];
static int best[N];
__attribute__((noinline)) static void count(const char *text, struct counts *c) {
  memset(c, 0, sizeof *c);
  for (; *text; text++) if (++c->of[*text - 'a'] > c->of[c->most]) c->most = *text - 'a';
}
int main(void) {
  struct counts c;
  unsigned seed = 12345;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 199; k++) { seed = seed * 1103515245u + 12345u; texts[i][k] = (char)('a' + (seed >> 16) % 26); }
  for (int i = 0; i < N; i++) { // pragma
    count(texts[i], &c);
    best[i] = c.most * 1000 + c.of[c.most];
  }
  unsigned sum = 0;
  for (int i = 0; i < N; i++) sum = sum * 31 + (unsigned)best[i];
  printf("%u\n", sum);
  return 0;
}
`

// registers has loops whose variables the optimiser keeps in registers, and makes one of those that go on alike.
const registers = `#include <stdio.h>
#define N 4000
static int in[N], o1[N], o2[2 * N + 2], o3[N], o4[N], o5[N];
static int f(int x) { for (int k = 0; k < 20; k++) x = x * 7 + (x >> 3); return x; }
__attribute__((noinline)) static int lines(int *to, int stride) {
  int at = 0, i;
  for (i = 0; i < N / stride; i++) { // pragma
    to[at] = f(i);
    at += stride;
  }
  return at + i;
}
int main(int argc, char **argv) {
  int *out = o1, j = argc, k, t, last = 0, bad = 0, all = 1;
  double most = -1;
  long sum = 0;
  unsigned bits = 0;
  for (int i = 0; i < N; i++) in[i] = i * 31 % 1000;
  for (int i = 0; i < N; i++) *out++ = f(in[i]); // pragma
  for (int i = 0; i < N; i++) { o2[j++] = f(in[i]); o2[j++] = f(in[i] + 1); } // pragma
  for (int i = 0; i < N; i++) { t = in[i]; for (k = 0; k < 5; k++) t += f(t); o3[i] = t; } // pragma
  for (int i = 0; i < N; i++) { last = f(in[i] + 3); o4[i] = last; } // pragma
  for (int i = 0; i < N; i++) { int v = f(in[i]) & 0xffff; sum += v; if (v > most) most = v; bits ^= (unsigned)v << i % 16; } // pragma
  for (int i = 0; i < N; i++) if ((f(in[i]) & 0xffff) == 77) bad = 1; // pragma
  for (int i = 0; i < N; i++) all = all && (f(in[i]) & 0xffff) != 78; // pragma
  for (int i = 0; i < N; i += 2) for (k = i; k < i + 2; k++) o5[k] = f(in[k] + 5); // pragma
  int ends = lines(o3, 2);
  unsigned long hash = 0;
  for (int i = 0; i < N; i++) hash = hash * 31 + (unsigned)(o1[i] + o2[i] + o2[2 * i] + o3[i] + o4[i] + o5[i]);
  printf("%lx %ld %g %d %d %x %d %d %d %d\n", hash, sum, most, last, ends, bits, bad, all, j, (int)(out - o1));
  return argv == 0;
}
`

// marked is the suggestion for the first loop that a comment marks, of a profile with --memory.
func marked(t *testing.T, source, text string) *Suggestion {
	t.Helper()
	return allMarked(t, source, text)[0]
}

// allMarked are the suggestions for the loops that comments mark, in the order of the text.
func allMarked(t *testing.T, source, text string) (out []*Suggestion) {
	t.Helper()
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b := profiled.Program{Source: source, Memory: true}.Bundle(t)
	e, m := priced(t, b, mapping.Homogeneous(4, "generic"))
	r, err := Of(e, m, Options{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, "// pragma") {
			continue
		}
		at := slices.IndexFunc(r.Suggestions, func(s Suggestion) bool { return s.Kind == Loop && s.Place.Line == i+1 })
		if at < 0 {
			t.Fatalf("%s: line %d is not suggested: %+v, %+v", source, i+1, r.Suggestions, r.Rejected)
		}
		out = append(out, &r.Suggestions[at])
	}
	return out
}

func TestPrivateVariablesAreNamed(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, c := range []struct {
		name, text string
		clauses    []string
	}{
		{"medians.c", medians, []string{" private(line, window)"}},
		{"rates.c", rates, []string{" firstprivate(table)"}},
		{"words.c", words, []string{" private(c)"}},
		{"registers.c", registers, []string{" linear(at: stride) lastprivate(i)", " linear(out)", " linear(j: 2)", " private(k, t)", " lastprivate(last)", " reduction(max: most) reduction(+: sum) reduction(^: bits)",
			" reduction(|: bad)", " reduction(&&: all)", " private(k)"}},
	} {
		source := filepath.Join(dir, c.name)
		all := allMarked(t, source, c.text)
		lines := strings.Split(c.text, "\n")
		for i, s := range slices.Backward(all) {
			if !strings.HasSuffix(s.Pragma, c.clauses[i]) || strings.Count(s.Pragma, "(") != strings.Count(c.clauses[i], "(")+strings.Count(s.Pragma, "schedule(") {
				t.Errorf("%s: %s, want%s", c.name, s.Pragma, c.clauses[i])
			}
			lines = slices.Insert(lines, s.Place.Line-1, s.Pragma)
		}
		parallel := filepath.Join(dir, "parallel-"+c.name)
		if err := os.WriteFile(parallel, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		printed := func(exe string, source string, flags ...string) string {
			exe = filepath.Join(dir, exe)
			if out, err := exec.Command(tc.Clang, append(flags, "-O1", "-o", exe, source)...).CombinedOutput(); err != nil {
				if strings.Contains(string(out), "lomp") || strings.Contains(string(out), "omp.h") {
					t.Skipf("no OpenMP library beside %s", tc.Clang)
				}
				t.Fatalf("%s: %v\n%s", source, err, out)
			}
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=4")
			var out bytes.Buffer
			cmd.Stdout = &out
			if err := cmd.Run(); err != nil {
				t.Fatalf("%s: %v", source, err)
			}
			return out.String()
		}
		want := printed("sequential", source)
		for range 3 {
			if got := printed("parallel", parallel, "-fopenmp"); got != want {
				t.Errorf("%s with%s prints %q, alone %q", c.name, c.clauses, got, want)
			}
		}
	}
}

// What a clause would lose, or does not reach, is told and not named: what a line behind the loop reads, a global that a
// function uses which the loop calls, and what goes on from one execution of the loop to the next.
func TestPrivateVariablesThatClausesMiss(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct{ text, says string }{
		"behind.c": {strings.Replace(rates, `printf("%.17g\n", all)`, `printf("%.17g\n", all + table.scratch[0])`, 1), "table, which behind.c:17 reads behind the loop"},
		"callee.c": {strings.NewReplacer("int main(int argc", "__attribute__((noinline)) static double at(int k) { return table.scratch[k]; }\nint main(int argc", "table.scratch[k] *\n", "at(k) *\n").Replace(rates), "table"},
		"again.c":  {strings.NewReplacer("static double result", "static volatile int first = 1;\nstatic double result", "  for (int i = 0; i < N; i++) { // pragma", "  for (int n = 0; n < 3 * argc; n++, first = 0)\n  for (int i = 0; i < N; i++) { // pragma", "table.scratch[k] = (i", "if (first) table.scratch[k] = (i").Replace(rates), "table"},
	} {
		s := marked(t, filepath.Join(dir, name), c.text)
		if strings.Contains(s.Pragma, "private") || s.Dependences == nil || !slices.Contains(s.Dependences.Private, c.says) {
			t.Errorf("%s: %s, %+v", name, s.Pragma, s.Dependences)
		}
	}
}
