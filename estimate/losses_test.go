package estimate

// This file holds accounts by executions against the estimates that they account for.

import (
	"testing"

	"pathspan/estimate/pathwise"
)

func TestLossesByExecutionsAddUp(t *testing.T) {
	accounted := 0
	for seed := range int64(300) {
		a, procs, ms := RandomCase(t, seed)
		e, err := a.On(procs)
		if err != nil {
			t.Fatal(err)
		}
		p, err := pathwise.New(pathwise.Subject{Bundle: e.Bundle, Root: e.Root, Costs: e.Costs, ClockMHz: e.ClockMHz, Overheads: e.Overheads})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range ms {
			paths, err := p.Losses(m)
			if err != nil {
				continue // a recursion without solution
			}
			x, by, err := e.Losses(paths, m)
			if err != nil || by == PathBased {
				continue
			}
			want := estimate(t, e, m, ExecutionBased).ParallelSeconds * 1e6
			sum := x.Sequential / x.Ideal
			for k, term := range x.Terms {
				items := 0.0
				for _, i := range term.Items {
					items += i.Micros
				}
				if !closeTo(items+want, term.Micros+want) || pathwise.Kind(k) == pathwise.Imbalance && term.Micros < -1e-9*want {
					t.Errorf("seed %d: %v loses %v us, its places %v", seed, pathwise.Kind(k), term.Micros, items)
				}
				sum += term.Micros
			}
			if !closeTo(x.Parallel, want) || !closeTo(sum, want) {
				t.Errorf("seed %d: terms add up to %v of %v us, and the estimate is %v", seed, sum, x.Parallel, want)
			}
			accounted++
		}
	}
	if accounted < 100 {
		t.Errorf("only %d accounts", accounted)
	}
}
