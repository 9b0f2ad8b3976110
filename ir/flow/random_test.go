package flow

// This file makes random graphs.

import "math/rand"

// arbitrary returns a graph with any edges: irreducible loops, self loops,
// duplicate edges, unreachable blocks and endless loops come about by chance.
func arbitrary(r *rand.Rand, blocks, edges int) [][]int {
	succs := make([][]int, blocks)
	for range edges {
		b := r.Intn(blocks)
		succs[b] = append(succs[b], r.Intn(blocks))
	}
	return succs
}

// reducible returns a reducible graph: one node, grown by the inverses of the
// transformations T1 and T2 that shrink exactly the reducible graphs to one
// (Hecht and Ullman, "Flow graph reducibility", SIAM J. Comput. 1(2), 1972), and
// then some unreachable blocks.
func reducible(r *rand.Rand, blocks int) [][]int {
	succs := [][]int{nil}
	for len(succs) < blocks {
		v := r.Intn(len(succs))
		if r.Intn(4) == 0 { // T1 removes a self loop
			succs[v] = append(succs[v], v)
			continue
		}
		// T2 merges w into v, its only predecessor.
		w := len(succs)
		var ofV, ofW []int
		for _, t := range succs[v] {
			switch r.Intn(5) {
			case 0, 1:
				ofV = append(ofV, t)
			case 2, 3:
				ofW = append(ofW, t)
			default:
				ofV, ofW = append(ofV, t), append(ofW, t)
			}
		}
		ofV = append(ofV, w)
		if r.Intn(8) == 0 {
			ofV = append(ofV, w)
		}
		succs[v], succs = ofV, append(succs, ofW)
	}
	for range r.Intn(3) {
		succs = append(succs, []int{r.Intn(len(succs))})
	}
	// The numbers and the successors' order must not tell how it was made.
	name := r.Perm(len(succs) - 1)
	shuffled := make([][]int, len(succs))
	rename := func(b int) int {
		if b == 0 {
			return 0
		}
		return 1 + name[b-1]
	}
	for b, ss := range succs {
		for _, k := range r.Perm(len(ss)) {
			shuffled[rename(b)] = append(shuffled[rename(b)], rename(ss[k]))
		}
	}
	return shuffled
}

// eachRandom calls f with many random graphs, the reducible ones marked as such.
func eachRandom(rounds int, f func(seed int, succs [][]int, reducible bool)) {
	for seed := range rounds {
		r := rand.New(rand.NewSource(int64(seed)))
		n := 1 + r.Intn(14)
		if seed%50 == 0 {
			n = 40
		}
		f(seed, reducible(r, n), true)
		f(seed, arbitrary(r, n, r.Intn(2*n+2)), false)
	}
}
