package report

// This file names what average and maximal task times get wrong, and on which paths.

import (
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/mapping"
)

// LossGap compares the account's technique with the others.
type LossGap struct {
	Others  []Prediction    `json:"others"`  // best informed first
	Regions []LossGapRegion `json:"regions"` // largest difference to average times first
	// Tasks says that the program makes tasks, which executions have threads run beside each other; paths and averages do not.
	Tasks bool `json:"tasks,omitempty"`
}

// Prediction is what a technique gives for the mapping. Cycles are the parallel time.
type Prediction struct {
	Technique string  `json:"technique"`
	Cycles    float64 `json:"cycles"`
	Speedup   float64 `json:"speedup"`
}

// LossGapRegion is a sections construct. Cycles are those of all its executions outside of
// other sections for one execution of the function, from its fork to its join.
type LossGapRegion struct {
	Region        string         `json:"region"`
	Line          int            `json:"line,omitempty"` // of the region
	Inside        string         `json:"function"`
	Cycles        float64        `json:"cycles"`         // by the account's technique
	AverageCycles float64        `json:"average_cycles"` // with the average time of each section every time
	MaximalCycles float64        `json:"maximal_cycles"` // with the largest time of each section every time
	Sections      []VariedTime   `json:"sections"`       // those whose time varies
	Classes       []LossGapClass `json:"classes"`        // most frequent first
}

// VariedTime is the time of a section for one execution of its construct, in cycles.
type VariedTime struct {
	Section  string  `json:"section"`
	Line     int     `json:"line"`
	Least    float64 `json:"least"`
	Mean     float64 `json:"mean"`
	Greatest float64 `json:"greatest"`
}

// LossGapClass is the executions in which the same sections are long.
type LossGapClass struct {
	Share  float64  `json:"share"`  // of the executions of the construct
	Long   []string `json:"long"`   // sections above their mean
	Short  []string `json:"short"`  // the other sections whose time varies
	Cycles float64  `json:"cycles"` // mean time of the construct
}

func (n *lossNamer) gap(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique, x *account.Account) (LossGap, error) {
	out := LossGap{Tasks: len(e.Bundle.Program.Tasks) > 0}
	for _, other := range Beside(t, e.Bundle) {
		r, err := e.Estimate(m, other)
		if err != nil {
			return out, err
		}
		out.Others = append(out.Others, Prediction{r.Technique, r.ParallelCycles, r.Speedup})
	}
	for i := range x.Gap {
		g := &x.Gap[i]
		region := &n.p.Regions[g.Region]
		r := LossGapRegion{
			Region: region.Name, Line: region.Line, Inside: region.Function,
			Cycles: g.Rows * n.clock, AverageCycles: g.Average * n.clock, MaximalCycles: g.Maximal * n.clock,
		}
		for _, s := range g.Sections {
			sec := &region.Constructs[s.Construct].Sections[s.Section]
			r.Sections = append(r.Sections, VariedTime{sec.Name, sec.Line, s.Least * n.clock, s.Mean * n.clock, s.Greatest * n.clock})
		}
		for _, c := range g.Classes {
			class := LossGapClass{Share: c.Share, Cycles: c.Span * n.clock}
			for k, long := range c.Long {
				if long {
					class.Long = append(class.Long, r.Sections[k].Section)
				} else {
					class.Short = append(class.Short, r.Sections[k].Section)
				}
			}
			r.Classes = append(r.Classes, class)
		}
		out.Regions = append(out.Regions, r)
	}
	return out, nil
}

// SectionNumber returns the number of a section in its region, which ends its name.
func SectionNumber(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}
