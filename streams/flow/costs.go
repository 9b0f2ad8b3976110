package flow

// This file reads what statements take from a file:
//
//	functions:
//	  source: {ii: 2, latency: 1}    # the next may start two cycles behind it
//	  bar: {ii: 1, latency: 2}
//	default: {ii: 1, latency: 1}     # of all others; without it they must all be named

import (
	"pathspan/ir"
	"pathspan/streams"
	"pathspan/yamlstrict"
)

// ReadCosts reads a file of that name. What it names must have been executed, and what was
// executed must have a cost.
func ReadCosts(file string, data []byte, t *streams.Trace, p *ir.Program) ([]Cost, error) {
	r := yamlstrict.Parse(file, data)
	top := r.Root().Fields("functions", "default")
	costs, names := make([]Cost, len(t.Statements)), Names(t, p)
	if d := top.Get("default"); d.Has() {
		c := readCost(d)
		for i := range costs {
			costs[i] = c
		}
	}
	for _, e := range top.Get("functions").Entries() {
		c := readCost(e.Value)
		at, err := Find(t, p, names, e.Key)
		if err != nil {
			if r.Err() == nil {
				e.Value.Fail("functions: %v", err)
			}
			continue
		}
		for _, s := range at {
			costs[s] = c
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	for i, c := range costs {
		if c == (Cost{}) {
			return nil, r.Root().Pos().Errorf("it says nothing of %s, which was executed; add it to functions:, or give a default:", names[i])
		}
	}
	return costs, nil
}

func readCost(v yamlstrict.Value) Cost {
	f := v.Fields("ii", "latency")
	return Cost{int64(f.Need("ii").Int(1, MostCycles)), int64(f.Need("latency").Int(1, MostCycles))}
}
