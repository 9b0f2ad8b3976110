package pathwise

// This file estimates a mapping and compares figures that should be equal.

import (
	"fmt"
	"math"

	"pathspan/mapping"
)

// Figures is a second estimate, in cycles of the mapping's serial processor.
type Figures struct{ SequentialCycles, ParallelCycles float64 }

// Estimate estimates a mapping, which must pass its Check against the program.
func (p *Program) Estimate(m *mapping.Resolved, t Technique) (Figures, error) {
	w := p.walker(m, t)
	sequential := w.function(spot{p.Root, 0, m.Serial, false})
	parallel := w.function(spot{p.Root, 0, m.Serial, true})
	clock := p.ClockMHz[m.Serial]
	return Figures{sequential * clock, parallel * clock}, w.err
}

// Tolerance is the relative difference up to which two figures agree: both are sums of
// many terms in another order.
const Tolerance = 1e-9

// Compare reports the first figure in which an estimate differs from the second one.
func (f Figures) Compare(sequential, parallel float64) error {
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"sequential", sequential, f.SequentialCycles}, {"parallel", parallel, f.ParallelCycles}} {
		if !(math.Abs(c.got-c.want) <= Tolerance*max(math.Abs(c.got), math.Abs(c.want))) {
			return fmt.Errorf("%s cycles are %v, recomputed path by path %v", c.name, c.got, c.want)
		}
	}
	return nil
}
