package flow

// This file finds dominators and postdominators.

import "slices"

// dominators fills Idom. It and Ipdom take the simple variant of Lengauer and Tarjan,
// "A fast algorithm for finding dominators in a flowgraph", TOPLAS 1(1), 1979: edges
// times the logarithm of blocks, also on the long chains of generated code.
func (c *CFG) dominators(s *searched) {
	n := len(c.Succs)
	if n == 0 {
		return
	}
	c.Idom = immediate(c.Succs, s)
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
	up := immediate(c.backward, search(c.backward, n))
	c.pdom = newTree(up, n)
	c.Ipdom = up[:n:n]
}

// immediate returns the immediate dominators of the nodes that a search met, -1 for
// its root and for what it did not reach. The marks of a node's semidominator are kept
// as its number in preorder; paths are compressed, and not balanced.
func immediate(succs [][]int, s *searched) []int {
	n := len(succs)
	idom, semi, best, above := make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	for v := range succs {
		idom[v], best[v], above[v] = -1, v, -1
	}
	into, bucket := newChains(n), newChains(n)
	for i, v := range s.preorder {
		semi[v] = i
		for _, w := range succs[v] {
			into.add(w, v, w)
		}
	}
	var path []int
	eval := func(v int) int { // the node with the lowest semidominator from v up to what is linked
		if above[v] < 0 {
			return v
		}
		path = path[:0]
		for u := v; above[above[u]] >= 0; u = above[u] {
			path = append(path, u)
		}
		for _, u := range slices.Backward(path) {
			a := above[u]
			if semi[best[a]] < semi[best[u]] {
				best[u] = best[a]
			}
			above[u] = above[a]
		}
		return best[v]
	}
	for i := len(s.preorder) - 1; i > 0; i-- {
		w := s.preorder[i]
		p := s.parent[w]
		for k := into.head[w]; k >= 0; k = into.links[k].next {
			semi[w] = min(semi[w], semi[eval(into.links[k].from)])
		}
		bucket.add(s.preorder[semi[w]], w, p)
		above[w] = p
		for k := bucket.head[p]; k >= 0; k = bucket.links[k].next {
			v := bucket.links[k].from
			if idom[v] = p; semi[eval(v)] < semi[v] {
				idom[v] = eval(v) // whose own dominator it shares
			}
		}
		bucket.head[p] = -1
	}
	for i, w := range s.preorder {
		if i > 0 && idom[w] != s.preorder[semi[w]] {
			idom[w] = idom[idom[w]]
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
