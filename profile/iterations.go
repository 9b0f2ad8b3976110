package profile

// This file reads what executions keep of worksharing loops. An execution of a loop has two
// lanes. The first is the iterations in their order, in blocks of as many, a power of two,
// the last of what is left: each block is work, with what is executed inside, and ends with
// an execution of nothing, which is an entry of the construct behind the region's last. Where
// iterations make tasks, what a block executes is one piece, in order (tasks.go). The
// second lane is no work: the first kind of its only part says how many iterations there
// are, the mean over executions, and the part is followed by as many executions of nothing
// as a chunk has iterations.

import (
	"math"
	"slices"

	"pathspan/ir"
)

// WithTeams returns the bundle with so many sections for each worksharing loop, one for each
// thread that a team may have; see [ir.Program.WithTeams]. A bundle without loops is itself.
func (b *Bundle) WithTeams(threads int) *Bundle {
	if !slices.ContainsFunc(b.Program.Regions, func(r ir.Region) bool {
		return slices.ContainsFunc(r.Constructs, func(c ir.Construct) bool { return c.Loop != nil })
	}) {
		return b
	}
	out := *b
	out.Program = b.Program.WithTeams(threads)
	return &out
}

// lanesOf tells how many lanes executions of a construct have; false where there is no such
// construct. Behind the last region come tasks, and then stretches of work under locks, one
// lane each, and streaks.
func lanesOf(p *ir.Program, region, construct int) (int, bool) {
	regions := p.Regions
	switch {
	case region == len(regions):
		if lanes := ir.TaskLanes(len(p.Tasks)); construct >= 0 && construct < len(lanes) {
			return lanes[construct], true
		}
		return 0, false
	case region == p.LockRegion():
		return 1, construct >= 0 && construct < len(p.Locks)*ir.LocksOfOne
	case region == p.StreakRegion():
		return 1, construct >= 0 && construct < len(regions)
	}
	if region < 0 || region >= len(regions) || construct < 0 || construct > len(regions[region].Constructs) {
		return 0, false
	}
	switch c := regions[region].Constructs; {
	case construct == len(c):
		return 0, true
	case c[construct].Loop != nil:
		return 2, true
	default:
		return len(c[construct].Sections), true
	}
}

func isLoop(regions []ir.Region, region, construct int) bool {
	return region < len(regions) && construct < len(regions[region].Constructs) && regions[region].Constructs[construct].Loop != nil
}

// Iterations tells how many iterations a loop has in executions of an entry, the mean.
func (e *Execution) Iterations() float64 {
	n := 0.0
	for _, p := range e.Lanes[1] {
		n += p.Work[0] * float64(p.Times) // a part's work is that of each time
	}
	return n
}

// Block tells how many iterations a block has, where an execution has so many blocks: the
// power of two that gives as many, or what does on average.
func (e *Execution) Block(blocks float64) float64 {
	n := e.Iterations()
	for b := 1.0; b <= n; b *= 2 {
		if math.Ceil(n/b) == blocks {
			return b
		}
	}
	return n / blocks
}

// Chunk tells how many iterations a chunk has, 0 where the program gives none.
func (e *Execution) Chunk() int64 {
	for _, p := range e.Lanes[1] {
		if p.Entry >= 0 {
			return int64(p.Times)
		}
	}
	return 0
}

// EndsBlock tells whether a part ends blocks of iterations, one for each time that it
// happens, rather than executing a construct.
func (x *Executions) EndsBlock(p *ExecutionPart) bool {
	return p.Entry >= 0 && len(x.Entries[p.Entry].Lanes) == 0 && !x.Entries[p.Entry].OfTasks
}
