package draw

// This file gives each cell its x. Cells that are to stand below each other are a block:
// the borders of a group, so that its box is upright and nothing foreign gets into it, the
// cells of a long edge, and nodes that follow each other. Blocks start as far to the left
// as they can, then move so that edges lead less to the side. Gansner et al. (1993, section
// 4) find the best such places; this comes close, and quickly.

import (
	"math"
	"slices"
)

// block is a set of cells with one x.
type block struct {
	cells       []int
	x           int
	left, right []link // its neighbours in layers
}

// link says how far blocks in a layer are to be apart.
type link struct{ to, gap int }

// far is further than any drawing reaches.
const far = math.MaxInt / 4

// place computes x of all cells, from 0, and the part's width.
func (p *part) place() {
	m := &mover{part: p}
	m.join()
	order := m.fromLeft()
	backward := slices.Clone(order)
	slices.Reverse(backward)
	// First those move that are not in the way of others. Almost all is won by then.
	const passes = 8
	for i, moved := 0, true; moved && i < passes; i++ {
		moved = false
		for _, b := range backward {
			for m.shift(b, 1) {
				moved = true
			}
		}
		for _, b := range order {
			for m.shift(b, -1) {
				moved = true
			}
		}
	}
	// Of places that do equally well, the middle one looks best.
	for _, i := range append(slices.Clone(order), backward...) {
		if x, ok := m.middle(i); ok {
			low, high := m.limits(i)
			m.blocks[i].x = min(max(x, low), high)
		}
	}
	// The borders of groups follow what they hold.
	kind := func(i int) cellKind { return p.cells[m.blocks[i].cells[0]].kind }
	for _, i := range backward {
		if kind(i) == leftCell {
			_, m.blocks[i].x = m.limits(i)
		}
	}
	for _, i := range order {
		if kind(i) == rightCell {
			m.blocks[i].x, _ = m.limits(i)
		}
	}
	low, high := far, -far
	for i := range p.cells {
		c := &p.cells[i]
		c.x = m.blocks[m.of[i]].x
		low, high = min(low, c.x-c.left), max(high, c.x+c.right)
	}
	for i := range p.cells {
		p.cells[i].x -= low
	}
	p.w = high - low
}

// mover moves blocks.
type mover struct {
	*part
	blocks []block
	of     []int // by cell: its block
	taken  []int // by block: the last try to move it
	try    int
	set    []int // the blocks that the try moves
	ways   []int // how far ahead of them blocks are that edges lead to
	work   int   // how many blocks all tries looked at
}

// mostWork ends the moves of a part that has very many groups.
const mostWork = 2000000

// shift moves a block to the right (step 1) or the left (-1), with all that it pushes,
// if that makes edges lead less to the side in total, as far as nothing else is in the way
// and as it does so. It reports whether it did.
func (m *mover) shift(v, step int) bool {
	m.try++
	m.set, m.taken[v] = append(m.set[:0], v), m.try
	if m.work > mostWork || m.pull(v, step) <= 0 {
		return false
	}
	room := far
	for i := 0; i < len(m.set); i++ {
		b := &m.blocks[m.set[i]]
		links := b.right
		if step < 0 {
			links = b.left
		}
		for _, l := range links {
			switch slack := (m.blocks[l.to].x-b.x)*step - l.gap; {
			case m.taken[l.to] == m.try:
			case slack > 0:
				room = min(room, slack)
			default:
				m.set, m.taken[l.to] = append(m.set, l.to), m.try
			}
		}
	}
	m.work += len(m.set)
	gain := 0
	m.ways = m.ways[:0]
	for _, w := range m.set {
		gain += m.pull(w, step)
	}
	if gain <= 0 {
		return false
	}
	// Each edge whose end is passed leads back from there on.
	slices.Sort(m.ways)
	room = min(room, m.ways[(gain-1)/2])
	for _, w := range m.set {
		m.blocks[w].x += step * room
	}
	return true
}

