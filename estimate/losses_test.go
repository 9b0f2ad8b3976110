package estimate

// This file holds accounts by executions against the estimates that they account for.

import (
	"math"
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

// Timelines by executions take what Estimate takes: what is left is serial, and the same for
// every mapping.
func TestTimelinesByExecutions(t *testing.T) {
	compared := 0
	for seed := range int64(600) {
		a, procs, ms := RandomCase(t, seed)
		e, err := a.On(procs)
		if err != nil {
			t.Fatal(err)
		}
		left := -1.0
		for _, m := range ms {
			m.Serial = ms[0].Serial
			if e.executions.byPaths || e.Accounted(m, ExecutionBased) != ExecutionBased {
				continue
			}
			lines, err := e.Timelines(m, ExecutionBased, 0)
			if err != nil {
				continue // a recursion without solution
			}
			rest := estimate(t, e, m, ExecutionBased).ParallelSeconds
			for _, l := range lines {
				rest -= l.Executions * l.Seconds
				sum, count := 0.0, 0.0
				for _, p := range l.Paths {
					sum, count = sum+p.Count*p.Seconds, count+p.Count
					for i, b := range p.Bars {
						if b.Stop > p.Seconds*(1+1e-9) || i > 0 && p.Bars[i-1].Processor == b.Processor && b.Start < p.Bars[i-1].Stop*(1-1e-9) {
							t.Fatalf("seed %d: bars %+v of %v s", seed, p.Bars, p.Seconds)
						}
					}
				}
				if !closeTo(sum, l.Executions*l.Seconds) || !closeTo(count, l.Executions) {
					t.Fatalf("seed %d: classes take %v s in %v executions, all %v s in %v", seed, sum, count, l.Executions*l.Seconds, l.Executions)
				}
			}
			whole := estimate(t, e, m, ExecutionBased).SequentialSeconds
			if left >= 0 && math.Abs(rest-left) > 1e-9*whole || rest < -1e-9*whole {
				t.Fatalf("seed %d: %v s outside of regions, %v s under another mapping", seed, rest, left)
			}
			left = rest
			compared++
		}
	}
	if compared < 40 {
		t.Errorf("only %d timelines", compared)
	}
}
