package probe

// This file tests where functions add: whatever way control takes, chords and potentials
// give the sum of what its blocks add.

import (
	"math/rand"
	"slices"
	"testing"

	"pathspan/ir/flow"
)

func TestChordsAreSums(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		n := 2 + r.Intn(15)
		succs := make([][]int, n)
		for b := range succs {
			for range r.Intn(4) {
				succs[b] = append(succs[b], 1+r.Intn(n-1)) // the entry is not entered again
			}
		}
		g := flow.AnalyzeGraph(succs)
		c := &chords{}
		var edges []edgeOf
		for b := range succs {
			c.add = append(c.add, []uint64{uint64(r.Intn(100)), uint64(r.Intn(3))})
			c.potential = append(c.potential, make([]uint64, 2))
			for i, s := range succs[b] {
				if g.Reachable[b] {
					edges = append(edges, edgeOf{flow.Edge{From: b, Index: i}, s, float64(r.Intn(3))})
				}
			}
		}
		gain := map[flow.Edge][]uint64{}
		rest := c.span(g, slices.Clone(edges))
		for _, e := range rest {
			gain[e.Edge] = []uint64{c.gain(e, 0), c.gain(e, 1)}
		}
		reachable := 0
		for _, yes := range g.Reachable {
			if yes {
				reachable++
			}
		}
		if want := len(edges) - reachable + 1; len(rest) != want {
			t.Fatalf("seed %d: %d chords of %d edges and %d blocks, want %d", seed, len(rest), len(edges), reachable, want)
		}
		for range 20 {
			block, kept, want := 0, [2]uint64{}, [2]uint64{}
			for range 40 {
				top := c.top(block)
				for k := range want {
					if kept[k]+top[k] != want[k] {
						t.Fatalf("seed %d: at block %d %d and %d are kept, want %d", seed, block, kept[k], top[k], want[k])
					}
					want[k] += c.add[block][k]
				}
				if len(succs[block]) == 0 {
					break
				}
				i := r.Intn(len(succs[block]))
				if g, ok := gain[flow.Edge{From: block, Index: i}]; ok {
					kept[0], kept[1] = kept[0]+g[0], kept[1]+g[1]
				}
				block = succs[block][i]
			}
		}
	}
}
