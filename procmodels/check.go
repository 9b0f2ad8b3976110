package procmodels

// This file checks that a table of costs fits its program; plugins are held to
// it as the built-in models are.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
)

// MaxCycles is the most that a block may cost: far beyond any block, so that no sum of
// costs leaves the range of numbers.
const MaxCycles = 1e30

// slack is how far the sum of the default parts may pass the total through
// rounding, relative to the total.
const slack = 1e-9

// Aspect is a part of the contract that costs can break.
type Aspect string

// The aspects, in the order in which a block is checked.
const (
	AspectShape    Aspect = "shape"    // every function and block is answered
	AspectCycles   Aspect = "cycles"   // cycles are from 0 to MaxCycles
	AspectRange    Aspect = "range"    // best <= typical <= worst
	AspectAfter    Aspect = "after"    // costs by predecessor name predecessors
	AspectVaries   Aspect = "varies"   // variations refer to factors
	AspectIncluded Aspect = "included" // included calls are calls
	AspectDefaults Aspect = "defaults" // defaults refer to reasons and fit into the cycles
)

// Fault is one way in which costs break the contract.
type Fault struct {
	Aspect Aspect
	Err    error // one line that names model, function and block
}

// Check reports the first way in which the costs break the contract: a shape that
// is not the program's, a cost that is negative or no number, an included call
// that is no call, a best case above the typical one, default parts that add up to more than the whole.
func (c *Costs) Check(p *ir.Program) error {
	var first error
	c.eachFault(p, func(f Fault) bool {
		first = f.Err
		return false
	})
	return first
}

// Faults reports the first fault of each aspect, in the order in which they are found.
func (c *Costs) Faults(p *ir.Program) []Fault {
	var all []Fault
	c.eachFault(p, func(f Fault) bool {
		if !slices.ContainsFunc(all, func(g Fault) bool { return g.Aspect == f.Aspect }) {
			all = append(all, f)
		}
		return true
	})
	return all
}

// eachFault calls report for each fault until it returns false.
func (c *Costs) eachFault(p *ir.Program, report func(Fault) bool) {
	if len(c.Blocks) != len(p.Funcs) {
		report(Fault{AspectShape, fmt.Errorf("model %s: costs of %d functions for a program of %d", c.Model, len(c.Blocks), len(p.Funcs))})
		return
	}
	for fi, f := range p.Funcs {
		if len(c.Blocks[fi]) != len(f.Blocks) {
			err := fmt.Errorf("model %s: function %s: costs of %d blocks, the function has %d", c.Model, f.Name, len(c.Blocks[fi]), len(f.Blocks))
			if !report(Fault{AspectShape, err}) {
				return
			}
			continue
		}
		for bi, b := range f.Blocks {
			bc := &c.Blocks[fi][bi]
			for _, check := range []struct {
				aspect Aspect
				err    error
			}{
				{AspectCycles, bc.checkCycles()},
				{AspectRange, bc.checkRange()},
				{AspectAfter, bc.checkAfter(f, bi)},
				{AspectVaries, c.checkVaries(bc)},
				{AspectIncluded, bc.checkIncluded(b)},
				{AspectDefaults, c.checkDefaults(bc)},
			} {
				if check.err == nil {
					continue
				}
				err := fmt.Errorf("model %s: function %s: block %s: %w", c.Model, f.Name, b.Name, check.err)
				if !report(Fault{check.aspect, err}) {
					return
				}
			}
		}
	}
}

func (bc *BlockCost) checkCycles() error {
	if !payable(bc.Cycles) {
		return fmt.Errorf("%g cycles: want a number from 0 to %g", bc.Cycles, float64(MaxCycles))
	}
	return nil
}

// checkRange holds the best and the worst case against the typical one.
func (bc *BlockCost) checkRange() error {
	switch {
	case bc.Best == 0 && bc.Worst == 0:
		return nil
	case !payable(bc.Best) || !payable(bc.Worst):
		return fmt.Errorf("best %g, worst %g cycles: want numbers from 0 to %g", bc.Best, bc.Worst, float64(MaxCycles))
	case bc.Best > bc.Cycles || bc.Cycles > bc.Worst:
		return fmt.Errorf("best %g, typical %g, worst %g cycles: want them ascending", bc.Best, bc.Cycles, bc.Worst)
	}
	return nil
}

func (bc *BlockCost) checkAfter(f *ir.Func, bi int) error {
	last := -1
	for _, a := range bc.After {
		if a.Pred <= last {
			return fmt.Errorf("costs after block %d: want predecessors ascending, each once", a.Pred)
		}
		if !payable(a.Cycles) {
			return fmt.Errorf("%g cycles after block %d: want a number from 0 to %g", a.Cycles, a.Pred, float64(MaxCycles))
		}
		if a.Pred >= len(f.Blocks) || !slices.Contains(f.Blocks[a.Pred].Succs, bi) {
			return fmt.Errorf("a cost after block %d, which is no predecessor", a.Pred)
		}
		last = a.Pred
	}
	return nil
}

// checkVaries checks the variations with the model's factors.
func (c *Costs) checkVaries(bc *BlockCost) error {
	last := -1
	for _, v := range bc.Varies {
		if v.Factor <= last || v.Factor >= len(c.Factors) {
			return fmt.Errorf("factor %d: want them ascending and below %d", v.Factor, len(c.Factors))
		}
		if !payable(math.Abs(v.Down)) || !payable(math.Abs(v.Up)) {
			return fmt.Errorf("factor %q moves the cycles by %g and %g: want numbers of %g at most", c.Factors[v.Factor].Name, v.Down, v.Up, float64(MaxCycles))
		}
		last = v.Factor
	}
	return nil
}

func (bc *BlockCost) checkIncluded(b *ir.Block) error {
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
	return nil
}

func (c *Costs) checkDefaults(bc *BlockCost) error {
	sum := 0.0
	last := -1
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

// payable reports whether a block may cost so much.
func payable(x float64) bool { return x >= 0 && x <= MaxCycles }

func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
