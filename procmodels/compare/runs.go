package compare

// This file says how often each block ran on its own account: not as part of a call
// whose cost is already in a figure of its caller.

import (
	"slices"

	"pathspan/procmodels"
	"pathspan/profile"
)

// runs is what a bundle counted.
type runs struct {
	blocks      [][]uint64 // by function and block; nil of functions that never ran
	invocations []uint64   // by function
	calls       []call
}

// call is one callee of one call instruction. Functions that external functions call
// back are not among them: they count on their own account.
type call struct {
	fn, block, instr int
	callee           int
	count            float64
}

func countRuns(b *profile.Bundle) *runs {
	r := &runs{blocks: make([][]uint64, len(b.Funcs)), invocations: make([]uint64, len(b.Funcs))}
	for fi, f := range b.Funcs {
		if f == nil {
			continue
		}
		fn := b.Program.Funcs[fi]
		r.blocks[fi] = f.BlockCounts(len(fn.Blocks))
		r.invocations[fi] = f.Invocations()
		for bi, blk := range fn.Blocks {
			for i := range blk.Instrs {
				if c := blk.Instrs[i].Call; c != nil && c.Callee >= 0 {
					r.calls = append(r.calls, call{fi, bi, i, c.Callee, float64(r.blocks[fi][bi])})
				}
			}
		}
	}
	for _, t := range b.Targets {
		if t.Target >= 0 {
			r.calls = append(r.calls, call{t.Func, t.Block, t.Instr, t.Target, float64(t.Count)})
		}
	}
	return r
}

// OwnShares returns, by function, the share of its executions whose cycles are not in a
// caller's figure, as calls are that a model includes in the block that makes them.
func OwnShares(b *profile.Bundle, costs *procmodels.Costs) []float64 { return countRuns(b).own(costs) }

// own returns, by function, the share of its executions whose cycles are not in a
// caller's figure. An execution is in one when its call is included, or when the caller's
// own execution is; callers' executions are taken alike, so shares are averages.
func (r *runs) own(costs *procmodels.Costs) []float64 {
	own := make([]float64, len(r.blocks))
	for i := range own {
		own[i] = 1
	}
	included := make([]bool, len(r.calls))
	any := false
	for i, c := range r.calls {
		included[i] = slices.Contains(costs.Blocks[c.fn][c.block].Included, c.instr)
		any = any || included[i]
	}
	if !any {
		return own
	}
	// Shares only fall; without recursion they are exact after as many rounds as calls
	// nest, with it they approach their limits.
	for range len(own) + 64 {
		within := make([]float64, len(own)) // executions in a caller's figure
		for i, c := range r.calls {
			if included[i] {
				within[c.callee] += c.count
			} else {
				within[c.callee] += c.count * (1 - own[c.fn])
			}
		}
		same := true
		for f, n := range within {
			x := 1.0
			if r.invocations[f] > 0 {
				x = max(0, 1-n/float64(r.invocations[f]))
			}
			same = same && x == own[f]
			own[f] = x
		}
		if same {
			break
		}
	}
	return own
}
