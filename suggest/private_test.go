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

// marked is the suggestion for the loop that a comment marks, of a profile with --memory.
func marked(t *testing.T, source, text string) *Suggestion {
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
	line := 1 + strings.Count(text[:strings.Index(text, "// pragma")], "\n")
	at := slices.IndexFunc(r.Suggestions, func(s Suggestion) bool { return s.Kind == Loop && s.Place.Line == line })
	if at < 0 {
		t.Fatalf("%s: line %d is not suggested: %+v", source, line, r.Suggestions)
	}
	return &r.Suggestions[at]
}

func TestPrivateVariablesAreNamed(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, c := range []struct{ name, text, clauses string }{
		{"medians.c", medians, " private(line, window)"},
		{"rates.c", rates, " firstprivate(table)"},
		{"words.c", words, " private(c)"},
	} {
		source := filepath.Join(dir, c.name)
		s := marked(t, source, c.text)
		if !strings.HasSuffix(s.Pragma, c.clauses) {
			t.Errorf("%s: %s, want%s", c.name, s.Pragma, c.clauses)
		}
		lines := strings.Split(c.text, "\n")
		lines = slices.Insert(lines, s.Place.Line-1, s.Pragma)
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
				t.Errorf("%s with %s prints %q, alone %q", c.name, s.Pragma, got, want)
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
