package estimate

// This file says from which block the steps of a path are entered, for models that
// know what a block costs behind another (procmodels.BlockCost.After).
//
// Within a path the step before is the predecessor. Two places are left: the start of
// an iteration and the start of a loop's last traversal. A loop that is entered E times
// and completes N iterations executes its header E times from outside and N times from
// a latch. Which traversal comes first is not profiled, but it need not be: an iteration
// is charged the header as entered from the latch in which it ends, as the traversal
// behind it will be, and the last traversal, of which there is one an entry, the header
// as entered from the block before the loop. So every edge into a header counts as often
// as it was taken, and only the difference between both figures of one block may be in
// the wrong traversal.
//
// The predecessor is unknown at a function's entry, where a path was cut, and around
// loops that count their last traversals themselves (collapsed): the block costs Cycles.

import (
	"pathspan/pathprof"
	"pathspan/profile"
)

// nowhere stands for a predecessor that is not known.
const nowhere = -1

// before returns the block from which the first step of a path of a level is entered.
func (f *function) before(level int, p *profile.Path) int {
	if level == 0 || p.End != pathprof.EndIteration {
		return nowhere
	}
	last := p.Steps[len(p.Steps)-1]
	if int(p.Steps[0]) != f.cfg.Loops[level-1].Header || last < 0 {
		return nowhere
	}
	return int(last)
}

// entered returns the block from which step i is entered, when the first of the steps
// is entered from the block first.
func (f *function) entered(steps []pathprof.Step, i, first int) int {
	if i == 0 {
		return first
	}
	if steps[i-1] >= 0 {
		return int(steps[i-1])
	}
	// Behind completed iterations: the last traversal, or what comes behind a
	// collapsed loop.
	if i < 2 || steps[i-2] < 0 || steps[i] < 0 || !f.cfg.InLoop(steps[i-1].Loop(), int(steps[i])) {
		return nowhere
	}
	return int(steps[i-2])
}
