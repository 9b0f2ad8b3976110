package draw

// This file orders the cells of each layer so that few edges cross: sweeps by
// barycentre, and exchanges of neighbours (Sugiyama et al. 1981; Gansner et al. 1993,
// section 3). The cells of a group stay together, and groups side by side keep one order
// in all layers, so that each group fits a box (after G. Sander, "Layout of Compound
// Directed Graphs", 1996).

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// order finds the order of all layers: the best that a number of starts lead to, each
// with a number of sweeps.
func (p *part) order() {
	starts, rounds := 2+min(10, 10000/(len(p.cells)+1)), 24
	switch {
	case len(p.cells) > 30000:
		starts, rounds = 2, 3
	case len(p.cells) > 6000:
		starts, rounds = 2, 8
	}
	var best [][]int
	least := -1
	for try := range starts {
		down := try%2 == 0
		p.start(down, try/2)
		if len(p.groups) > 1 {
			for i := range 4 {
				p.sweep(i%2 == 0 == down)
			}
			p.settle()
		}
		for i, stale := 0, 0; i < rounds && stale < 8; i, stale = i+1, stale+1 {
			if i > 0 {
				p.sweep(i%2 == 1 == down)
				p.transpose(i%4 < 2)
			}
			if n := p.crossings(); least < 0 || n < least {
				least, stale, best = n, 0, make([][]int, len(p.layers))
				for l := range p.layers {
					best[l] = slices.Clone(p.layers[l])
				}
			}
			if least == 0 {
				break
			}
		}
	}
	for l := range best {
		p.write(l, best[l])
	}
}

// write gives a layer an order.
func (p *part) write(layer int, cells []int) {
	p.layers[layer] = cells
	for i, c := range cells {
		p.cells[c].at = i
	}
}

// start orders cells as a search along the edges meets them, from the top or the bottom.
// It takes the edges of each cell in their order, or shuffled in one of many ways.
func (p *part) start(down bool, shuffle int) {
	p.side = nil
	random := rand.New(rand.NewPCG(uint64(shuffle), 0)) // the same on each machine
	met := make([]int, len(p.cells))                    // from 1
	var queue []int
	meet := func(c int) {
		if met[c] == 0 {
			queue = append(queue, c)
			met[c] = len(queue)
		}
	}
	for root := range p.cells {
		if met[root] > 0 || len(p.ends(root, down)) > 0 {
			continue
		}
		meet(root)
		for i := len(queue) - 1; i < len(queue); i++ {
			next := slices.Clone(p.ends(queue[i], !down))
			if len(next) == 0 { // the way ends: back on another
				next = slices.Clone(p.ends(queue[i], down))
			}
			if shuffle > 0 {
				random.Shuffle(len(next), func(a, b int) { next[a], next[b] = next[b], next[a] })
			}
			for _, c := range next {
				meet(c)
			}
		}
	}
	for l := range p.layers {
		cells := slices.SortedFunc(slices.Values(p.layers[l]), func(a, b int) int { return met[a] - met[b] })
		p.write(l, flatten(p.tree(cells, -1), nil))
	}
}

// ends returns the cells above or below that a cell is joined to.
func (p *part) ends(c int, upper bool) []int {
	if upper {
		return p.cells[c].up
	}
	return p.cells[c].down
}

// item is a cell, or a group with what it holds in one layer.
type item struct {
	cell  int // -1 for a group
	group int
	items []item
}

// tree gathers cells of a layer that lie in a group into the groups in it, each where its
// first cell stands.
func (p *part) tree(cells []int, group int) []item {
	items := make([]item, 0, len(cells))
	held := map[int][]int{}
	for _, c := range cells {
		in := p.cells[c].group
		for in != group && p.parent[in] != group {
			in = p.parent[in]
		}
		if in == group {
			items = append(items, item{cell: c, group: group})
			continue
		}
		if held[in] == nil {
			items = append(items, item{cell: -1, group: in})
		}
		held[in] = append(held[in], c)
	}
	for i := range items {
		if it := &items[i]; it.cell < 0 {
			it.items = p.tree(held[it.group], it.group)
		}
	}
	return p.arrange(items)
}

func flatten(items []item, cells []int) []int {
	for _, it := range items {
		if it.cell >= 0 {
			cells = append(cells, it.cell)
		} else {
			cells = flatten(it.items, cells)
		}
	}
	return cells
}

// arrange puts borders at the ends and groups into their order, in the places where
// groups are.
func (p *part) arrange(items []item) []item {
	if len(p.groups) == 0 {
		return items
	}
	end := func(it item) int {
		if it.cell < 0 || !p.cells[it.cell].kind.border() {
			return 1
		}
		return 2 * int(p.cells[it.cell].kind-leftCell)
	}
	slices.SortStableFunc(items, func(a, b item) int { return end(a) - end(b) })
	if p.side == nil {
		return items
	}
	var groups []item
	for _, it := range items {
		if it.cell < 0 {
			groups = append(groups, it)
		}
	}
	slices.SortFunc(groups, func(a, b item) int { return p.side[a.group] - p.side[b.group] })
	for i := range items {
		if items[i].cell < 0 {
			items[i], groups = groups[0], groups[1:]
		}
	}
	return items
}

