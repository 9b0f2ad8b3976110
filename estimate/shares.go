package estimate

// This file tells what share of the executions of code is in a section: functions may be called
// from elsewhere, too. All calls of a function are taken to be alike.

import (
	"cmp"
	"slices"
)

// share is what share of the executions of a block counts.
type share func(fn, block int) float64

// inLane returns the shares of what is in a section.
func (a *Analysis) inLane(l lane) share {
	around := map[int][][]lane{}
	for _, at := range a.lanes[l] {
		if around[at[0]] == nil {
			around[at[0]] = opened(a.funcs[at[0]].fn, sectionEdge)
		}
	}
	return a.sharesOf(a.lanes[l], func(fn, b int) float64 { return truth(slices.Contains(around[fn][b], l)) })
}

// sharesOf returns the shares of what is in some blocks and in what is called from them, given those of the
// first; all are among the blocks that are given.
func (a *Analysis) sharesOf(blocks [][2]int, of share) share {
	blocks = slices.Clone(blocks)
	slices.SortStableFunc(blocks, func(p, q [2]int) int { return cmp.Compare(a.scc[q[0]], a.scc[p[0]]) }) // callers first
	calls := map[int]float64{}
	out := func(fn, b int) float64 {
		x := of(fn, b)
		if all := a.calls[fn]; all > 0 {
			x = max(x, min(1, calls[fn]/all))
		}
		return x
	}
	for _, at := range blocks {
		for _, c := range a.funcs[at[0]].calls[at[1]] {
			calls[c.callee] += float64(a.funcs[at[0]].counts[at[1]]) * c.share * out(at[0], at[1])
		}
	}
	return out
}

// callsOf counts how often each function is called.
func (a *Analysis) callsOf() []float64 {
	out := make([]float64, len(a.funcs))
	for _, f := range a.funcs {
		if f == nil {
			continue
		}
		for b, calls := range f.calls {
			for _, c := range calls {
				out[c.callee] += float64(f.counts[b]) * c.share
			}
		}
	}
	return out
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
