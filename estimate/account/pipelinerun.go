package account

// This file tells one run of a pipeline's loop from one moment to the next.

import (
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping"
)

// PipelineRun is a run of a pipeline's loop under a mapping: of those that differ the one that takes the most time in all.
type PipelineRun struct {
	Name    string
	Stages  []string
	Depths  []int
	Seconds float64
	Items   []StageItem // in the order in which they end
}

// StageItem is an execution of a stage, in seconds from when the first of the run begins.
type StageItem struct {
	Stage, Processor int
	Start, End       float64
}

// PipelineRuns plays the pipelines of the program as executions tell, those that ran.
func PipelineRuns(e *estimate.Estimator, m *mapping.Resolved) ([]PipelineRun, error) {
	p, err := newPlayedPipelines(e, m)
	if p == nil || err != nil {
		return nil, err
	}
	prog := e.Bundle.Program
	best, most := make([][]table.TaskRun, len(prog.Pipelines)), make([]float64, len(prog.Pipelines))
	now := make([][]table.TaskRun, len(prog.Pipelines))
	_, err = p.valuer.PlayTasks(m, nil, func(_ int, weight, _ float64, runs []table.TaskRun) {
		end := func() {
			for i := range now {
				if len(now[i]) > 0 {
					first, last := math.Inf(1), 0.0
					for _, r := range now[i] {
						first, last = min(first, r.Start), max(last, r.End)
					}
					if all := weight * (last - first); best[i] == nil || all > most[i] {
						best[i], most[i] = slices.Clone(now[i]), all
					}
					now[i] = now[i][:0]
				}
			}
		}
		for _, r := range runs {
			if r.Task < 0 {
				end()
			} else if i, _ := prog.StageOf(r.Task); i >= 0 {
				now[i] = append(now[i], r)
			}
		}
		end()
	})
	if err != nil {
		return nil, err
	}
	var out []PipelineRun
	for i, x := range m.Pipelines(prog) {
		if best[i] != nil {
			out = append(out, runOf(&x, best[i], p))
		}
	}
	return out, nil
}

func runOf(x *ir.Pipeline, runs []table.TaskRun, p *playedPipelines) PipelineRun {
	out := PipelineRun{Name: x.Name, Depths: x.Depths}
	for _, s := range x.Stages {
		out.Stages = append(out.Stages, s.Name)
	}
	first := math.Inf(1)
	for _, r := range runs {
		first = min(first, r.Start)
	}
	for _, r := range runs {
		_, stage := p.e.Bundle.Program.StageOf(r.Task)
		out.Items = append(out.Items, StageItem{stage, r.Processor, (r.Start - first) * p.second, (r.End - first) * p.second})
		out.Seconds = max(out.Seconds, (r.End-first)*p.second)
	}
	return out
}
