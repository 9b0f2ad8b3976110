package profile

// This file reads what runs told of branches (build/runtime/branches.c), adds it up and checks it.

import (
	"errors"
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/pathprof"
)

// toldBranch is the kind of records that tell of a way: its number in flow.Ways, -, -; how often it was not foretold, how
// often taken.
const toldBranch = 19

// fewOutcomes are what a predictor remembers of each branch where no run told of branches.
const fewOutcomes = 64

var errToldBranches = errors.New("its record of branches is damaged")

// told parts what runs told of branches from what they told of memory.
func told(p *ir.Program, list []memory.Record) (others []memory.Record, all []flow.Foretold, err error) {
	ways := flow.Ways(p)
	for _, r := range list {
		if r[0] != toldBranch {
			others = append(others, r)
			continue
		}
		if r[1] >= uint64(len(ways)) {
			return nil, nil, errToldBranches
		}
		all = append(all, flow.Foretold{Way: ways[r[1]], Wrong: r[4], Times: r[5]})
	}
	return others, mergeBranches(all), nil
}

// mergeBranches sorts ways and adds up equal ones.
func mergeBranches(list []flow.Foretold) []flow.Foretold {
	slices.SortStableFunc(list, func(a, b flow.Foretold) int { return flow.CompareWays(a.Way, b.Way) })
	out := list[:0:0]
	for _, x := range list {
		if k := len(out) - 1; k >= 0 && out[k].Way == x.Way {
			out[k].Wrong, out[k].Times = pathprof.AddSat(out[k].Wrong, x.Wrong), pathprof.AddSat(out[k].Times, x.Times)
			continue
		}
		out = append(out, x)
	}
	return out
}

// checkBranches refuses what no run can have told.
func checkBranches(b *Bundle) error {
	ways := flow.Ways(b.Program)
	counted := sum{left: MostCounted}
	for i, w := range b.Branches {
		if _, ok := slices.BinarySearchFunc(ways, w.Way, flow.CompareWays); !ok {
			return fmt.Errorf("what is told of branches refers to way %d of block %d of function %d, which is none", w.Succ, w.Block, w.Func)
		}
		if i > 0 && flow.CompareWays(b.Branches[i-1].Way, w.Way) >= 0 || w.Times == 0 || w.Wrong > w.Times {
			return fmt.Errorf("what is told of branches of %s stands out of order, or twice, or is more than they were taken", b.Program.Funcs[w.Func].Name)
		}
		counted.add(w.Times)
	}
	if counted.over {
		return ErrTooMany
	}
	return nil
}

// told is Mistaken by what runs told.
func (b *Bundle) told() [][][]float64 {
	all := make([][][]float64, len(b.Program.Funcs))
	for _, w := range b.Branches {
		if w.Select > 0 {
			continue
		}
		blocks := b.Program.Funcs[w.Func].Blocks
		if all[w.Func] == nil {
			all[w.Func] = make([][]float64, len(blocks))
		}
		if all[w.Func][w.Block] == nil {
			all[w.Func][w.Block] = make([]float64, len(blocks[w.Block].Succs))
		}
		all[w.Func][w.Block][w.Succ] = float64(w.Wrong) / float64(w.Times)
	}
	return all
}

// Selected returns, by select, how often it took its first value and its second, where that was told, as the compiler made a
// branch of it.
func (b *Bundle) Selected() map[flow.Way][2]flow.Foretold {
	all := map[flow.Way][2]flow.Foretold{}
	for _, w := range b.Branches {
		if w.Select > 0 {
			at := w.Way
			at.Succ = 0
			two := all[at]
			two[w.Succ] = w
			all[at] = two
		}
	}
	return all
}
