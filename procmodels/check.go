package procmodels

// This file checks that a table of costs fits its program; plugins are held to
// it as the built-in models are.

import (
	"fmt"
	"math"

	"pathspan/ir"
)

// slack is how far the sum of the default parts may pass the total through
// rounding, relative to the total.
const slack = 1e-9

// Check reports the first way in which the costs break the contract: a shape that
// is not the program's, a cost that is negative or no number, an included call
// that is no call, default parts that add up to more than the whole.
func (c *Costs) Check(p *ir.Program) error {
	if len(c.Blocks) != len(p.Funcs) {
		return fmt.Errorf("model %s: costs of %d functions for a program of %d", c.Model, len(c.Blocks), len(p.Funcs))
	}
	for fi, f := range p.Funcs {
		if len(c.Blocks[fi]) != len(f.Blocks) {
			return fmt.Errorf("model %s: function %s: costs of %d blocks, the function has %d", c.Model, f.Name, len(c.Blocks[fi]), len(f.Blocks))
		}
		for bi, b := range f.Blocks {
			if err := c.checkBlock(&c.Blocks[fi][bi], b); err != nil {
				return fmt.Errorf("model %s: function %s: block %s: %w", c.Model, f.Name, b.Name, err)
			}
		}
	}
	return nil
}

func (c *Costs) checkBlock(bc *BlockCost, b *ir.Block) error {
	if !finite(bc.Cycles) {
		return fmt.Errorf("%g cycles: want a number of 0 or more", bc.Cycles)
	}
	last := -1
	for _, i := range bc.Included {
		if i <= last {
			return fmt.Errorf("included calls %v: want them ascending", bc.Included)
		}
		if i >= len(b.Instrs) || b.Instrs[i].Call == nil {
			return fmt.Errorf("instruction %d is listed as an included call and is none", i)
		}
		last = i
	}
	sum := 0.0
	last = -1
	for _, d := range bc.Defaults {
		if d.Reason <= last || d.Reason >= len(c.Reasons) {
			return fmt.Errorf("reason %d of a default: want them ascending and below %d", d.Reason, len(c.Reasons))
		}
		last = d.Reason
		if !finite(d.Cycles) || d.Count < 1 {
			return fmt.Errorf("default %q: %g cycles in %d places: want 0 or more cycles, 1 or more places", c.Reasons[d.Reason], d.Cycles, d.Count)
		}
		sum += d.Cycles
	}
	if sum > bc.Cycles*(1+slack) {
		return fmt.Errorf("defaults add up to %g of %g cycles", sum, bc.Cycles)
	}
	return nil
}

func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
