package estimate

import (
	"math"
	"testing"

	"pathspan/estimate/table"
	"pathspan/mapping/hierarchy"
)

// Of uses that would take a lane more than nine tenths of its time less, each takes it less by as much smaller a part; others are left as they are.
func TestLanesTakeSomeTime(t *testing.T) {
	m := &mover{seen: make([]hierarchy.Seen, 2)}
	bands := table.Nearer{{Less: []float64{0.9, 0.2, 0.45, 0.1}}, {Less: []float64{0.6, 0.3, 0.3, 0.3}}}
	m.limit(bands)
	for i, want := range [][]float64{{0.9 * 0.6, 0.2, 0.45 * 0.6, 0.1}, {0.6 * 0.6, 0.3, 0.3 * 0.6, 0.3}} {
		for k, less := range bands[i].Less {
			if math.Abs(less-want[k]) > 1e-12 {
				t.Errorf("band %d: less by %v, want %v", i, bands[i].Less, want)
				break
			}
		}
	}
}
