package procmodels

// This file gathers prices into a table of costs.

import (
	"slices"

	"pathspan/ir"
)

// tally builds Costs; reasons and factors are numbered in the order of their first
// use.
type tally struct {
	costs   *Costs
	reasons map[string]int
	factors map[string]int
}

func newTally(model string, p *ir.Program) *tally {
	t := &tally{&Costs{Model: model, Blocks: make([][]BlockCost, len(p.Funcs))}, map[string]int{}, map[string]int{}}
	for fi, f := range p.Funcs {
		t.costs.Blocks[fi] = make([]BlockCost, len(f.Blocks))
	}
	return t
}

// add charges a price to a block.
func (t *tally) add(fn, block int, pr *price) {
	bc := &t.costs.Blocks[fn][block]
	bc.Cycles += pr.cycles
	for _, s := range pr.varies {
		t.vary(bc, s)
	}
	if pr.reason == "" {
		return
	}
	r, ok := t.reasons[pr.reason]
	if !ok {
		r = len(t.costs.Reasons)
		t.reasons[pr.reason] = r
		t.costs.Reasons = append(t.costs.Reasons, pr.reason)
	}
	i, ok := slices.BinarySearchFunc(bc.Defaults, r, func(d DefaultCost, r int) int { return d.Reason - r })
	if !ok {
		bc.Defaults = slices.Insert(bc.Defaults, i, DefaultCost{Reason: r})
	}
	bc.Defaults[i].Cycles += pr.defaulted
	bc.Defaults[i].Count++
}

// vary adds to how far a block can be off by a factor.
func (t *tally) vary(bc *BlockCost, s span) {
	f, ok := t.factors[s.factor]
	if !ok {
		f = len(t.costs.Factors)
		t.factors[s.factor] = f
		t.costs.Factors = append(t.costs.Factors, Factor{Name: s.factor, Bounded: true})
	}
	bc.Vary(f, s.down, s.up)
}

// Vary adds to how far a block can be off by a factor, in cycles; see [Variation].
func (bc *BlockCost) Vary(factor int, down, up float64) {
	i, ok := slices.BinarySearchFunc(bc.Varies, factor, func(v Variation, f int) int { return v.Factor - f })
	if !ok {
		if bc.Varies == nil {
			bc.Varies = make([]Variation, 0, 4)
		}
		bc.Varies = slices.Insert(bc.Varies, i, Variation{Factor: factor})
	}
	bc.Varies[i].Down += down
	bc.Varies[i].Up += up
}

// finish sets the ranges of the blocks that vary and returns the costs.
func (t *tally) finish() *Costs {
	for _, blocks := range t.costs.Blocks {
		for i := range blocks {
			blocks[i].Spread()
		}
	}
	return t.costs
}

// Spread derives the best and the worst case from how far the factors, all of them
// bounded, can go. A block that does not vary keeps what it has.
func (bc *BlockCost) Spread() {
	if len(bc.Varies) == 0 {
		return
	}
	down, up := 0.0, 0.0
	for _, v := range bc.Varies {
		down, up = down+v.Down, up+v.Up
	}
	bc.Best, bc.Worst = max(0, bc.Cycles-down), bc.Cycles+up
}
