package report

// This file says what holds pipelines up, and what may help.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/account"
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

// moves is the part of a stage's time for which it pays to move it.
const moves = 0.9

// fasterStage finds the processor on which a stage takes the least time by itself; infinite where all are alike.
func fasterStage(e *estimate.Estimator, pipeline string, stage int) (processor string, seconds float64, err error) {
	seconds = math.Inf(1)
	var kinds []int // one processor of each
	for i := range e.Platform.Processors {
		if !slices.ContainsFunc(kinds, func(k int) bool { return e.Charged[k] == e.Charged[i] && e.ClockMHz[k] == e.ClockMHz[i] }) {
			kinds = append(kinds, i)
		}
	}
	for _, i := range kinds {
		if len(kinds) == 1 {
			break
		}
		there, err := account.Pipelines(e, mapping.OnOne(e.Platform, i, e.Bundle.Program))
		if err != nil {
			return "", 0, err
		}
		for k := range there {
			if x := &there[k]; x.Name == pipeline && x.Stages[stage].Mean < seconds {
				processor, seconds = e.Platform.Processors[i].Name, x.Stages[stage].Mean
			}
		}
	}
	return processor, seconds, nil
}

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
		faster, takes, err := fasterStage(e, p.Name, p.Slowest)
		if err != nil {
			return nil, err
		}
		switch {
		case h.Works >= held && takes < moves*s.Mean:
			h.Advice = fmt.Sprintf("move the stage to %s, where it takes %s on average, in place of %s", faster, Seconds(takes), Seconds(s.Mean))
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
