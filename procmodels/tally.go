package procmodels

// This file gathers what models find into a table of costs.

import (
	"slices"

	"pathspan/ir"
)

// Tally builds Costs. Reasons and factors are numbered in the order of their first use.
type Tally struct {
	Costs   *Costs
	reasons map[string]int
	factors map[Factor]int
}

// NewTally begins the costs of a program, with no cycles in any block.
func NewTally(model string, p *ir.Program) *Tally {
	t := &Tally{&Costs{Model: model, Blocks: make([][]BlockCost, len(p.Funcs))}, map[string]int{}, map[Factor]int{}}
	for fi, f := range p.Funcs {
		t.Costs.Blocks[fi] = make([]BlockCost, len(f.Blocks))
	}
	return t
}

// Add charges a price to a block.
func (t *Tally) Add(bc *BlockCost, pr *Price) {
	bc.Cycles += pr.Cycles
	for _, s := range pr.Varies {
		t.Vary(bc, Factor{Name: s.Factor, Bounded: true}, s.Down, s.Up)
	}
	if pr.Reason != "" {
		t.Suppose(bc, pr)
	}
}

// Suppose says what of a price rests on a default.
func (t *Tally) Suppose(bc *BlockCost, pr *Price) {
	if d := t.Assume(bc, pr.Reason, pr.Defaulted, 1); pr.Loc.Line > 0 {
		d.Loc = pr.Loc
	}
}

// Assume says that a part of a block's cycles rests on a default, and of how many
// instructions.
func (t *Tally) Assume(bc *BlockCost, reason string, cycles float64, count int) *DefaultCost {
	r := number(t.reasons, &t.Costs.Reasons, reason)
	i, ok := slices.BinarySearchFunc(bc.Defaults, r, func(d DefaultCost, r int) int { return d.Reason - r })
	if !ok {
		bc.Defaults = slices.Insert(bc.Defaults, i, DefaultCost{Reason: r})
	}
	bc.Defaults[i].Cycles += cycles
	bc.Defaults[i].Count += count
	return &bc.Defaults[i]
}

// Vary adds to how far a block can be off by a factor, in cycles; see [Variation].
func (t *Tally) Vary(bc *BlockCost, factor Factor, down, up float64) {
	f := number(t.factors, &t.Costs.Factors, factor)
	i, ok := slices.BinarySearchFunc(bc.Varies, f, func(v Variation, f int) int { return v.Factor - f })
	if !ok {
		if bc.Varies == nil {
			bc.Varies = make([]Variation, 0, 4)
		}
		bc.Varies = slices.Insert(bc.Varies, i, Variation{Factor: f})
	}
	bc.Varies[i].Down += down
	bc.Varies[i].Up += up
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

// Finish sets the ranges of the blocks that vary, by how far their factors, all of them
// bounded, can go, and returns the costs. A block that does not vary keeps what it has.
func (t *Tally) Finish() *Costs {
	for _, blocks := range t.Costs.Blocks {
		for i := range blocks {
			bc := &blocks[i]
			if len(bc.Varies) == 0 {
				continue
			}
			down, up := 0.0, 0.0
			for _, v := range bc.Varies {
				down, up = down+v.Down, up+v.Up
			}
			bc.Best, bc.Worst = max(0, bc.Cycles-down), bc.Cycles+up
		}
	}
	return t.Costs
}
