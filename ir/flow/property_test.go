package flow

// This file compares the analyses with the definitions on random graphs.

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"
)

func TestRandomGraphs(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	irreducible, endless, nested := 0, 0, 0
	eachRandom(rounds, func(seed int, succs [][]int, reducible bool) {
		if err := compare(succs); err != nil {
			t.Fatalf("seed %d (reducible %v): %v\n%v", seed, reducible, err, succs)
		}
		for _, l := range AnalyzeGraph(succs).Loops {
			if l.Irreducible {
				irreducible++
				if reducible {
					t.Fatalf("seed %d: irreducible loop in a reducible graph %v", seed, succs)
				}
			}
			if l.Endless() {
				endless++
			}
			if l.Depth > 2 {
				nested++
			}
		}
	})
	// The graphs must hold what they are meant to try.
	if irreducible < rounds/20 || endless < rounds/20 || nested < rounds/20 {
		t.Errorf("%d irreducible, %d endless and %d nested loops in %d rounds: too few", irreducible, endless, nested, rounds)
	}
}

// compare returns the first difference between the analyses and the definitions.
func compare(succs [][]int) error {
	c := AnalyzeGraph(succs)
	if err := c.Check(); err != nil {
		return err
	}
	again := AnalyzeGraph(succs)
	again.RegionDeps(0) // listed, as the checker has those of c
	if !reflect.DeepEqual(c, again) {
		return fmt.Errorf("two runs differ")
	}
	b := newBrute(succs)
	dom := b.dominators()
	if want := immediateOf(dom); !slices.Equal(c.Idom, want) {
		return fmt.Errorf("immediate dominators are %v, want %v", c.Idom, want)
	}
	loops, back := b.loops()
	if err := compareLoops(c, b, loops, back); err != nil {
		return err
	}
	if b.collapses() {
		if err := compareNatural(c, b, dom); err != nil {
			return err
		}
	} else if !slices.ContainsFunc(c.Loops, func(l *Loop) bool { return l.Irreducible }) {
		return fmt.Errorf("no loop is irreducible, yet the graph is")
	}
	return compareDependences(c, b, loops, back)
}

func compareLoops(c *CFG, b *brute, loops []bruteLoop, back map[[2]int]bool) error {
	for u, ss := range c.Succs {
		for i, w := range ss {
			if got, want := c.IsBack(Edge{u, i}), back[[2]int{u, w}]; got != want {
				return fmt.Errorf("edge %d->%d is back: %v", u, w, got)
			}
			// Acyclic without back edges.
			if b.live[u] && !c.IsBack(Edge{u, i}) && c.Pos[w] <= c.Pos[u] {
				return fmt.Errorf("edge %d->%d goes back in Order", u, w)
			}
		}
	}
	var got []bruteLoop
	for _, l := range c.Loops {
		g := bruteLoop{header: l.Header, parent: -1, blocks: slices.Sorted(slices.Values(l.Blocks)), entries: l.Entries}
		if l.Parent >= 0 {
			g.parent = c.Loops[l.Parent].Header
		}
		got = append(got, g)
		for v := range c.Succs {
			if c.InLoop(l.Index, v) != slices.Contains(l.Blocks, v) {
				return fmt.Errorf("block %d in loop %d: %v", v, l.Index, c.InLoop(l.Index, v))
			}
		}
	}
	slices.SortFunc(got, func(a, b bruteLoop) int { return a.header - b.header })
	if fmt.Sprint(got) != fmt.Sprint(loops) {
		return fmt.Errorf("loops are %v, want %v", got, loops)
	}
	for u := range c.Succs {
		for v := range c.Succs {
			best := -1
			for _, l := range c.Loops { // outer ones first
				if slices.Contains(l.Blocks, u) && slices.Contains(l.Blocks, v) {
					best = l.Index
				}
			}
			if got := c.CommonLoop(u, v); got != best {
				return fmt.Errorf("common loop of %d and %d is %d, want %d", u, v, got, best)
			}
		}
	}
	return nil
}

