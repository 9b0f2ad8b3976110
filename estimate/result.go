package estimate

// This file estimates: one figure of one technique for one mapping.

import (
	"fmt"
	"math"

	"pathspan/mapping"
)

// Result is one estimate. Cycles are those of the mapping's serial processor, times
// are per execution of the root function.
type Result struct {
	Technique         string  `json:"technique"`
	Processors        int     `json:"processors"`
	Mapping           string  `json:"mapping"` // left to the caller, who knows the name
	SequentialCycles  float64 `json:"sequential_cycles"`
	ParallelCycles    float64 `json:"parallel_cycles"`
	SequentialSeconds float64 `json:"sequential_seconds"`
	ParallelSeconds   float64 `json:"parallel_seconds"`
	Speedup           float64 `json:"speedup"`
	// Joules is the energy of all processors of the platform, where it gives their power and the technique says when each
	// is busy; see [mapping.Power].
	Joules float64 `json:"joules,omitempty"`
	// DefaultCostShare is the share of the sequential cycles that rests on defaults of
	// the serial processor's model.
	DefaultCostShare float64 `json:"default_cost_share"`
	// The intervals are nil when the models' costs are exact, or were not sampled.
	SpeedupInterval           *Interval `json:"speedup_interval,omitempty"`
	ParallelSecondsInterval   *Interval `json:"parallel_seconds_interval,omitempty"`
	SequentialSecondsInterval *Interval `json:"sequential_seconds_interval,omitempty"`
}

// Estimate estimates a mapping, which must pass its Check against the bundle's
// program and be of as many processors as the platform.
func (e *Estimator) Estimate(m *mapping.Resolved, t Technique) (Result, error) {
	if err := e.fits(m); err != nil {
		return Result{}, err
	}
	parallel, err := e.parallel(m, t)
	if err != nil {
		return Result{}, err
	}
	serial := e.kindOf[m.Serial]
	r := Result{
		Technique: t.String(), Processors: len(e.Platform.Processors),
		SequentialCycles: e.constants(t)[e.Root].levels[0][serial] / e.factor[serial],
		ParallelCycles:   parallel / e.factor[serial],
		DefaultCostShare: e.shares[serial].Share,
	}
	hertz := e.ClockMHz[m.Serial] * 1e6
	r.SequentialSeconds, r.ParallelSeconds = r.SequentialCycles/hertz, r.ParallelCycles/hertz
	r.Speedup = 1
	if r.ParallelCycles > 0 {
		r.Speedup = r.SequentialCycles / r.ParallelCycles // eq. 12
	}
	if w := e.Platform.Power(); w.Known && t.HasRows() {
		busy, err := e.Busy(m, t)
		if err != nil {
			return Result{}, err
		}
		r.Joules = w.Joules(r.ParallelSeconds, busy)
	}
	return r, r.check()
}

// parallel returns the time of the root under a mapping, in cycles of processor 0.
func (e *Estimator) parallel(m *mapping.Resolved, t Technique) (float64, error) {
	if !t.HasRows() {
		return t.Entry().Time(e, m)
	}
	rows, err := e.RowsUnder(t, m)
	if err != nil {
		return 0, err
	}
	x, err := rows.NewValuer().Value(m)
	return x, e.named(err)
}

// Stealing returns the least and the largest time of the root over some random orders in which
// processors steal tasks, as a share of the time that EB gives it; 0 where that plays no part.
func (e *Estimator) Stealing(m *mapping.Resolved, orders int) (least, most float64, err error) {
	rows, err := e.RowsUnder(ExecutionBased, m)
	if err != nil {
		return 0, 0, err
	}
	x, err := rows.NewValuer().Value(m)
	if err != nil || x == 0 {
		return 0, 0, e.named(err)
	}
	least, most, err = rows.Stealing(m, orders)
	return least / x, most / x, e.named(err)
}

// maximalTime returns the time of the root with the largest times seen.
func (e *Estimator) maximalTime(m *mapping.Resolved) (float64, error) {
	x, err := e.levelByLevel(m, MaximalTime)
	return math.Max(x, e.leastMaximal(m)), err
}

// leastMaximal is what maximal times take shared among all processors by their speeds: the
// published technique lets nested regions find them free, and would be faster.
func (e *Estimator) leastMaximal(m *mapping.Resolved) float64 {
	whole := e.maximal[e.Root].levels[0]
	speeds := 0.0
	for _, kind := range e.kindOf {
		if whole[kind] > 0 {
			speeds += whole[e.kindOf[m.Serial]] / whole[kind]
		}
	}
	if speeds == 0 {
		return 0
	}
	return whole[e.kindOf[m.Serial]] / speeds
}

// constants returns the values with everything on one processor.
func (e *Estimator) constants(t Technique) []constants {
	if t.Entry().Largest {
		return e.maximal
	}
	return e.serial
}

// levelByLevel returns the time of the root under a mapping as the paper computes it, in
// cycles of processor 0.
func (e *Estimator) levelByLevel(m *mapping.Resolved, t Technique) (float64, error) {
	v := e.pool.Get().(*evaluator)
	defer e.pool.Put(v)
	v.reset(m, t)
	x := v.of(e.Root, 0)
	return x, v.failure()
}

// check reports figures that are none, as sums of counts and costs that are too large give.
func (r *Result) check() error {
	for _, x := range []float64{r.SequentialCycles, r.ParallelCycles, r.SequentialSeconds, r.ParallelSeconds, r.Speedup} {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("estimate: technique %s on %d processors gives %g sequential and %g parallel cycles: the counts, costs or clocks are too far apart to compute with", r.Technique, r.Processors, r.SequentialCycles, r.ParallelCycles)
		}
	}
	return nil
}

func (v *evaluator) failure() error {
	if v.err == nil && v.average != nil {
		return v.average.err
	}
	return v.err
}

func (e *Estimator) fits(m *mapping.Resolved) error {
	if len(m.Platform.Processors) != len(e.Platform.Processors) || len(m.Regions) != len(e.Bundle.Program.Regions) {
		return fmt.Errorf("estimate: mapping of %d regions onto %d processors, want %d onto %d", len(m.Regions), len(m.Platform.Processors), len(e.Bundle.Program.Regions), len(e.Platform.Processors))
	}
	if m.Serial < 0 || m.Serial >= len(e.Platform.Processors) {
		return fmt.Errorf("estimate: serial processor %d of %d", m.Serial, len(e.Platform.Processors))
	}
	return e.Rooms(m)
}
