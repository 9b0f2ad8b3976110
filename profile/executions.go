package profile

// This file declares how a profile keeps executions of sections constructs: how the work
// of their sections went together, which paths lose where loops and calls vary.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"pathspan/ir"
)

// Executions are what a profile keeps of how sections constructs were executed: as trees,
// since a section may execute regions itself. Executions that went alike are one entry.
//
// Two went alike when, section by section, they did the same sequence of parts: the same
// entries, with works of the same cells before, between and behind them: the weighted sum
// of its kinds lies in one cell of a logarithmic grid, and the share of each kind in one
// of half as many equal steps. Works are sums of what blocks count; they are told in kinds
// of instructions rather than in cycles, so that no processor model has a part in the profile.
type Executions struct {
	Kinds []string // what work is counted in, a name a kind
	// Weights are what an instruction of each kind counts for where works are told apart.
	Weights []uint32
	// Vectors say what a block counts, by function, block and kind. Nil for functions that
	// count nothing.
	Vectors [][][]uint32
	// Entries are the distinct ways in which constructs were executed. Those inside lanes
	// come before those that hold them.
	Entries []Execution
	// Roots are executions with no other around them, ascending by entry: those of
	// outermost regions, and those inside what a signal ended.
	Roots []ExecutionRoot
	Grid  int // cells to a factor of two that works were told apart by, at most 32, 512 in programs that make tasks; 0: not told apart
	Depth int // regions nested deeper are counted as work of the lane around them; 0: none were left out
}

// ExecutionRoot is a number of executions of an entry with no other around them.
type ExecutionRoot struct {
	Entry int
	Count uint64
}

// Execution is a number of executions of one construct that went alike.
type Execution struct {
	Region, Construct int
	Loop              bool              // of a worksharing loop: see iterations.go for its lanes
	OfTasks           bool              // of a task, or of what tells of tasks: see tasks.go
	Count             uint64            // over the whole profile: roots, and what entries that hold it execute
	Lanes             [][]ExecutionPart // by section; without a part where the program left the construct before
}

// ExecutionPart is a stretch of a lane: work of its own and then, unless Entry is -1, an
// execution of that entry. The pair happens Times times in a row.
type ExecutionPart struct {
	Work  []float64 // by kind: instructions, the mean over Count*Times
	Entry int
	Times uint64
}

// Works returns, by entry and section, the work of one execution with what is inside, all
// kinds of instructions together.
func (x *Executions) Works() [][]float64 {
	all, whole := make([][]float64, len(x.Entries)), make([]float64, len(x.Entries))
	for i := range all { // those inside come before
		for s, parts := range x.Entries[i].Lanes {
			work := 0.0
			if x.Entries[i].Loop && s > 0 {
				break
			}
			for _, p := range parts {
				one := 0.0
				for _, n := range p.Work {
					one += n
				}
				if p.Entry >= 0 {
					one += whole[p.Entry]
				}
				work += one * float64(p.Times)
			}
			all[i] = append(all[i], work)
			whole[i] += work
		}
	}
	return all
}

// compareParts orders lanes by what they hold.
func compareParts(a, b []ExecutionPart) int {
	return slices.CompareFunc(a, b, func(p, q ExecutionPart) int {
		return cmp.Or(cmp.Compare(p.Entry, q.Entry), cmp.Compare(p.Times, q.Times), slices.Compare(p.Work, q.Work))
	})
}

// mostWeight bounds what an instruction counts for.
const mostWeight = 1 << 20

// mostWork bounds the work of a part: what 64 bits hold.
const mostWork = 1 << 64

// finestOf is the finest grid of a program's executions.
func finestOf(p *ir.Program) int {
	if p.HasTasks() || len(p.Locks) > 0 {
		return finerGrid
	}
	return finestGrid
}

// finerIn tells of which regions executions may be told apart more finely: who waits for whom,
// and who steals what, hangs on little.
func finerIn(p *ir.Program) func(region int) bool {
	tasks, locks := p.HasTasks(), p.LockRegion()
	return func(region int) bool { return tasks || region == locks }
}

