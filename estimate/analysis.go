package estimate

// This file prepares what is known of a bundle before processors and mappings: task
// graphs, entries of levels, and who calls whom how often.

import (
	"sync"

	"fmt"

	"pathspan/estimate/table"
	"pathspan/htg"
	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile"
)

// DefaultRoot is the function whose execution is estimated when none is named.
const DefaultRoot = "main"

// Analysis holds what estimates of one bundle share, whatever the processors. It does
// not change after Prepare and may be used by several goroutines.
type Analysis struct {
	Bundle *profile.Bundle
	Root   int // function that is estimated
	// Graphs holds the task graphs by function index, nil where a function never ran.
	Graphs []*htg.Graphs
	// Notes lists regions treated as serial, loops whose entries the profile does not
	// show, and the like, one line each.
	Notes []string

	funcs  []*function // by function index, nil when it never ran
	scc    []int       // by function index: its component
	cyclic []bool      // by component: its functions are recursive
	// components holds the functions that ran, ascending, those of a recursion together:
	// callees before callers.
	components [][]int
	// outside counts invocations that no call in the program accounts for, by
	// function index; those of the root are not among them.
	outside []float64
	reached []bool // by function index: called from the root, or the root

	once       sync.Once // makes what follows, for what is estimated by executions
	workErr    error
	workMeans  sectionMeans      // by kind of work
	workSerial []constants       // by function: its work by the paths, by kind
	lanes      map[lane][][2]int // the blocks that sections can run: functions and blocks
	calls      []float64         // by function: how often it is called
	codes      map[lane][][2]int // the same without the tasks that they make, and of tasks (codeOf)
	ran        ran
	kept       kept
	byPaths    bool // paths keep all that matters for mappings (bypaths.go)

	onceDeep   sync.Once
	otherWaits []bool // by pipeline: see Deepens
	deepErr    error

	onceAccesses                 sync.Once
	madeAccesses                 *accesses
	madeBetween, madeReadBetween betweens
	onceCopies                   sync.Once
	madeCopies                   []copies
}

// function is a function that ran.
type function struct {
	index   int
	fn      *ir.Func
	prof    *profile.FuncProfile
	cfg     *flow.CFG
	graphs  *htg.Graphs
	counts  []uint64 // by block
	calls   [][]call // by block
	parents []int    // by level: the level around it, -1 for level 0
	// denom is what a level's total is divided by: invocations of the function,
	// entries of the loop. Levels whose entries the profile does not show have 1 and
	// are in orphans of the level around them, which holds their total.
	denom   []float64
	orphans [][]int
	regions []table.RegionSet // by level: those it reaches
	reaches table.RegionSet   // those that the function reaches, or its component
}

// call is a call of a function of the program by an instruction of a block.
type call struct {
	instr  int
	callee int
	share  float64 // calls per execution of the block
}

// Prepare analyses a bundle for estimates of the function called root; "" stands for
// main. It builds control flow and task graphs of the functions that ran. The bundle
// must pass its own check, as those that were read, merged or recorded do.
func Prepare(b *profile.Bundle, root string) (*Analysis, error) {
	if root == "" {
		root = DefaultRoot
	}
	if err := b.CheckEnded(); err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	a := &Analysis{Bundle: b, Root: -1}
	for i, f := range b.Program.Funcs {
		if f.Name == root {
			a.Root = i
		}
	}
	if a.Root < 0 {
		return nil, fmt.Errorf("estimate: the program has no function %s: name one that it has", root)
	}
	if b.Funcs[a.Root] == nil {
		return nil, fmt.Errorf("estimate: function %s never ran in the profile: profile with arguments that reach it", root)
	}
	n := len(b.Program.Funcs)
	a.funcs, a.Graphs = make([]*function, n), make([]*htg.Graphs, n)
	for i, p := range b.Funcs {
		if p == nil {
			continue
		}
		f, err := newFunction(b.Program, p)
		if err != nil {
			return nil, fmt.Errorf("estimate: %w", err)
		}
		a.funcs[i], a.Graphs[i] = f, f.graphs
		a.Notes = append(a.Notes, f.graphs.Warnings...)
	}
	accounted := a.findCalls()
	for _, f := range a.funcs {
		if f != nil {
			a.findEntries(f, accounted[f.index])
		}
	}
	a.findComponents()
	a.findRegions()
	return a, nil
}

