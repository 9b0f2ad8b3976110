package pathprof

// This file says what happens to the levels' registers and counters when control
// takes an edge: the one definition that probes, simulation and decoding share.

import (
	"slices"

	"pathspan/ir/flow"
)

type stepKind uint8

const (
	stepLeave     stepKind = iota + 1 // loop level is left
	stepCount                         // a path of the level ends in sink
	stepFold                          // register of level += register of from * value
	stepJoin                          // register of level += value
	stepEnter                         // register of level = value (entered beside its header)
	stepTripStart                     // loop level is entered from outside
	stepTrip                          // loop level completes an iteration
)

type step struct {
	kind  stepKind
	level int // index into Levels
	from  int // stepFold: the inner level
	value uint64
	sink  *Sink
}

// walk calls f with each step of edge e, in order: leave the loops that do not
// hold the target, innermost first; move within the level that holds both ends;
// enter the loops that do not hold the source, outermost first.
func (n *Numbering) walk(e flow.Edge, f func(step)) {
	c := n.CFG
	t := c.Target(e)
	l := c.LoopOf[e.From]
	for l >= 0 && !c.InLoop(l, t) {
		parent := c.Loops[l].Parent
		f(step{kind: stepLeave, level: l + 1})
		if n.Levels[l+1].Collapsed {
			f(step{kind: stepCount, level: l + 1, sink: &n.Levels[l+1].Sinks[n.partial[l][e]]})
		} else if n.reaching(l, e) > 1 && n.fromLoop[l] > 0 {
			f(step{kind: stepFold, level: parent + 1, from: l + 1, value: n.fromLoop[l]})
		}
		l = parent
	}
	if c.IsBack(e) {
		f(step{kind: stepCount, level: l + 1, sink: &n.Levels[l+1].Sinks[n.sinkOf[e.From][e.Index]]})
		f(step{kind: stepTrip, level: l + 1})
		return
	}
	if s := n.sinkOf[e.From][e.Index]; s >= 0 {
		f(step{kind: stepCount, level: l + 1, sink: &n.Levels[l+1].Sinks[s]})
		if c.LoopOf[t] != l { // cut at the loop; a cut block zeroes the register itself
			f(step{kind: stepEnter, level: l + 1})
		}
	} else {
		f(step{kind: stepJoin, level: l + 1, value: n.inOffset[e.From][e.Index]})
	}
	for _, m := range n.entered(l, t) {
		f(step{kind: stepTripStart, level: m + 1})
		if t != c.Loops[m].Header {
			f(step{kind: stepEnter, level: m + 1, value: n.start[m][t]})
		}
	}
}

// entered lists the loops inside loop l that hold block t, outermost first.
func (n *Numbering) entered(l, t int) []int {
	var loops []int
	for m := n.CFG.LoopOf[t]; m != l; m = n.CFG.Loops[m].Parent {
		loops = append(loops, m)
	}
	slices.Reverse(loops)
	return loops
}
