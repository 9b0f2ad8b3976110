package flow

// This file finds dominators and postdominators.

import "gonum.org/v1/gonum/graph/flow"

// dominators fills Idom. It and Ipdom take the sophisticated variant of
// Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph",
// TOPLAS 1(1), 1979: near-linear also on the long chains of generated code.
func (c *CFG) dominators() {
	n := len(c.Succs)
	if n == 0 {
		return
	}
	c.Idom = immediate(c.Succs, 0, n)
	c.dom = newTree(c.Idom, 0)
}

// postdominators fills Ipdom.
func (c *CFG) postdominators() {
	n := len(c.Succs)
	if n == 0 {
		return
	}
	c.backward = make([][]int, n+1)
	var sources []int // of all edges, the slices of backward
	for _, b := range c.Order {
		first := len(sources)
		for _, e := range c.Preds[b] {
			sources = append(sources, e.From)
		}
		c.backward[b] = sources[first:len(sources):len(sources)]
		if len(c.Succs[b]) == 0 {
			c.backward[n] = append(c.backward[n], b)
		}
	}
	// What cannot reach an exit ends in a component that no edge leaves, and
	// such a component is an outermost loop.
	for _, l := range c.Loops {
		if l.Endless() {
			c.backward[n] = append(c.backward[n], l.Header)
		}
	}
	up := immediate(c.backward, n, n+1)
	c.pdom = newTree(up, n)
	c.Ipdom = up[:n:n]
}

// immediate returns the immediate dominators of nodes 0..n-1 under root, -1 for
// the root and what it does not reach.
func immediate(succs [][]int, root, n int) []int {
	g := newDigraph(succs)
	t := flow.DominatorsSLT(g.nodes[root], g)
	idom := make([]int, n)
	for v := range idom {
		idom[v] = -1
		if d := t.DominatorOf(int64(v)); d != nil {
			idom[v] = int(d.ID())
		}
	}
	return idom
}

// tree answers ancestor questions about a dominator tree in constant time.
type tree struct {
	parent []int
	depth  []int // 0 for the root
	enter  []int // preorder number, -1 outside of the tree
	leave  []int // one past the last preorder number below
	nodes  []int // in preorder
}

func newTree(parent []int, root int) tree {
	n := len(parent)
	t := tree{parent: parent, depth: make([]int, n), enter: make([]int, n), leave: make([]int, n)}
	first, next := make([]int, n), make([]int, n)
	for v := range parent {
		t.enter[v], first[v] = -1, -1
	}
	for v := n - 1; v >= 0; v-- {
		if p := parent[v]; p >= 0 {
			first[p], next[v] = v, first[p]
		}
	}
	for stack := []int{root}; len(stack) > 0; {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		t.enter[v] = len(t.nodes)
		t.nodes = append(t.nodes, v)
		for w := first[v]; w >= 0; w = next[w] {
			t.depth[w] = t.depth[v] + 1
			stack = append(stack, w)
		}
	}
	for i := len(t.nodes) - 1; i >= 0; i-- {
		v := t.nodes[i]
		t.leave[v] = max(t.leave[v], i+1)
		if p := parent[v]; p >= 0 {
			t.leave[p] = max(t.leave[p], t.leave[v])
		}
	}
	return t
}

// above reports whether a is b or an ancestor of it. Both are in the tree.
func (t *tree) above(a, b int) bool {
	return t.enter[a] <= t.enter[b] && t.enter[b] < t.leave[a]
}
