package account

// This file says how the pipelines of a program's plan go: what each stage takes, which one
// holds the others up, and what closed formulas say of the same (package composition).

import (
	"math"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/streams/composition"
)

// Pipeline is how a pipeline goes under a mapping, by the executions of its stages that the
// profile keeps. Sums are over all executions of its loop in one of the root.
type Pipeline struct {
	Name       string  `json:"name"`
	Function   string  `json:"function"`
	File       string  `json:"file"`
	Line       int     `json:"line"`       // of its loop
	Executions float64 `json:"executions"` // of the loop
	Items      float64 `json:"items"`
	// Seconds is from when the first stage begins to when the last ends, Throughput items a second
	// of these.
	Seconds    float64         `json:"seconds"`
	Throughput float64         `json:"throughput"`
	Stages     []PipelineStage `json:"stages"`
	// Slowest is the index of the stage that no schedule with as many processors for it is faster
	// than: the one of most utilisation. Busiest is the processor with the most time in stages.
	Slowest  int      `json:"slowest"`
	Busiest  string   `json:"busiest"`
	Busy     float64  `json:"busy"` // its share of Seconds
	Depths   []int    `json:"depths"`
	Levels   []Level  `json:"levels"` // by buffer
	Formulas Formulas `json:"formulas"`
}

// Level is how many items lie in a buffer: those that the stage before is done with, and the one behind
// not.
type Level struct {
	Mean float64 `json:"mean"` // over the pipeline's time
	Most int     `json:"most"`
	Full float64 `json:"full"` // share of the time in which there are as many as the buffer holds
}

// PipelineStage is a stage of a pipeline.
type PipelineStage struct {
	Name       string  `json:"name"`
	Task       string  `json:"task"` // as mappings name it
	Line       int     `json:"line"`
	Stateless  bool    `json:"stateless"`
	Executions float64 `json:"executions"`
	Seconds    float64 `json:"seconds"` // of all executions
	Least      float64 `json:"least"`
	Mean       float64 `json:"mean"`
	Most       float64 `json:"most"`
	// Processors execute it, in the order of the platform. Utilisation is the share of the
	// pipeline's time in which the stage works; of one that is stateless, on each of these.
	Processors  []string `json:"processors"`
	Utilisation float64  `json:"utilisation"`
	Stall       float64  `json:"stall_rate"` // the rest of the time (eq. 3.4 of package composition)
}

// Width is how many items the stage works on at a time.
func (s *PipelineStage) Width() int {
	if !s.Stateless {
		return 1
	}
	return max(1, len(s.Processors))
}

// Formulas are seconds that closed formulas give for the stages' times on their processors: one
// after the other; as a machine that is in one of them at a time; all side by side; as queues of
// modules (eq. 3.3 of package composition); as a pipeline of equal items.
type Formulas struct {
	Sequential float64 `json:"sequential"`
	FSM        float64 `json:"fsm"`
	Parallel   float64 `json:"parallel"`
	Dataflow   float64 `json:"dataflow"`
	Pipeline   float64 `json:"pipeline"`
}

// Pipelines plays the pipelines of the program as executions tell (technique EB). Pipelines that
// never ran are left out, and so is what the profile keeps only on average.
func Pipelines(e *estimate.Estimator, m *mapping.Resolved) ([]Pipeline, error) {
	p, err := newPlayedPipelines(e, m)
	if p == nil || err != nil {
		return nil, err
	}
	return p.play(nil)
}

// playedPipelines plays the pipelines of a program again and again.
type playedPipelines struct {
	e      *estimate.Estimator
	m      *mapping.Resolved
	rows   *table.Table
	valuer *table.Valuer
	second float64 // a cycle of processor 0
}

