package report

// This file says what holds pipelines up, and what may help.

import (
	"pathspan/estimate"
	"pathspan/mapping"
)

// HeldUp is what holds a pipeline up.
type HeldUp struct {
	Name      string  `json:"name"`
	Stage     string  `json:"slowest_stage"`
	Works     float64 `json:"works_for"` // its share of the pipeline's time
	Processor string  `json:"busiest_processor"`
	Busy      float64 `json:"busy"` // likewise
	Advice    string  `json:"advice"`

	pace, limits string
}

// held is the share of the time from which on something holds a pipeline up.
const held = 0.95

// HeldUpOf says what holds the pipelines of a mapping up, and what to do.
func HeldUpOf(e *estimate.Estimator, m *mapping.Resolved) ([]HeldUp, error) {
	all, err := PipelinesOf(e, m, "", nil, false)
	if err != nil {
		return nil, err
	}
	var out []HeldUp
	for i := range all {
		p := &all[i]
		s := &p.Stages[p.Slowest]
		h := HeldUp{Name: p.Name, Stage: s.Name, Works: s.Utilisation, Processor: p.Busiest, Busy: p.Busy, pace: p.Pace(), limits: p.Limits()}
		switch {
		case h.Works >= held && s.Stateless:
			h.Advice = "give the stage more processors"
		case h.Works >= held:
			h.Advice = "split the stage, or make it stateless, so that several processors work on it"
		case h.Busy >= held:
			h.Advice = "more processors, or stages moved from that one to others"
		default:
			h.Advice = "stages wait for each other; deeper buffers may help (pathspan estimate --depths), or stages kept to other processors (pathspan explore, with --depths for both)"
		}
		out = append(out, h)
	}
	return out, nil
}