// check reports the first way in which executions contradict themselves or the program.
func (x *Executions) check(b *Bundle) error {
	regions := b.Program.Regions
	if len(x.Kinds) == 0 || len(x.Kinds) > mostKinds || len(x.Entries) == 0 {
		return fmt.Errorf("%d entries of work in %d kinds", len(x.Entries), len(x.Kinds))
	}
	if x.Grid < 0 || x.Grid > finestOf(b.Program) || x.Depth < 0 {
		return fmt.Errorf("grid %d and depth %d", x.Grid, x.Depth)
	}
	if len(x.Weights) != len(x.Kinds) || slices.Contains(x.Weights, 0) || slices.Max(x.Weights) > mostWeight {
		return fmt.Errorf("kinds of work with weights %v", x.Weights)
	}
	if err := x.checkVectors(b); err != nil {
		return err
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		n, ok := lanesOf(b.Program, e.Region, e.Construct)
		if !ok {
			return fmt.Errorf("one of construct %d of region %d, which does not exist", e.Construct, e.Region)
		}
		if e.Loop != isLoop(regions, e.Region, e.Construct) || e.OfTasks != (e.Region == len(regions)) {
			return fmt.Errorf("one of region %s that is taken for another construct", nameOf(regions, e.Region))
		}
		if len(e.Lanes) != n {
			return fmt.Errorf("one of %d of the %d lanes of region %s", len(e.Lanes), n, nameOf(regions, e.Region))
		}
		for l, lane := range e.Lanes {
			if l > 0 && len(lane) == 0 && !e.Loop {
				continue // not reached
			}
			if l > 0 && len(e.Lanes[l-1]) == 0 {
				return fmt.Errorf("one of region %s that reached section %d, but not the one before", nameOf(regions, e.Region), l+1)
			}
			if err := x.checkLane(i, lane); err != nil {
				return fmt.Errorf("one of region %s: %w", nameOf(regions, e.Region), err)
			}
		}
	}
	return x.checkCounts()
}

func nameOf(regions []ir.Region, region int) string {
	switch {
	case region == len(regions):
		return "of tasks"
	case region > len(regions):
		return "of locks"
	}
	return regions[region].Name
}

func (x *Executions) checkVectors(b *Bundle) error {
	if len(x.Vectors) != len(b.Program.Funcs) {
		return fmt.Errorf("work is counted in %d of %d functions", len(x.Vectors), len(b.Program.Funcs))
	}
	for fn, blocks := range x.Vectors {
		if blocks != nil && len(blocks) != len(b.Program.Funcs[fn].Blocks) {
			return fmt.Errorf("work is counted in %d of %d blocks of function %s", len(blocks), len(b.Program.Funcs[fn].Blocks), b.Program.Funcs[fn].Name)
		}
		for _, v := range blocks {
			if v != nil && len(v) != len(x.Kinds) {
				return fmt.Errorf("a block of function %s counts %d of %d kinds", b.Program.Funcs[fn].Name, len(v), len(x.Kinds))
			}
		}
	}
	return nil
}

func (x *Executions) checkLane(entry int, lane []ExecutionPart) error {
	if len(lane) == 0 {
		return errors.New("a section without a part")
	}
	for _, p := range lane {
		if p.Times == 0 || p.Entry < -1 || p.Entry >= entry || len(p.Work) != len(x.Kinds) {
			return fmt.Errorf("a part with %d kinds of work and entry %d, %d times, in entry %d", len(p.Work), p.Entry, p.Times, entry)
		}
		for _, w := range p.Work {
			if !(w >= 0 && w < mostWork) {
				return fmt.Errorf("a section with work %g", w)
			}
		}
	}
	return nil
}

// checkCounts holds the counts of entries to what roots and holders give.
func (x *Executions) checkCounts() error {
	for i, r := range x.Roots {
		if r.Entry < 0 || r.Entry >= len(x.Entries) || r.Count == 0 || i > 0 && r.Entry <= x.Roots[i-1].Entry {
			return fmt.Errorf("%d executions of entry %d, which stands out of order, or twice, or does not exist", r.Count, r.Entry)
		}
	}
	counted := x.trees()
	countTrees(counted)
	all := map[[2]int]*sum{}
	for i := range x.Entries {
		e := &x.Entries[i]
		if n := counted[i].count; n != e.Count || n == 0 {
			return fmt.Errorf("entry %d is executed %d times and counted %d times", i, n, e.Count)
		}
		key := [2]int{e.Region, e.Construct}
		if all[key] == nil {
			all[key] = &sum{left: MostCounted}
		}
		if all[key].add(e.Count); all[key].over {
			return ErrTooMany
		}
	}
	return nil
}