// newPlayedPipelines returns nil where the program has none, or no executions are kept.
func newPlayedPipelines(e *estimate.Estimator, m *mapping.Resolved) (*playedPipelines, error) {
	if len(e.Bundle.Program.Pipelines) == 0 || !estimate.ExecutionBased.Suits(e.Bundle) {
		return nil, nil
	}
	rows, err := e.RowsUnder(estimate.ExecutionBased, m)
	if err != nil {
		return nil, err
	}
	return &playedPipelines{e, m, rows, rows.NewValuer(), 1 / (e.ClockMHz[0] * 1e6)}, nil
}

// play plays them once, with depths of buffers in place of the mapping's, by pipeline, nil for the
// mapping's.
func (p *playedPipelines) play(depths map[int][]int) ([]Pipeline, error) {
	prog := p.e.Bundle.Program
	m := *p.m
	if depths != nil {
		m.Depths = make([][]int, len(prog.Pipelines))
		copy(m.Depths, p.m.Depths)
		for i, d := range depths {
			m.Depths[i] = d
		}
	}
	all := make([]*pipelinePlay, len(prog.Pipelines))
	for i, x := range m.Pipelines(prog) {
		all[i] = newPipelinePlay(&prog.Pipelines[i])
		all[i].depths = x.Depths
	}
	_, err := p.valuer.PlayTasks(&m, nil, func(_ int, weight, _ float64, runs []table.TaskRun) {
		for _, r := range runs {
			if r.Task < 0 {
				for _, x := range all {
					x.close(weight)
				}
			} else if at, k := prog.StageOf(r.Task); at >= 0 {
				all[at].add(k, &r, weight)
			}
		}
		for _, x := range all {
			x.close(weight)
		}
	})
	if err != nil {
		return nil, err
	}
	out := []Pipeline{}
	for i, x := range all {
		if x.executions > 0 {
			out = append(out, x.result(p, &prog.Pipelines[i]))
		}
	}
	return out, nil
}

// pipelinePlay sums up a pipeline. Times are cycles of processor 0.
type pipelinePlay struct {
	of                                *ir.Pipeline
	depths                            []int
	executions, items, span           float64
	stages                            []stagePlay
	first, last                       float64 // of the execution under way; last < first: none is
	busy                              map[int]float64
	sequential, parallel, flow, piped float64
	machine                           float64
	mean, full                        []float64 // by buffer: levels, and being full, times cycles
	filled                            []int     // by buffer: the most
}

type stagePlay struct {
	executions, cycles, least, most float64
	on                              map[int]bool
	here, ends                      []float64 // of the execution of the loop under way
}

func newPipelinePlay(x *ir.Pipeline) *pipelinePlay {
	n := len(x.Depths)
	p := &pipelinePlay{of: x, mean: make([]float64, n), full: make([]float64, n), filled: make([]int, n), stages: make([]stagePlay, len(x.Stages)), busy: map[int]float64{}, first: math.Inf(1), last: math.Inf(-1)}
	for k := range p.stages {
		p.stages[k].least, p.stages[k].on = math.Inf(1), map[int]bool{}
	}
	return p
}

func (p *pipelinePlay) add(stage int, r *table.TaskRun, weight float64) {
	s := &p.stages[stage]
	s.executions += weight
	s.cycles += weight * r.Busy
	s.least, s.most = min(s.least, r.Busy), max(s.most, r.Busy)
	s.on[r.Processor] = true
	s.here, s.ends = append(s.here, r.Busy), append(s.ends, r.End) // ascending
	p.busy[r.Processor] += weight * r.Busy
	p.first, p.last = min(p.first, r.Start), max(p.last, r.End)
}

