package serve

// This file values candidates of programs that come apart: whose sections constructs
// add up, which is most programs. It is some ten times as fast as an estimate of the
// whole, and equal but for the order of additions. Where a mapping says how loops share
// their iterations, rows are made for that, once for each way.

import (
	"sync"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// space is what the candidates of one serial processor have in common.
type space struct {
	once  sync.Once
	space *table.Space    // nil when the program does not come apart
	base  estimate.Result // of any mapping: the sequential figures hold for all
}

// space returns that of a serial processor, prepared when it is first asked for.
func (s *Service) space(serial int, t estimate.Technique) *space {
	x := &s.spaces[t][serial]
	x.once.Do(func() {
		base, err := s.e.Estimate(s.unnamed[serial], t)
		if err != nil {
			return
		}
		sp, err := s.e.NewSpace(serial, t)
		if err != nil {
			return
		}
		for i := range sp.Units {
			if sp.Units[i].General {
				return
			}
		}
		x.space, x.base = sp, base
	})
	return x
}

// quick estimates a mapping by a technique that has rows. It reports false for others, and
// for programs that do not come apart.
func (w *worker) quick(m *mapping.Resolved, t estimate.Technique) (estimate.Result, bool) {
	if !t.HasRows() {
		return estimate.Result{}, false
	}
	x := w.s.space(m.Serial, t)
	if x.space == nil || w.c.shares || w.s.e.Rooms(m) != nil {
		return estimate.Result{}, false
	}
	f := w.fast[t][m.Serial]
	if f == nil {
		f = x.space.NewFast()
		w.fast[t][m.Serial] = f
	}
	w.genes = w.genes[:0]
	for i := range x.space.Genes {
		g := &x.space.Genes[i]
		if g.Kind == table.Sharing {
			w.genes = append(w.genes, 0) // as its clause says
			continue
		}
		w.genes = append(w.genes, int32(m.Regions[g.Region].Proc[g.Construct][g.Section]))
	}
	f.Set(w.genes)
	r := x.base
	r.ParallelSeconds = f.Seconds()
	r.ParallelCycles = r.ParallelSeconds * w.s.e.ClockMHz[m.Serial] * 1e6
	r.Speedup = 1
	if r.ParallelCycles > 0 {
		r.Speedup = r.SequentialCycles / r.ParallelCycles
	}
	return r, true
}