func newFunction(p *ir.Program, prof *profile.FuncProfile) (*function, error) {
	fn := p.Funcs[prof.Func]
	cfg := flow.Analyze(fn)
	if len(prof.Levels) != len(cfg.Loops)+1 {
		return nil, fmt.Errorf("function %s has %d loops and a profile of %d levels: the bundle is of another version, profile again", fn.Name, len(cfg.Loops), len(prof.Levels))
	}
	g, err := htg.Build(fn, cfg, p)
	if err != nil {
		return nil, err
	}
	f := &function{index: prof.Func, fn: fn, prof: prof, cfg: cfg, graphs: g, counts: prof.BlockCounts(len(fn.Blocks))}
	f.parents = make([]int, len(prof.Levels))
	f.parents[0] = -1
	for i, l := range cfg.Loops {
		f.parents[i+1] = l.Parent + 1
	}
	for level := range prof.Levels {
		for i := range prof.Levels[level].Paths {
			for _, s := range prof.Levels[level].Paths[i].Steps {
				if f.taskOf(level, s) < 0 {
					return nil, fmt.Errorf("function %s: a path of level %d leaves the level: the bundle is of another version, profile again", fn.Name, level)
				}
			}
		}
	}
	return f, nil
}

// taskOf returns the task of the level that a step of its paths counts in. Steps in
// a loop of the level, by its last, partial traversal, count in the loop's task.
func (f *function) taskOf(level int, s pathprof.Step) int {
	if l := s.Loop(); l >= 0 {
		return f.graphs.LoopTask(level, l)
	}
	if !f.cfg.Reachable[s] {
		return -1
	}
	return f.graphs.TaskOf(level, int(s))
}

// findEntries fills denom and orphans. Entries of a loop are the steps L* in all
// levels: a path of an outer level may enter it in the partial traversal of a loop
// between them.
func (a *Analysis) findEntries(f *function, accounted float64) {
	n := len(f.prof.Levels)
	f.denom, f.orphans = make([]float64, n), make([][]int, n)
	f.denom[0] = float64(f.prof.Invocations())
	for i := range f.prof.Levels {
		for j := range f.prof.Levels[i].Paths {
			p := &f.prof.Levels[i].Paths[j]
			for _, s := range p.Steps {
				if l := s.Loop(); l >= 0 {
					f.denom[l+1] += float64(p.Count)
				}
			}
		}
	}
	for i := n - 1; i > 0; i-- {
		if f.denom[i] > 0 {
			continue
		}
		f.denom[i] = 1
		if len(f.prof.Levels[i].Paths) == 0 && len(f.orphans[i]) == 0 {
			continue
		}
		f.orphans[f.parents[i]] = append(f.orphans[f.parents[i]], i)
		header := f.fn.Blocks[f.cfg.Loops[i-1].Header]
		a.note("function %s: the profile does not show how often the loop at %s was entered (the program ended inside): its iterations are spread over what is around it", f.fn.Name, a.place(header))
	}
	switch seen := f.denom[0]; {
	case f.index == a.Root && seen == 0:
		f.denom[0] = 1
		a.note("function %s: the profile does not show how often it was called (the program ended inside): taken as once", f.fn.Name)
	case f.index != a.Root && accounted > seen:
		// Dividing by the calls keeps the total, and recursion solvable.
		f.denom[0] = accounted
		a.note("function %s: %g of its %g calls left no path from its entry (the program or an exception ended them, or they were never reached): its time is spread over all calls", f.fn.Name, accounted-seen, accounted)
	case seen == 0:
		f.denom[0] = 1
	}
}

func (a *Analysis) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// place names the first source line of a block, or the block.
func (a *Analysis) place(b *ir.Block) string {
	for i := range b.Instrs {
		if s := a.Bundle.Program.LocString(b.Instrs[i].Loc); s != "?" {
			return s
		}
	}
	return "block " + b.Name
}