// settle orders groups side by side by where their cells are on average.
func (p *part) settle() {
	const scale = 1 << 16
	sum, n := make([]int, len(p.groups)), make([]int, len(p.groups))
	for i := range p.cells {
		c := &p.cells[i]
		for gr := c.group; gr >= 0; gr = p.parent[gr] {
			sum[gr] += c.at * scale / len(p.layers[c.layer])
			n[gr]++
		}
	}
	order := make([]int, len(p.groups))
	for gr := range order {
		order[gr] = gr
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sum[a]/n[a], sum[b]/n[b]) })
	p.side = make([]int, len(order))
	for i, gr := range order {
		p.side[gr] = i
	}
	for l := range p.layers {
		p.write(l, flatten(p.tree(p.layers[l], -1), nil))
	}
}

// sweep orders the layers one after another by the one before, downward or upward.
func (p *part) sweep(down bool) {
	for i := range p.layers {
		l := i
		if !down {
			l = len(p.layers) - 1 - i
		}
		p.write(l, flatten(p.sorted(p.tree(p.layers[l], -1), down), nil))
	}
}

// places appends the places of the cells above or below that an item is joined to.
func (p *part) places(it item, upper bool, into []int) []int {
	for _, in := range it.items {
		into = p.places(in, upper, into)
	}
	if it.cell >= 0 && !p.cells[it.cell].kind.border() {
		for _, w := range p.ends(it.cell, upper) {
			into = append(into, p.cells[w].at)
		}
	}
	return into
}

// sorted sorts items by the mean place of the cells they are joined to; those without any
// stay where they are.
func (p *part) sorted(items []item, upper bool) []item {
	type valued struct {
		item
		value int
	}
	var moving []valued
	var free, places []int
	for i, it := range items {
		if it.cell < 0 {
			items[i].items = p.sorted(it.items, upper)
		}
		sum := 0
		places = p.places(items[i], upper, places[:0])
		for _, at := range places {
			sum += at
		}
		if len(places) > 0 {
			moving, free = append(moving, valued{items[i], sum << 12 / len(places)}), append(free, i)
		}
	}
	slices.SortStableFunc(moving, func(a, b valued) int { return cmp.Compare(a.value, b.value) })
	for k, i := range free {
		items[i] = moving[k].item
	}
	return p.arrange(items)
}

// transpose exchanges neighbours while that removes crossings; first also, if turn, where
// it neither adds nor removes any, as it may help later.
func (p *part) transpose(turn bool) {
	passes := 10
	if len(p.cells) > 6000 {
		passes = 3
	}
	for better := true; better && passes > 0; passes-- {
		better = false
		for l := range p.layers {
			items := p.tree(p.layers[l], -1)
			if p.exchange(items, turn) {
				better = true
				p.write(l, flatten(items, nil))
			}
		}
		turn = false
	}
}

// exchange exchanges neighbours among the items and within them; it reports whether any.
func (p *part) exchange(items []item, turn bool) bool {
	better := false
	up, down := make([][]int, len(items)), make([][]int, len(items))
	var places []int
	sorted := func(it item, upper bool) []int {
		from := len(places)
		places = p.places(it, upper, places)
		slices.Sort(places[from:])
		return places[from:]
	}
	for i, it := range items {
		better = it.cell < 0 && p.exchange(it.items, turn) || better
		up[i], down[i] = sorted(it, true), sorted(it, false)
	}
	for i := range max(0, len(items)-1) {
		if k := i + 1; items[i].cell >= 0 || items[k].cell >= 0 || p.side == nil {
			now, then := pairs(up[i], up[k])+pairs(down[i], down[k]), pairs(up[k], up[i])+pairs(down[k], down[i])
			if then < now || then == now && now > 0 && turn {
				items[i], items[k], up[i], up[k], down[i], down[k] = items[k], items[i], up[k], up[i], down[k], down[i]
				better = true
			}
		}
	}
	return better
}

// pairs counts the crossings of edges to sorted places, those of a starting left of b's.
func pairs(a, b []int) int {
	n, k := 0, 0
	for _, v := range a {
		for k < len(b) && b[k] < v {
			k++
		}
		n += k
	}
	return n
}

// crossings counts the crossings between all layers.
func (p *part) crossings() int {
	total := 0
	var before, lower []int // sorted: lower ends of edges further left, and of those of one cell
	for _, layer := range p.layers {
		before = before[:0]
		for _, c := range layer {
			lower = lower[:0]
			for _, w := range p.cells[c].down {
				lower = append(lower, p.cells[w].at)
			}
			for _, at := range lower {
				i, _ := slices.BinarySearch(before, at+1)
				total += len(before) - i
			}
			for _, at := range lower {
				i, _ := slices.BinarySearch(before, at)
				before = slices.Insert(before, i, at)
			}
		}
	}
	return total
}
