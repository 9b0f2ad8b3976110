package replay_test

// This file holds what is estimated of tasks that are not made to replay of programs that do not
// make them.

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

// cutProgram makes tasks in a taskloop of a grain size, 0 for where they are made, and in a recursion: those of numbers up to
// a least one where they are made, and of a depth or more final.
const cutProgram = `enum { GRAIN = %d, LEAST = %d, DEPTH = %d };
static long spin(long n) { volatile long s = 1; for (long i = 0; i < n; i++) s += s ^ i; return s; }
static long tree(long n, int depth)
{
    long a = 0, b = 0;
    if (n < 2) return spin(300);
    #pragma omp task shared(a) if(n - 1 > LEAST) final(depth >= DEPTH)
    a = tree(n - 1, depth + 1);
    #pragma omp task shared(b) if(n - 2 > LEAST) final(depth >= DEPTH)
    b = tree(n - 2, depth + 1);
    #pragma omp taskwait
    return a + b + spin(200 + 10 * n);
}
int main(void)
{
    static long s[600];
    long sum = 0;
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp taskloop grainsize(GRAIN > 0 ? GRAIN : 1) if(GRAIN > 0)
        for (int i = 0; i < 600; i++) s[i] = spin(300 + i %% 7 * 50);
        sum = tree(15, 1);
    }
    return sum + s[1] == 1;
}
`

func TestTasksThatAreNotMade(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	cases := []struct {
		grain, least, depth int
		cut                 profile.TaskCutOff
	}{{1, 0, 99, profile.TaskCutOff{}}, {6, 0, 99, profile.TaskCutOff{Grain: 6}}, {1, 0, 4, profile.TaskCutOff{Final: 4}}, {0, 7, 99, profile.TaskCutOff{}}, {6, 0, 4, profile.TaskCutOff{Grain: 6, Final: 4}}}
	var all *profile.Bundle
	for _, x := range cases {
		source := filepath.Join(t.TempDir(), "cut.c")
		if err := os.WriteFile(source, fmt.Appendf(nil, cutProgram, x.grain, x.least, x.depth), 0o644); err != nil {
			t.Fatal(err)
		}
		c := build(t, tc, []string{source}, "2")
		run := programs.Run{}
		c.profile(t, run)
		if all == nil {
			all = c.bundle
		}
		if x.least > 0 { // between the work of a number that is cut and the next
			x.cut.Least = between(all, x.least)
		}
		b := all
		if x.cut != (profile.TaskCutOff{}) {
			b, _ = all.WithTaskCutOff(x.cut)
		}
		if err := b.Check(); err != nil {
			t.Fatalf("%+v: %v", x.cut, err)
		}
		a, err := estimate.Prepare(b, "main")
		if err != nil {
			t.Fatal(err)
		}
		on := func(p *ir.Program) (out []candidate) {
			for _, n := range []int{2, 3, 4, 8} {
				pl := mapping.Homogeneous(n, "generic")
				pl.Other.Task, pl.Other.Steal = mapping.Overhead{Cycles: 400, Given: true}, mapping.Overhead{Cycles: 600, Given: true}
				procs, err := (&estimate.Pricer{Program: p}).Processors(t.Context(), pl)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, candidate{procs, mapping.Default(pl, p)})
			}
			return out
		}
		sims, _, _, err := c.replayed(t, run, "main", on(c.b.Program))
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range on(b.Program) {
			e, err := a.On(k.procs)
			if err != nil {
				t.Fatal(err)
			}
			r, err := e.Estimate(k.m, estimate.ExecutionBased)
			if err != nil {
				t.Fatal(err)
			}
			off := r.ParallelCycles/sims[i].Parallel() - 1
			t.Logf("%+v on %d: %.0f, replay of the program that does so %.0f, %.2g%%", x.cut, len(k.procs.Costs), r.ParallelCycles, sims[i].Parallel(), 100*off)
			if math.Abs(off) > 0.01 {
				t.Errorf("%+v on %d: off by %.2g%%", x.cut, len(k.procs.Costs), 100*off)
			}
		}
	}
}

// between returns a number of instructions between those of the recursion's tasks for a number and
// for the next.
func between(b *profile.Bundle, number int) float64 {
	x := b.Executions
	work := make([]float64, len(x.Entries))
	var all []float64
	for i := range x.Entries {
		e := &x.Entries[i]
		for _, lane := range e.Lanes {
			for _, p := range lane {
				for _, n := range p.Work {
					work[i] += n * float64(p.Times)
				}
				if p.Entry >= 0 {
					work[i] += work[p.Entry] * float64(p.Times)
				}
			}
		}
		if task, _ := e.Task(b.Program); e.OfTasks && task >= 0 && b.Program.Tasks[task].Function == "tree" {
			all = append(all, work[i])
		}
	}
	slices.Sort(all)
	all = slices.CompactFunc(all, func(x, y float64) bool { return x < 1.05*y })
	return math.Sqrt(all[number-1] * all[number]) // the first is of 0 and of 1
}
