package estimate

// This file asks the processor models of a platform for their costs.

import (
	stdcontext "context"
	"fmt"
	"io"
	"slices"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/memory"
	"pathspan/procmodels"
	"pathspan/profile"
	"pathspan/streams/flow"
)

// Pricer opens models and keeps their answers, so that each model prices a program
// once however many platforms use it.
type Pricer struct {
	Program *ir.Program
	Module  []byte         // the costed module's text, for models that compile it
	Memory  *memory.Data   // what runs told of the program's memory, nil for nothing
	Run     procmodels.Run // what it did when it ran, nil where that is not known
	// ItemBits is how many bits an item takes of each buffer, by pipeline (flow.ItemBits); nil where that is not known.
	ItemBits [][]float64
	// Warnings collects the models' remarks, each once, in the order of first use.
	Warnings []string
	// Models holds the answers, each once, in the order of first use.
	Models []Priced
	finder finder
	priced map[[3]string]int // by reference, folder and design: index into Models
}

// NewPricer is a pricer of what a bundle knows.
func NewPricer(b *profile.Bundle) *Pricer {
	return &Pricer{Program: b.Program, Module: b.Module, Memory: b.Memory, Run: b, ItemBits: flow.ItemBits(b)}
}

// Priced is a model's answer.
type Priced struct {
	Ref         string // the reference that the platform has
	Costs       *procmodels.Costs
	Description procmodels.Description
	hardware    procmodels.Hardware // nil where it makes none
}

// Processors prices the platform's processors. Overheads that the platform leaves to
// defaults are those that the processor's model knows, if it knows any.
func (p *Pricer) Processors(ctx stdcontext.Context, pl *mapping.Platform) (Processors, error) {
	out := Processors{Platform: pl}
	var makes []procmodels.Hardware
	for i := range pl.Processors {
		proc := &pl.Processors[i]
		pr, err := p.model(ctx, proc)
		if err != nil {
			where := ""
			if proc.Given.File != "" {
				where = proc.Given.String() + ": "
			}
			return Processors{}, fmt.Errorf("%sprocessor %s: %w", where, proc.Name, err)
		}
		if err := capacities(proc, pr.hardware); err != nil {
			return Processors{}, err
		}
		makes = append(makes, pr.hardware)
		over := procmodels.Overheads{Create: pl.Create, Sync: pl.Sync}
		if known := pr.Description.Overheads; known != nil {
			if err := overheadsInRange(known); err != nil {
				return Processors{}, fmt.Errorf("processor %s: model %s answers wrongly: %w", proc.Name, proc.Model, err)
			}
			if pl.CreateDefaulted {
				over.Create = known.Create
			}
			if pl.SyncDefaulted {
				over.Sync = known.Sync
			}
		}
		out.Costs = append(out.Costs, pr.Costs)
		out.ClockMHz = append(out.ClockMHz, proc.Clock(pr.Description.ClockMHz))
		out.Overheads = append(out.Overheads, over)
	}
	out.hardware, out.itemBits = p.hardware(makes), p.ItemBits
	return out, out.inRange()
}

// Description returns what the model that gave the costs says of itself.
func (p *Pricer) Description(c *procmodels.Costs) procmodels.Description {
	for i := range p.Models {
		if p.Models[i].Costs == c {
			return p.Models[i].Description
		}
	}
	return procmodels.Description{}
}

func overheadsInRange(o *procmodels.Overheads) error {
	for _, x := range []float64{o.Create, o.Sync} {
		if !(x >= 0 && x <= mapping.MaxOverhead) {
			return fmt.Errorf("overheads of %g and %g cycles: want numbers from 0 to %g", o.Create, o.Sync, mapping.MaxOverhead)
		}
	}
	return nil
}

func (p *Pricer) model(ctx stdcontext.Context, proc *mapping.Processor) (*Priced, error) {
	ref, dir := proc.Model, proc.Dir
	key := [3]string{ref, dir, proc.Design.String()}
	if i, ok := p.priced[key]; ok {
		return &p.Models[i], nil
	}
	m, err := procmodels.Open(ref, dir)
	if err != nil {
		return nil, err
	}
	if c, ok := m.(io.Closer); ok {
		defer c.Close()
	}
	hardware, _ := m.(procmodels.Hardware)
	if hardware != nil {
		if hardware, err = hardware.On(p.Program); err != nil {
			return nil, err
		}
		m = hardware
	}
	if len(proc.Design) > 0 {
		if hardware == nil {
			return nil, proc.Design[0].Pos.Errorf("designs: model %s makes no hardware of loops: leave them out", ref)
		}
		if hardware, err = hardware.Made(proc.Design); err != nil {
			return nil, err
		}
		m = hardware
	}
	costs, err := m.Costs(ctx, &procmodels.Subject{Program: p.Program, Module: p.Module, Memory: p.Memory, Run: p.Run})
	if err != nil {
		return nil, err
	}
	if err := costs.Check(p.Program); err != nil {
		return nil, fmt.Errorf("model %s answers wrongly: %w", ref, err)
	}
	for _, w := range costs.Warnings {
		if !slices.Contains(p.Warnings, w) {
			p.Warnings = append(p.Warnings, w)
		}
	}
	if p.priced == nil {
		p.priced = make(map[[3]string]int)
	}
	p.priced[key] = len(p.Models)
	p.Models = append(p.Models, Priced{ref, costs, m.Describe(), hardware})
	return &p.Models[len(p.Models)-1], nil
}
