package draw

// This file gives each cell its x: U. Brandes and B. Koepf, "Fast and Simple Horizontal
// Coordinate Assignment" (2002). Four placements, each aligned to one side, are
// combined. Deviations: blocks are placed by longest paths over all of them rather than
// by classes, whose published form can let cells overlap; and the borders of a group
// are cells that are aligned before all others, so that its box is upright and nothing
// foreign gets into it.

import (
	"math"
	"slices"
)

// place computes x of all cells, from 0, and the part's width.
func (p *part) place() {
	p.addBorders()
	a := &aligner{part: p}
	a.mark()
	const runs = 4
	xs := make([][]int, runs)
	narrowest, width := 0, -1
	for run := range runs {
		xs[run] = a.run(run&1 == 1, run&2 == 2)
		low, high := p.extent(xs[run])
		if width < 0 || high-low < width {
			narrowest, width = run, high-low
		}
	}
	low, high := p.extent(xs[narrowest])
	for run := range runs {
		l, h := p.extent(xs[run])
		shift := low - l
		if run&1 == 1 { // aligned to the right
			shift = high - h
		}
		for i := range xs[run] {
			xs[run][i] += shift
		}
	}
	four := make([]int, runs)
	for i := range p.cells {
		for run := range runs {
			four[run] = xs[run][i]
		}
		slices.Sort(four)
		p.cells[i].x = (four[1] + four[2]) >> 1
	}
	all := make([]int, len(p.cells))
	for i := range all {
		all[i] = p.cells[i].x
	}
	low, high = p.extent(all)
	for i := range p.cells {
		p.cells[i].x -= low
	}
	p.w = high - low
}

func (p *part) extent(x []int) (low, high int) {
	for i := range p.cells {
		l, h := x[i]-p.cells[i].left, x[i]+p.cells[i].right
		if i == 0 || l < low {
			low = l
		}
		if i == 0 || h > high {
			high = h
		}
	}
	return low, high
}

