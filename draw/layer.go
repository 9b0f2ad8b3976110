package draw

// This file puts nodes into layers and lets long edges and labels take places there.

import (
	"fmt"
	"math"
	"slices"
)

// cell is what takes a place in a layer.
type cell struct {
	kind     cellKind
	of       int // node or edge of the part, or group
	layer    int
	group    int // innermost group of the part that holds it, -1 for none
	left     int // room to the left of its x
	right    int
	height   int
	up, down []int // cells of the layers above and below that edges join it to
	at       int   // place in its layer
	x        int
}

type cellKind uint8

const (
	nodeCell       cellKind = iota
	bendCell                // an edge passes
	labelCell               // an edge passes, its label to the right
	groupLabelCell          // the label of a group, at its left
	fillerCell              // keeps a layer of a group from being empty
	leftCell                // the left border of a group
	rightCell
)

// Where the edges of a part pass more layers than maxBends, long edges to one node run
// together; where they pass more than tooMany even then, it cannot be drawn.
const (
	maxBends = 20000
	tooMany  = 400000
)

// layer ranks the nodes, makes all cells and joins them.
func (p *part) layer(bends int) error {
	g := p.d.Graph
	var edges []rankEdge
	for k, a := range p.arcs {
		e := &g.Edges[p.edges[k]]
		if p.back[k] {
			a = arc{a.to, a.from}
		}
		// Each label of a group that the edge enters has a layer above the group, and the
		// edge's own has one below its start.
		length := 1
		if e.Label != "" {
			length = 2
		}
		for gr := p.groupOf[a.to]; gr >= 0 && !p.holds(gr, a.from); gr = p.parent[gr] {
			if g.Groups[p.groups[gr]].Label != "" {
				length++
			}
		}
		edges = append(edges, rankEdge{a.from, a.to, length, max(1, e.Weight)})
	}
	rank := ranks(len(p.nodes), edges)
	labelRank := make([]int, len(p.edges))
	for k := range p.edges {
		labelRank[k] = edges[k].from
		if p.back[k] {
			labelRank[k] = rank[edges[k].to] - 1
		} else {
			labelRank[k] = rank[edges[k].from] + 1
		}
	}
	p.span(rank)
	p.compact(rank, labelRank)
	passed := 0
	for _, e := range edges {
		passed += rank[e.to] - rank[e.from] - 1
	}
	return p.makeCells(edges, rank, labelRank, passed > bends)
}

// holds says whether the group or one within it holds the node.
func (p *part) holds(group, node int) bool { return p.inside(p.groupOf[node], group) }

// inside says whether group lies in outer or is outer; all lie in -1.
func (p *part) inside(group, outer int) bool {
	for group > outer {
		group = p.parent[group]
	}
	return group == outer
}

// span finds the layers of each group, that of its label first.
func (p *part) span(rank []int) {
	p.top, p.bottom = make([]int, len(p.groups)), make([]int, len(p.groups))
	for gr := range p.groups {
		p.top[gr], p.bottom[gr] = math.MaxInt, -1
	}
	widen := func(gr, top, bottom int) {
		if gr >= 0 {
			p.top[gr], p.bottom[gr] = min(p.top[gr], top), max(p.bottom[gr], bottom)
		}
	}
	for v, r := range rank {
		widen(p.groupOf[v], r, r)
	}
	for gr := len(p.groups) - 1; gr >= 0; gr-- {
		if p.d.Graph.Groups[p.groups[gr]].Label != "" {
			p.top[gr]--
		}
		widen(p.parent[gr], p.top[gr], p.bottom[gr])
	}
}

// compact renumbers ranks, so that each layer holds a node or a label, and the first is 0.
func (p *part) compact(rank, labelRank []int) {
	first, last := 0, 0
	for _, r := range rank {
		last = max(last, r)
	}
	for _, t := range p.top {
		first = min(first, t)
	}
	used := make([]bool, last-first+1)
	for _, r := range rank {
		used[r-first] = true
	}
	for k, r := range labelRank {
		if p.d.Graph.Edges[p.edges[k]].Label != "" {
			used[r-first] = true
		}
	}
	for gr, t := range p.top {
		if p.d.Graph.Groups[p.groups[gr]].Label != "" {
			used[t-first] = true
		}
	}
	number := make([]int, len(used))
	n := 0
	for r, u := range used {
		number[r] = n
		if u {
			n++
		}
	}
	for _, list := range [][]int{rank, labelRank, p.top, p.bottom} {
		for i, r := range list {
			list[i] = number[r-first]
		}
	}
	p.layers = make([][]int, n)
}

func (p *part) add(c cell) int {
	i := len(p.cells)
	c.at = len(p.layers[c.layer])
	p.cells = append(p.cells, c)
	p.layers[c.layer] = append(p.layers[c.layer], i)
	return i
}

