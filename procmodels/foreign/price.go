package foreign

// This file asks a model what calls cost.

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"pathspan/procmodels"
)

// Function is what a function outside of the program costs.
type Function struct {
	Name         string
	Calls        int
	Instructions float64 // of the processor, a call
	Cycles       float64 // a call, without the instruction that calls
}

// Price prices what ran of each function that the program called, ascending by name. The model is
// given machine code: see pipeline.MachineCode. What it remarks comes second.
func (r *Run) Price(ctx context.Context, triple string, m procmodels.Model) ([]Function, []string, error) {
	l := r.lift(triple)
	costs, err := m.Costs(ctx, &procmodels.Subject{Program: l.program, Uses: l.uses})
	if err != nil {
		return nil, nil, err
	}
	blocks := costs.Blocks[0]
	of := func(b, before int) float64 {
		for _, a := range blocks[b].After {
			if a.Pred == before {
				return a.Cycles
			}
		}
		return blocks[b].Cycles
	}
	var out []Function
	for _, name := range slices.Sorted(maps.Keys(r.called)) {
		c := r.called[name]
		f := Function{Name: name, Calls: c.calls}
		// In one order, so that sums are the same each time.
		steps := slices.SortedFunc(maps.Keys(c.steps), func(a, b step) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from)) })
		for _, s := range steps {
			n := float64(c.steps[s])
			before := -1
			if way := l.ways[s.from]; s.from != 0 {
				before = way[len(way)-1]
			}
			f.Instructions += n * float64(len(r.blocks[s.to].code))
			for _, b := range l.ways[s.to] {
				f.Cycles += n * of(b, before)
				before = b
			}
		}
		f.Instructions /= float64(c.calls)
		f.Cycles /= float64(c.calls)
		out = append(out, f)
	}
	return out, costs.Warnings, nil
}
