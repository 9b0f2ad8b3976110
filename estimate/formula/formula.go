package formula

// This file declares the formula, its inputs and its outputs.

import (
	"encoding/json"
	"fmt"
	"math"
)

// Formula is a recorded estimate. It does not change once recorded and may be used by
// several goroutines.
type Formula struct {
	Inputs  []Input  `json:"inputs"`
	Outputs []Output `json:"outputs"`
	// SerialClock is the input that is the clock of the processor that runs everything
	// outside sections: seconds times it, times a million, are the cycles of a report.
	SerialClock int `json:"serial_clock"`
	// Tape is the computation; tape.go tells how it is written.
	Tape []float64 `json:"tape"`

	steps  []step // the tape, read
	values int
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
	Value      float64  `json:"value"` // on the recorded platform
	Min        float64  `json:"min"`   // sensible ends of a slider; no limits of Eval
	Max        float64  `json:"max"`
}

// The quantities of outputs, in seconds per execution of the root function.
const (
	SequentialSeconds = "sequential_seconds"
	ParallelSeconds   = "parallel_seconds"
)

// Output says what a result is.
type Output struct {
	Technique string `json:"technique"` // as estimate.Technique.String
	Quantity  string `json:"quantity"`
}

// Initial returns the inputs of the recorded platform.
func (f *Formula) Initial() []float64 {
	x := make([]float64, len(f.Inputs))
	for i := range f.Inputs {
		x[i] = f.Inputs[i].Value
	}
	return x
}

// Eval returns the outputs for inputs: overheads of 0 or more, clocks above 0. It fails
// where a recursion has no solution under them.
func (f *Formula) Eval(inputs []float64) ([]float64, error) {
	if len(inputs) != len(f.Inputs) {
		return nil, fmt.Errorf("formula: %d inputs, want %d", len(inputs), len(f.Inputs))
	}
	for i, x := range inputs {
		if in := &f.Inputs[i]; !(x >= 0) || math.IsInf(x, 1) || in.Kind == Clock && x == 0 {
			return nil, fmt.Errorf("formula: %s is %g: want a number of 0 or more, a clock above 0", in.Name, x)
		}
	}
	out, endless := f.run(inputs)
	for i, y := range out {
		if math.IsNaN(y) {
			return nil, fmt.Errorf("formula: %s of %s: %s at these overheads and clocks; lower the overheads", f.Outputs[i].Quantity, f.Outputs[i].Technique, noSolution(endless))
		}
	}
	return out, nil
}

func noSolution(endless bool) string {
	if endless {
		return "a recursion has no solution"
	}
	return "no number"
}

// UnmarshalJSON reads a formula and checks its tape.
func (f *Formula) UnmarshalJSON(data []byte) error {
	type plain Formula // without this method
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*f = Formula(p)
	if f.SerialClock < 0 || f.SerialClock >= len(f.Inputs) {
		return fmt.Errorf("formula: serial_clock %d of %d inputs", f.SerialClock, len(f.Inputs))
	}
	return f.read()
}
