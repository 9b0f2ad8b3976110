package serve

// This file describes what is being estimated.

import (
	"slices"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/serve/servepb"
)

// Schema names the version of what is said.
const Schema = "pathspan.serve/1"

func (s *Service) describe(o Options) {
	e := s.e
	d := &servepb.Description{
		Schema: Schema, Bundle: o.Bundle, Function: e.Bundle.Program.Funcs[e.Root].Name, Platform: e.Platform.Name,
		Sections: []*servepb.Section{}, Regions: []*servepb.Region{}, Notes: append([]string{}, e.Notes...),
	}
	for _, n := range o.Notes {
		if !slices.Contains(d.Notes, n) {
			d.Notes = append(d.Notes, n)
		}
	}
	for i := range e.Platform.Processors {
		over := e.Overheads[i]
		d.Processors = append(d.Processors, &servepb.Processor{Name: e.Platform.Processors[i].Name, Model: e.Costs[i].Model, ClockMhz: e.ClockMHz[i], Create: over.Create, Sync: over.Sync})
	}
	for _, k := range mapping.OverheadKinds {
		if o := k.Of(&e.Platform.Other); o.Given {
			if d.Overheads == nil {
				d.Overheads = map[string]float64{}
			}
			d.Overheads[k.Key] = o.Cycles
		}
	}
	for r := range e.Bundle.Program.Regions {
		reg := &e.Bundle.Program.Regions[r]
		out := &servepb.Region{Name: reg.Name, File: reg.File, Function: reg.Function, Line: int32(reg.Line), First: int32(len(d.Sections))}
		loops := int32(0)
		for c := range reg.Constructs {
			if l := reg.Constructs[c].Loop; l != nil {
				loops++
				x := &servepb.Loop{Name: reg.Constructs[c].LoopName(), Region: int32(r), Number: loops, Line: int32(reg.Constructs[c].Sections[0].Line)}
				if clause := mapping.ClauseOf(l); !clause.Computed {
					x.Schedule = clause.Text(l)
				}
				d.Loops = append(d.Loops, x)
				continue
			}
			for _, sec := range reg.Constructs[c].Sections {
				out.Sections++
				d.Sections = append(d.Sections, &servepb.Section{Name: sec.Name, Region: int32(r), Construct: int32(c), Number: out.Sections, Line: int32(sec.Line)})
			}
		}
		d.Regions = append(d.Regions, out)
	}
	for _, t := range s.techniques {
		d.Techniques = append(d.Techniques, t.String())
	}
	s.Description = d
}

// results is the estimate of a candidate under each of its techniques.
type results struct {
	technique estimate.Technique
	estimate.Result
}
