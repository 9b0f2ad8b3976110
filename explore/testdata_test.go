package explore

// This file searches programs of testdata, built and profiled with the newest LLVM that
// is installed: nested regions, regions in recursions, several constructs.

import (
	"path/filepath"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/testdata/profiled"
)

// priced prices a bundle for n equal processors of the generic model.
func priced(t testing.TB, b *profile.Bundle, n int) *estimate.Estimator {
	t.Helper()
	pl := mapping.Homogeneous(n, "")
	for i := range pl.Processors {
		pl.Processors[i].Power, pl.Processors[i].Idle = 0.3, 0.05
	}
	return pricedOn(t, b, pl)
}

func pricedOn(t testing.TB, b *profile.Bundle, pl *mapping.Platform) *estimate.Estimator {
	t.Helper()
	e, err := estimate.OpenOn(b, pl, "")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestProgramsOfTestdata(t *testing.T) {
	for _, program := range []struct {
		source string
		args   []string
	}{
		{source: "openmp/several_constructs.c"}, {source: "openmp/control_in_sections.c"}, {source: "openmp/many_callers.c"},
		{source: "openmp/recursive_region.c"}, {source: "openmp/nested.c"}, {source: "openmp/single.c"},
		{"susan/susan.c", []string{"4"}}, {"cipher/cipher.c", []string{"50"}},
	} {
		t.Run(filepath.Base(program.source), func(t *testing.T) {
			t.Parallel()
			e := priced(t, profiled.Program{Source: filepath.Join("..", "testdata", program.source), Args: program.args}.Bundle(t), 2)
			space, err := e.NewSpace(0, estimate.PathBased)
			if err != nil {
				t.Fatal(err)
			}
			f, busy := space.NewFast(), make([]float64, 2)
			f.BusySeconds(busy)
			if busy[1] != 0 || !closeTo(busy[0], f.Seconds()) {
				t.Errorf("busy %v s of %v s on one processor", busy, f.Seconds())
			}
			for _, objective := range []Objective{Speedup, Energy} {
				exact := run(t, e, Options{Algorithm: "exhaustive", Objective: objective, Evaluations: 1e6})
				bounded := run(t, e, Options{Algorithm: "branch-and-bound", Objective: objective, Evaluations: 1e6})
				best := exact.Best.Metrics.of(objective)
				if !exact.Proven || !bounded.Proven || !closeTo(best, bounded.Best.Metrics.of(objective)) {
					t.Errorf("%s: exhaustive %v (proven %v), branch and bound %v (proven %v)", objective, best, exact.Proven, bounded.Best.Metrics.of(objective), bounded.Proven)
				}
				if exact.Bounds.Combined > exact.Best.Metrics.Seconds*(1+1e-9) {
					t.Errorf("bound %v above the optimum %v", exact.Bounds.Combined, exact.Best.Metrics.Seconds)
				}
				for _, algorithm := range Algorithms() {
					f := run(t, e, Options{Algorithm: algorithm, Objective: objective, Evaluations: 500, Seed: 1})
					if f.Best.Metrics.of(objective) < best*(1-1e-9) {
						t.Errorf("%s, %s: %v, below the optimum %v", algorithm, objective, f.Best.Metrics.of(objective), best)
					}
					r, err := e.Estimate(f.Mapping, estimate.PathBased)
					if err != nil || !closeTo(r.ParallelSeconds, f.Best.Metrics.Seconds) {
						t.Errorf("%s: %v s explored, %v s estimated, %v", algorithm, f.Best.Metrics.Seconds, r.ParallelSeconds, err)
					}
				}
			}
			// Limits of memory tie everything together.
			tied := Constraints{Memory: []Amount{{"cpu0", 100, "test"}}}
			for g := range space.Genes {
				if space.Genes[g].Kind == table.Placement {
					tied.Demand = append(tied.Demand, Amount{space.Genes[g].Name, 40, "test"})
				}
			}
			exact := run(t, e, Options{Algorithm: "exhaustive", Constraints: tied, Evaluations: 1e6})
			bounded := run(t, e, Options{Algorithm: "branch-and-bound", Constraints: tied, Evaluations: 1e6})
			if !exact.Proven || !bounded.Proven || !closeTo(exact.Best.Metrics.Seconds, bounded.Best.Metrics.Seconds) {
				t.Errorf("with little memory: exhaustive %v s (proven %v), branch and bound %v s (proven %v)", exact.Best.Metrics.Seconds, exact.Proven, bounded.Best.Metrics.Seconds, bounded.Proven)
			}
			kept := run(t, e, Options{KeepNested: true, Algorithm: "exhaustive", Evaluations: 1e6})
			if kept.Spread || kept.Best.Metrics.Seconds < run(t, e, Options{Algorithm: "exhaustive", Evaluations: 1e6}).Best.Metrics.Seconds*(1-1e-9) {
				t.Errorf("nested regions kept: %v s, spread %v", kept.Best.Metrics.Seconds, kept.Spread)
			}
		})
	}
}

// By default so many candidates are tried that not many more tasks are played than some seconds allow; a budget that is given is kept.
func TestDefaultBudgetIsOfTasks(t *testing.T) {
	e := priced(t, profiled.Program{Source: "../testdata/parallel/mergesort.c", Args: []string{"40000", "200"}}.Bundle(t).WithTeams(4), 4)
	for given, want := range map[int64]int64{0: 0, 200_000: 200_000} {
		s, err := New(e, Options{Technique: estimate.ExecutionBased, Evaluations: given})
		if err != nil {
			t.Fatal(err)
		}
		made := s.problems[0].space.Table().TasksMade()
		if given == 0 {
			want = int64(defaultTasks / made)
		}
		if made*DefaultEvaluations < 2*defaultTasks || s.Evaluations != want {
			t.Errorf("%v tasks, given %d: %d evaluations, want %d", made, given, s.Evaluations, want)
		}
	}
}
