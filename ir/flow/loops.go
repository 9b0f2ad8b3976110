package flow

// This file finds the loop forest.

import "slices"

// Loop is a loop of the forest. The loops of a graph are its strongly connected
// components that hold a cycle; without the edges from inside a loop to its
// header, the components left inside are the loops nested in it, and so on. The
// header is the block, among those entered from outside, that a depth-first
// search of the whole graph (see searched) meets first, equally the first in its
// reverse postorder. Of a reducible graph these are the natural loops, merged by
// header; an irreducible loop has other entries than its header.
//
// This is the forest of Havlak, "Nesting of reducible and irreducible loops",
// TOPLAS 19(4), 1997; Ramalingam, "Identifying loops in almost linear time",
// TOPLAS 21(2), 1999, shows that it is the recursive one above and how to find
// it in almost linear time. Edges of a Loop are listed by the position of their
// source in Order, then successor index. Blocks costs no memory of its own, but
// each loop that an edge enters or leaves lists it, so a function of d nested
// loops with edges that leave them all has d times as many.
type Loop struct {
	Index       int // in CFG.Loops
	Header      int
	Entries     []int  // blocks other than Header entered from outside, ascending
	Parent      int    // index of the enclosing loop, -1 for none
	Depth       int    // 1 for an outermost loop
	Blocks      []int  // nested loops included, in Order; the header is first
	Children    []int  // loops directly inside, ascending
	Latches     []Edge // back edges: from inside to Header
	EntryEdges  []Edge // from outside to Header or Entries; FunctionEntry is not listed
	Exits       []Edge // from inside to outside
	Irreducible bool   // Entries is not empty
}

// Endless reports whether control that enters the loop never leaves it. Only an
// outermost loop can be endless: a nested one must lead back to the header
// around it.
func (l *Loop) Endless() bool { return len(l.Exits) == 0 }

// forest fills Loops, with parents and depths, and LoopOf.
func (c *CFG) forest(s *searched) {
	headers, enclosing := forest(s)
	// Parents come before children: a header is met before all of its loop.
	number := make([]int, len(c.Succs))
	for b := range number {
		number[b] = -1
	}
	loops := make([]*Loop, len(headers))
	for i, h := range headers {
		number[h] = i
		loops[i] = &Loop{Header: h, Parent: -1, Depth: 1}
		if up := enclosing[h]; up >= 0 {
			loops[i].Parent = number[up]
			loops[i].Depth = loops[number[up]].Depth + 1
		}
	}
	c.Loops = loops
	c.LoopOf = number
	for _, b := range s.preorder {
		if number[b] < 0 && enclosing[b] >= 0 {
			number[b] = number[enclosing[b]]
		}
	}
}

// loops fills Order, Pos and what is left of Loops, and numbers them by Order.
func (c *CFG) loops() {
	c.order()
	c.renumberLoops()
	c.entries()
}

// forest returns the loop headers in the search's preorder, and for each block
// the header of the innermost loop that holds it other than as its header, -1
// for none (Ramalingam's form of Havlak's algorithm).
//
// Headers are taken in reverse preorder, inner ones first, each found loop being
// shrunk into its header. An edge between two branches of the search tree is of
// no use to any loop below the branches' common ancestor, and is added when that
// ancestor is reached; so the walk back from a header's latches never leaves the
// header's descendants, whatever the graph.
func forest(s *searched) (headers, enclosing []int) {
	n := len(s.reachable)
	enclosing = make([]int, n)
	found := make([]int, n) // the last header whose walk met the block
	for b := range enclosing {
		enclosing[b], found[b] = -1, -1
	}
	shrunk := newSets(n)
	into := newChains(n) // edges added so far, by target
	var body []int
	for i := len(s.preorder) - 1; i >= 0; i-- {
		h := s.preorder[i]
		for k := s.joining.head[h]; k >= 0; k = s.joining.links[k].next {
			e := s.joining.links[k]
			into.add(shrunk.find(e.to), e.from, e.to)
		}
		if s.retreating.head[h] < 0 {
			continue
		}
		headers = append(headers, h)
		body = body[:0]
		found[h] = h
		meet := func(b int) {
			if b = shrunk.find(b); found[b] != h {
				found[b] = h
				body = append(body, b)
			}
		}
		for k := s.retreating.head[h]; k >= 0; k = s.retreating.links[k].next {
			meet(s.retreating.links[k].from)
		}
		for k := 0; k < len(body); k++ {
			b := body[k]
			meet(s.parent[b])
			for j := into.head[b]; j >= 0; j = into.links[j].next {
				meet(into.links[j].from)
			}
		}
		for _, b := range body {
			enclosing[b] = h
			shrunk.union(b, h)
		}
	}
	slices.Reverse(headers)
	return headers, enclosing
}

// renumberLoops sorts the loops by the position of their headers in Order.
func (c *CFG) renumberLoops() {
	sorted := make([]*Loop, 0, len(c.Loops))
	for _, b := range c.Order {
		if l := c.LoopOf[b]; l >= 0 && c.Loops[l].Header == b {
			c.Loops[l].Index = len(sorted)
			sorted = append(sorted, c.Loops[l])
		}
	}
	for b, l := range c.LoopOf {
		if l >= 0 {
			c.LoopOf[b] = c.Loops[l].Index
		}
	}
	for _, l := range sorted {
		if l.Parent >= 0 {
			l.Parent = c.Loops[l.Parent].Index
		}
	}
	c.Loops = sorted
	for _, l := range sorted {
		if l.Parent >= 0 {
			up := sorted[l.Parent]
			up.Children = append(up.Children, l.Index)
		}
	}
}

// entries fills EntryEdges, Entries and Irreducible.
func (c *CFG) entries() {
	entered := make([]int, len(c.Succs)) // the loops counted from LoopOf outward that list the block
	for _, u := range c.Order {
		for i, t := range c.Succs[u] {
			levels := 0
			for l := c.LoopOf[t]; !c.InLoop(l, u); l = c.Loops[l].Parent {
				into := c.Loops[l]
				into.EntryEdges = append(into.EntryEdges, Edge{u, i})
				levels++
				if t != into.Header && levels > entered[t] {
					entered[t] = levels
					into.Entries = append(into.Entries, t)
					into.Irreducible = true
				}
			}
		}
	}
	for _, l := range c.Loops {
		slices.Sort(l.Entries)
	}
}