func (p *part) makeCells(edges []rankEdge, rank, labelRank []int, together bool) error {
	g := p.d.Graph
	for v, n := range p.nodes {
		r := p.d.Nodes[n]
		p.add(cell{kind: nodeCell, of: v, layer: rank[v], group: p.groupOf[v], left: r.W / 2, right: r.W/2 + p.loopRoom(v), height: max(r.H, len(p.loops[v])*lineHeight)})
	}
	p.chains = make([][]int, len(p.edges))
	joined := map[run]int{}
	for k, e := range edges {
		// The chain is made from the edge's start, which in a back edge is the lower end,
		// so that edges to one node can share its end.
		at, end, step := e.from, e.to, 1
		if p.back[k] {
			at, end, step = e.to, e.from, -1
		}
		chain := []int{at}
		shared := false
		for r := rank[at] + step; r != rank[end]; r += step {
			c := cell{kind: bendCell, of: k, layer: r, group: p.passing(e.from, e.to, r)}
			if label := g.Edges[p.edges[k]].Label; label != "" && r == labelRank[k] {
				c.kind, c.left, c.right, c.height = labelCell, 20, 60+textWidth(shorten(label), smallSize), lineHeight
			}
			key := run{end, step, r, c.group}
			next, ok := joined[key]
			if !ok || !together || c.kind != bendCell {
				next, ok = p.add(c), false
				if c.kind == bendCell {
					joined[key] = next
				}
			}
			if !shared {
				p.link(chain[len(chain)-1], next, step)
			}
			// Edges that have met go the same way from there on.
			shared = ok
			chain = append(chain, next)
			if len(p.cells) > tooMany {
				return fmt.Errorf("its edges pass more than %d places between nodes, which is too much to draw; draw a smaller part, or write it in another format", tooMany)
			}
		}
		if !shared {
			p.link(chain[len(chain)-1], end, step)
		}
		chain = append(chain, end)
		if step < 0 {
			slices.Reverse(chain)
		}
		p.chains[k] = chain
	}
	p.labelGroups()
	return nil
}

// run names the way of all long edges to one node, in a layer.
type run struct{ end, step, layer, group int }

// link joins a cell to the next on the way of an edge downward or upward.
func (p *part) link(from, to, step int) {
	if step < 0 {
		from, to = to, from
	}
	p.cells[from].down = append(p.cells[from].down, to)
	p.cells[to].up = append(p.cells[to].up, from)
}

// labelGroups makes cells for the labels of groups, and fills layers of groups that hold
// nothing there.
func (p *part) labelGroups() {
	g := p.d.Graph
	p.labels = make([]int, len(p.groups))
	for gr, of := range p.groups {
		p.labels[gr] = -1
		if label := g.Groups[of].Label; label != "" {
			p.labels[gr] = p.add(cell{kind: groupLabelCell, of: gr, layer: p.top[gr], group: gr, right: boldWidth(shortenTitle(label), fontSize), height: lineHeight})
		}
	}
	// A group has something in each of its layers.
	present := map[[2]int]bool{}
	for i := range p.cells {
		for gr := p.cells[i].group; gr >= 0; gr = p.parent[gr] {
			present[[2]int{gr, p.cells[i].layer}] = true
		}
	}
	for gr := len(p.groups) - 1; gr >= 0; gr-- {
		for r := p.top[gr]; r <= p.bottom[gr]; r++ {
			if present[[2]int{gr, r}] {
				continue
			}
			p.add(cell{kind: fillerCell, of: gr, layer: r, group: gr})
			for up := gr; up >= 0; up = p.parent[up] {
				present[[2]int{up, r}] = true
			}
		}
	}
}

// passing returns the group in which an edge passes a layer: the innermost one around
// its upper end that reaches so far, else around its lower end, unless it is around both.
func (p *part) passing(from, to, layer int) int {
	common := p.groupOf[from]
	for common >= 0 && !p.holds(common, to) {
		common = p.parent[common]
	}
	for _, end := range []int{from, to} {
		for gr := p.groupOf[end]; gr != common; gr = p.parent[gr] {
			if p.top[gr] <= layer && layer <= p.bottom[gr] {
				return gr
			}
		}
	}
	return common
}

// loopRoom returns the room that edges of a node to itself take at its right: the
// curves within each other, then their labels below each other.
func (p *part) loopRoom(v int) int {
	if len(p.loops[v]) == 0 {
		return 0
	}
	widest := 0
	for _, e := range p.loops[v] {
		if label := p.d.Graph.Edges[e].Label; label != "" {
			widest = max(widest, 60+textWidth(shorten(label), smallSize))
		}
	}
	return loopReach + (len(p.loops[v])-1)*bendGap + widest
}
