package flow

// This file holds components to the definition, on random graphs.

import (
	"math/rand"
	"reflect"
	"slices"
	"testing"
)

func TestComponents(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		n := 1 + r.Intn(12)
		succs := make([][]int, n)
		for range r.Intn(2 * n) {
			v := r.Intn(n)
			succs[v] = append(succs[v], r.Intn(n))
		}
		g := newBrute(succs)
		reach := make([][]bool, n)
		for v := range n {
			reach[v] = g.from(v, -1, nil)
		}
		components := func() [][]int {
			return Components(n, func(v int, visit func(int)) {
				for _, w := range succs[v] {
					visit(w)
				}
			})
		}
		got := components()
		at := make([]int, n)
		for i := range at {
			at[i] = -1
		}
		for i, c := range got {
			if !slices.IsSorted(c) {
				t.Fatalf("%v: component %v is not in ascending order", succs, c)
			}
			for _, v := range c {
				if at[v] >= 0 {
					t.Fatalf("%v: %d is in two components of %v", succs, v, got)
				}
				at[v] = i
			}
		}
		for v := range n {
			for w := range n {
				if together := reach[v][w] && reach[w][v]; together != (at[v] == at[w]) {
					t.Fatalf("%v: %v, but %d and %d lead to each other: %v", succs, got, v, w, together)
				}
				if reach[v][w] && at[w] > at[v] {
					t.Fatalf("%v: %v has %d, which leads to %d, before that", succs, got, v, w)
				}
			}
		}
		if again := components(); !reflect.DeepEqual(got, again) {
			t.Fatalf("%v: %v, then %v", succs, got, again)
		}
	}
}
