package draw

// This file gives each layer its y and each edge its way. Between layers there is
// nothing but edges, and within a layer an edge keeps to its own column, so no edge runs
// through a node.

import "slices"

const (
	straightGap = 180 // between layers where edges go straight down
	slantGap    = 300 // where they change their column
	closeGap    = 60  // between a label and what it belongs to
	corner      = 120 // radius of round corners
	maxPortGap  = 240 // between ends of edges at a node
)

// stack computes y and height of all layers.
func (p *part) stack() {
	n := len(p.layers)
	above, below := p.groupRooms()
	p.y, p.height = make([]int, n), make([]int, n)
	for l := range n {
		for _, c := range p.layers[l] {
			p.height[l] = max(p.height[l], p.cells[c].height)
		}
		if l > 0 {
			p.h += p.layerGap(l - 1)
		}
		before, after := 0, 0
		for gr := range p.groups {
			if p.top[gr] == l {
				before = max(before, above[gr])
			}
			if p.bottom[gr] == l {
				after = max(after, below[gr])
			}
		}
		p.y[l] = p.h + before
		p.h = p.y[l] + p.height[l] + after
	}
}

// draw places nodes, groups and edges, the part's top left corner at x and y.
func (p *part) draw(x, y int) {
	for i := range p.cells {
		p.cells[i].x += x
	}
	for l := range p.y {
		p.y[l] += y
	}
	p.boxes()
	p.routes()
	p.selfLoops()
}

// groupRooms returns how far each group's box reaches above its first layer and below
// its last.
func (p *part) groupRooms() (above, below []int) {
	above, below = make([]int, len(p.groups)), make([]int, len(p.groups))
	for gr := len(p.groups) - 1; gr >= 0; gr-- {
		above[gr] += groupPad / 2
		below[gr] += groupPad
		if up := p.parent[gr]; up >= 0 {
			if p.top[up] == p.top[gr] {
				above[up] = max(above[up], above[gr])
			}
			if p.bottom[up] == p.bottom[gr] {
				below[up] = max(below[up], below[gr])
			}
		}
	}
	return above, below
}

// layerGap returns the distance between a layer and the next, without what groups add.
func (p *part) layerGap(layer int) int {
	gap, joined, farthest := closeGap, false, 0
	for _, c := range p.layers[layer] {
		u := &p.cells[c]
		for _, w := range u.down {
			v := &p.cells[w]
			if u.kind.border() {
				continue
			}
			joined = joined || u.kind == nodeCell || v.kind == nodeCell
			farthest = max(farthest, v.x-u.x, u.x-v.x)
		}
	}
	if joined {
		gap = straightGap
	}
	if farthest > 0 {
		gap = max(gap, slantGap) + min(farthest/12, 600)
	}
	return gap
}

// boxes places nodes, groups and their labels.
func (p *part) boxes() {
	above, below := p.groupRooms()
	for i := range p.cells {
		c := &p.cells[i]
		switch c.kind {
		case nodeCell:
			r := &p.d.Nodes[p.nodes[c.of]]
			r.X, r.Y = c.x-r.W/2, p.y[c.layer]+(p.height[c.layer]-r.H)/2
		case leftCell:
			r, last := &p.d.Groups[p.groups[c.of]], p.bottom[c.of]
			r.X, r.Y = c.x, p.y[p.top[c.of]]-above[c.of]
			r.H = p.y[last] + p.height[last] + below[c.of] - r.Y
			if c.height > 0 {
				p.d.groupLabel[p.groups[c.of]] = Rect{c.x + groupPad, p.y[c.layer], c.right - groupPad, lineHeight}
			}
		case rightCell:
			r := &p.d.Groups[p.groups[c.of]]
			r.W = c.x - r.X
		}
	}
}

// routes computes the ways of the edges between nodes.
func (p *part) routes() {
	starts, ends := p.ports()
	for k, chain := range p.chains {
		first, last := &p.cells[chain[0]], &p.cells[chain[len(chain)-1]]
		upper, lower := p.d.Nodes[p.nodes[first.of]], p.d.Nodes[p.nodes[last.of]]
		r := &p.d.Edges[p.edges[k]]
		r.Back = p.arcs[k].back
		points := []Point{{starts[k], upper.Y + upper.H}, {starts[k], p.y[first.layer] + p.height[first.layer]}}
		for _, i := range chain[1 : len(chain)-1] {
			c := &p.cells[i]
			y, height := p.y[c.layer], p.height[c.layer]
			points = append(points, Point{c.x, y}, Point{c.x, y + height})
			if c.kind == labelCell {
				r.Label = Rect{c.x + 40, y + (height-lineHeight)/2, c.right - 60, lineHeight}
			}
		}
		points = thin(append(points, Point{ends[k], p.y[last.layer]}, Point{ends[k], lower.Y}))
		if r.Back {
			slices.Reverse(points)
		}
		r.Points = points
	}
}

