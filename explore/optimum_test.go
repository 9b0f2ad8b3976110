package explore

// This file holds the algorithms against brute force and each other.

import (
	"math"
	"testing"

	"pathspan/estimate"
)

func closeTo(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// brute tries every value of every gene, without symmetry or units, by Estimate and Busy
// themselves.
func brute(t *testing.T, e *estimate.Estimator, serial int, visit func(m Metrics)) {
	t.Helper()
	space, err := e.NewSpace(serial, estimate.PathBased)
	if err != nil {
		t.Fatal(err)
	}
	genes := make([]int32, len(space.Genes))
	for {
		m := space.Mapping(genes)
		r, err := e.Estimate(m, estimate.PathBased)
		if err != nil {
			t.Fatal(err)
		}
		busy, err := e.Busy(m, estimate.PathBased)
		if err != nil {
			t.Fatal(err)
		}
		x := Metrics{Seconds: r.ParallelSeconds}
		used := map[int32]bool{int32(serial): true}
		for _, v := range genes {
			used[v] = true
		}
		x.Processors = len(used)
		for p := range e.Platform.Processors {
			pr := &e.Platform.Processors[p]
			x.Joules += pr.Power*busy[p] + pr.Idle*(r.ParallelSeconds-busy[p])
		}
		if !closeTo(r.Joules, x.Joules) {
			t.Fatalf("genes %v take %v J, by processors %v", genes, r.Joules, x.Joules)
		}
		visit(x)
		i := 0
		for ; i < len(genes); i++ {
			if genes[i]++; int(genes[i]) < space.Genes[i].Values {
				break
			}
			genes[i] = 0
		}
		if i == len(genes) {
			return
		}
	}
}

// small is how many candidates brute force tries at most in these tests.
func small(e *estimate.Estimator, most float64) bool {
	n := 0
	for r := range e.Bundle.Program.Regions {
		for _, c := range e.Bundle.Program.Regions[r].Constructs {
			n += len(c.Sections)
		}
	}
	return math.Pow(float64(len(e.Platform.Processors)), float64(n)) <= most
}

func TestOptimaOfRandomPrograms(t *testing.T) {
	compared := 0
	for seed := range uint64(120) {
		e := random(t, seed)
		if !small(e, 2000) {
			continue
		}
		compared++
		time, energy := math.Inf(1), math.Inf(1)
		brute(t, e, 0, func(m Metrics) { time, energy = min(time, m.Seconds), min(energy, m.Joules) })
		for _, algorithm := range []string{"exhaustive", "branch-and-bound"} {
			f := run(t, e, Options{Algorithm: algorithm, Evaluations: 1e6})
			if !closeTo(f.Best.Metrics.Seconds, time) || !f.Proven {
				t.Fatalf("seed %d, %s: %v s, proven %v; the best are %v s", seed, algorithm, f.Best.Metrics.Seconds, f.Proven, time)
			}
			if b := f.Bounds; max(b.Critical, b.Capacity, b.Combined) > time*(1+1e-9) {
				t.Fatalf("seed %d: bounds %v above the optimum %v", seed, b, time)
			}
			f = run(t, e, Options{Algorithm: algorithm, Objective: Energy, Evaluations: 1e6})
			if !closeTo(f.Best.Metrics.Joules, energy) || !f.Proven {
				t.Fatalf("seed %d, %s: %v J, proven %v; the best are %v J", seed, algorithm, f.Best.Metrics.Joules, f.Proven, energy)
			}
		}
		for _, algorithm := range Algorithms() {
			f := run(t, e, Options{Algorithm: algorithm, Evaluations: 300, Seed: seed})
			if f.Best.Metrics.Seconds < time*(1-1e-9) {
				t.Fatalf("seed %d, %s: %v s, below the optimum %v", seed, algorithm, f.Best.Metrics.Seconds, time)
			}
			if f.Proven && !closeTo(f.Best.Metrics.Seconds, time) {
				t.Fatalf("seed %d, %s: %v s proven, the optimum is %v", seed, algorithm, f.Best.Metrics.Seconds, time)
			}
			r, err := e.Estimate(f.Mapping, estimate.PathBased)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Mapping.Check(e.Bundle.Program); err != nil || !closeTo(r.ParallelSeconds, f.Best.Metrics.Seconds) {
				t.Fatalf("seed %d, %s: %v s explored, %v s estimated; %v", seed, algorithm, f.Best.Metrics.Seconds, r.ParallelSeconds, err)
			}
		}
	}
	if compared < 40 {
		t.Errorf("only %d programs compared", compared)
	}
}

// Fronts have every combination of least costs, and no other.
func TestFrontsAreExact(t *testing.T) {
	several := 0
	for seed := range uint64(80) {
		e := random(t, seed)
		if !small(e, 1100) {
			continue
		}
		var all []Metrics
		brute(t, e, 0, func(m Metrics) { all = append(all, m) })
		for _, of := range [][]Objective{{Time, Energy}, {Speedup, Processors}, {Processors, Energy}, {Time, Processors, Energy}} {
			f := run(t, e, Options{Algorithm: "exhaustive", Pareto: of, Evaluations: 1e6})
			if !f.Proven {
				t.Fatalf("seed %d, %v: not proven", seed, of)
			}
			if len(f.Front) > 1 {
				several++
			}
			const slack = 1 + 1e-9
			for _, m := range all {
				covered := false
				for i := range f.Front {
					ok := true
					for _, o := range of {
						ok = ok && f.Front[i].Metrics.of(o) <= m.of(o)*slack
					}
					covered = covered || ok
				}
				if !covered {
					t.Fatalf("seed %d, %v: nothing on the front is as good as %v", seed, of, m)
				}
			}
			for i := range f.Front {
				exists := false
				for _, m := range all {
					x := &f.Front[i].Metrics
					exists = exists || closeTo(m.Seconds, x.Seconds) && closeTo(m.Joules, x.Joules) && m.Processors == x.Processors
				}
				if !exists {
					t.Fatalf("seed %d, %v: no candidate is %v", seed, of, f.Front[i].Metrics)
				}
			}
			for _, algorithm := range []string{"annealing", "genetic", "ants", "random", "list"} {
				h := run(t, e, Options{Algorithm: algorithm, Pareto: of, Evaluations: 400, Seed: seed})
				for i := range h.Front {
					ok := false
					for k := range f.Front {
						good := true
						for _, o := range of {
							good = good && f.Front[k].Metrics.of(o) <= h.Front[i].Metrics.of(o)*slack
						}
						ok = ok || good
					}
					if !ok {
						t.Fatalf("seed %d, %s, %v: %v is beyond the exact front", seed, algorithm, of, h.Front[i].Metrics)
					}
				}
			}
		}
	}
	if several < 30 {
		t.Errorf("only %d fronts of several candidates", several)
	}
}

// The paper's example. Where both conditions agree (a), the sections they decide must be
// apart, as in SolA; where they differ (b), they must be together, as in SolB. SolA is
// not the very best in (a): the middle section is better off with the last than with the
// first, by 2 cycles of 2155.5. Average times choose SolB in both situations, maximal
// times the sections apart in both.
func TestPaperExample(t *testing.T) {
	solA, solB := []int32{0, 0, 1}, []int32{0, 1, 0}
	for _, c := range []struct {
		situation          string
		cycles, solA, solB float64
		together           bool
	}{{"a", 2153.5, 2155.5, 2648.5, false}, {"b", 2122, 2648.5, 2122, true}} {
		e := fun0(t, c.situation)
		space, err := e.NewSpace(0, estimate.PathBased)
		if err != nil {
			t.Fatal(err)
		}
		hertz := e.ClockMHz[0] * 1e6
		for _, algorithm := range Algorithms() {
			f := run(t, e, Options{Algorithm: algorithm, Evaluations: 1000})
			at := f.Mapping.Regions[0].Proc[0]
			if got := f.Best.Metrics.Seconds * hertz; !closeTo(got, c.cycles) || (at[0] == at[2]) != c.together {
				t.Errorf("(%s), %s: %v cycles with sections on %v", c.situation, algorithm, got, at)
			}
			if f.Best.Metrics.Seconds < f.Bounds.Combined {
				t.Errorf("(%s): %v s below the bound %v", c.situation, f.Best.Metrics.Seconds, f.Bounds.Combined)
			}
		}
		fast := space.NewFast()
		for sol, want := range map[*[]int32]float64{&solA: c.solA, &solB: c.solB} {
			fast.Set(*sol)
			if got := fast.Seconds() * hertz; !closeTo(got, want) {
				t.Errorf("(%s) %v: %v cycles, want %v", c.situation, *sol, got, want)
			}
		}
		for technique, together := range map[estimate.Technique]bool{estimate.AverageTime: true, estimate.MaximalTime: false} {
			best, apart := math.Inf(1), true
			for n := range int32(8) {
				genes := []int32{n & 1, n >> 1 & 1, n >> 2 & 1}
				r, err := e.Estimate(space.Mapping(genes), technique)
				if err != nil {
					t.Fatal(err)
				}
				if r.ParallelCycles < best {
					best, apart = r.ParallelCycles, genes[0] != genes[2]
				}
			}
			if apart == together {
				t.Errorf("(%s) %v chooses sections 1 and 3 apart: %v", c.situation, technique, apart)
			}
		}
	}
}
