package flow

// This file shows successor lists to gonum/graph without copying them into maps.

import "gonum.org/v1/gonum/graph"

// digraph is a graph.Directed over successor lists.
type digraph struct {
	succs [][]int
	nodes []graph.Node
}

// node is used by pointer, into one array, since gonum holds interfaces.
type node int64

func (v *node) ID() int64 { return int64(*v) }

func newDigraph(succs [][]int) *digraph {
	g := &digraph{succs: succs, nodes: make([]graph.Node, len(succs))}
	ids := make([]node, len(succs))
	for v := range succs {
		ids[v] = node(v)
		g.nodes[v] = &ids[v]
	}
	return g
}

func (g *digraph) Node(id int64) graph.Node {
	if id < 0 || id >= int64(len(g.nodes)) {
		return nil
	}
	return g.nodes[id]
}

func (g *digraph) Nodes() graph.Nodes {
	all := make([]int, len(g.nodes))
	for v := range all {
		all[v] = v
	}
	return &nodeList{g: g, list: all, at: -1}
}

func (g *digraph) From(id int64) graph.Nodes {
	return &nodeList{g: g, list: g.succs[id], at: -1}
}

// To lists no duplicates of a source, each of which may have several edges.
func (g *digraph) To(id int64) graph.Nodes {
	var sources []int
	for v := range g.succs {
		if g.HasEdgeFromTo(int64(v), id) {
			sources = append(sources, v)
		}
	}
	return &nodeList{g: g, list: sources, at: -1}
}

func (g *digraph) HasEdgeFromTo(u, v int64) bool {
	for _, w := range g.succs[u] {
		if int64(w) == v {
			return true
		}
	}
	return false
}

func (g *digraph) HasEdgeBetween(x, y int64) bool {
	return g.HasEdgeFromTo(x, y) || g.HasEdgeFromTo(y, x)
}

func (g *digraph) Edge(u, v int64) graph.Edge {
	if !g.HasEdgeFromTo(u, v) {
		return nil
	}
	return arc{g.nodes[u], g.nodes[v]}
}

type arc struct{ from, to graph.Node }

func (a arc) From() graph.Node         { return a.from }
func (a arc) To() graph.Node           { return a.to }
func (a arc) ReversedEdge() graph.Edge { return arc{a.to, a.from} }

// nodeList iterates over a list of nodes.
type nodeList struct {
	g    *digraph
	list []int
	at   int
}

func (l *nodeList) Next() bool {
	if l.at+1 >= len(l.list) {
		l.at = len(l.list)
		return false
	}
	l.at++
	return true
}

func (l *nodeList) Len() int {
	return max(0, len(l.list)-l.at-1)
}
func (l *nodeList) Reset() { l.at = -1 }

func (l *nodeList) Node() graph.Node {
	if l.at < 0 || l.at >= len(l.list) {
		return nil
	}
	return l.g.nodes[l.list[l.at]]
}