// thin leaves out points in the middle of upright lines.
func thin(points []Point) []Point {
	out := points[:1:1]
	for i := 1; i < len(points); i++ {
		if points[i] == out[len(out)-1] {
			continue
		}
		if n := len(out); n > 1 && out[n-2].X == out[n-1].X && out[n-1].X == points[i].X {
			out[n-1] = points[i]
			continue
		}
		out = append(out, points[i])
	}
	return out
}

// ports places the ends of edges along the nodes' borders, in the order of the cells
// that they lead to, right above or below those where they can be. It returns x at the
// upper and at the lower end of each edge.
func (p *part) ports() (starts, ends []int) {
	starts, ends = make([]int, len(p.chains)), make([]int, len(p.chains))
	below, above := make([][]port, len(p.nodes)), make([][]port, len(p.nodes))
	for k, chain := range p.chains {
		n := len(chain)
		below[chain[0]] = append(below[chain[0]], port{&starts[k], chain[1]})
		above[chain[n-1]] = append(above[chain[n-1]], port{&ends[k], chain[n-2]})
	}
	for v := range p.nodes {
		p.spread(v, below[v])
		p.spread(v, above[v])
	}
	return starts, ends
}

// port is the end of an edge at a node: its x, and the cell that the edge leads to.
type port struct {
	x    *int
	next int
}

// flat returns the part of a node's border where edges can end.
func (p *part) flat(v int) (low, high int) {
	room := max(0, p.d.Nodes[p.nodes[v]].W/2-corner)
	return p.cells[v].x - room, p.cells[v].x + room
}

// spread gives the ends at one side of a node their x. Those that lead to what is beside
// the node keep near the middle.
func (p *part) spread(v int, list []port) {
	slices.SortStableFunc(list, func(a, b port) int { return p.cells[a.next].at - p.cells[b.next].at })
	// Edges that run together end together.
	same := func(i int) bool { return list[i].next == list[i-1].next && p.cells[list[i].next].kind == bendCell }
	more := 0
	for i := 1; i < len(list); i++ {
		if !same(i) {
			more++
		}
	}
	low, high := p.flat(v)
	gap := min(maxPortGap/2, (high-low)/max(1, more))
	reach := min((high-low)/2, more*maxPortGap/2)
	for i, e := range list {
		x, straight := p.straightX(v, e.next, low, high)
		if !straight {
			x = min(max(x, p.cells[v].x-reach), p.cells[v].x+reach)
		}
		switch {
		case i > 0 && same(i):
			x = *list[i-1].x
		case i > 0:
			x = max(x, *list[i-1].x+gap)
		}
		*e.x = x
	}
	limit := high
	for i := len(list) - 1; i >= 0; i-- {
		*list[i].x = min(*list[i].x, limit)
		if limit = *list[i].x; i > 0 && !same(i) {
			limit -= gap
		}
	}
}

// straightX returns where an edge from the node to the cell would be upright, and
// whether there is such a place.
func (p *part) straightX(v, next, low, high int) (int, bool) {
	c := &p.cells[next]
	if c.kind != nodeCell {
		return c.x, low <= c.x && c.x <= high
	}
	l, h := p.flat(c.of)
	l, h = max(l, low), min(h, high)
	return min(max((p.cells[v].x+c.x)/2, l), h), l <= h
}

// selfLoops draws the edges of nodes to themselves at their right.
func (p *part) selfLoops() {
	for v, loops := range p.loops {
		n := p.d.Nodes[p.nodes[v]]
		right, middle := n.X+n.W, n.Y+n.H/2
		outermost := right + loopReach + (len(loops)-1)*bendGap
		for i, e := range loops {
			half := n.H * (i + 1) / (4 * len(loops))
			out := (loopReach + i*bendGap) * 4 / 3 // a curve reaches three quarters of its control points
			p.d.Edges[e] = Route{Loop: true, Points: []Point{
				{right, middle - half}, {right + out, middle - half - half/2}, {right + out, middle + half + half/2}, {right, middle + half}}}
			if label := p.d.Graph.Edges[e].Label; label != "" {
				y := middle - len(loops)*lineHeight/2 + i*lineHeight
				p.d.Edges[e].Label = Rect{outermost + 20, y, textWidth(shorten(label), smallSize), lineHeight}
			}
		}
	}
}
