package estimate

// This file prices work under locks. What stands there is little code, which the prices of a
// whole section can be far from, and who waits waits for that.

import "slices"

// lockedLane is what is done under a lock of the program in a section.
type lockedLane struct {
	lane
	lock int
}

// lockPrices returns, by kind of processor, how much dearer the blocks under a lock are than
// the prices of their section say.
func (e *Estimator) lockPrices() []map[lockedLane]float64 {
	out := make([]map[lockedLane]float64, len(e.kinds))
	under := e.underLocks()
	for k := range out {
		out[k] = map[lockedLane]float64{}
		if under == nil {
			continue
		}
		priced := map[lockedLane]float64{}
		for l, blocks := range e.lanes {
			for _, at := range blocks {
				for _, u := range under[at[0]][at[1]] {
					n, key := u.share*float64(e.funcs[at[0]].counts[at[1]]), lockedLane{l, u.lock}
					out[k][key] += n * e.cost(k, at[0], at[1], nowhere)
					for w, x := range e.vector(at[0], at[1]) {
						priced[key] += n * float64(x) * e.work[k][l.region][l.construct][l.section][w]
					}
				}
			}
		}
		for key := range out[k] {
			if out[k][key] /= priced[key]; !(priced[key] > 0) {
				delete(out[k], key)
			}
		}
	}
	return out
}

// mostCalls is how deep in calls locks are followed.
const mostCalls = 64

// underLock is a lock that is held in a block, and in which share of its executions.
type underLock struct {
	lock  int
	share float64
}

// underLocks tells, by function and block, the locks that are held there, as far as the code
// tells: between the calls that take and release one, and in functions called from there, as
// often as they are. It returns nil where there is none.
func (a *Analysis) underLocks() [][][]underLock {
	prog := a.Bundle.Program
	if len(prog.Locks) == 0 {
		return nil
	}
	type call struct {
		from, block, to int
		times           float64
	}
	var calls []call
	out, own, met := make([][][]underLock, len(prog.Funcs)), make([][]int, len(prog.Funcs)), make([]float64, len(prog.Funcs))
	for fi, f := range prog.Funcs {
		out[fi], own[fi] = make([][]underLock, len(f.Blocks)), make([]int, len(f.Blocks))
		for b, held := range opened(f, lockEdge) {
			if n := len(held); n > 0 {
				own[fi][b] = held[n-1]
				out[fi][b] = []underLock{{own[fi][b] - 1, 1}}
			}
			if a.funcs[fi] == nil || a.funcs[fi].counts[b] == 0 {
				continue
			}
			for _, c := range f.Blocks[b].Calls() {
				if n := float64(a.funcs[fi].counts[b]); c.Callee >= 0 {
					calls, met[c.Callee] = append(calls, call{fi, b, c.Callee, n}), met[c.Callee]+n
				}
			}
		}
	}
	for lock := range prog.Locks {
		// How many of a function's executions are under the lock, and not under another within.
		var now []float64
		for round, next := 0, make([]float64, len(prog.Funcs)); round < mostCalls && !slices.Equal(now, next); round++ {
			now, next = next, make([]float64, len(prog.Funcs))
			for _, c := range calls {
				switch own[c.from][c.block] {
				case lock + 1:
					next[c.to] += c.times / met[c.to]
				case 0:
					next[c.to] += now[c.from] * c.times / met[c.to]
				}
			}
		}
		for fi, share := range now {
			for b := range out[fi] {
				if share > 0 && own[fi][b] == 0 {
					out[fi][b] = append(out[fi][b], underLock{lock, share})
				}
			}
		}
	}
	return out
}
