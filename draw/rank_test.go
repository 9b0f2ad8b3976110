package draw

// This file holds ranks, cycles and crossings to exhaustive search and counting.

import (
	"math/rand"
	"testing"
)

// TestRanks compares the total length with the least that trying all ranks finds.
func TestRanks(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		n := 1 + r.Intn(5)
		var edges []rankEdge
		for i := range n {
			for k := i + 1; k < n; k++ {
				if r.Intn(2) == 0 {
					edges = append(edges, rankEdge{i, k, 1 + r.Intn(2), 1 + r.Intn(3)})
				}
			}
		}
		got := ranks(n, edges)
		length := func(rank []int) int {
			sum := 0
			for _, e := range edges {
				d := rank[e.to] - rank[e.from]
				if d < e.min {
					return -1
				}
				sum += d * e.weight
			}
			return sum
		}
		least, try := -1, make([]int, n)
		var search func(v int)
		search = func(v int) {
			if v == n {
				if l := length(try); l >= 0 && (least < 0 || l < least) {
					least = l
				}
				return
			}
			for try[v] = 0; try[v] <= 8; try[v]++ {
				search(v + 1)
			}
		}
		search(0)
		if l := length(got); l != least {
			t.Fatalf("seed %d: %v gives ranks %v of length %d, want %d", seed, edges, got, l, least)
		}
		for v, at := range got {
			if at < 0 {
				t.Fatalf("seed %d: node %d has rank %d", seed, v, at)
			}
		}
	}
}

// TestBackEdges: what is left is acyclic, and an acyclic graph is left as it is.
func TestBackEdges(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		n := 1 + r.Intn(12)
		var edges []arc
		for range r.Intn(3 * n) {
			if a := (arc{r.Intn(n), r.Intn(n)}); a.from != a.to && (seed%2 == 0 || a.from < a.to) {
				edges = append(edges, a)
			}
		}
		g := &Graph{Nodes: make([]Node, n)}
		for i, back := range backEdges(n, edges) {
			if back && seed%2 == 1 {
				t.Fatalf("seed %d: %v has the back edge %v", seed, edges, edges[i])
			}
			if !back {
				g.Edges = append(g.Edges, Edge{From: edges[i].from, To: edges[i].to})
			}
		}
		for v, to := range reachable(g) {
			if to[v] {
				t.Fatalf("seed %d: %v keeps a cycle through %d", seed, edges, v)
			}
		}
	}
}

// TestCrossings counts crossings pair by pair.
func TestCrossings(t *testing.T) {
	for seed := range 100 {
		r := rand.New(rand.NewSource(int64(seed)))
		for _, p := range split(prepare(randomGraph(r, 1+r.Intn(30)))) {
			if err := p.layout(seed % 2 * maxBends); err != nil {
				t.Fatal(err)
			}
			want := 0
			for l := range p.layers {
				var segments []segment
				for _, c := range p.layers[l] {
					for _, w := range p.cells[c].down {
						segments = append(segments, segment{p.cells[c].at, p.cells[w].at})
					}
				}
				for i, a := range segments {
					for _, b := range segments[:i] {
						if (a.upper-b.upper)*(a.lower-b.lower) < 0 {
							want++
						}
					}
				}
			}
			if got := p.crossings(); got != want {
				t.Fatalf("seed %d: %d crossings, want %d", seed, got, want)
			}
		}
	}
}
