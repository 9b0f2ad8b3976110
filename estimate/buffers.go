package estimate

// This file says what buffers of pipelines take of the processors that they lie with.

import (
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/mapping"
)

// resourceOf is what buffers are made of, "" for nothing.
func resourceOf(f *mapping.FIFO) string {
	if f == nil {
		return ""
	}
	return f.Resource
}

// PricesBuffers reports whether buffers of a program's pipelines take of some processor's capacity, as far as it is known
// how many bytes stages pass on.
func (p *Processors) PricesBuffers() bool {
	return p.itemBits != nil && slices.ContainsFunc(p.Platform.Processors, func(x mapping.Processor) bool { return x.FIFO != nil })
}

// AddBuffers adds to what a processor's hardware takes the buffers that lie with it under a mapping. A buffer is whole
// units of its resource. It lies with each processor that may execute the stage behind it and says what buffers take; where
// there is none, with those that may execute the stage before.
func (p *Processors) AddBuffers(t *Taken, prog *ir.Program, m *mapping.Resolved) {
	f := p.Platform.Processors[t.Processor].FIFO
	if f == nil || p.itemBits == nil {
		return
	}
	for i, x := range m.Pipelines(prog) {
		for k, depth := range x.Depths {
			if p.holds(m, &x, k, t.Processor) {
				t.Buffers += math.Ceil(float64(depth)*p.itemBits[i][k]/f.Bits - 1e-9)
			}
		}
	}
	if t.Buffers == 0 {
		return
	}
	at := slices.IndexFunc(t.Resources, func(r TakenResource) bool { return r.Name == f.Resource })
	if t.Resources = slices.Clone(t.Resources); at < 0 {
		at = len(t.Resources)
		limit, limited := p.limit(t.Processor, f.Resource)
		t.Resources = append(t.Resources, TakenResource{Name: f.Resource, Limit: limit, Limited: limited})
	}
	t.Resources[at].Amount += t.Buffers
}

// limit is how much a processor has of a resource.
func (p *Processors) limit(processor int, resource string) (limit float64, limited bool) {
	all := limitsOf(&p.Platform.Processors[processor], nil)
	if p.hardware != nil {
		all = limitsOf(&p.Platform.Processors[processor], p.hardware.by[processor])
	}
	limit, limited = all[resource]
	return limit, limited
}

// holds reports whether the buffer behind a stage lies with a processor.
func (p *Processors) holds(m *mapping.Resolved, x *ir.Pipeline, stage, processor int) bool {
	executes := func(k, q int) bool {
		return p.Platform.Processors[q].FIFO != nil && executes(m, x.Stages[k].Task, q, 1)
	}
	for q := range p.Platform.Processors {
		if executes(stage+1, q) {
			return executes(stage+1, processor)
		}
	}
	return executes(stage, processor)
}

// executes reports whether a processor may execute a task in a team of so many or more, made in whatever region.
func executes(m *mapping.Resolved, task, processor, team int) bool {
	return slices.ContainsFunc(m.Regions, func(r mapping.RegionMap) bool {
		kept := m.Tasks != nil && slices.ContainsFunc(r.Team, func(q int) bool { return slices.Contains(m.Tasks[task], q) })
		return len(r.Team) >= team && slices.Contains(r.Team, processor) && (!kept || slices.Contains(m.Tasks[task], processor))
	})
}
