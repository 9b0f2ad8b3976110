package openmp

// This file finds where the value of a stack variable is still wanted: backward
// liveness over the blocks of a function, one variable at a time.

// liveIn returns for each block of g whether the value that l holds at its start
// may be read later.
func (l *slot) liveIn(g *graph) []bool {
	n := len(g.succs)
	first := make([]useKind, n) // what the block does first: useLoad reads, useStore ends the old value
	for i := len(l.uses) - 1; i >= 0; i-- {
		u := l.uses[i]
		switch u.kind {
		case useStore, useBegin, useEnd:
			first[u.block] = useStore
		case usePart:
			// Keeps the rest of the old value: neither.
		default:
			first[u.block] = useLoad
		}
	}
	live := make([]bool, n)
	var work []int
	mark := func(b int) {
		if !live[b] {
			live[b] = true
			work = append(work, b)
		}
	}
	for b, k := range first {
		if k == useLoad {
			mark(b)
		}
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, p := range g.preds[b] {
			if first[p] == 0 {
				mark(p)
			}
		}
	}
	return live
}
