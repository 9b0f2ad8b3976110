package pathprof

// This file decides where the record of an activation, which tells the path under
// way when a callee ends the program, stays linked.

import (
	"slices"

	"pathspan/build/probe"
	"pathspan/ir/flow"
)

// depth returns the number of loops around the blocks of loop l, itself included:
// the place of its register in a record. It is 0 for the function's body (-1).
func (b *funcPlanner) depth(l int) int {
	if l < 0 {
		return 0
	}
	return b.n.CFG.Loops[l].Depth
}

// What a record costs in instructions: on its own around a block, and linked, for the
// activation and for a block in it. A register that is published takes one more.
const (
	ownRecord    = 6
	linkedRecord = 8
	linkedBlock  = 2
)

// link plans one link over the blocks to publish that one block dominates, such that
// records are cheapest, and notes the loops that hold them. Blocks outside get records of
// their own. There is no link where that is cheaper, unless control may come back to the
// function after it was left: then all are linked, from the entry on.
func (b *funcPlanner) link(leave *leaving) *probe.Link {
	c := b.n.CFG
	at := b.linkAt(leave)
	if at < 0 {
		return nil
	}
	l := &probe.Link{At: at}
	inside := make([]bool, len(c.Succs))
	for _, x := range c.Order {
		inside[x] = x == at || c.Idom[x] >= 0 && inside[c.Idom[x]]
		if inside[x] {
			l.Inside = append(l.Inside, x)
		}
	}
	for _, x := range l.Inside {
		for k, t := range c.Succs[x] {
			if inside[t] {
				continue
			}
			if len(c.Succs[x]) > 1 { // perhaps an edge that nothing can be put on
				return b.linkAll(leave, l)
			}
			l.Leaving = append(l.Leaving, flow.Edge{From: x, Index: k})
		}
	}
	return b.linkBlocks(leave, l, inside)
}

// linkAll makes a link of the whole function.
func (b *funcPlanner) linkAll(leave *leaving, l *probe.Link) *probe.Link {
	c := b.n.CFG
	*l = probe.Link{Inside: c.Order}
	return b.linkBlocks(leave, l, c.Reachable)
}

func (b *funcPlanner) linkBlocks(leave *leaving, l *probe.Link, inside []bool) *probe.Link {
	c := b.n.CFG
	b.holds, b.linked = make([]bool, len(c.Loops)), inside
	for _, x := range leave.publish {
		if !inside[x] {
			continue
		}
		for m := c.LoopOf[x]; m >= 0; m = c.Loops[m].Parent {
			b.holds[m] = true
		}
		l.Words = max(l.Words, 1+b.depth(c.LoopOf[x]))
	}
	return l
}

// linkAt chooses the block from which on the record stays, one outside loops, or -1.
func (b *funcPlanner) linkAt(leave *leaving) int {
	c := b.n.CFG
	switch {
	case leave.caught || len(leave.again) > 0:
		if len(leave.publish)+len(leave.again) == 0 {
			return -1
		}
		return 0
	case len(leave.publish) == 0:
		return -1
	}
	often := b.n.often()
	own, linked := make([]float64, len(c.Succs)), make([]float64, len(c.Succs)) // of what a block dominates
	for _, x := range leave.publish {
		own[x] = often[x] * float64(ownRecord+b.depth(c.LoopOf[x]))
		linked[x] = often[x] * linkedBlock
	}
	at, most := -1, 0.0
	for _, x := range slices.Backward(c.Order) {
		if saved := own[x] - linked[x] - linkedRecord*often[x]; c.LoopOf[x] < 0 && saved > most {
			at, most = x, saved
		}
		if d := c.Idom[x]; d >= 0 {
			own[d] += own[x]
			linked[d] += linked[x]
		}
	}
	return at
}
