package formula

// This file declares the formula, its inputs and its figures.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/estimate/table"
)

// Formula is the estimates of one mapping. It does not change once made and may be used by
// several goroutines.
type Formula struct {
	Inputs []Input `json:"inputs"`
	// Processors tells which inputs are whose.
	Processors []Processor `json:"processors"`
	// Serial is the processor that runs everything outside sections.
	Serial     int         `json:"serial"`
	Techniques []Technique `json:"techniques"`
	// Fixed are the techniques whose figures stay.
	Fixed []Fixed `json:"fixed,omitempty"`
}

// The kinds of inputs.
const (
	Create = "create" // cycles to create tasks on a processor
	Sync   = "sync"   // cycles to synchronise and destroy them
	Clock  = "clock"  // MHz
)

// Input is what may be changed.
type Input struct {
	Kind       string   `json:"kind"`
	Name       string   `json:"name"` // for people, with the unit
	Unit       string   `json:"unit"` // "cycles" or "MHz"
	Processors []string `json:"processors"`
	Value      float64  `json:"value"` // on the platform of the estimate
	Min        float64  `json:"min"`   // sensible ends of a slider; no limits of Eval
	Max        float64  `json:"max"`
}

// Processor holds the places of a processor's figures among the inputs.
type Processor struct {
	Clock  int `json:"clock"`
	Create int `json:"create"`
	Sync   int `json:"sync"`
}

// Technique is the estimate of a technique.
type Technique struct {
	Technique string `json:"technique"` // as estimate.Technique.String
	// Sequential is cycles of the serial processor.
	Sequential float64 `json:"sequential"`
	// Rows are the program under the mapping.
	Rows *table.Reduced `json:"rows"`
}

// Fixed is a technique that has figures of the estimate's platform only.
type Fixed struct {
	Technique string `json:"technique"`
	Why       string `json:"why"`
}

// Figures are those of a technique, in seconds per execution of the root function.
type Figures struct {
	Technique                          string
	SequentialSeconds, ParallelSeconds float64
}

// Initial returns the inputs of the estimate's platform.
func (f *Formula) Initial() []float64 {
	x := make([]float64, len(f.Inputs))
	for i := range f.Inputs {
		x[i] = f.Inputs[i].Value
	}
	return x
}

// Has reports whether a technique's figures follow the inputs.
func (f *Formula) Has(technique string) bool {
	return slices.ContainsFunc(f.Techniques, func(t Technique) bool { return t.Technique == technique })
}

// Eval returns the figures of the techniques for inputs: overheads of 0 or more, clocks
// above 0. The page's script computes the same to the last bit (report/page/formula.js).
func (f *Formula) Eval(inputs []float64) ([]Figures, error) {
	if len(inputs) != len(f.Inputs) {
		return nil, fmt.Errorf("formula: %d inputs, want %d", len(inputs), len(f.Inputs))
	}
	for i, x := range inputs {
		if in := &f.Inputs[i]; !(x >= 0) || math.IsInf(x, 1) || in.Kind == Clock && x == 0 {
			return nil, fmt.Errorf("formula: %s is %g: want a number of 0 or more, a clock above 0", in.Name, x)
		}
	}
	// Times are cycles of the first processor, as in package estimate.
	var factor, create, sync []float64
	first := inputs[f.Processors[0].Clock]
	for _, p := range f.Processors {
		factor = append(factor, first/inputs[p.Clock])
		create, sync = append(create, inputs[p.Create]), append(sync, inputs[p.Sync])
	}
	var out []Figures
	for _, t := range f.Techniques {
		cycles, err := t.Rows.Value(f.Serial, factor, create, sync)
		if err != nil {
			return nil, fmt.Errorf("formula: %s: %w", t.Technique, err)
		}
		out = append(out, Figures{t.Technique, t.Sequential / (inputs[f.Processors[f.Serial].Clock] * 1e6), cycles / (first * 1e6)})
	}
	return out, nil
}