// compareNatural compares the loops of a reducible graph with its natural loops,
// merged by header: what reaches a source of a back edge without the header,
// where a back edge leads to a dominator.
func compareNatural(c *CFG, b *brute, dom [][]bool) error {
	natural := make(map[int][]bool)
	for u, ss := range b.succs {
		for _, h := range ss {
			if !b.live[u] || !dom[h][u] {
				continue
			}
			if natural[h] == nil {
				natural[h] = make([]bool, len(b.succs))
				natural[h][h] = true
			}
			for v := range b.succs {
				if b.live[v] && v != h && u != h && b.from(v, h, nil)[u] {
					natural[h][v] = true
				}
			}
		}
	}
	if len(natural) != len(c.Loops) {
		return fmt.Errorf("%d loops, want %d natural ones", len(c.Loops), len(natural))
	}
	for _, l := range c.Loops {
		for v := range b.succs {
			if natural[l.Header] == nil || natural[l.Header][v] != slices.Contains(l.Blocks, v) {
				return fmt.Errorf("loop of header %d is not the natural one at block %d", l.Header, v)
			}
		}
	}
	return nil
}

func compareDependences(c *CFG, b *brute, loops []bruteLoop, back map[[2]int]bool) error {
	n := len(c.Succs)
	augmented := b.augmented(loops)
	pdom := augmented.dominators()
	up := immediateOf(pdom)
	for v := range n {
		want := -1
		if b.live[v] {
			if want = up[v+1] - 1; want < 0 {
				want = n
			}
		}
		if c.Ipdom[v] != want {
			return fmt.Errorf("immediate postdominator of %d is %d, want %d", v, c.Ipdom[v], want)
		}
	}
	deps := b.dependences(pdom, func(v, u, w int) bool {
		return !back[[2]int{u, w}] && c.Pos[v] > c.Pos[u]
	})
	want := groups(deps, b.live)
	if len(want) != len(c.Regions)-1 {
		return fmt.Errorf("%d regions, want %d", len(c.Regions)-1, len(want))
	}
	for _, r := range c.Regions[1:] {
		blocks := slices.Sorted(slices.Values(r.Blocks))
		var key []dependence
		for _, e := range c.RegionDeps(r.Index) {
			key = append(key, dependence{e.From, e.Index})
		}
		slices.SortFunc(key, func(a, b dependence) int {
			if a.from != b.from {
				return a.from - b.from
			}
			return a.index - b.index
		})
		if !slices.Equal(want[fmt.Sprint(key)], blocks) {
			return fmt.Errorf("region %v of blocks %v is not one of %v", key, blocks, want)
		}
	}
	return nil
}

// TestDependencesOfReducibleGraphs tests what Region says of reducible graphs:
// the order does not matter, since what comes later in one order, under a
// dependence, is what the edge reaches without back edges.
func TestDependencesOfReducibleGraphs(t *testing.T) {
	for seed := range 2000 {
		r := rand.New(rand.NewSource(int64(seed)))
		succs := reducible(r, 1+r.Intn(16))
		c, b := AnalyzeGraph(succs), newBrute(succs)
		loops, back := b.loops()
		forward := func(u, w int) bool { return !back[[2]int{u, w}] }
		deps := b.dependences(b.augmented(loops).dominators(), func(v, u, w int) bool {
			return forward(u, w) && b.from(w, -1, forward)[v]
		})
		if got, want := len(c.Regions)-1, len(groups(deps, b.live)); got != want {
			t.Fatalf("seed %d: %d regions, want %d in %v", seed, got, want, succs)
		}
		for _, v := range c.Order {
			if got, want := len(c.RegionDeps(c.RegionOf[v])), len(deps[v]); got != want {
				t.Fatalf("seed %d: block %d has %d dependences, want %d in %v", seed, v, got, want, succs)
			}
		}
	}
}
