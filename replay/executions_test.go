package replay_test

// This file holds the classes of executions in a bundle against replay, where there are
// more different executions than classes are kept.

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/testdata/programs"
)

// manyExecutions runs a region 60,000 times with sections of random length, over five
// orders of magnitude, and a nested one inside the second section now and then.
const manyExecutions = `#include <stdio.h>
static unsigned state = 1;
static unsigned next(void) { return state = state * 1664525u + 1013904223u, state >> 8; }
static __attribute__((noinline)) unsigned work(unsigned n)
{
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++) x = x * 3 + i;
    return x;
}
static unsigned length(void) { unsigned n = next() % 17; return next() % (1u << (n % 12)); }
int main(void)
{
    unsigned sum = 0;
    for (int k = 0; k < 60000; k++) {
        unsigned a = length(), b = length(), c = length(), x = 0, y = 0, z = 0, u = 0, v = 0;
        #pragma omp parallel sections
        {
            #pragma omp section
            x = work(a);
            #pragma omp section
            {
                y = work(b);
                if (k % 16 == 0) {
                    #pragma omp parallel sections
                    {
                        #pragma omp section
                        u = work(a);
                        #pragma omp section
                        v = work(c);
                    }
                }
            }
            #pragma omp section
            z = work(c);
        }
        sum += x + y + z + u + v;
    }
    printf("%u\n", sum);
    return 0;
}
`

func TestManyExecutions(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	source := filepath.Join(t.TempDir(), "many.c")
	if err := os.WriteFile(source, []byte(manyExecutions), 0o644); err != nil {
		t.Fatal(err)
	}
	c := build(t, tc, []string{source}, "2")
	c.profile(t, programs.Run{})
	p := c.bundle.Program
	pricer := &estimate.Pricer{Program: p}
	var cands []candidate
	for _, explicit := range []bool{false, true} {
		pl := mapping.Homogeneous(3, "")
		procs, err := pricer.Processors(context.Background(), pl)
		if err != nil {
			t.Fatal(err)
		}
		m := mapping.Default(pl, p)
		for r := range m.Regions {
			m.Regions[r].Explicit = explicit
		}
		cands = append(cands, candidate{procs, m})
	}
	sims, _, _, err := c.replayed(t, programs.Run{}, "main", cands)
	if err != nil {
		t.Fatal(err)
	}
	const most = 4096
	roots, entries := map[int]uint64{}, map[int]int{} // by region
	for _, x := range c.bundle.Executions.Entries {
		entries[x.Region]++
	}
	for _, r := range c.bundle.Executions.Roots {
		roots[c.bundle.Executions.Entries[r.Entry].Region] += r.Count
	}
	nested := map[int]uint64{}
	for _, x := range c.bundle.Executions.Entries {
		nested[x.Region] += x.Count
	}
	outer := 0
	if roots[1] > 0 {
		outer = 1
	}
	if roots[outer] != 60000 || nested[1-outer] != 60000/16 || len(roots) != 1 {
		t.Errorf("%v executions outside of others, %v altogether, want 60000 and 3750 inside", roots, nested)
	}
	for r, n := range entries {
		if n > most || n < 50 {
			t.Errorf("region %d: %d ways in which it was executed, want 50 to %d", r, n, most)
		}
	}
	a, err := estimate.Prepare(c.bundle, "main")
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range cands {
		e, eb := k.byExecutions(t, a)
		pb, err := e.Estimate(k.m, estimate.PathBased)
		if err != nil {
			t.Fatal(err)
		}
		exact := sims[i].Parallel()
		off, paths := math.Abs(eb.ParallelCycles/exact-1), math.Abs(pb.ParallelCycles/exact-1)
		t.Logf("nested region named %v: EB is off by %.2f%%, PB by %.2f%%", i == 1, 100*off, 100*paths)
		if off > 0.01 {
			t.Errorf("nested region named %v: EB's parallel cycles are off by %.2f%%", i == 1, 100*off)
		}
	}
}

// A construct of a hundred sections of which each takes longer than the one before:
// paths give all of them the average of what they call.
func TestManySections(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	var text strings.Builder
	text.WriteString("#include <stdio.h>\nstatic unsigned a[100];\nstatic __attribute__((noinline)) unsigned work(unsigned n)\n{\n    unsigned x = 1;\n    for (unsigned i = 0; i < n; i++) x = x * 3 + i;\n    return x;\n}\n")
	text.WriteString("int main(void)\n{\n    for (unsigned k = 0; k < 20; k++) {\n        #pragma omp parallel sections\n        {\n")
	for i := range 100 {
		fmt.Fprintf(&text, "            #pragma omp section\n            a[%d] = work(k * %d);\n", i, i)
	}
	text.WriteString("        }\n    }\n    printf(\"%u\\n\", a[99]);\n    return 0;\n}\n")
	source := filepath.Join(t.TempDir(), "sections.c")
	if err := os.WriteFile(source, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	c := build(t, tc, []string{source}, "2")
	c.profile(t, programs.Run{})
	pl := mapping.Homogeneous(2, "")
	procs, err := (&estimate.Pricer{Program: c.bundle.Program}).Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	k := candidate{procs, mapping.Default(pl, c.bundle.Program)}
	sims, _, _, err := c.replayed(t, programs.Run{}, "main", []candidate{k})
	if err != nil {
		t.Fatal(err)
	}
	a, err := estimate.Prepare(c.bundle, "main")
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	eb, err := e.Estimate(k.m, estimate.ExecutionBased)
	if err != nil {
		t.Fatal(err)
	}
	if off := math.Abs(eb.ParallelCycles/sims[0].Parallel() - 1); off > 0.001 {
		t.Errorf("EB's parallel cycles are off by %.2f%%", 100*off)
	}
}
