package procmodels

// This file gathers prices into a table of costs.

import (
	"slices"

	"pathspan/ir"
)

// tally builds Costs; reasons are numbered in the order of their first use.
type tally struct {
	costs   *Costs
	reasons map[string]int
}

func newTally(model string, p *ir.Program) *tally {
	t := &tally{&Costs{Model: model, Blocks: make([][]BlockCost, len(p.Funcs))}, map[string]int{}}
	for fi, f := range p.Funcs {
		t.costs.Blocks[fi] = make([]BlockCost, len(f.Blocks))
	}
	return t
}

// add charges a price to a block.
func (t *tally) add(fn, block int, pr price) {
	bc := &t.costs.Blocks[fn][block]
	bc.Cycles += pr.cycles
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
