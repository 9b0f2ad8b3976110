package htg

// This file finds out which region and section every block lies in.

import (
	"fmt"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// context is a node of the tree of open regions and sections. Context 0 is the
// function itself.
type context struct {
	parent   int
	begin    int // block whose mark opened it
	mark     ir.Mark
	instance int // of the region, or of the section's region; -1 for the function
}

func (c *context) isRegion() bool  { return c.mark.Kind == ir.RegionBegin }
func (c *context) isSection() bool { return c.mark.Kind == ir.SectionBegin }

// contexts propagates the stack of open regions and sections along the edges from
// the entry. A region whose marks contradict each other is given up: its marks are
// ignored, and the search starts again.
type contexts struct {
	f    *ir.Func
	c    *flow.CFG
	p    *ir.Program
	tree []context
	in   []int // by block: context before its mark, -1 when unreachable
	of   []int // by block: context after its mark
	// given up: region instances by their first block, and the regions they are of.
	broken   map[int]bool
	ignored  map[int]bool
	warnings []string
	dead     []bool // by block: leads neither to a mark nor out of the function
}

func newContexts(f *ir.Func, c *flow.CFG, p *ir.Program) *contexts {
	x := &contexts{f: f, c: c, p: p, broken: map[int]bool{}, ignored: map[int]bool{}}
	x.findDeadEnds()
	for !x.propagate() {
	}
	return x
}

// findDeadEnds marks blocks from which control neither meets a mark nor returns: the
// way to an abort, which several sections may share.
func (x *contexts) findDeadEnds() {
	var ends []int
	for _, b := range x.c.Order {
		blk := x.f.Blocks[b]
		if blk.Mark != nil || len(blk.Succs) == 0 && !endsProgram(blk) {
			ends = append(ends, b)
		}
	}
	x.dead = flow.Reached(len(x.f.Blocks), ends, x.c.Preceding)
	for b := range x.dead {
		x.dead[b] = !x.dead[b]
	}
}

func endsProgram(b *ir.Block) bool {
	return len(b.Instrs) > 0 && (b.Terminator().Op == "unreachable" || b.Terminator().Op == "resume")
}

// propagate makes one attempt and reports whether no region had to be given up.
func (x *contexts) propagate() bool {
	n := len(x.f.Blocks)
	x.tree = []context{{parent: -1, begin: -1, instance: -1}}
	x.in, x.of = make([]int, n), make([]int, n)
	for b := range x.in {
		x.in[b], x.of[b] = -1, -1
	}
	if len(x.c.Order) == 0 {
		return true
	}
	x.in[0] = 0
	for _, b := range x.c.Order {
		if !x.apply(b) {
			return false
		}
		for _, t := range x.c.Succs[b] {
			switch {
			case x.in[t] < 0:
				x.in[t] = x.of[b]
			case x.in[t] == x.of[b]:
			case x.dead[t]:
				x.in[t] = x.common(x.in[t], x.of[b])
			default:
				return x.disagree(t, x.in[t], x.of[b])
			}
		}
	}
	return true
}

// apply computes the context after the mark of block b.
func (x *contexts) apply(b int) bool {
	at := x.in[b]
	x.of[b] = at
	m := x.f.Blocks[b].Mark
	if m == nil {
		return true
	}
	top := &x.tree[at]
	if m.Kind == ir.RegionBegin {
		if !x.broken[b] {
			x.open(b, m)
		}
		return true
	}
	if at == 0 || top.mark.Region != m.Region {
		return x.stray(b, m)
	}
	fits := false
	switch m.Kind {
	case ir.SectionBegin:
		fits = top.isRegion()
	case ir.SectionEnd:
		fits = top.isSection() && top.mark.Construct == m.Construct && top.mark.Section == m.Section
	case ir.RegionEnd:
		fits = top.isRegion()
	}
	region := at
	if !top.isRegion() {
		region = top.parent
	}
	if !fits {
		return x.giveUp(region, fmt.Sprintf("its marks do not pair up in block %s", x.f.Blocks[b].Name))
	}
	// A sections construct may lie in a loop of its region, which every thread runs.
	if !x.c.InLoop(x.c.LoopOf[x.tree[region].begin], b) || m.Kind != ir.SectionBegin && x.c.LoopOf[b] != x.c.LoopOf[top.begin] {
		return x.giveUp(region, fmt.Sprintf("a loop around block %s cuts through it", x.f.Blocks[b].Name))
	}
	if m.Kind == ir.SectionBegin {
		x.open(b, m)
	} else {
		x.of[b] = top.parent
	}
	return true
}

func (x *contexts) open(b int, m *ir.Mark) {
	x.tree = append(x.tree, context{parent: x.in[b], begin: b, mark: *m, instance: -1})
	x.of[b] = len(x.tree) - 1
}

// stray deals with a mark of a region that is not open.
func (x *contexts) stray(b int, m *ir.Mark) bool {
	if !x.ignored[m.Region] {
		x.ignored[m.Region] = true
		x.warn(m.Region, fmt.Sprintf("a mark in block %s stands outside it", x.f.Blocks[b].Name))
	}
	return true
}

// common returns the innermost context that holds both.
func (x *contexts) common(a, b int) int {
	for a != b { // children have higher numbers
		if a > b {
			a = x.tree[a].parent
		} else {
			b = x.tree[b].parent
		}
	}
	return a
}

// disagree gives up the regions that only one of two contexts meeting in block t has.
func (x *contexts) disagree(t, a, b int) bool {
	up := x.common(a, b)
	if x.tree[up].isRegion() { // two of its sections, or one and its other code
		return x.giveUp(up, fmt.Sprintf("control reaches block %s from inside and outside one of its sections", x.f.Blocks[t].Name))
	}
	for _, at := range []int{a, b} {
		for ; at != up; at = x.tree[at].parent {
			if x.tree[at].isRegion() {
				x.giveUp(at, fmt.Sprintf("control reaches block %s from inside and outside it", x.f.Blocks[t].Name))
			}
		}
	}
	return false
}

// giveUp makes a region instance serial. It returns false: the search starts again.
func (x *contexts) giveUp(region int, why string) bool {
	c := &x.tree[region]
	if !x.broken[c.begin] {
		x.broken[c.begin], x.ignored[c.mark.Region] = true, true
		x.warn(c.mark.Region, why)
	}
	return false
}

func (x *contexts) warn(region int, why string) {
	x.warnings = append(x.warnings, fmt.Sprintf("region %s in function %s is treated as serial code: %s", x.p.Regions[region].Label(), x.f.Name, why))
}
