package replay_test

// This file holds the answers by executions against replay where the program ends inside of
// a region: in a section, in one of a region inside another's, amid the iterations of a loop.

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/testdata/programs"
)

// endsInside says where it ends by its argument.
const endsInside = `#include <stdio.h>
#include <stdlib.h>
static unsigned done;
static __attribute__((noinline)) unsigned work(unsigned n, unsigned last)
{
    unsigned x = 1;
    for (unsigned i = 0; i < n; i++) {
        x = x * 3 + i;
        if (++done == last) {
            printf("%u\n", x);
            exit(0);
        }
    }
    return x;
}
int main(int argc, char **argv)
{
    unsigned last = argc > 1 ? strtoul(argv[1], 0, 10) : 0, sum = 0, a[400];
    for (unsigned k = 0; k < 30; k++) {
        unsigned x = 0, y = 0, z = 0, u = 0, v = 0;
        #pragma omp parallel sections
        {
            #pragma omp section
            x = work(900 + 40 * k, last);
            #pragma omp section
            {
                y = work(100, last);
                #pragma omp parallel sections
                {
                    #pragma omp section
                    u = work(700, last);
                    #pragma omp section
                    v = work(1000 - 30 * k, last);
                }
            }
            #pragma omp section
            z = work(1300, last);
        }
        sum += x + y + z + u + v;
    }
    #pragma omp parallel for schedule(static)
    for (int i = 0; i < 400; i++)
        a[i] = work(3000 + i, last);
    printf("%u %u\n", sum, a[7]);
    return 0;
}
`

func TestEndsInside(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	dir := t.TempDir()
	source, file := filepath.Join(dir, "ends.c"), filepath.Join(dir, "unequal.yaml")
	if err := os.WriteFile(source, []byte(endsInside), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(unequalProcessors), 0o644); err != nil {
		t.Fatal(err)
	}
	unequal, err := mapping.LoadPlatform(file)
	if err != nil {
		t.Fatal(err)
	}
	c := build(t, tc, []string{source}, "2")
	plain := c.b.Program
	// The first execution's first section, its inner region, its last section; later ones;
	// the loop's first and later iterations; and the end of main.
	for _, last := range []int{500, 900 + 100 + 350, 900 + 100 + 1300, 900 + 1800 + 700, 50000, 100000, 136000, 160000, 700000, 1300000, 0} {
		t.Run(fmt.Sprint(last), func(t *testing.T) {
			c.b.Program = plain
			run := programs.Run{Args: []string{fmt.Sprint(last)}}
			c.profile(t, run)
			c.bundle = c.bundle.WithTeams(3)
			c.b.Program = c.bundle.Program
			if notes := c.bundle.KeptNotes(); notes != nil {
				t.Errorf("%q", notes)
			}
			var cands []candidate
			for _, pl := range []*mapping.Platform{mapping.Homogeneous(3, ""), unequal} {
				procs, err := (&estimate.Pricer{Program: c.bundle.Program}).Processors(t.Context(), pl)
				if err != nil {
					t.Fatal(err)
				}
				for serial := range pl.Processors {
					m := mapping.DefaultFrom(pl, serial, c.bundle.Program)
					named := mapping.DefaultFrom(pl, serial, c.bundle.Program)
					for r := range named.Regions {
						named.Regions[r].Explicit = true
					}
					cands = append(cands, candidate{procs, m}, candidate{procs, named})
				}
			}
			sims, _, _, err := c.replayed(t, run, "main", cands)
			if err != nil {
				t.Fatal(err)
			}
			a, err := estimate.Prepare(c.bundle, "main")
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range cands {
				_, eb := k.byExecutions(t, a)
				if off := eb.ParallelCycles/sims[i].Parallel() - 1; math.Abs(off) > 0.003 || math.Abs(eb.SequentialCycles/sims[i].Sequential()-1) > 1e-9 {
					t.Errorf("candidate %d: EB's cycles are %.6g in sequence and %.6g in parallel, replay's %.6g and %.6g", i, eb.SequentialCycles, eb.ParallelCycles, sims[i].Sequential(), sims[i].Parallel())
				}
			}
		})
	}
}
