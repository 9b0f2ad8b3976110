package main

// This file registers a processor model for the scripts that knows how uncertain it is:
// "uncertain:generic" prices as generic does, memory traffic and all else with a factor
// each.

import (
	"context"

	"pathspan/procmodels"
)

func init() {
	procmodels.RegisterScheme("uncertain", func(rest, dir string) (procmodels.Model, error) {
		m, err := procmodels.Open(rest, dir)
		return uncertainModel{m}, err
	})
}

type uncertainModel struct{ procmodels.Model }

func (m uncertainModel) Describe() procmodels.Description {
	d := m.Model.Describe()
	d.Name = "uncertain " + d.Name
	d.Overheads = &procmodels.Overheads{Create: 400, Sync: 120}
	d.Accuracy = []string{"median error of 8% on 12 programs that were left out", "loads: 4 cycles, standard error 1"}
	return d
}

func (m uncertainModel) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	c, err := m.Model.Costs(ctx, s)
	if err != nil {
		return nil, err
	}
	c.Model = m.Describe().Name
	c.Factors = []procmodels.Factor{{Name: "memory", Bounded: true}, {Name: "all else"}}
	for f, blocks := range c.Blocks {
		for b := range blocks {
			memory := 0.0
			for _, in := range s.Program.Funcs[f].Blocks[b].Instrs {
				if in.Op == "load" || in.Op == "store" {
					memory++
				}
			}
			rest := max(0, blocks[b].Cycles-memory)
			blocks[b].Varies = []procmodels.Variation{{Factor: 0, Down: 0.5 * memory, Up: 2 * memory}, {Factor: 1, Down: 0.05 * rest, Up: 0.05 * rest}}
		}
	}
	return c, nil
}
