package procmodels

// This file draws costs at random from what a model knows of its uncertainty.

import (
	"math/rand/v2"
	"slices"
)

// Exact reports that no figure of the table has a range or moves with a factor, so that
// every sample is the table itself.
func (c *Costs) Exact() bool {
	for _, blocks := range c.Blocks {
		for b := range blocks {
			if blocks[b].varies() {
				return false
			}
		}
	}
	return true
}

func (b *BlockCost) varies() bool {
	return slices.ContainsFunc(b.Varies, func(v Variation) bool { return v.Down != 0 || v.Up != 0 }) || len(b.Varies) == 0 && b.Best < b.Worst
}

// Sample draws the factors behind the costs and returns what the blocks cost then. The
// table has figures only: no ranges, factors, defaults and remarks. A table that is
// Exact is returned as it is. Equal states of rng give equal samples.
func (c *Costs) Sample(rng *rand.Rand) *Costs {
	if c.Exact() {
		return c
	}
	z := make([]float64, len(c.Factors))
	for i := range z {
		if c.Factors[i].Bounded {
			z[i] = triangle(rng)
		} else {
			z[i] = rng.NormFloat64()
		}
	}
	return c.at(z, triangle(rng))
}

// triangle draws from -1 to 1, most likely 0.
func triangle(rng *rand.Rand) float64 { return rng.Float64() + rng.Float64() - 1 }

// at returns the costs with the factors at z, and the blocks that have a range and no
// factor at the value common between their best, typical and worst case.
func (c *Costs) at(z []float64, common float64) *Costs {
	out := &Costs{Model: c.Model, Blocks: make([][]BlockCost, len(c.Blocks))}
	for f, blocks := range c.Blocks {
		if blocks == nil {
			continue
		}
		drawn := make([]BlockCost, len(blocks))
		for b := range blocks {
			from, to := &blocks[b], &drawn[b]
			move := from.move(z, common)
			to.Cycles, to.After, to.Included = max(0, from.Cycles+move), from.After, from.Included
			if move == 0 || len(from.After) == 0 {
				continue
			}
			to.After = make([]AfterCost, len(from.After))
			for i, a := range from.After {
				to.After[i] = AfterCost{Pred: a.Pred, Cycles: max(0, a.Cycles+move)}
			}
		}
		out.Blocks[f] = drawn
	}
	return out
}

// move returns how far the block's cycles are from the typical ones.
func (b *BlockCost) move(z []float64, common float64) float64 {
	if len(b.Varies) == 0 {
		return side(common, b.Cycles-b.Best, b.Worst-b.Cycles, b.Best < b.Worst)
	}
	sum := 0.0
	for _, v := range b.Varies {
		sum += side(z[v.Factor], v.Down, v.Up, true)
	}
	return sum
}

// side multiplies z by the slope of its side.
func side(z, down, up float64, known bool) float64 {
	switch {
	case !known:
		return 0
	case z < 0:
		return z * down
	}
	return z * up
}
