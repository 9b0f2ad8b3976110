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
	sequential, err := p.total(onOne(m, m.Serial), alone(t))
	if err != nil {
		return Figures{}, err
	}
	parallel, err := p.total(m, t)
	if err != nil {
		return Figures{}, err
	}
	clock := p.ClockMHz[m.Serial]
	return Figures{sequential * clock, parallel * clock}, nil
}

// alone returns the technique that values one processor: sections of their own
// processors would not be on one.
func alone(t Technique) Technique {
	if t == PathBasedUnmapped {
		return PathBased
	}
	return t
}

func (p *Program) total(m *mapping.Resolved, t Technique) (micros float64, err error) {
	w := p.walker(m, t)
	return w.function(spot{p.Root, 0, m.Serial, false}).micros, w.err
}

// onOne returns the mapping with everything on one processor.
func onOne(m *mapping.Resolved, proc int) *mapping.Resolved {
	one := &mapping.Resolved{Platform: m.Platform, Serial: proc, Regions: make([]mapping.RegionMap, len(m.Regions))}
	for r := range m.Regions {
		one.Regions[r].Order = m.Regions[r].Order
		for _, procs := range m.Regions[r].Proc {
			all := make([]int, len(procs))
			for s := range all {
				all[s] = proc
			}
			one.Regions[r].Proc = append(one.Regions[r].Proc, all)
		}
	}
	return one
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
