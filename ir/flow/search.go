package flow

// This file walks a graph depth first, for what loops and dominators need and for all who
// ask what is reached, or what leads to itself.

import "slices"

// searched is what one depth-first search finds, trying successors
// in the terminators' order.
type searched struct {
	reachable []bool
	preorder  []int
	parent    []int // in the search tree, -1 for the root
	// retreating[v] holds the sources of edges to v from v or its descendants.
	retreating chains
	// joining[a] holds the edges between two branches below a, and those from a
	// to a proper descendant off the tree: a is the nearest common ancestor of
	// source and target.
	joining chains
}

// chains are lists of pairs in one array, one list for each block.
type chains struct {
	head  []int // index of the newest link, -1 when empty
	links []link
}

type link struct{ from, to, next int }

func newChains(n int) chains {
	head := make([]int, n)
	for i := range head {
		head[i] = -1
	}
	return chains{head: head}
}

func (c *chains) add(list, from, to int) {
	c.links = append(c.links, link{from, to, c.head[list]})
	c.head[list] = len(c.links) - 1
}

// sets are disjoint sets, each named by its last winner of union.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(v int) int {
	for s[v] != v {
		s[v] = s[s[v]]
		v = s[v]
	}
	return v
}

// union puts the set named v under the set named into.
func (s sets) union(v, into int) { s[v] = into }

// search runs the depth-first search from a root. Nearest common ancestors come from the
// same walk (Tarjan, "Applications of path compression on balanced trees",
// JACM 26(4), 1979): a finished block belongs to the set of its lowest ancestor
// that is still open.
func search(succs [][]int, root int) *searched {
	n := len(succs)
	s := &searched{
		reachable:  make([]bool, n),
		parent:     make([]int, n),
		retreating: newChains(n),
		joining:    newChains(n),
	}
	if n == 0 {
		return s
	}
	open := make([]bool, n)
	lowest := newSets(n)
	type frame struct{ block, next int }
	var stack []frame
	visit := func(v, parent int) {
		s.reachable[v] = true
		s.parent[v] = parent
		s.preorder = append(s.preorder, v)
		open[v] = true
		stack = append(stack, frame{v, 0})
	}
	visit(root, -1)
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		v := top.block
		if top.next == len(succs[v]) {
			open[v] = false
			if p := s.parent[v]; p >= 0 {
				lowest.union(v, p)
			}
			stack = stack[:len(stack)-1]
			continue
		}
		w := succs[v][top.next]
		top.next++
		switch {
		case !s.reachable[w]:
			visit(w, v)
		case open[w]:
			s.retreating.add(w, v, w)
		default:
			s.joining.add(lowest.find(w), v, w)
		}
	}
	return s
}

// Reached tells which of n nodes are reached from some, these included. each visits those
// that one node leads to.
func Reached(n int, from []int, each func(node int, visit func(int))) []bool {
	seen, work := make([]bool, n), make([]int, 0, len(from))
	visit := func(v int) {
		if !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	for _, v := range from {
		visit(v)
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		each(v, visit)
	}
	return seen
}

// Components returns the strongly connected components of the nodes 0 to n-1 (R. Tarjan, "Depth-first search and linear graph
// algorithms", 1972), each in ascending order, those that others lead to before them. The order follows from the nodes and their
// successors alone, so that sums that are made in it are the same each time.
func Components(n int, successors func(v int, visit func(int))) [][]int {
	var out [][]int
	number, low := make([]int, n), make([]int, n) // from 1; low is n+1 of those that are in a component
	var open []int
	count := 0
	var search func(v int)
	search = func(v int) {
		count++
		number[v], low[v] = count, count
		at := len(open)
		open = append(open, v)
		successors(v, func(w int) {
			if number[w] == 0 {
				search(w)
			}
			low[v] = min(low[v], low[w])
		})
		if low[v] < number[v] {
			return
		}
		found := slices.Clone(open[at:])
		open = open[:at]
		for _, w := range found {
			low[w] = n + 1
		}
		slices.Sort(found)
		out = append(out, found)
	}
	for v := range n {
		if number[v] == 0 {
			search(v)
		}
	}
	return out
}