// addBorders puts the borders of the groups into the layers.
func (p *part) addBorders() {
	last := map[[2]int]int{} // group and side: border in the layer above
	s := &sorter{part: p}
	for layer := range p.layers {
		var out []int
		border := func(gr int, kind cellKind) {
			i := len(p.cells)
			p.cells = append(p.cells, cell{kind: kind, of: gr, layer: layer, group: gr})
			key := [2]int{gr, int(kind)}
			if above, ok := last[key]; ok {
				p.cells[above].down = []int{i}
				p.cells[i].up = []int{above}
			}
			last[key] = i
			out = append(out, i)
		}
		var write func(items []item)
		write = func(items []item) {
			for _, it := range items {
				if it.cell >= 0 {
					out = append(out, it.cell)
					continue
				}
				border(it.group, leftCell)
				write(it.items)
				border(it.group, rightCell)
			}
		}
		write(s.tree(layer))
		p.layers[layer] = out
	}
	s.number()
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

func (k cellKind) border() bool { return k == leftCell || k == rightCell }

// bend says that an edge goes on through the cell.
func (k cellKind) bend() bool { return k == bendCell || k == labelCell }

// segment is a piece of an edge between two layers.
type segment struct{ upper, lower int }

// aligner computes one placement after another.
type aligner struct {
	*part
	barred map[segment]bool // pieces that are not to be straight, as they cross such that are
}

// mark bars pieces that cross a border, and those that cross the inner piece of a long
// edge. Among inner pieces that cross each other, the most that do not are kept.
func (a *aligner) mark() {
	a.barred = map[segment]bool{}
	for l := 0; l+1 < len(a.layers); l++ {
		var all, borders, inner []segment
		for _, c := range a.layers[l] {
			for _, w := range a.cells[c].down {
				s := segment{c, w}
				switch {
				case a.cells[c].kind.border():
					borders = append(borders, s)
				case a.cells[c].kind.bend() && a.cells[w].kind.bend():
					inner = append(inner, s)
					all = append(all, s)
				default:
					all = append(all, s)
				}
			}
		}
		a.bar(l, all, borders)
		var open []segment
		for _, s := range inner {
			if !a.barred[s] {
				open = append(open, s)
			}
		}
		kept := a.mostParallel(open)
		a.bar(l, all, kept)
	}
}

// bar bars those of all that cross one of the straight ones.
func (a *aligner) bar(layer int, all, straight []segment) {
	if len(straight) == 0 {
		return
	}
	above := make([]int, len(a.layers[layer])+1)
	below := make([]int, len(a.layers[layer+1])+1)
	for _, s := range straight {
		above[a.cells[s.upper].at+1]++
		below[a.cells[s.lower].at+1]++
	}
	for i := 1; i < len(above); i++ {
		above[i] += above[i-1]
	}
	for i := 1; i < len(below); i++ {
		below[i] += below[i-1]
	}
	// Straight pieces do not cross, and share no ends: one that has as many of them to
	// its left above as below crosses none.
	for _, s := range all {
		if above[a.cells[s.upper].at] != below[a.cells[s.lower].at] {
			a.barred[s] = true
		}
	}
}

// mostParallel returns a largest set of segments that do not cross, of such as are sorted
// by their upper ends: a longest increasing subsequence of their lower ends.
func (a *aligner) mostParallel(segments []segment) []segment {
	var tails, previous []int
	at := func(i int) int { return a.cells[segments[i].lower].at }
	previous = make([]int, len(segments))
	for i := range segments {
		k, _ := slices.BinarySearchFunc(tails, at(i), func(t, v int) int { return at(t) - v })
		previous[i] = -1
		if k > 0 {
			previous[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	var out []segment
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = previous[i] {
			out = append(out, segments[i])
		}
	}
	slices.Reverse(out)
	return out
}

// run computes one placement: aligned to the left or the right, by the cells above or
// those below.
func (a *aligner) run(toRight, byLower bool) []int {
	root := a.align(toRight, byLower)
	x := a.compact(root, toRight)
	for i := range x {
		x[i] = x[root[i]]
	}
	return x
}

// align joins each cell with the median of its neighbours above (or below) where no
// piece between was taken. It returns the first member of each cell's block.
func (a *aligner) align(toRight, byLower bool) []int {
	root := make([]int, len(a.cells))
	joined := make([]bool, len(a.cells)) // has a follower
	for i := range root {
		root[i] = i
	}
	layers := len(a.layers)
	for k := 1; k < layers; k++ {
		l := k
		if byLower {
			l = layers - 1 - k
		}
		order := a.layers[l]
		limit := -1
		if toRight {
			limit = math.MaxInt
		}
		for i := range order {
			v := order[i]
			if toRight {
				v = order[len(order)-1-i]
			}
			neighbours := a.sortedEnds(v, byLower)
			n := len(neighbours)
			if n == 0 {
				continue
			}
			medians := []int{(n - 1) / 2, n / 2}
			if toRight {
				medians[0], medians[1] = medians[1], medians[0]
			}
			for _, m := range medians {
				u := neighbours[m]
				s := segment{u, v}
				if byLower {
					s = segment{v, u}
				}
				at := a.cells[u].at
				if root[v] != v || joined[u] || a.barred[s] || !toRight && at <= limit || toRight && at >= limit {
					continue
				}
				root[v], joined[u], limit = root[u], true, at
			}
		}
	}
	return root
}

func (a *aligner) sortedEnds(v int, lower bool) []int {
	list := a.cells[v].up
	if lower {
		list = a.cells[v].down
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(x, y int) int { return a.cells[x].at - a.cells[y].at })
	return list
}

// compact places blocks as far to one side as their neighbours allow, then draws each
// towards the neighbours on its other side. Borders are drawn only towards what their
// group holds. x is that of the block's first member.
func (a *aligner) compact(root []int, toRight bool) []int {
	type link struct{ to, gap int }
	next, before := make([][]link, len(root)), make([][]link, len(root))
	missing := make([]int, len(root))
	for _, l := range a.layers {
		for i := 0; i+1 < len(l); i++ {
			u, v, gap := root[l[i]], root[l[i+1]], a.gap(l[i], l[i+1])
			if toRight {
				u, v = v, u
			}
			next[u] = append(next[u], link{v, gap})
			before[v] = append(before[v], link{u, gap})
			missing[v]++
		}
	}
	var order []int
	for i := range root {
		if root[i] == i && missing[i] == 0 {
			order = append(order, i)
		}
	}
	x := make([]int, len(root))
	for k := 0; k < len(order); k++ {
		u := order[k]
		for _, e := range next[u] {
			x[e.to] = max(x[e.to], x[u]+e.gap)
			if missing[e.to]--; missing[e.to] == 0 {
				order = append(order, e.to)
			}
		}
	}
	still := rightCell
	if toRight {
		still = leftCell
	}
	for k := len(order) - 1; k >= 0; k-- {
		u := order[k]
		if len(next[u]) == 0 || a.cells[u].kind == still {
			continue
		}
		far := math.MaxInt
		for _, e := range next[u] {
			far = min(far, x[e.to]-e.gap)
		}
		x[u] = max(x[u], far)
	}
	if toRight {
		for i := range x {
			x[i] = -x[i]
		}
	}
	return x
}
