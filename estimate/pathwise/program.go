package pathwise

// This file prepares what is known of a program before mappings: its functions with
// their control flow, task graphs and counts.

import (
	"fmt"

	"pathspan/htg"
	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/profile"
)

// Subject is what is estimated: a bundle, the function whose execution counts, and
// what each processor costs. Slices are by processor.
type Subject struct {
	Bundle    *profile.Bundle
	Root      int // function index; it must have run
	Costs     []*procmodels.Costs
	ClockMHz  []float64              // above 0
	Overheads []procmodels.Overheads // in cycles of the processor
}

// Program is a subject that is ready to be estimated. It may be used by several
// goroutines.
type Program struct {
	Subject
	funcs []*function // by function index, nil when it never ran
	// circle is equal for functions that call each other in a circle, -1 for functions
	// that are not recursive.
	circle []int
}

// function is a function that ran.
type function struct {
	fn      *ir.Func
	levels  []profile.LevelProfile
	cfg     *flow.CFG
	graphs  *htg.Graphs
	runs    []float64 // by block: executions
	calls   [][]call  // by block
	parent  []int     // by level: the level around it, -1 for level 0
	entries []float64 // by level: what its total is divided by
	// strays holds, by level, the loops directly in it whose entries the profile does
	// not show; their totals belong to the level's.
	strays [][]int
	forks  []bool // by level: it can reach a parallel region
}

// New prepares a subject. The bundle and the costs must pass their own checks.
func New(s Subject) (*Program, error) {
	p := &Program{Subject: s, funcs: make([]*function, len(s.Bundle.Program.Funcs))}
	for i, prof := range s.Bundle.Funcs {
		if prof == nil {
			continue
		}
		fn := s.Bundle.Program.Funcs[i]
		f := &function{fn: fn, levels: prof.Levels, cfg: flow.Analyze(fn), parent: []int{-1}}
		var err error
		if f.graphs, err = htg.Build(fn, f.cfg, s.Bundle.Program); err != nil {
			return nil, fmt.Errorf("verify: %w", err)
		}
		for _, l := range f.cfg.Loops {
			f.parent = append(f.parent, l.Parent+1)
		}
		f.runs = make([]float64, len(fn.Blocks))
		for _, l := range f.levels {
			for _, path := range l.Paths {
				for _, s := range path.Steps {
					if s >= 0 {
						f.runs[s] += float64(path.Count)
					}
				}
			}
		}
		p.funcs[i] = f
	}
	if s.Root < 0 || s.Root >= len(p.funcs) || p.funcs[s.Root] == nil {
		return nil, fmt.Errorf("verify: function %d never ran", s.Root)
	}
	called := p.findCalls()
	for i, f := range p.funcs {
		if f != nil {
			f.countEntries(called[i], i == s.Root)
		}
	}
	p.findCircles()
	p.findForks()
	return p, nil
}

// countEntries finds how often each level was entered: the function, by the paths that
// start at its first block; a loop, by the steps L* of the paths of all levels.
func (f *function) countEntries(called float64, root bool) {
	f.entries, f.strays = make([]float64, len(f.levels)), make([][]int, len(f.levels))
	for _, l := range f.levels {
		for _, path := range l.Paths {
			for _, s := range path.Steps {
				if s.Loop() >= 0 {
					f.entries[s.Loop()+1] += float64(path.Count)
				}
			}
		}
	}
	f.entries[0] = f.begun()
	if !root && called > f.entries[0] {
		f.entries[0] = called // some calls left no path from the entry
	}
	if f.entries[0] == 0 {
		f.entries[0] = 1
	}
	for l := len(f.levels) - 1; l > 0; l-- { // inner loops have higher numbers
		if f.entries[l] > 0 {
			continue
		}
		f.entries[l] = 1
		if len(f.levels[l].Paths) > 0 || len(f.strays[l]) > 0 {
			f.strays[f.parent[l]] = append(f.strays[f.parent[l]], l)
		}
	}
}

// begun is how often the function began.
func (f *function) begun() float64 {
	n := 0.0
	for _, path := range f.levels[0].Paths {
		if path.Steps[0] == 0 {
			n += float64(path.Count)
		}
	}
	return n
}

// taskOf returns the task of a level that a step of its paths counts in.
func (f *function) taskOf(level int, s pathprof.Step) int {
	if l := s.Loop(); l >= 0 {
		return f.graphs.LoopTask(level, l)
	}
	return f.graphs.TaskOf(level, int(s))
}

// outermost returns the loop directly in the level that holds a step, the step L* of a
// loop not being in it; -1 when none does.
func (f *function) outermost(level int, s pathprof.Step) int {
	var loop int
	if l := s.Loop(); l >= 0 {
		loop = f.cfg.Loops[l].Parent
	} else {
		loop = f.cfg.LoopOf[s]
	}
	if loop == level-1 {
		return -1
	}
	for f.cfg.Loops[loop].Parent != level-1 {
		loop = f.cfg.Loops[loop].Parent
	}
	return loop
}
