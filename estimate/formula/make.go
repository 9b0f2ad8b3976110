package formula

// This file makes formulas: which inputs there are, and what depends on them.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// Of returns the estimates of one mapping by some techniques. The mapping must pass its
// Check against the estimator's program. It fails where Estimate fails, and where the
// formula gives another figure than Estimate, so that none is shown.
func Of(e *estimate.Estimator, m *mapping.Resolved, techniques []estimate.Technique) (*Formula, error) {
	// With clocks of 1 MHz, the rows are cycles of each processor.
	p := e.Processors
	// Iterations stay with the threads that have them at the clocks asked about.
	p.ClockMHz, p.PlayMHz = slices.Repeat([]float64{1}, len(e.ClockMHz)), e.ClockMHz
	cycles, err := e.Analysis.On(p)
	if err != nil {
		return nil, err
	}
	f := &Formula{Serial: m.Serial, Techniques: []Technique{}}
	create := f.overheads(e, Create, "creating tasks", func(o *procmodels.Overheads) float64 { return o.Create })
	sync := f.overheads(e, Sync, "synchronising tasks", func(o *procmodels.Overheads) float64 { return o.Sync })
	clock := f.clocks(e)
	var alike []int
	for p := range clock {
		f.Processors = append(f.Processors, Processor{clock[p], create[p], sync[p]})
		alike = append(alike, slices.Index(f.Processors, f.Processors[p]))
	}
	var want []estimate.Result
	for _, t := range techniques {
		if !t.HasRows() {
			f.Fixed = append(f.Fixed, Fixed{t.String(), "it is estimated level by level"})
			continue
		}
		rows, err := cycles.Reduce(m, t, alike)
		if averaged := (*table.ErrAveraged)(nil); errors.As(err, &averaged) {
			region := e.Bundle.Program.Regions[averaged.Region].Name
			f.Fixed = append(f.Fixed, Fixed{t.String(), "it knows only on average which regions are executed inside sections of " + region})
			continue
		}
		if tasks := (*table.ErrTasks)(nil); errors.As(err, &tasks) {
			region := e.Bundle.Program.Regions[tasks.Region].Name
			f.Fixed = append(f.Fixed, Fixed{t.String(), "where tasks of " + region + " are executed hangs on all of them"})
			continue
		}
		if locked := (*table.ErrLocked)(nil); errors.As(err, &locked) {
			f.Fixed = append(f.Fixed, Fixed{t.String(), "who waits for a lock in " + e.Bundle.Program.Regions[locked.Region].Name + " depends on who comes first"})
			continue
		}
		if contended := (*table.ErrContended)(nil); errors.As(err, &contended) {
			f.Fixed = append(f.Fixed, Fixed{t.String(), "main memory, which processors share in " + e.Bundle.Program.Regions[contended.Region].Name + ", is as fast at any clock"})
			continue
		}
		if err != nil {
			return nil, err
		}
		r, err := e.Estimate(m, t)
		if err != nil {
			return nil, err
		}
		f.Techniques = append(f.Techniques, Technique{t.String(), r.SequentialCycles, rows})
		want = append(want, r)
	}
	return f, f.check(want)
}

// agreed is the relative difference up to which a formula and an estimate agree: both are
// sums of many terms in another order.
const agreed = 1e-9

// check holds the formula against the estimates that it is of.
func (f *Formula) check(want []estimate.Result) error {
	got, err := f.Eval(f.Initial())
	if err != nil {
		return err
	}
	for i, g := range got {
		if x := want[i].ParallelSeconds; !(math.Abs(g.ParallelSeconds-x) <= agreed*x) {
			return fmt.Errorf("formula: %s takes %v s in parallel, and %v s when estimated", g.Technique, g.ParallelSeconds, x)
		}
	}
	return nil
}

// overheads adds the inputs of one overhead: one where all processors have the same, else
// one for the processors of each model and figure. It returns the input of each processor.
func (f *Formula) overheads(e *estimate.Estimator, kind, doing string, of func(*procmodels.Overheads) float64) []int {
	equal := true
	for p := range e.Overheads {
		equal = equal && of(&e.Overheads[p]) == of(&e.Overheads[0])
	}
	return f.groups(e, func(p, q int) bool {
		return equal || e.Charged[p] == e.Charged[q] && of(&e.Overheads[p]) == of(&e.Overheads[q])
	}, func(in *Input, p int) {
		in.Kind, in.Unit, in.Value = kind, "cycles", of(&e.Overheads[p])
		in.Name = doing + " on " + who(e, in.Processors, p, !equal) + ", cycles"
		if equal {
			in.Name = doing + ", cycles"
		}
		in.Max = math.Max(1000, round(10*in.Value))
	})
}

// clocks adds an input for each group of processors of one model and clock.
func (f *Formula) clocks(e *estimate.Estimator) []int {
	return f.groups(e, func(p, q int) bool {
		return e.Charged[p] == e.Charged[q] && e.ClockMHz[p] == e.ClockMHz[q]
	}, func(in *Input, p int) {
		in.Kind, in.Unit, in.Value = Clock, "MHz", e.ClockMHz[p]
		in.Name = "clock of " + who(e, in.Processors, p, true) + ", MHz"
		if e.Charged[p] != e.Costs[p] {
			in.Name += " (waiting for memory keeps its cycles)"
		}
		in.Min, in.Max = round(in.Value/4), round(in.Value*4)
	})
}

// groups adds an input for each group of like processors, in the order of their first.
func (f *Formula) groups(e *estimate.Estimator, like func(p, q int) bool, describe func(in *Input, p int)) []int {
	of := make([]int, len(e.ClockMHz))
	for p := range of {
		first := 0
		for !like(first, p) {
			first++
		}
		if first < p {
			of[p] = of[first]
			continue
		}
		of[p] = len(f.Inputs)
		var in Input
		for q := range e.Platform.Processors {
			if like(p, q) {
				in.Processors = append(in.Processors, e.Platform.Processors[q].Name)
			}
		}
		describe(&in, p)
		f.Inputs = append(f.Inputs, in)
	}
	return of
}

// who names the processors of a group, which are like p: cpu0-cpu3 (cortex-a7).
func who(e *estimate.Estimator, names []string, p int, model bool) string {
	var text []string
	for i := 0; i < len(names); {
		j := i + 1
		for j < len(names) && follows(e, names[j-1], names[j]) {
			j++
		}
		switch {
		case j-i > 2:
			text = append(text, names[i]+"-"+names[j-1])
		default:
			text = append(text, names[i:j]...)
		}
		i = j
	}
	s := strings.Join(text, ", ")
	if model {
		s += fmt.Sprintf(" (%s)", e.Costs[p].Model)
	}
	return s
}

// follows reports whether a processor is the next of the platform.
func follows(e *estimate.Estimator, a, b string) bool {
	return e.Platform.Index(b) == e.Platform.Index(a)+1
}

// round returns a number of two digits near x, above 0 when x is.
func round(x float64) float64 {
	if x <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	if unit >= 1 {
		return math.Round(x/unit) * unit
	}
	per := math.Round(1 / unit)
	return math.Round(x*per) / per
}
