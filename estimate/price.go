package estimate

// This file asks the processor models of a platform for their costs.

import (
	stdcontext "context"
	"fmt"
	"io"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// Pricer opens models and keeps their answers, so that each model prices a program
// once however many platforms use it.
type Pricer struct {
	Program *ir.Program
	Module  []byte // the costed module's text, for models that compile it
	// Warnings collects the models' remarks, each once, in the order of first use.
	Warnings []string
	priced   map[[2]string]price
}

type price struct {
	costs *procmodels.Costs
	clock float64 // MHz, 0 when the model names none
}

// Processors prices the platform's processors.
func (p *Pricer) Processors(ctx stdcontext.Context, pl *mapping.Platform) (Processors, error) {
	out := Processors{Platform: pl}
	for i := range pl.Processors {
		proc := &pl.Processors[i]
		pr, err := p.model(ctx, proc.Model, proc.Dir)
		if err != nil {
			return Processors{}, fmt.Errorf("processor %s: %w", proc.Name, err)
		}
		out.Costs = append(out.Costs, pr.costs)
		out.ClockMHz = append(out.ClockMHz, proc.Clock(pr.clock))
	}
	return out, nil
}

func (p *Pricer) model(ctx stdcontext.Context, ref, dir string) (price, error) {
	key := [2]string{ref, dir}
	if pr, ok := p.priced[key]; ok {
		return pr, nil
	}
	m, err := procmodels.Open(ref, dir)
	if err != nil {
		return price{}, err
	}
	if c, ok := m.(io.Closer); ok {
		defer c.Close()
	}
	costs, err := m.Costs(ctx, &procmodels.Subject{Program: p.Program, Module: p.Module})
	if err != nil {
		return price{}, err
	}
	if err := costs.Check(p.Program); err != nil {
		return price{}, fmt.Errorf("model %s answers wrongly: %w", ref, err)
	}
	p.Warnings = append(p.Warnings, costs.Warnings...)
	if p.priced == nil {
		p.priced = make(map[[2]string]price)
	}
	p.priced[key] = price{costs, m.Describe().ClockMHz}
	return p.priced[key], nil
}
