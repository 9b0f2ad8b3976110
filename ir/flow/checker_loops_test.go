package flow

// This file checks the loop forest against its recursive definition.

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/graph/topo"
)

// checkLoops compares each level's loops with the components that Tarjan's
// algorithm finds in it, and each loop's lists with its edges.
func (c *CFG) checkLoops() error {
	if len(c.Succs) == 0 {
		return nil
	}
	rpo := c.reversePostorder()
	innermost := make([]int, len(c.Succs))
	for b := range innermost {
		innermost[b] = -1
	}
	var outer []int
	for i, l := range c.Loops {
		if l.Index != i || i > 0 && c.Pos[c.Loops[i-1].Header] >= c.Pos[l.Header] {
			return fmt.Errorf("loop %d is numbered %d or out of order", i, l.Index)
		}
		depth := 1
		if l.Parent < 0 {
			outer = append(outer, i)
		} else {
			depth = c.Loops[l.Parent].Depth + 1
			if l.Parent >= i || !slices.Contains(c.Loops[l.Parent].Children, i) {
				return fmt.Errorf("loop %d is not a child of its parent %d", i, l.Parent)
			}
		}
		if l.Depth != depth {
			return fmt.Errorf("loop %d has depth %d, want %d", i, l.Depth, depth)
		}
		if len(l.Blocks) == 0 || l.Blocks[0] != l.Header {
			return fmt.Errorf("loop %d has header %d and blocks %v", i, l.Header, l.Blocks)
		}
		for k, b := range l.Blocks {
			if c.Pos[b] != c.Pos[l.Header]+k {
				return fmt.Errorf("loop %d: block %d at %d is not in Order", i, b, k)
			}
			innermost[b] = i
		}
		if err := c.checkEdges(l); err != nil {
			return fmt.Errorf("loop %d: %w", i, err)
		}
		if err := c.checkLevel(l.Blocks, l.Header, l.Children, rpo); err != nil {
			return fmt.Errorf("in loop %d: %w", i, err)
		}
	}
	if !slices.Equal(innermost, c.LoopOf) {
		return fmt.Errorf("innermost loops are %v, want %v", c.LoopOf, innermost)
	}
	return c.checkLevel(c.Order, -1, outer, rpo)
}

// checkLevel compares the components of the graph on blocks without edges to
// header with the loops said to be directly inside.
func (c *CFG) checkLevel(blocks []int, header int, children []int, rpo []int) error {
	number := make(map[int]int, len(blocks))
	for i, b := range blocks {
		number[b] = i
	}
	succs := make([][]int, len(blocks))
	cyclic := make([]bool, len(blocks)) // has an edge to itself
	for i, b := range blocks {
		for _, t := range c.Succs[b] {
			if j, ok := number[t]; ok && t != header {
				succs[i] = append(succs[i], j)
				cyclic[i] = cyclic[i] || i == j
			}
		}
	}
	components := topo.TarjanSCC(newDigraph(succs))
	in := make([]int, len(blocks))
	for k, component := range components {
		for _, v := range component {
			in[v.ID()] = k
		}
	}
	found := 0
	for k, component := range components {
		if len(component) == 1 && !cyclic[component[0].ID()] {
			continue
		}
		found++
		first := -1 // the block that is first in the search's reverse postorder
		var members []int
		for _, v := range component {
			b := blocks[v.ID()]
			members = append(members, b)
			entered := b == 0
			for _, e := range c.Preds[b] {
				i, ok := number[e.From]
				entered = entered || !ok || in[i] != k
			}
			if entered && (first < 0 || rpo[b] < rpo[first]) {
				first = b
			}
		}
		l := c.LoopOf[first]
		for l >= 0 && c.Loops[l].Header != first {
			l = c.Loops[l].Parent
		}
		if l < 0 || !slices.Contains(children, l) {
			return fmt.Errorf("no loop is headed by block %d", first)
		}
		slices.SortFunc(members, func(a, b int) int { return c.Pos[a] - c.Pos[b] })
		if !slices.Equal(members, c.Loops[l].Blocks) {
			return fmt.Errorf("loop %d has blocks %v, want %v", l, c.Loops[l].Blocks, members)
		}
	}
	if found != len(children) {
		return fmt.Errorf("%d loops, want %d", len(children), found)
	}
	return nil
}

// checkEdges compares the edges listed for a loop with those of its blocks.
func (c *CFG) checkEdges(l *Loop) error {
	var latches, entryEdges, exits []Edge
	var entries []int
	inside := func(b int) bool { // Blocks is a part of Order, as checked before
		return c.Pos[b] >= c.Pos[l.Header] && c.Pos[b] < c.Pos[l.Header]+len(l.Blocks)
	}
	for _, b := range l.Blocks {
		for i, t := range c.Succs[b] {
			if t == l.Header {
				latches = append(latches, Edge{b, i})
			}
			if !inside(t) {
				exits = append(exits, Edge{b, i})
			}
		}
		for _, e := range c.Preds[b] {
			if inside(e.From) {
				continue
			}
			entryEdges = append(entryEdges, e)
			if b != l.Header && !slices.Contains(entries, b) {
				entries = append(entries, b)
			}
		}
	}
	slices.Sort(entries)
	slices.SortFunc(entryEdges, func(a, b Edge) int {
		return cmp.Or(c.Pos[a.From]-c.Pos[b.From], a.Index-b.Index)
	})
	switch {
	case !slices.Equal(latches, l.Latches):
		return fmt.Errorf("latches are %v, want %v", l.Latches, latches)
	case !slices.Equal(exits, l.Exits):
		return fmt.Errorf("exits are %v, want %v", l.Exits, exits)
	case !slices.Equal(entryEdges, l.EntryEdges):
		return fmt.Errorf("entry edges are %v, want %v", l.EntryEdges, entryEdges)
	case !slices.Equal(entries, l.Entries) || l.Irreducible != (len(entries) > 0):
		return fmt.Errorf("entries are %v (irreducible: %v), want %v", l.Entries, l.Irreducible, entries)
	}
	return nil
}

// reversePostorder numbers the blocks in the reverse postorder of a depth-first
// search of the whole graph, back edges included.
func (c *CFG) reversePostorder() []int {
	number := make([]int, len(c.Succs))
	left := len(c.Order)
	next := make([]int, len(c.Succs)) // successors tried, -1 for unseen
	for b := range next {
		next[b] = -1
	}
	next[0] = 0
	for stack := []int{0}; len(stack) > 0; {
		b := stack[len(stack)-1]
		if next[b] == len(c.Succs[b]) {
			left--
			number[b] = left
			stack = stack[:len(stack)-1]
			continue
		}
		t := c.Succs[b][next[b]]
		next[b]++
		if next[t] < 0 {
			next[t] = 0
			stack = append(stack, t)
		}
	}
	return number
}
