package draw

// This file lays a graph out: part by part, then the parts side by side.

import "fmt"

// Distances, in tenths of a pixel.
const (
	nodeGap   = 200 // between nodes of a layer
	bendGap   = 120 // between edges
	groupPad  = 120 // between a group's box and what it holds
	partGap   = 300
	margin    = 120
	nodePadX  = 100
	nodePadY  = 60
	loopReach = 180 // how far an edge of a node to itself leads from it
)

// Layout places a graph's nodes, groups and edges. It reports graphs that are none, and
// such whose edges are too long and too many to be drawn.
func Layout(g *Graph) (*Drawing, error) { return layoutWithin(g, maxBends) }

// layoutWithin lays a graph out; in parts whose edges take more places in layers than
// bends, long edges to one node run together.
func layoutWithin(g *Graph, bends int) (*Drawing, error) {
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("graph %q: %w", g.Title, err)
	}
	d := prepare(g)
	parts := split(d)
	for _, p := range parts {
		turn(len(p.nodes), p.arcs)
		if err := p.layer(bends); err != nil {
			return nil, fmt.Errorf("graph %q: %w", g.Title, err)
		}
		p.order()
		p.place()
		p.stack()
	}
	d.pack(parts)
	return d, nil
}

// prepare makes a drawing with the sizes of nodes.
func prepare(g *Graph) *Drawing {
	d := &Drawing{Graph: g, Nodes: make([]Rect, len(g.Nodes)), Groups: make([]Rect, len(g.Groups)), Edges: make([]Route, len(g.Edges)),
		lines: make([][]string, len(g.Nodes)), groupLabel: make([]Rect, len(g.Groups))}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		r := Rect{W: 240, H: max(1, len(n.Lines))*lineHeight + 2*nodePadY}
		for k, l := range n.Lines {
			l = shorten(l)
			d.lines[i] = append(d.lines[i], l)
			width := textWidth(l, fontSize)
			if k == 0 && len(n.Lines) > 1 {
				width = boldWidth(l, fontSize)
			}
			r.W = max(r.W, width+2*nodePadX)
		}
		if n.Shape == Plain {
			r.H -= nodePadY
		}
		d.Nodes[i] = Rect{W: r.W + r.W%2, H: r.H + r.H%2}
	}
	return d
}

// part is a piece of the graph that neither edges nor groups join to the rest.
type part struct {
	d      *Drawing
	nodes  []int // of the graph
	groups []int // of the graph, those that hold nodes; parents first
	edges  []int // of the graph, without loops
	arcs   []arc // the same, by nodes of the part
	loops  [][]int

	groupOf     []int // by node of the part: index into groups, -1 for none
	parent      []int // by group of the part
	cells       []cell
	layers      [][]int // cells, from left to right
	chains      [][]int // by edge of the part: its cells from top to bottom
	top, bottom []int   // by group: its first and its last layer
	side        []int   // by group: its place among groups side by side; nil while they are free
	y, height   []int   // by layer
	w, h        int
}

// split finds the parts, in the order of their first nodes.
func split(d *Drawing) []*part {
	g := d.Graph
	// What is joined has one root: nodes, then groups.
	root := make([]int, len(g.Nodes)+len(g.Groups))
	for i := range root {
		root[i] = i
	}
	find := func(v int) int {
		for root[v] != v {
			root[v] = root[root[v]]
			v = root[v]
		}
		return v
	}
	join := func(v, w int) { root[max(find(v), find(w))] = min(find(v), find(w)) }
	held := make([]bool, len(g.Groups))
	for i := range g.Nodes {
		at := i
		for gr := g.Nodes[i].Group; gr >= 0; gr = g.Groups[gr].Parent {
			join(at, len(g.Nodes)+gr)
			at, held[gr] = len(g.Nodes)+gr, true
		}
	}
	for _, e := range g.Edges {
		join(e.From, e.To)
	}
	var parts []*part
	at := map[int]*part{}
	localGroup, local := make([]int, len(g.Groups)), make([]int, len(g.Nodes))
	in := func(gr int) int {
		if gr < 0 {
			return -1
		}
		return localGroup[gr]
	}
	for i := range g.Nodes {
		if find(i) == i {
			at[i] = &part{d: d}
			parts = append(parts, at[i])
		}
	}
	for i, gr := range g.Groups {
		if held[i] {
			p := at[find(len(g.Nodes)+i)]
			localGroup[i] = len(p.groups)
			p.groups, p.parent = append(p.groups, i), append(p.parent, in(gr.Parent))
		}
	}
	for i, n := range g.Nodes {
		p := at[find(i)]
		local[i] = len(p.nodes)
		p.nodes, p.groupOf, p.loops = append(p.nodes, i), append(p.groupOf, in(n.Group)), append(p.loops, nil)
	}
	for i, e := range g.Edges {
		p := at[find(e.From)]
		if e.From == e.To {
			p.loops[local[e.From]] = append(p.loops[local[e.From]], i)
			continue
		}
		p.edges, p.arcs = append(p.edges, i), append(p.arcs, arc{from: local[e.From], to: local[e.To]})
	}
	return parts
}

// pack lays the parts out in columns, from top to bottom and then to the right, so that
// all is about as wide as high.
func (d *Drawing) pack(parts []*part) {
	area, limit := 0, 0
	for _, p := range parts {
		area += (p.w + partGap) * (p.h + partGap)
		limit = max(limit, p.h)
	}
	for limit*limit < area/2 {
		limit += 100
	}
	x, y, width := margin, margin, 0
	for _, p := range parts {
		if y > margin && y+p.h > margin+limit {
			x, y, width = x+width+partGap, margin, 0
		}
		p.draw(x, y)
		d.Height = max(d.Height, y+p.h+margin)
		y += p.h + partGap
		width = max(width, p.w)
	}
	d.Width = x + width + margin
	d.Height = max(d.Height, 2*margin)
}
