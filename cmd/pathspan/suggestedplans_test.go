package main

// This file holds what suggest says of all its suggestions together to executions (EB) of the
// program with the plan that it writes: they lie between what is said with iterations in
// the worst order, without tasks, and what is said with iterations that are alike.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/suggest"
)

// parts has loops, statements and a recursion that pay in different ways: statements by
// themselves are worth sections, and an outer loop of few iterations is with its inner one.
const parts = `#include <stdio.h>
#include <stdlib.h>
enum { LONG = 400, PLANES = 6 };
static double a[LONG], b[LONG], c[LONG], plane[PLANES][LONG];
static unsigned state[3] = {1, 2, 3};
static void fill(double *to, unsigned *from, int rounds)
{
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < LONG; i++) {
            *from = *from * 69069u + 1u;
            to[i] = to[i] / 2 + *from % 1000;
        }
}
static void smooth(int planes, int rounds)
{   int p, i, r; /* as C before C99 has them */
    for (p = 0; p < planes; p++)
        for (i = 1; i < LONG - 1; i++) {
            double sum = 0;
            for (r = 0; r < rounds; r++)
                sum += (a[i - 1] + a[i] + a[i + 1]) * (r + p);
            plane[p][i] = sum;
        }
}
static long ways(int n, int last)
{
    if (n < 2)
        return last;
    long x, y;
    x = ways(n - 1, 0);
    y = ways(n - 2, 1);
    return x + 2 * y + 1;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60;
    fill(a, &state[0], n);
    fill(b, &state[1], 2 * n);
    fill(c, &state[2], n / 2);
    smooth(n / 10, n);
    long found;
    found = ways(20, 1);
    printf("%g %g %g %g %ld\n", a[7], b[8], c[9], plane[2][5], found);
    return 0;
}
`

func TestSuggestedPlans(t *testing.T) {
	root, err := filepath.Abs("../../testdata/parallel")
	if err != nil {
		t.Fatal(err)
	}
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	for _, x := range []struct {
		program string // of testdata/parallel, without its pragmas; "" for parts
		without string // lines that are left out
		kinds   string // what is suggested, in any order
	}{
		{"triangle", "", "loop"}, {"mandelbrot", "", "loop"}, {"matmul", "", "collapse loop"}, {"sparse", "", "loop"}, {"histogram", "", "loop"},
		{"reductions", "", "loop"}, {"waiting", "", "loop"}, {"wavefront", "", "loop"}, {"mergesort", "", "loop tasks"}, {"queens", "", "loop tasks"},
		{"", "", "collapse loop tasks"}, {"", "8 9 16 17 19 24", "sections"}, {"", "8 9 16 17 19 36", "tasks"},
	} {
		name := x.program
		if name == "" {
			name = "parts without " + x.without
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			file, text := "parts.c", parts
			if x.program != "" {
				file = x.program + ".c"
				data, err := os.ReadFile(filepath.Join(root, file))
				if err != nil {
					t.Fatal(err)
				}
				text = onlyPragmas(string(data), "threadprivate")
			}
			writeText(t, dir, file, text)
			pathspan("", "profile", "-q", "-o", "plain.pspan", file)
			args := []string{"suggest", "-q", "-p", "4", "--items", "0", "-o", "plan.yaml", "--json", "plain.pspan"}
			for _, line := range strings.Fields(x.without) {
				args = append(args, "--without", file+":"+line)
			}
			var said suggest.Answer
			if err := json.Unmarshal([]byte(succeed(t, args...)), &said); err != nil {
				t.Fatal(err)
			}
			var kinds []string
			for _, s := range said.Suggestions {
				kind := string(s.Kind)
				if s.Collapse > 0 {
					kind = "collapse"
				}
				kinds = append(kinds, kind)
			}
			slices.Sort(kinds)
			if got := strings.Join(slices.Compact(kinds), " "); got != x.kinds {
				t.Errorf("suggested are %s, want %s", got, x.kinds)
			}
			if o := pathspan("", "profile", "-q", "-o", "planned.pspan", "--plan", "plan.yaml", file); o.stderr != "" {
				t.Fatal(o.stderr)
			}
			var out struct {
				Estimates []struct {
					Speedup float64
					Seconds float64 `json:"parallel_seconds"`
				}
			}
			if err := json.Unmarshal([]byte(succeed(t, "estimate", "-q", "--json", "-p", "4", "--technique", "eb", "planned.pspan")), &out); err != nil {
				t.Fatal(err)
			}
			last := said.Suggestions[len(said.Suggestions)-1]
			// Pragmas keep the optimiser from some things. Speed-ups are those of the planned
			// program, but for tasks, which are functions that may not be laid into each other.
			least := out.Estimates[0].Speedup
			most := least
			if strings.Contains(x.kinds, "tasks") {
				most = said.SequentialSeconds / out.Estimates[0].Seconds
			}
			t.Logf("suggested %.2f, at least %.2f, executions say %.2f", last.Together, last.TogetherAtLeast, least)
			if most > 1.02*last.Together || least < 0.98*last.TogetherAtLeast {
				t.Errorf("executions say %.3f, of the plain program's time %.3f, suggested was %.3f, at least %.3f", least, most, last.Together, last.TogetherAtLeast)
			}
		})
	}
}