// pull returns how many more edges of a block lead ahead than back, to blocks that do not
// move with it.
func (m *mover) pull(v, step int) int {
	more := 0
	for _, c := range m.blocks[v].cells {
		for _, ends := range [][]int{m.cells[c].up, m.cells[c].down} {
			for _, w := range ends {
				way := (m.blocks[m.of[w]].x - m.blocks[v].x) * step
				switch {
				case m.taken[m.of[w]] == m.try:
				case way > 0:
					more, m.ways = more+1, append(m.ways, way)
				default:
					more--
				}
			}
		}
	}
	return more
}

// middle returns the median x of what edges join a block to, if there is any.
func (m *mover) middle(v int) (x int, ok bool) {
	var ends []int
	for _, c := range m.blocks[v].cells {
		for _, w := range slices.Concat(m.cells[c].up, m.cells[c].down) {
			if m.of[w] != v {
				ends = append(ends, m.blocks[m.of[w]].x)
			}
		}
	}
	n := len(ends)
	if n == 0 {
		return 0, false
	}
	slices.Sort(ends)
	return (ends[(n-1)/2] + ends[n/2]) >> 1, true
}

// limits returns between which x its neighbours let a block be.
func (m *mover) limits(v int) (low, high int) {
	low, high = -far, far
	for _, l := range m.blocks[v].left {
		low = max(low, m.blocks[l.to].x+l.gap)
	}
	for _, l := range m.blocks[v].right {
		high = min(high, m.blocks[l.to].x-l.gap)
	}
	return low, high
}

// fromLeft puts blocks as far to the left as they can be, and returns them in an order in
// which each comes after those at its left.
func (m *mover) fromLeft() []int {
	missing := make([]int, len(m.blocks))
	var order []int
	for i := range m.blocks {
		if missing[i] = len(m.blocks[i].left); missing[i] == 0 {
			order = append(order, i)
		}
	}
	for i := 0; i < len(order); i++ {
		low, _ := m.limits(order[i])
		m.blocks[order[i]].x = max(0, low)
		for _, l := range m.blocks[order[i]].right {
			if missing[l.to]--; missing[l.to] == 0 {
				order = append(order, l.to)
			}
		}
	}
	return order
}

// join finds the blocks. Pieces of edges that cross a border or a piece that is upright
// already do not join cells, so that blocks have an order from left to right.
func (m *mover) join() {
	m.of = slices.Repeat([]int{-1}, len(m.cells))
	for _, layer := range m.layers {
		var upper, lower []int // ends of borders
		for _, c := range layer {
			if m.of[c] < 0 {
				m.of[c] = len(m.blocks)
				m.blocks = append(m.blocks, block{})
			}
			b := &m.blocks[m.of[c]]
			b.cells = append(b.cells, c)
			if u := &m.cells[c]; u.kind.border() && len(u.down) > 0 {
				upper, lower = append(upper, u.at), append(lower, m.cells[u.down[0]].at)
				m.of[u.down[0]] = m.of[c]
			}
		}
		last := -1
		for _, c := range layer {
			u := &m.cells[c]
			above, _ := slices.BinarySearch(upper, u.at)
			for _, w := range u.down {
				v := &m.cells[w]
				below, _ := slices.BinarySearch(lower, v.at)
				straight := u.kind.bend() && v.kind.bend() || len(u.down) == 1 && len(v.up) == 1
				if straight && m.of[w] < 0 && above == below && v.at > last {
					m.of[w], last = m.of[c], v.at
					break
				}
			}
		}
		for i := 1; i < len(layer); i++ {
			a, b, gap := m.of[layer[i-1]], m.of[layer[i]], m.gap(layer[i-1], layer[i])
			m.blocks[a].right = append(m.blocks[a].right, link{b, gap})
			m.blocks[b].left = append(m.blocks[b].left, link{a, gap})
		}
	}
	m.taken = make([]int, len(m.blocks))
}

// gap returns the distance between the x of two neighbours in a layer.
func (p *part) gap(left, right int) int {
	a, b := &p.cells[left], &p.cells[right]
	apart := bendGap
	switch {
	case a.kind.border() || b.kind.border():
		apart = groupPad
	case a.kind == nodeCell && b.kind == nodeCell:
		apart = nodeGap
	}
	return a.right + b.left + apart
}
