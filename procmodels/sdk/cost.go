package sdk

// This file gathers what one block costs.

import (
	"slices"

	"pathspan/procmodels"
)

// Cost gathers what one execution of a block costs. All cycles are finite and 0 or more.
type Cost struct {
	t      *procmodels.Tally
	c      *procmodels.BlockCost
	ranged bool
}

// Add adds cycles that are known.
func (c *Cost) Add(cycles float64) { c.AddRange(cycles, cycles, cycles) }

// AddRange adds cycles of which the bounds are known too.
func (c *Cost) AddRange(best, typical, worst float64) {
	c.ranged = c.ranged || best != worst
	c.c.Best += best
	c.c.Cycles += typical
	c.c.Worst += worst
}

// Assume adds cycles that the model does not know but assumes, for one instruction. The
// reason is the same for all alike: "opcode fneg double: not known".
func (c *Cost) Assume(reason string, cycles float64) {
	c.Add(cycles)
	c.t.Assume(c.c, reason, cycles, 1)
}

// Vary says that the block's cycles fall by down for one unit of the factor below its
// typical value, and rise by up for one unit above.
func (c *Cost) Vary(factor procmodels.Factor, down, up float64) { c.t.Vary(c.c, factor, down, up) }

// After says what the block costs altogether when it is entered from the block of index
// pred, one of its predecessors.
func (c *Cost) After(pred int, cycles float64) {
	c.c.After = append(c.c.After, procmodels.AfterCost{Pred: pred, Cycles: cycles})
}

// Include says that the cycles hold what the function does that instruction i calls.
func (c *Cost) Include(i int) { c.c.Included = append(c.c.Included, i) }

func (c *Cost) finish() {
	if !c.ranged {
		c.c.Best, c.c.Worst = 0, 0
	}
	slices.SortFunc(c.c.After, func(a, b procmodels.AfterCost) int { return a.Pred - b.Pred })
	slices.Sort(c.c.Included)
}
