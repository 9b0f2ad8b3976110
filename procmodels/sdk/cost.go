package sdk

// This file gathers what one block costs.

import (
	"slices"

	"pathspan/procmodels"
)

// Cost gathers what one execution of a block costs. All cycles are finite and 0 or more.
type Cost struct {
	g      *gathering
	c      procmodels.BlockCost
	ranged bool
}

// gathering is what the costs of a program share.
type gathering struct {
	costs   *procmodels.Costs
	reasons map[string]int
	factors map[procmodels.Factor]int
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
	i := number(c.g.reasons, &c.g.costs.Reasons, reason)
	for k := range c.c.Defaults {
		if d := &c.c.Defaults[k]; d.Reason == i {
			d.Cycles += cycles
			d.Count++
			return
		}
	}
	c.c.Defaults = append(c.c.Defaults, procmodels.DefaultCost{Reason: i, Cycles: cycles, Count: 1})
}

// Vary says that the block's cycles fall by down for one unit of the factor below its
// typical value, and rise by up for one unit above.
func (c *Cost) Vary(factor procmodels.Factor, down, up float64) {
	i := number(c.g.factors, &c.g.costs.Factors, factor)
	for k := range c.c.Varies {
		if v := &c.c.Varies[k]; v.Factor == i {
			v.Down += down
			v.Up += up
			return
		}
	}
	c.c.Varies = append(c.c.Varies, procmodels.Variation{Factor: i, Down: down, Up: up})
}

// After says what the block costs altogether when it is entered from the block of index
// pred, one of its predecessors.
func (c *Cost) After(pred int, cycles float64) {
	c.c.After = append(c.c.After, procmodels.AfterCost{Pred: pred, Cycles: cycles})
}

// Include says that the cycles hold what the function does that instruction i calls.
func (c *Cost) Include(i int) { c.c.Included = append(c.c.Included, i) }

func (c *Cost) finish() procmodels.BlockCost {
	if !c.ranged {
		c.c.Best, c.c.Worst = 0, 0
	}
	slices.SortFunc(c.c.Defaults, func(a, b procmodels.DefaultCost) int { return a.Reason - b.Reason })
	slices.SortFunc(c.c.Varies, func(a, b procmodels.Variation) int { return a.Factor - b.Factor })
	slices.SortFunc(c.c.After, func(a, b procmodels.AfterCost) int { return a.Pred - b.Pred })
	slices.Sort(c.c.Included)
	return c.c
}

// number finds or appends an entry of a list.
func number[K comparable](index map[K]int, list *[]K, key K) int {
	i, ok := index[key]
	if !ok {
		i = len(*list)
		index[key] = i
		*list = append(*list, key)
	}
	return i
}