// close ends an execution of the loop.
func (p *pipelinePlay) close(weight float64) {
	if p.last < p.first {
		return
	}
	items := float64(len(p.stages[0].here))
	p.executions += weight
	p.items += weight * items
	p.span += weight * (p.last - p.first)
	var whole, shares, one []float64
	var states []composition.State
	for k := range p.stages {
		s := &p.stages[k]
		sum := composition.Sequential(s.here...)
		whole = append(whole, sum)
		shares = append(shares, sum/p.width(k))
		one = append(one, sum/max(1, items))
		states = append(states, composition.State{Times: float64(len(s.here)), Takes: sum / max(1, float64(len(s.here)))})
		s.here = s.here[:0]
	}
	p.sequential += weight * composition.Sequential(whole...)
	p.machine += weight * composition.FSM(states...)
	p.parallel += weight * composition.Parallel(shares...)
	p.flow += weight * composition.Dataflow(shares, one)
	p.piped += weight * composition.Pipeline(max(1, items), one, shares)
	for k := range p.of.Depths {
		p.level(k, weight)
	}
	for k := range p.stages {
		p.stages[k].ends = p.stages[k].ends[:0]
	}
	p.first, p.last = math.Inf(1), math.Inf(-1)
}

// level sums up how many items lie in a buffer, from each time that a stage beside it is done with one
// to the next.
func (p *pipelinePlay) level(buffer int, weight float64) {
	in, out := p.stages[buffer].ends, p.stages[buffer+1].ends
	items, since := 0, p.first
	for i, o := 0, 0; i < len(in) || o < len(out); {
		takes := i == len(in) || o < len(out) && out[o] <= in[i]
		at := 0.0
		if takes {
			at = out[o]
		} else {
			at = in[i]
		}
		p.mean[buffer] += weight * float64(items) * (at - since)
		if items >= p.depths[buffer] {
			p.full[buffer] += weight * (at - since)
		}
		if since = at; takes {
			items, o = items-1, o+1
		} else {
			items, i = items+1, i+1
			p.filled[buffer] = max(p.filled[buffer], items)
		}
	}
}

// width is how many items a stage works on at a time.
func (p *pipelinePlay) width(stage int) float64 {
	if !p.of.Stages[stage].Stateless {
		return 1
	}
	return float64(max(1, len(p.stages[stage].on)))
}

func (p *pipelinePlay) result(by *playedPipelines, x *ir.Pipeline) Pipeline {
	out := Pipeline{Name: x.Name, Function: x.Function, File: x.File, Line: x.Line, Executions: p.executions, Items: p.items, Seconds: p.span * by.second, Depths: p.depths,
		Formulas: Formulas{p.sequential * by.second, p.machine * by.second, p.parallel * by.second, p.flow * by.second, p.piped * by.second}}
	share := func(cycles float64) float64 {
		if p.span == 0 {
			return 0
		}
		return cycles / p.span
	}
	if out.Seconds > 0 {
		out.Throughput = out.Items / out.Seconds
	}
	for k := range p.stages {
		s, of := &p.stages[k], &x.Stages[k]
		task := &by.e.Bundle.Program.Tasks[of.Task]
		stage := PipelineStage{Name: of.Name, Task: task.Name, Line: task.Line, Stateless: of.Stateless, Executions: s.executions, Seconds: s.cycles * by.second, Most: s.most * by.second}
		if s.executions > 0 {
			stage.Least, stage.Mean = s.least*by.second, stage.Seconds/s.executions
		}
		for i := range by.e.Platform.Processors {
			if s.on[i] {
				stage.Processors = append(stage.Processors, by.e.Platform.Processors[i].Name)
			}
		}
		stage.Utilisation = share(s.cycles) / p.width(k)
		if p.span > 0 {
			stage.Stall = composition.Stall(s.cycles/p.width(k), p.span)
		}
		out.Stages = append(out.Stages, stage)
		if s.cycles/p.width(k) > p.stages[out.Slowest].cycles/p.width(out.Slowest) {
			out.Slowest = k
		}
	}
	for k := range p.depths {
		out.Levels = append(out.Levels, Level{share(p.mean[k]), p.filled[k], share(p.full[k])})
	}
	busiest := 0
	for i := range by.e.Platform.Processors {
		if p.busy[i] > p.busy[busiest] {
			busiest = i
		}
	}
	out.Busiest, out.Busy = by.e.Platform.Processors[busiest].Name, share(p.busy[busiest])
	return out
}
