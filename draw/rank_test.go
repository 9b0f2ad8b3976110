package draw

// This file holds ranks, cycles and crossings to exhaustive search and counting.

import (
	"math/rand"
	"testing"
)

// TestRanks: edges lead down as far as they must, and no node can move to shorten them. In
// total they are at most a little longer than the least that trying all ranks finds.
func TestRanks(t *testing.T) {
	longer, total := 0, 0
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		n := 1 + r.Intn(5)
		var arcs []arc
		for i := range n {
			for k := i + 1; k < n; k++ {
				if r.Intn(2) == 0 {
					arcs = append(arcs, arc{from: i, to: k, length: 1 + r.Intn(2)})
				}
			}
		}
		got := ranks(n, arcs)
		length := func(rank []int) int {
			sum := 0
			for _, e := range arcs {
				d := rank[e.to] - rank[e.from]
				if d < e.length {
					return -1
				}
				sum += d
			}
			return sum
		}
		l := length(got)
		if l < 0 {
			t.Fatalf("seed %d: %v gives ranks %v", seed, arcs, got)
		}
		for v := range got {
			for _, by := range []int{-1, 1} {
				got[v] += by
				if moved := length(got); moved >= 0 && moved < l {
					t.Fatalf("seed %d: %v: node %d can move by %d", seed, arcs, v, by)
				}
				got[v] -= by
			}
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
		longer, total = longer+l-least, total+least
	}
	t.Logf("%d longer than %d", longer, total)
	if longer*100 > total {
		t.Errorf("edges are %d longer than %d in total", longer, total)
	}
}

// TestTurn: what is left is acyclic, and an acyclic graph is left as it is.
func TestTurn(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewSource(int64(seed)))
		n := 1 + r.Intn(12)
		var arcs []arc
		for range r.Intn(3 * n) {
			if a := (arc{from: r.Intn(n), to: r.Intn(n)}); a.from != a.to && (seed%2 == 0 || a.from < a.to) {
				arcs = append(arcs, a)
			}
		}
		g := &Graph{Nodes: make([]Node, n)}
		turn(n, arcs)
		for _, a := range arcs {
			if a.back && seed%2 == 1 {
				t.Fatalf("seed %d: %v turns %v", seed, arcs, a)
			}
			g.Edges = append(g.Edges, Edge{From: a.from, To: a.to})
		}
		for v, to := range reachable(g) {
			if to[v] {
				t.Fatalf("seed %d: %v keeps a cycle through %d", seed, arcs, v)
			}
		}
	}
}

// TestCrossings counts crossings pair by pair.
func TestCrossings(t *testing.T) {
	for seed := range 100 {
		r := rand.New(rand.NewSource(int64(seed)))
		for _, p := range split(prepare(randomGraph(r, 1+r.Intn(30)))) {
			turn(len(p.nodes), p.arcs)
			if err := p.layer(seed % 2 * maxBends); err != nil {
				t.Fatal(err)
			}
			p.order()
			want := 0
			for l := range p.layers {
				var pieces [][2]int
				for _, c := range p.layers[l] {
					for _, w := range p.cells[c].down {
						pieces = append(pieces, [2]int{p.cells[c].at, p.cells[w].at})
					}
				}
				for i, a := range pieces {
					for _, b := range pieces[:i] {
						if (a[0]-b[0])*(a[1]-b[1]) < 0 {
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
