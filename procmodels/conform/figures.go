package conform

// This file holds the answers to the ordinary programs against the contract, an aspect
// a check.

import (
	"fmt"
	"slices"

	"pathspan/procmodels"
)

func (k *kit) answersOrdinary() outcome {
	const do = "answer for every function and block, in the program's order"
	blocks := 0
	for _, s := range k.ordinary() {
		costs, err := k.costs(s)
		if err != nil {
			return failed("price every program; report what cannot be priced as a default", "%s: %v", s.name, err)
		}
		if f := faultOf(costs, s, procmodels.AspectShape); f != nil {
			return failed(do, "%v", f)
		}
		for _, f := range costs.Blocks {
			blocks += len(f)
		}
	}
	return passed("%s", count(blocks, "block"))
}

func faultOf(costs *procmodels.Costs, s *subject, aspects ...procmodels.Aspect) error {
	for _, f := range costs.Faults(s.Program) {
		if slices.Contains(aspects, f.Aspect) {
			return f.Err
		}
	}
	return nil
}

// aspect looks for faults of some aspects; uses counts the blocks that show the aspect.
func (k *kit) aspect(do, unused string, uses func(*procmodels.BlockCost) bool, aspects ...procmodels.Aspect) outcome {
	n := 0
	for _, s := range k.ordinary() {
		costs, err := k.costs(s)
		if err != nil {
			return skipped("no answer to look at")
		}
		if f := faultOf(costs, s, aspects...); f != nil {
			return failed(do, "%v", f)
		}
		for _, f := range costs.Blocks {
			for i := range f {
				if uses(&f[i]) {
					n++
				}
			}
		}
	}
	if n == 0 {
		return skipped("%s", unused)
	}
	return passed("%s", count(n, "block"))
}

func (k *kit) cycles() outcome {
	return k.aspect("give each block a finite number of cycles, 0 or more", "the programs have no blocks",
		func(*procmodels.BlockCost) bool { return true }, procmodels.AspectCycles)
}

func (k *kit) ranges() outcome {
	return k.aspect("give best <= typical <= worst, or 0 for best and worst", "it gives no ranges",
		func(b *procmodels.BlockCost) bool { return b.Best != 0 || b.Worst != 0 }, procmodels.AspectRange)
}

func (k *kit) predecessors() outcome {
	return k.aspect("list predecessors of the block only, ascending, with finite cycles", "it gives no costs by predecessor",
		func(b *procmodels.BlockCost) bool { return len(b.After) > 0 }, procmodels.AspectAfter)
}

func (k *kit) factors() outcome {
	const do = "refer to factors by their number, ascending, each with a name, and give finite cycles"
	for _, s := range k.ordinary() {
		costs, err := k.costs(s)
		if err != nil {
			continue // the aspect says so
		}
		for i, f := range costs.Factors {
			if f.Name == "" {
				return failed(do, "factor %d has no name", i)
			}
		}
	}
	return k.aspect(do, "it knows no factors", func(b *procmodels.BlockCost) bool { return len(b.Varies) > 0 }, procmodels.AspectVaries)
}

func (k *kit) defaults() outcome {
	for _, s := range k.ordinary() {
		costs, err := k.costs(s)
		if err != nil {
			return skipped("no answer to look at")
		}
		for i, r := range costs.Reasons {
			if oneLine(r) == "" {
				return failed("say in each reason what was assumed", "reason %d of defaults is empty", i)
			}
		}
	}
	o := k.aspect("give each default a reason and a part of the block's cycles, and list calls only as included",
		"it used no defaults and includes no calls",
		func(b *procmodels.BlockCost) bool { return len(b.Defaults) > 0 || len(b.Included) > 0 },
		procmodels.AspectDefaults, procmodels.AspectIncluded)
	return o
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// where names a block for messages.
func where(s *subject, fn, block int) string {
	f := s.Program.Funcs[fn]
	return fmt.Sprintf("function %q, block %q", f.Name, f.Blocks[block].Name)
}
