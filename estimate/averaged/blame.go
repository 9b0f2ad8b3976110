package averaged

// This file finds the region where averages change an estimate most.

import (
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/validate/ledger"
)

// Part is a region in which the path-based technique parts from the executions.
type Part struct {
	Region string `json:"region"`
	Line   int    `json:"line,omitempty"` // of the region
	// Difference is that of the parallel time with this region alone in parallel, relative to
	// the execution-based technique: 0.25 where paths promise a time that is longer by 25 %.
	Difference float64        `json:"difference"`
	Causes     []ledger.Cause `json:"causes"` // what in its sections is averaged, largest share first
	// Waiting says that nothing is averaged in the region of a program that takes locks or updates
	// atomically: paths know nothing of who waits for whom.
	Waiting bool `json:"waiting,omitempty"`
	// Tasks says that threads of the region execute tasks beside each other, where paths take each to run where it is made.
	Tasks bool `json:"tasks,omitempty"`
}

// sameTime is the relative difference below which two times are equal but for rounding.
const sameTime = 1e-9

// Blame returns the region in which the path-based technique parts most from the
// execution-based one under a mapping, nil where it parts in none.
func Blame(e *estimate.Estimator, m *mapping.Resolved) (*Part, error) {
	region, most := -1, 1e-12 // less is the order of additions
	for r := range e.Bundle.Program.Regions {
		alone := m.OnlyRegion(r)
		pb, err := e.Estimate(alone, estimate.PathBased)
		if err != nil {
			return nil, err
		}
		eb, err := e.Estimate(alone, estimate.ExecutionBased)
		if err != nil {
			return nil, err
		}
		if d := pb.ParallelCycles/eb.ParallelCycles - 1; math.Abs(d) > max(math.Abs(most), sameTime) {
			region, most = r, d
		}
	}
	if region < 0 {
		return nil, nil
	}
	_, causes := New(e, m.Serial).Region(region)
	at := &e.Bundle.Program.Regions[region]
	tasks := len(e.Bundle.Program.Tasks) > 0 && slices.ContainsFunc(at.Constructs, func(c ir.Construct) bool { return c.Single })
	return &Part{Region: at.Name, Line: at.Line, Difference: most, Causes: causes, Waiting: len(causes) == 0 && !tasks && len(e.Bundle.Program.Locks) > 0, Tasks: tasks}, nil
}
