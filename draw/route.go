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

// stack computes y of all layers, then the rectangles and the ways.
func (p *part) stack() {
	n := len(p.layers)
	topRoom, bottomRoom := p.groupRooms()
	top, height := make([]int, n), make([]int, n)
	y := 0
	for l := range n {
		for _, c := range p.layers[l] {
			height[l] = max(height[l], p.cells[c].height)
		}
		if l > 0 {
			y += p.layerGap(l - 1)
		}
		before, after := 0, 0
		for gr := range p.groups {
			if p.top[gr] == l {
				before = max(before, topRoom[gr])
			}
			if p.bottom[gr] == l {
				after = max(after, bottomRoom[gr])
			}
		}
		top[l] = y + before
		y = top[l] + height[l] + after
	}
	p.h = y
	p.boxes(top, height, topRoom, bottomRoom)
	p.routes(top, height)
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
func (p *part) boxes(top, height, above, below []int) {
	for i := range p.cells {
		c := &p.cells[i]
		switch c.kind {
		case nodeCell:
			r := &p.d.Nodes[p.nodes[c.of]]
			r.X, r.Y = c.x-r.W/2, top[c.layer]+(height[c.layer]-r.H)/2
		case leftCell:
			r := &p.d.Groups[p.groups[c.of]]
			r.X = c.x
			r.Y = top[p.top[c.of]] - above[c.of]
			last := p.bottom[c.of]
			r.H = top[last] + height[last] + below[c.of] - r.Y
		}
	}
	for i := range p.cells {
		if c := &p.cells[i]; c.kind == rightCell {
			r := &p.d.Groups[p.groups[c.of]]
			r.W = c.x - r.X
		}
	}
	for gr, label := range p.labels {
		if label >= 0 {
			c := &p.cells[label]
			p.d.groupLabel[p.groups[gr]] = Rect{p.d.Groups[p.groups[gr]].X + groupPad, top[c.layer], c.right, lineHeight}
		}
	}
}

// routes computes the ways of the edges between nodes.
func (p *part) routes(top, height []int) {
	starts, ends := p.ports()
	for k, chain := range p.chains {
		upper, lower := p.d.Nodes[p.nodes[chain[0]]], p.d.Nodes[p.nodes[chain[len(chain)-1]]]
		r := &p.d.Edges[p.edges[k]]
		r.Back = p.back[k]
		points := []Point{{starts[k], upper.Y + upper.H}}
		points = append(points, Point{starts[k], top[p.cells[chain[0]].layer] + height[p.cells[chain[0]].layer]})
		for _, c := range chain[1 : len(chain)-1] {
			b := &p.cells[c]
			points = append(points, Point{b.x, top[b.layer]}, Point{b.x, top[b.layer] + height[b.layer]})
			if b.kind == labelCell {
				w := b.right - 60
				r.Label = Rect{b.x + 40, top[b.layer] + (height[b.layer]-lineHeight)/2, w, lineHeight}
			}
		}
		points = append(points, Point{ends[k], top[p.cells[chain[len(chain)-1]].layer]}, Point{ends[k], lower.Y})
		points = thin(points)
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

// port is the end of an edge at a node.
type port struct {
	edge int
	next int // the cell that the edge leads to
	x    int
}

// ports places the ends of edges along the nodes' borders, in the order of the cells
// that they lead to, right above or below those where they can be. It returns x at the
// upper and at the lower end of each edge.
func (p *part) ports() (starts, ends []int) {
	starts, ends = make([]int, len(p.chains)), make([]int, len(p.chains))
	below, above := make([][]port, len(p.nodes)), make([][]port, len(p.nodes))
	for k, chain := range p.chains {
		n := len(chain)
		below[chain[0]] = append(below[chain[0]], port{edge: k, next: chain[1]})
		above[chain[n-1]] = append(above[chain[n-1]], port{edge: k, next: chain[n-2]})
	}
	for v := range p.nodes {
		p.spreadPorts(v, below[v])
		p.spreadPorts(v, above[v])
		for _, e := range below[v] {
			starts[e.edge] = e.x
		}
		for _, e := range above[v] {
			ends[e.edge] = e.x
		}
	}
	return starts, ends
}

// flat returns the part of a node's border where edges can end.
func (p *part) flat(v int) (low, high int) {
	room := max(0, p.d.Nodes[p.nodes[v]].W/2-corner)
	return p.cells[v].x - room, p.cells[v].x + room
}

// spreadPorts sorts the ends at one side of a node and gives them their x. Those that
// lead to what is beside the node keep near the middle.
func (p *part) spreadPorts(v int, list []port) {
	n := len(list)
	if n == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b port) int { return p.cells[a.next].at - p.cells[b.next].at })
	// Edges that run together end together.
	same := func(i int) bool { return list[i].next == list[i-1].next && p.cells[list[i].next].kind == bendCell }
	ends := n
	for i := 1; i < n; i++ {
		if same(i) {
			ends--
		}
	}
	low, high := p.flat(v)
	middle := p.cells[v].x
	gap := min(maxPortGap/2, (high-low)/max(1, ends-1))
	reach := min((high-low)/2, (ends-1)*maxPortGap/2)
	left, right := middle-reach, middle+reach
	straight := make([]bool, n)
	for i := range list {
		list[i].x, straight[i] = p.straightX(v, list[i].next, low, high)
		if straight[i] {
			left, right = min(left, list[i].x-gap), max(right, list[i].x+gap)
		}
	}
	for i := range list {
		switch x := p.cells[list[i].next].x; {
		case straight[i]:
		case x < middle:
			list[i].x = max(low, left)
		default:
			list[i].x = min(high, right)
		}
		switch {
		case i > 0 && same(i):
			list[i].x = list[i-1].x
		case i > 0:
			list[i].x = max(list[i].x, list[i-1].x+gap)
		}
	}
	limit := high
	for i := n - 1; i >= 0; i-- {
		list[i].x = min(list[i].x, limit)
		if limit = list[i].x; i > 0 && !same(i) {
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
