package flow

// This file checks the invariants of a CFG, by other means than computed it.

import (
	"fmt"
	"slices"
)

// Check returns an error naming the first invariant that does not hold. Loops
// are compared with the recursive definition, at a cost of edges times depth;
// dominators by removing blocks, 64 of them in a large graph; regions by
// listing dependences where they are few enough to be listed.
func (c *CFG) Check() error {
	for _, check := range []func() error{c.checkOrder, c.checkPreds, c.checkLoops, c.checkDominators, c.checkRegions} {
		if err := check(); err != nil {
			return fmt.Errorf("flow: %w", err)
		}
	}
	return nil
}

// reach marks what can be reached from the roots without entering avoid.
func reach(succs [][]int, roots []int, avoid int) []bool {
	seen := make([]bool, len(succs))
	var stack []int
	meet := func(v int) {
		if v != avoid && !seen[v] {
			seen[v] = true
			stack = append(stack, v)
		}
	}
	for _, v := range roots {
		meet(v)
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, w := range succs[v] {
			meet(w)
		}
	}
	return seen
}

func (c *CFG) checkOrder() error {
	n := len(c.Succs)
	lengths := []int{len(c.Preds), len(c.Reachable), len(c.Pos), len(c.Idom), len(c.Ipdom), len(c.LoopOf), len(c.RegionOf)}
	for i, field := range []string{"Preds", "Reachable", "Pos", "Idom", "Ipdom", "LoopOf", "RegionOf"} {
		if lengths[i] != n {
			return fmt.Errorf("%s is for %d blocks, want %d", field, lengths[i], n)
		}
	}
	if n == 0 {
		return nil
	}
	reachable := 0
	for b, r := range reach(c.Succs, []int{0}, -1) {
		if r != c.Reachable[b] {
			return fmt.Errorf("block %d has Reachable %v", b, c.Reachable[b])
		}
		if r {
			reachable++
		} else if c.Pos[b] != -1 {
			return fmt.Errorf("unreachable block %d has position %d", b, c.Pos[b])
		}
	}
	if len(c.Order) != reachable {
		return fmt.Errorf("%d blocks are in Order, want %d", len(c.Order), reachable)
	}
	for i, b := range c.Order {
		if !c.Reachable[b] || c.Pos[b] != i {
			return fmt.Errorf("block %d is at %d in Order, Pos says %d", b, i, c.Pos[b])
		}
		for k, t := range c.Succs[b] {
			if back := c.IsBack(Edge{b, k}); back != (c.Pos[t] <= i) {
				return fmt.Errorf("edge %d of block %d to block %d: back edge %v, positions %d to %d", k, b, t, back, i, c.Pos[t])
			}
		}
	}
	return nil
}

func (c *CFG) checkPreds() error {
	want := make([][]Edge, len(c.Succs))
	for b, ss := range c.Succs {
		for i, s := range ss {
			if c.Reachable[b] {
				want[s] = append(want[s], Edge{b, i})
			}
		}
	}
	for b := range want {
		if !slices.Equal(want[b], c.Preds[b]) {
			return fmt.Errorf("edges into block %d are %v, want %v", b, c.Preds[b], want[b])
		}
	}
	return nil
}

// sample returns all of 0..n-1 when few, or 64 of them spread evenly.
func sample(n int) []int {
	step := 1
	if n > 256 {
		step = n / 64
	}
	var some []int
	for v := 0; v < n; v += step {
		some = append(some, v)
	}
	return some
}

// checkDominators removes a block and compares what is no longer reached with
// what the block dominates, and so with postdominators.
func (c *CFG) checkDominators() error {
	n := len(c.Succs)
	if n == 0 {
		return nil
	}
	exit := c.Exit()
	for _, a := range sample(n) {
		if !c.Reachable[a] {
			if c.Idom[a] != -1 || c.Ipdom[a] != -1 {
				return fmt.Errorf("unreachable block %d has dominators %d and %d", a, c.Idom[a], c.Ipdom[a])
			}
			continue
		}
		forward, backward := reach(c.Succs, []int{0}, a), reach(c.backward, []int{exit}, a)
		for b := range c.Succs {
			if got, want := c.Dominates(a, b), c.Reachable[b] && !forward[b]; got != want {
				return fmt.Errorf("block %d dominates %d: got %v", a, b, got)
			}
			if got, want := c.Postdominates(a, b), c.Reachable[b] && !backward[b]; got != want {
				return fmt.Errorf("block %d postdominates %d: got %v", a, b, got)
			}
		}
	}
	// Among the strict dominators of b, the immediate one is dominated by all:
	// holds by the tree's construction, given that its parents are Idom.
	for b := range c.Succs {
		if !c.Reachable[b] {
			continue
		}
		if d := c.Idom[b]; (d < 0) != (b == 0) || d >= 0 && (d == b || !c.Dominates(d, b)) {
			return fmt.Errorf("block %d has immediate dominator %d", b, d)
		}
		if d := c.Ipdom[b]; d < 0 || d == b || !c.Postdominates(d, b) {
			return fmt.Errorf("block %d has immediate postdominator %d", b, d)
		}
	}
	return nil
}

// Postdominates reports whether every path from b to the virtual exit passes a,
// which may be Exit(). A block postdominates itself; unreachable blocks take no
// part.
func (c *CFG) Postdominates(a, b int) bool {
	if a != c.Exit() && !c.Reachable[a] || b != c.Exit() && !c.Reachable[b] {
		return false
	}
	return c.pdom.above(a, b)
}
