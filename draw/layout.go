package draw

// This file lays a graph out: part by part, then the parts side by side.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

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

// Layout places a graph's nodes, groups and edges. It reports what Graph.Check does, and
// graphs whose edges are too long and too many to be drawn.
func Layout(g *Graph) (*Drawing, error) { return layoutWithin(g, maxBends) }

// layoutWithin lays a graph out; in parts whose edges take more places in layers than
// bends, long edges to one node run together.
func layoutWithin(g *Graph, bends int) (*Drawing, error) {
	if err := g.Check(); err != nil {
		return nil, fmt.Errorf("graph %q: %w", g.Title, err)
	}
	d := prepare(g)
	parts := split(d)
	for _, p := range parts {
		if err := p.layout(bends); err != nil {
			return nil, fmt.Errorf("graph %q: %w", g.Title, err)
		}
	}
	d.pack(parts)
	return d, nil
}

// prepare makes a drawing with the sizes of nodes.
func prepare(g *Graph) *Drawing {
	d := &Drawing{Graph: g, Nodes: make([]Rect, len(g.Nodes)), Groups: make([]Rect, len(g.Groups)), Edges: make([]Route, len(g.Edges)),
		Order: edgeOrder(g), lines: make([][]string, len(g.Nodes)), groupLabel: make([]Rect, len(g.Groups))}
	for i := range g.Nodes {
		for _, l := range g.Nodes[i].Lines {
			d.lines[i] = append(d.lines[i], shorten(l))
		}
		d.Nodes[i] = nodeSize(&g.Nodes[i], d.lines[i])
	}
	return d
}

// edgeOrder sorts edges by what they are, so that their order in the graph does not
// matter.
func edgeOrder(g *Graph) []int {
	order := make([]int, len(g.Edges))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &g.Edges[i], &g.Edges[j]
		if c := cmp.Or(a.From-b.From, a.To-b.To); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.Style, b.Style), cmp.Compare(a.Label, b.Label), cmp.Compare(a.Title, b.Title), a.Weight-b.Weight, a.Width-b.Width, compareData(a.Data, b.Data))
	})
	return order
}

func compareData(a, b map[string]string) int {
	ka, kb := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))
	if c := slices.Compare(ka, kb); c != 0 {
		return c
	}
	for _, k := range ka {
		if c := cmp.Compare(a[k], b[k]); c != 0 {
			return c
		}
	}
	return 0
}

// nodeSize returns the width and height of a node.
func nodeSize(n *Node, lines []string) Rect {
	r := Rect{W: 240, H: max(1, len(lines))*lineHeight + 2*nodePadY}
	for i, l := range lines {
		w := textWidth(l, fontSize)
		if i == 0 && len(lines) > 1 {
			w = boldWidth(l, fontSize)
		}
		r.W = max(r.W, w+2*nodePadX)
	}
	if n.Shape == Plain {
		r.H -= nodePadY
	}
	r.W += r.W % 2
	r.H += r.H % 2
	return r
}

// arc is an edge of a part.
type arc struct{ from, to int }

// part is a piece of the graph that neither edges nor groups join to the rest.
type part struct {
	d      *Drawing
	nodes  []int // of the graph
	groups []int // of the graph, those that hold nodes; parents first
	edges  []int // of the graph, without loops
	arcs   []arc // the same, by nodes of the part
	loops  [][]int

	groupOf []int // by node of the part: index into groups, -1 for none
	parent  []int // by group of the part
	back    []bool
	cells   []cell
	layers  [][]int // cells, from left to right
	chains  [][]int // by edge of the part: its cells from top to bottom
	top     []int   // by group: its first layer
	bottom  []int   // and its last
	labels  []int   // by group: cell of its label, -1 for none
	w, h    int
}

// split finds the parts, in the order of their first nodes.
func split(d *Drawing) []*part {
	g := d.Graph
	joined := newUnion(len(g.Nodes) + len(g.Groups))
	group := func(i int) int { return len(g.Nodes) + i }
	for i := range g.Nodes {
		if n := &g.Nodes[i]; n.Group >= 0 {
			joined.join(i, group(n.Group))
		}
	}
	for i := range g.Groups {
		if p := g.Groups[i].Parent; p >= 0 {
			joined.join(group(i), group(p))
		}
	}
	for i := range g.Edges {
		joined.join(g.Edges[i].From, g.Edges[i].To)
	}
	var parts []*part
	at := map[int]*part{}
	local := make([]int, len(g.Nodes))
	held := make([]bool, len(g.Groups))
	for i := range g.Nodes {
		root := joined.find(i)
		if at[root] == nil {
			at[root] = &part{d: d}
			parts = append(parts, at[root])
		}
		p := at[root]
		local[i] = len(p.nodes)
		p.nodes = append(p.nodes, i)
		p.loops = append(p.loops, nil)
		for gr := g.Nodes[i].Group; gr >= 0; gr = g.Groups[gr].Parent {
			held[gr] = true
		}
	}
	localGroup := make([]int, len(g.Groups))
	for i := range g.Groups {
		localGroup[i] = -1
		if !held[i] {
			continue
		}
		p := at[joined.find(group(i))]
		localGroup[i] = len(p.groups)
		p.groups = append(p.groups, i)
		parent := -1
		if gp := g.Groups[i].Parent; gp >= 0 {
			parent = localGroup[gp]
		}
		p.parent = append(p.parent, parent)
	}
	for _, p := range parts {
		for _, n := range p.nodes {
			gr := -1
			if of := g.Nodes[n].Group; of >= 0 {
				gr = localGroup[of]
			}
			p.groupOf = append(p.groupOf, gr)
		}
	}
	for _, i := range d.Order {
		e := &g.Edges[i]
		p := at[joined.find(e.From)]
		if e.From == e.To {
			p.loops[local[e.From]] = append(p.loops[local[e.From]], i)
			continue
		}
		p.edges = append(p.edges, i)
		p.arcs = append(p.arcs, arc{local[e.From], local[e.To]})
	}
	return parts
}

// layout lays a part out, its top left corner at 0, 0.
func (p *part) layout(bends int) error {
	p.back = backEdges(len(p.nodes), p.arcs)
	if err := p.layer(bends); err != nil {
		return err
	}
	p.order()
	p.place()
	p.stack()
	return nil
}

// move shifts all that belongs to the part.
func (p *part) move(dx, dy int) {
	shift := func(r *Rect) { r.X, r.Y = r.X+dx, r.Y+dy }
	route := func(i int) {
		r := &p.d.Edges[i]
		for k := range r.Points {
			r.Points[k].X += dx
			r.Points[k].Y += dy
		}
		shift(&r.Label)
	}
	for i, n := range p.nodes {
		shift(&p.d.Nodes[n])
		for _, e := range p.loops[i] {
			route(e)
		}
	}
	for _, g := range p.groups {
		shift(&p.d.Groups[g])
		shift(&p.d.groupLabel[g])
	}
	for _, e := range p.edges {
		route(e)
	}
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
		p.move(x, y)
		d.Height = max(d.Height, y+p.h+margin)
		y += p.h + partGap
		width = max(width, p.w)
	}
	d.Width = x + width + margin
	d.Height = max(d.Height, 2*margin)
}
