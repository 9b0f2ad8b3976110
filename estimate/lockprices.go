package estimate

// This file prices work under locks. What stands there is little code, which the prices of a
// whole section can be far from, and who waits waits for that.

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
				lock := under[at[0]][at[1]] - 1
				if lock < 0 {
					continue
				}
				n, key := float64(e.funcs[at[0]].counts[at[1]]), lockedLane{l, lock}
				out[k][key] += n * e.cost(k, at[0], at[1], nowhere)
				for w, x := range e.vector(at[0], at[1]) {
					priced[key] += n * float64(x) * e.work[k][l.region][l.construct][l.section][w]
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

// underLocks tells, by function and block, the lock that is held there, from 1, as far as the
// code tells: between the calls that take and release it, and in functions called from there.
// It returns nil where there is none.
func (a *Analysis) underLocks() [][]int {
	prog := a.Bundle.Program
	if len(prog.Locks) == 0 {
		return nil
	}
	out := make([][]int, len(prog.Funcs))
	var called [][2]int // functions, and the lock under which they are called
	for fi, f := range prog.Funcs {
		out[fi] = make([]int, len(f.Blocks))
		for b, held := range opened(f, lockEdge) {
			if len(held) == 0 {
				continue
			}
			lock := held[len(held)-1]
			out[fi][b] = lock
			for _, c := range f.Blocks[b].Calls() {
				if c.Callee >= 0 {
					called = append(called, [2]int{c.Callee, lock})
				}
			}
		}
	}
	whole := make([]bool, len(prog.Funcs))
	for len(called) > 0 {
		fn, lock := called[0][0], called[0][1]
		if called = called[1:]; whole[fn] {
			continue
		}
		whole[fn] = true
		for b := range out[fn] {
			if out[fn][b] == 0 {
				out[fn][b] = lock
			}
			for _, c := range prog.Funcs[fn].Blocks[b].Calls() {
				if c.Callee >= 0 {
					called = append(called, [2]int{c.Callee, lock})
				}
			}
		}
	}
	return out
}
