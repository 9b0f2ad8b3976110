package serve

// This file describes what is being estimated.

import (
	"slices"

	"pathspan/estimate"
	"pathspan/mapping"
)

// Schema names the version of what is said.
const Schema = "pathspan.serve/1"

// Description is the first line out.
type Description struct {
	Schema     string      `json:"schema"`
	Bundle     string      `json:"bundle"`
	Function   string      `json:"function"` // that is estimated
	Platform   string      `json:"platform"`
	Processors []Processor `json:"processors"`
	// Overheads are the platform's others in cycles, by their keys in platform files, where it
	// gives some.
	Overheads map[string]float64 `json:"overheads,omitempty"`
	// Sections are in the order of a candidate's "sections".
	Sections   []Section `json:"sections"`
	Regions    []Region  `json:"regions"`
	Loops      []Loop    `json:"loops,omitempty"`
	Techniques []string  `json:"techniques"` // of candidates that name none
	Notes      []string  `json:"notes"`
}

// Processor is a processor of the platform.
type Processor struct {
	Name     string  `json:"name"`
	Model    string  `json:"model"`
	ClockMHz float64 `json:"clock_mhz"`
	Create   float64 `json:"create"` // cycles
	Sync     float64 `json:"sync"`   // cycles
}

// Section is a section of a region.
type Section struct {
	Name      string `json:"name"`
	Region    int    `json:"region"`    // index into Regions
	Construct int    `json:"construct"` // of the region, from 0
	Number    int    `json:"number"`    // in the region, from 1
	Line      int    `json:"line"`      // first source line, 0 when unknown
}

// Region is a parallel region.
type Region struct {
	Name     string `json:"name"`
	File     string `json:"file"`
	Function string `json:"function"`
	Line     int    `json:"line"`
	First    int    `json:"first"`    // index of its first section
	Sections int    `json:"sections"` // how many, consecutive
}

// Loop is a worksharing loop. Its iterations are shared as its clause says unless a mapping by
// names says otherwise.
type Loop struct {
	Name     string `json:"name"`
	Region   int    `json:"region"`   // index into Regions
	Number   int    `json:"number"`   // of the loop in its region, from 1, as mappings have it
	Line     int    `json:"line"`     // 0 when unknown
	Schedule string `json:"schedule"` // of its clause; "" where the program computes the chunk
}

func (s *Service) describe(o Options) {
	e := s.e
	d := Description{
		Schema: Schema, Bundle: o.Bundle, Function: e.Bundle.Program.Funcs[e.Root].Name, Platform: e.Platform.Name,
		Sections: []Section{}, Regions: []Region{}, Notes: append([]string{}, e.Notes...),
	}
	for _, n := range o.Notes {
		if !slices.Contains(d.Notes, n) {
			d.Notes = append(d.Notes, n)
		}
	}
	for i := range e.Platform.Processors {
		over := e.Overheads[i]
		d.Processors = append(d.Processors, Processor{e.Platform.Processors[i].Name, e.Costs[i].Model, e.ClockMHz[i], over.Create, over.Sync})
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
		out := Region{Name: reg.Name, File: reg.File, Function: reg.Function, Line: reg.Line, First: len(d.Sections)}
		loops := 0
		for c := range reg.Constructs {
			if l := reg.Constructs[c].Loop; l != nil {
				loops++
				x := Loop{Name: reg.Constructs[c].LoopName(), Region: r, Number: loops, Line: reg.Constructs[c].Sections[0].Line}
				if clause := mapping.ClauseOf(l); !clause.Computed {
					x.Schedule = clause.Text(l)
				}
				d.Loops = append(d.Loops, x)
				continue
			}
			for _, sec := range reg.Constructs[c].Sections {
				out.Sections++
				d.Sections = append(d.Sections, Section{sec.Name, r, c, out.Sections, sec.Line})
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
