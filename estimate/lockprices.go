package estimate

// This file prices work under locks. What stands there is little code, which the prices of a
// whole section can be far from, and who waits waits for that.

import (
	"slices"

	"pathspan/ir"
)

// lockedLane is what is done under a lock of the program in a section.
type lockedLane struct {
	lane
	lock int
}

// lockPrices returns, by kind of processor, how much dearer the blocks under a lock are than
// the prices of their section say.
func (e *Estimator) lockPrices() []map[lockedLane]float64 {
	out := make([]map[lockedLane]float64, len(e.kinds))
	for k := range out {
		out[k] = map[lockedLane]float64{}
	}
	if len(e.Bundle.Program.Locks) == 0 {
		return out
	}
	for l, blocks := range e.lanes {
		locks, held := []int{}, map[int][]int{}
		for _, at := range blocks {
			if held[at[0]] == nil {
				held[at[0]] = heldIn(e.funcs[at[0]].fn)
			}
			if lock := held[at[0]][at[1]]; lock > 0 && !slices.Contains(locks, lock) {
				locks = append(locks, lock)
			}
		}
		inLane := e.inLane(l)
		for _, lock := range locks {
			under := e.sharesOf(blocks, func(fn, b int) float64 { return truth(held[fn][b] == lock) * inLane(fn, b) })
			for k := range out {
				cycles, priced := 0.0, 0.0
				for _, at := range blocks {
					n := float64(e.funcs[at[0]].counts[at[1]]) * under(at[0], at[1])
					cycles += n * e.cost(k, at[0], at[1], nowhere)
					for w, x := range e.vector(at[0], at[1]) {
						priced += n * float64(x) * e.work[k][l.region][l.construct][l.section][w]
					}
				}
				if priced > 0 {
					out[k][lockedLane{l, lock - 1}] = cycles / priced
				}
			}
		}
	}
	return out
}

// heldIn tells by block the innermost lock that a function holds itself, from 1.
func heldIn(f *ir.Func) []int {
	out := make([]int, len(f.Blocks))
	for b, held := range opened(f, lockEdge) {
		if n := len(held); n > 0 {
			out[b] = held[n-1]
		}
	}
	return out
}
