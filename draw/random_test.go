package draw

// This file makes up graphs for tests.

import (
	"fmt"
	"math/rand"
	"strings"
)

// randomGraph makes up a graph of some nodes, with cycles, loops, several edges between
// two nodes, nested groups, and labels.
func randomGraph(r *rand.Rand, nodes int) *Graph {
	g := &Graph{Title: "random"}
	for i := range r.Intn(1 + nodes/4) {
		gr := Group{ID: fmt.Sprintf("g%d", i), Parent: -1}
		if r.Intn(2) == 0 {
			gr.Label = "group " + strings.Repeat("x", r.Intn(20))
		}
		if i > 0 && r.Intn(2) == 0 {
			gr.Parent = r.Intn(i)
		}
		g.Groups = append(g.Groups, gr)
	}
	for i := range nodes {
		n := Node{ID: fmt.Sprintf("n%d", i), Group: -1, Shape: Shape(r.Intn(3)), Style: Style(r.Intn(3)), Color: Color(r.Intn(len(colorNames)))}
		for range r.Intn(4) {
			n.Lines = append(n.Lines, strings.Repeat("w", r.Intn(30)))
		}
		if len(g.Groups) > 0 && r.Intn(3) > 0 {
			n.Group = r.Intn(len(g.Groups))
		}
		g.Nodes = append(g.Nodes, n)
	}
	if nodes == 0 {
		return g
	}
	for range r.Intn(1 + nodes*2) {
		e := Edge{From: r.Intn(nodes), To: r.Intn(nodes), Style: Style(r.Intn(3)), Width: r.Intn(30)}
		if r.Intn(3) > 0 && e.From > e.To {
			e.From, e.To = e.To, e.From
		}
		if r.Intn(3) == 0 {
			e.Label = strings.Repeat("l", r.Intn(10))
		}
		g.Edges = append(g.Edges, e)
		if r.Intn(8) == 0 {
			g.Edges = append(g.Edges, e)
		}
	}
	return g
}

// flowGraph makes up a control-flow graph of structured code: sequences, branches and
// loops, with counts on edges.
func flowGraph(r *rand.Rand, nodes int) *Graph {
	g := &Graph{Title: "flow"}
	node := func() int {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprintf("b%d", len(g.Nodes)), Lines: []string{fmt.Sprintf("bb%d:%d", len(g.Nodes), 3*len(g.Nodes)), "region A"}, Group: -1})
		return len(g.Nodes) - 1
	}
	edge := func(from, to int) {
		g.Edges = append(g.Edges, Edge{From: from, To: to, Label: fmt.Sprint(r.Intn(100000))})
	}
	var code func(from, size int) int // returns the last block
	code = func(from, size int) int {
		for size > 0 {
			switch part := 1 + r.Intn(size); {
			case part < 3:
				n := node()
				edge(from, n)
				from, size = n, size-1
			case r.Intn(3) == 0: // a loop
				head := node()
				edge(from, head)
				edge(code(head, part-2), head)
				from = node()
				edge(head, from)
				size -= part
			default:
				ends := []int{}
				for range 2 + r.Intn(2) {
					ends = append(ends, code(from, (part-1)/2))
				}
				join := node()
				for _, e := range ends {
					edge(e, join)
				}
				from = join
				size -= part
			}
		}
		return from
	}
	for code(node(), nodes); len(g.Nodes) < nodes; {
		code(len(g.Nodes)-1, nodes-len(g.Nodes))
	}
	return g
}

// layeredGraph makes up a graph without cycles whose edges are mostly short.
func layeredGraph(r *rand.Rand, nodes, edges int) *Graph {
	g := &Graph{Title: "layered"}
	for i := range nodes {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprintf("n%d", i), Lines: []string{fmt.Sprintf("node %d", i)}, Group: -1})
	}
	for len(g.Edges) < edges && nodes > 1 {
		from := r.Intn(nodes - 1)
		to := min(nodes-1, from+1+r.Intn(1+nodes/6))
		g.Edges = append(g.Edges, Edge{From: from, To: to})
	}
	return g
}
