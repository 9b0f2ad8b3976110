package estimate

import (
	"testing"

	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
)

// A lane takes less by no more than it waits: here 6 of its uses miss a cache of 4 lines, of 10 cycles each, in a time of 100 and of 50.
func TestLanesWaitNoLessThanNothing(t *testing.T) {
	cache := hierarchy.Seen{Caches: []caches.Cache{{Size: 256, Line: 64}}, Shared: []bool{false}, Longer: []float64{10}}
	e := &Estimator{Analysis: &Analysis{madeAccesses: &accesses{uses: []caches.Histogram{{{Lines: 8, Times: 6}}}, sets: make([][]caches.Conflict, 1)}}}
	e.priced = &priced{factor: []float64{1}}
	e.onceAccesses.Do(func() {})
	m := &mover{e: e, seen: []hierarchy.Seen{cache}, x: &crossings{began: []float64{1}}}
	for _, c := range []struct{ less, takes, want float64 }{{0.8, 100, 0.6}, {0.5, 100, 0.5}, {1.5, 50, 1 - 1e-6}} {
		bands := table.Nearer{{Less: []float64{c.less / 2, 0}}, {Less: []float64{c.less / 2, 0}}}
		m.limit(bands, []int{0}, [][]float64{{c.takes}})
		if got := bands[0].Less[0] + bands[1].Less[0]; got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("less by %g of %g: %g, want %g", c.less, c.takes, got, c.want)
		}
	}
}
