package draw

// This file puts nodes into layers and lets long edges, labels and the borders of groups
// take places there.

import (
	"fmt"
	"math"
	"slices"
)

// cell is what takes a place in a layer.
type cell struct {
	kind     cellKind
	of       int // node of the part, or group
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
	nodeCell  cellKind = iota
	bendCell           // an edge passes
	labelCell          // an edge passes, its label to the right
	leftCell           // the left border of a group; in its first layer with the group's label
	rightCell          // the right border
)

func (k cellKind) border() bool { return k >= leftCell }

// bend says that an edge goes on through the cell.
func (k cellKind) bend() bool { return k == bendCell || k == labelCell }

// Where the edges of a part pass more layers than maxBends, long edges to one node run
// together; where they pass more than tooMany even then, it cannot be drawn.
const (
	maxBends = 20000
	tooMany  = 400000
)

// layer ranks the nodes, makes all cells and joins them.
func (p *part) layer(bends int) error {
	for k := range p.arcs {
		// Each label of a group that the edge enters has a layer above the group, and the
		// edge's own has one beside its start.
		a := &p.arcs[k]
		a.length = 1
		if p.label(k) != "" {
			a.length = 2
		}
		for gr := p.groupOf[a.to]; gr >= 0 && !p.inside(p.groupOf[a.from], gr); gr = p.parent[gr] {
			if p.groupLabel(gr) != "" {
				a.length++
			}
		}
	}
	rank := ranks(len(p.nodes), p.arcs)
	// Each layer holds a node or a label.
	p.span(rank)
	used := append(slices.Clone(rank), p.top...)
	for k := range p.arcs {
		if p.label(k) != "" {
			used = append(used, p.labelLayer(k, rank))
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	for v := range rank {
		rank[v], _ = slices.BinarySearch(used, rank[v])
	}
	p.span(rank)
	p.layers = make([][]int, len(used))
	for v, n := range p.nodes {
		r := p.d.Nodes[n]
		p.add(cell{kind: nodeCell, of: v, layer: rank[v], group: p.groupOf[v], left: r.W / 2, right: r.W/2 + p.loopRoom(v), height: max(r.H, len(p.loops[v])*lineHeight)})
	}
	passed := 0
	for _, a := range p.arcs {
		passed += rank[a.to] - rank[a.from] - 1
	}
	if err := p.makeChains(rank, passed > bends); err != nil {
		return err
	}
	p.makeBorders()
	return nil
}

func (p *part) label(k int) string { return p.d.Graph.Edges[p.edges[k]].Label }

func (p *part) groupLabel(gr int) string { return p.d.Graph.Groups[p.groups[gr]].Label }

// labelLayer returns the layer of an edge's label: the one next to the edge's start.
func (p *part) labelLayer(k int, rank []int) int {
	if a := p.arcs[k]; a.back {
		return rank[a.to] - 1
	}
	return rank[p.arcs[k].from] + 1
}

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
		if p.groupLabel(gr) != "" {
			p.top[gr]--
		}
		widen(p.parent[gr], p.top[gr], p.bottom[gr])
	}
}

func (p *part) add(c cell) int {
	i := len(p.cells)
	p.cells = append(p.cells, c)
	p.layers[c.layer] = append(p.layers[c.layer], i)
	return i
}

// makeChains makes the cells that edges pass.
func (p *part) makeChains(rank []int, together bool) error {
	// The way of all long edges to one node, in a layer.
	type run struct{ end, step, layer, group int }
	joined := map[run]int{}
	p.chains = make([][]int, len(p.edges))
	for k, a := range p.arcs {
		// The chain is made from the edge's start, which in a back edge is the lower end,
		// so that edges to one node can share its end.
		at, end, step := a.from, a.to, 1
		if a.back {
			at, end, step = a.to, a.from, -1
		}
		chain := []int{at}
		shared := false
		for r := rank[at] + step; r != rank[end]; r += step {
			c := cell{kind: bendCell, layer: r, group: p.passing(a.from, a.to, r)}
			key := run{end, step, r, c.group}
			next, ok := joined[key]
			if label := p.label(k); label != "" && r == p.labelLayer(k, rank) {
				c.kind, c.left, c.right, c.height = labelCell, 20, 60+textWidth(shorten(label), smallSize), lineHeight
				next, ok = p.add(c), false
			} else if !together || !ok {
				next, ok = p.add(c), false
				joined[key] = next
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
		p.chains[k] = append(chain, end)
		if step < 0 {
			slices.Reverse(p.chains[k])
		}
	}
	return nil
}

// link joins a cell to the next on the way of an edge downward or upward.
func (p *part) link(from, to, step int) {
	if step < 0 {
		from, to = to, from
	}
	p.cells[from].down = append(p.cells[from].down, to)
	p.cells[to].up = append(p.cells[to].up, from)
}

// makeBorders makes the borders of groups, which lie in each of their layers.
func (p *part) makeBorders() {
	for gr := range p.groups {
		for _, kind := range []cellKind{leftCell, rightCell} {
			for r := p.top[gr]; r <= p.bottom[gr]; r++ {
				c := cell{kind: kind, of: gr, layer: r, group: gr}
				if label := p.groupLabel(gr); label != "" && r == p.top[gr] && kind == leftCell {
					c.right, c.height = groupPad+boldWidth(shortenTitle(label), fontSize), lineHeight
				}
				if i := p.add(c); r > p.top[gr] {
					p.link(i-1, i, 1)
				}
			}
		}
	}
}

// passing returns the group in which an edge passes a layer: the innermost one around
// its upper end that reaches so far, else around its lower end, unless it is around both.
func (p *part) passing(from, to, layer int) int {
	common := p.groupOf[from]
	for common >= 0 && !p.inside(p.groupOf[to], common) {
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
