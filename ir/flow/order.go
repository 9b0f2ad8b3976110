package flow

// This file orders the blocks topologically, loop by loop.

import "slices"

// A level is the function (-1) or a loop. Its items are the blocks directly in
// it and the loops directly in it, numbered after the blocks.
type ordering struct {
	c       *CFG
	visited []bool  // by item
	items   [][]int // by level+1, in order
}

// order fills Order, Pos and each loop's Blocks, Latches and Exits. It needs
// Loops with parents before children, and LoopOf.
func (c *CFG) order() {
	n := len(c.Succs)
	o := &ordering{c: c, visited: make([]bool, n+len(c.Loops)), items: make([][]int, 1+len(c.Loops))}
	for l := len(c.Loops) - 1; l >= 0; l-- {
		loop := c.Loops[l]
		o.walk(l, loop.Header)
		for _, it := range o.items[1+l] {
			for i, edges := 0, o.edges(it); i < edges; i++ {
				e := o.edge(it, i)
				if t := c.Target(e); t == loop.Header {
					loop.Latches = append(loop.Latches, e)
				} else if o.item(l, t) < 0 {
					loop.Exits = append(loop.Exits, e)
				}
			}
		}
	}
	if n > 0 {
		o.walk(-1, o.item(-1, 0))
	}
	o.expand()
}

// edges counts the edges out of an item, and edge returns one of them.
func (o *ordering) edges(item int) int {
	if n := len(o.c.Succs); item >= n {
		return len(o.c.Loops[item-n].Exits)
	}
	return len(o.c.Succs[item])
}

func (o *ordering) edge(item, i int) Edge {
	if n := len(o.c.Succs); item >= n {
		return o.c.Loops[item-n].Exits[i]
	}
	return Edge{item, i}
}

// item returns the item of the level that holds the block, -1 for none.
func (o *ordering) item(level, block int) int {
	in, depth := o.c.LoopOf[block], 0
	if level >= 0 {
		depth = o.c.Loops[level].Depth
	}
	if in == level {
		return block
	}
	for in >= 0 && o.c.Loops[in].Depth > depth+1 {
		in = o.c.Loops[in].Parent
	}
	if in >= 0 && o.c.Loops[in].Depth == depth+1 && o.c.Loops[in].Parent == level {
		return len(o.c.Succs) + in
	}
	return -1
}

// walk takes the reverse postorder of the level's items from its first one,
// which reaches them all: the search tree that found the loop lies inside it.
// Successors are tried from last to first, so that the first come first in the
// reverse postorder.
func (o *ordering) walk(level, first int) {
	header := -1
	if level >= 0 {
		header = o.c.Loops[level].Header
	}
	type frame struct{ item, next int }
	o.visited[first] = true
	stack := []frame{{first, o.edges(first)}}
	var post []int
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == 0 {
			post = append(post, top.item)
			stack = stack[:len(stack)-1]
			continue
		}
		top.next--
		t := o.c.Target(o.edge(top.item, top.next))
		if t == header {
			continue
		}
		if it := o.item(level, t); it >= 0 && !o.visited[it] {
			o.visited[it] = true
			stack = append(stack, frame{it, o.edges(it)})
		}
	}
	slices.Reverse(post)
	o.items[1+level] = post
}

// expand replaces loops by their items until only blocks are left. Each loop's
// blocks are a part of Order, so nesting costs no memory.
func (o *ordering) expand() {
	c := o.c
	n := len(c.Succs)
	c.Pos = make([]int, n)
	for b := range c.Pos {
		c.Pos[b] = -1
	}
	c.Order = make([]int, 0, n)
	type frame struct{ level, next int }
	start := make([]int, len(c.Loops))
	for stack := []frame{{-1, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		items := o.items[1+top.level]
		if top.next == len(items) {
			if l := top.level; l >= 0 {
				c.Loops[l].Blocks = c.Order[start[l]:len(c.Order):len(c.Order)]
			}
			stack = stack[:len(stack)-1]
			continue
		}
		it := items[top.next]
		top.next++
		if it >= n {
			start[it-n] = len(c.Order)
			stack = append(stack, frame{it - n, 0})
			continue
		}
		c.Pos[it] = len(c.Order)
		c.Order = append(c.Order, it)
	}
}
