package composition

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestQuicksortOfHLScope holds formulas to its table of stalls: load, compute and store take
// 145 k, 7.75 M and 140 k cycles one after the other, and stall 98.2, 3.5 and 98.3 %.
func TestQuicksortOfHLScope(t *testing.T) {
	modules := []float64{145e3, 7.75e6, 140e3}
	total := Sequential(modules...)
	for i, want := range []string{"98.2", "3.5", "98.3"} {
		if got := fmt.Sprintf("%.1f", 100*Stall(modules[i], total)); got != want {
			t.Errorf("module %d stalls %s %%, want %s", i, got, want)
		}
	}
	if share := modules[1] / total; math.Abs(share-0.965) > 0.0005 {
		t.Errorf("it computes in %.4f of the time, want 96.5 %%", share)
	}
	if got := Parallel(modules...); got != 7.75e6 {
		t.Errorf("side by side it takes %g", got)
	}
}

// TestPipelineByTheClock holds the formula to stages that are played cycle by cycle.
func TestPipelineByTheClock(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	for range 300 {
		stages, items := 1+r.IntN(6), 1+r.IntN(40)
		takes, totals, left := make([]int, stages), make([]float64, stages), make([]int, stages)
		for s := range takes {
			takes[s] = 1 + r.IntN(9)
			totals[s] = float64(takes[s] * items)
		}
		waiting, done, cycle := make([]int, stages), 0, 0
		for waiting[0] = items; done < items; cycle++ {
			for s := range left {
				if left[s] == 0 && waiting[s] > 0 {
					waiting[s]--
					left[s] = takes[s]
				}
			}
			for s := range left {
				if left[s] == 0 {
					continue
				}
				if left[s]--; left[s] > 0 {
					continue
				}
				if s+1 == stages {
					done++
				} else {
					waiting[s+1]++
				}
			}
		}
		iteration := make([]float64, stages)
		for s := range iteration {
			iteration[s] = float64(takes[s])
		}
		got := Pipeline(float64(items), iteration, totals)
		if math.Abs(got-float64(cycle)) > 1e-9*got {
			t.Fatalf("%d items through %v take %d cycles, the formula says %g", items, takes, cycle, got)
		}
		if bound := Dataflow(totals, iteration); bound < got || bound > got+Parallel(iteration...)*(1+1e-9) {
			t.Fatalf("eq. 3.3 says %g, and it takes %g", bound, got)
		}
	}
}

func TestMachine(t *testing.T) {
	if got := FSM(State{1, 40}, State{100, 3}, State{99, 5}, State{0, 7}); got != 835 {
		t.Errorf("the machine takes %g, want 835", got)
	}
}
