package pathprof

// This file orders the nodes of one level: its own blocks, and the loops directly
// inside it as single nodes.

import (
	"slices"

	"pathspan/ir/flow"
)

// levelGraph is the acyclic graph of one level.
type levelGraph struct {
	start   int    // block where paths of the level start
	order   []node // topological order, deterministic
	entries map[node][]int
}

// secondary lists the blocks in v where control enters the level from outside
// other than at its header (irreducible loops only).
func (g *levelGraph) secondary(v node) []int {
	if g.entries == nil {
		return nil
	}
	return g.entries[v]
}

// levelGraph builds the graph of level l by Kahn's algorithm, first in first out.
func (n *Numbering) levelGraph(l int) *levelGraph {
	c := n.CFG
	g := &levelGraph{}
	blocks := c.Order
	if l >= 0 {
		loop := c.Loops[l]
		g.start, blocks = loop.Header, loop.Blocks
		if n.start[l] == nil {
			n.start[l] = make(map[int]uint64)
		}
		if len(loop.Entries) > 0 {
			g.entries = make(map[node][]int)
			for _, t := range loop.Entries {
				v := n.nodeIn(l, t)
				g.entries[v] = append(g.entries[v], t)
			}
		}
	}
	waiting := make(map[node]int)
	var nodes int
	seen := make(map[int]bool) // loops counted
	for _, b := range blocks {
		v := n.nodeIn(l, b)
		if v.loop >= 0 {
			if seen[v.loop] {
				continue
			}
			seen[v.loop] = true
		}
		nodes++
		waiting[v] = len(n.edgesInto(l, v))
	}
	g.order = make([]node, 0, nodes)
	g.order = append(g.order, n.nodeIn(l, g.start))
	for i := 0; i < len(g.order); i++ {
		n.eachSuccessor(l, g.order[i], func(w node) {
			waiting[w]--
			if waiting[w] == 0 {
				g.order = append(g.order, w)
			}
		})
	}
	if len(g.order) != nodes {
		panic("pathprof: levelGraph: level has a cycle or an unreachable node")
	}
	return g
}

// edgesInto lists the edges of level l into node v.
func (n *Numbering) edgesInto(l int, v node) []flow.Edge {
	var in []flow.Edge
	if v.block >= 0 {
		in = n.CFG.Preds[v.block]
	} else {
		in = n.CFG.Loops[v.loop].EntryEdges
	}
	return slices.DeleteFunc(slices.Clone(in), func(e flow.Edge) bool { return n.CFG.IsBack(e) || !n.CFG.InLoop(l, e.From) })
}

// eachSuccessor calls f with the target node of every edge of level l out of v.
func (n *Numbering) eachSuccessor(l int, v node, f func(node)) {
	c := n.CFG
	if v.block >= 0 {
		for k, t := range c.Succs[v.block] {
			if c.InLoop(l, t) && !c.IsBack(flow.Edge{From: v.block, Index: k}) {
				f(n.nodeIn(l, t))
			}
		}
		return
	}
	for _, e := range c.Loops[v.loop].Exits {
		if t := c.Target(e); c.InLoop(l, t) && !c.IsBack(e) {
			f(n.nodeIn(l, t))
		}
	}
}
