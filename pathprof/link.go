package pathprof

// This file decides where the record of an activation, which tells the path under
// way when a callee ends the program, stays linked.

import (
	"pathspan/ir/flow"
	"pathspan/ir/probe"
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

// link plans one link over all of the blocks to publish, and notes the loops that
// hold them. Where they run so rarely that a record around each is cheaper, there is
// none, unless control may come back to the function after it was left.
func (b *funcPlanner) link(leave *leaving) *probe.Link {
	c := b.n.CFG
	publish := leave.publish
	back := leave.caught || len(leave.again) > 0
	if len(publish) == 0 && len(leave.again) == 0 {
		return nil
	}
	l := &probe.Link{At: -1}
	holds := make([]bool, len(c.Loops))
	for _, x := range publish {
		if !c.Reachable[x] {
			continue
		}
		for m := c.LoopOf[x]; m >= 0; m = c.Loops[m].Parent {
			holds[m] = true
		}
		l.Words = max(l.Words, 1+b.depth(c.LoopOf[x]))
		if l.At < 0 {
			l.At = x
		}
		for !c.Dominates(l.At, x) {
			l.At = c.Idom[l.At]
		}
	}
	if back {
		l.At = 0
	}
	if l.At < 0 {
		return nil
	}
	for c.LoopOf[l.At] >= 0 {
		l.At = c.Idom[l.At]
	}
	if !back {
		often := b.n.often()
		own, linked := 0.0, linkedRecord*often[l.At]
		for _, x := range publish {
			own += often[x] * float64(ownRecord+b.depth(c.LoopOf[x]))
			linked += often[x] * linkedBlock
		}
		if own <= linked {
			return nil
		}
	}
	b.holds = holds
	after := make([]bool, len(c.Succs))
	after[l.At] = true
	for _, x := range c.Order {
		for k, t := range c.Succs[x] {
			if after[x] && !c.IsBack(flow.Edge{From: x, Index: k}) {
				after[t] = true
			}
		}
		if after[x] && len(c.Succs[x]) == 0 {
			l.Exits = append(l.Exits, x)
		}
	}
	return l
}
