package draw

// This file orders the cells of each layer so that few edges cross: sweeps by
// barycentre and median, and exchanges of neighbours (Sugiyama et al. 1981; Gansner et
// al. 1993, section 3). The cells of a group stay together, and groups side by side
// keep one order in all layers, so that each group fits a box (after G. Sander, "Layout
// of Compound Directed Graphs", 1996).

import (
	"cmp"
	"slices"
)

// item is a cell, or a group with what it holds in one layer.
type item struct {
	cell  int // -1 for a group
	group int
	items []item
}

// sorter orders the layers of a part.
type sorter struct {
	*part
	// place orders the groups side by side; nil while they are free.
	place []int

	members [][]int // scratch of tree
	entered []bool
	places  []int // scratch of exchange
	turn    bool  // neighbours are exchanged also where nothing is won: it may be later
}

// order finds the order of all layers: the best that a number of starts lead to.
func (p *part) order() {
	starts, rounds := effort(len(p.cells))
	s := &sorter{part: p}
	var best [][]int
	least := -1
	keep := func() bool {
		if n := s.crossings(); least < 0 || n < least {
			least, best = n, copyLayers(p.layers)
			return true
		}
		return false
	}
	for try := range starts {
		down := try%2 == 0
		s.place = nil
		s.start(down, try/2)
		if len(p.groups) > 1 {
			for i := range 4 {
				s.sweep(i, down)
			}
			s.fix()
		}
		keep()
		for i, stale := 0, 0; i < rounds && least > 0 && stale < 8; i++ {
			s.sweep(i, down)
			s.transpose(i%4 < 2)
			stale++
			if keep() {
				stale = 0
			}
		}
	}
	p.layers = best
	s.number()
}

// effort says from how many orders to start, and how many sweeps to make from each.
func effort(cells int) (starts, rounds int) {
	switch {
	case cells > 30000:
		return 2, 3
	case cells > 6000:
		return 2, 8
	}
	return 2 + min(10, 10000/(cells+1)), 24
}

func copyLayers(layers [][]int) [][]int {
	out := make([][]int, len(layers))
	for i := range layers {
		out[i] = slices.Clone(layers[i])
	}
	return out
}

func (s *sorter) number() {
	for _, l := range s.layers {
		for i, c := range l {
			s.cells[c].at = i
		}
	}
}

// start orders cells as a search along the edges meets them, from the top or the bottom.
// It takes the edges of each cell in their order, or shuffled in one of many ways.
func (s *sorter) start(down bool, shuffle int) {
	seen := make([]bool, len(s.cells))
	met := make([]int, len(s.cells))
	n := 0
	random := uint32(shuffle) // a linear congruential generator: the same everywhere
	mixed := func(list []int) []int {
		if shuffle == 0 {
			return list
		}
		list = slices.Clone(list)
		for i := len(list) - 1; i > 0; i-- {
			random = random*1664525 + 1013904223
			k := int(random>>16) % (i + 1)
			list[i], list[k] = list[k], list[i]
		}
		return list
	}
	visit := func(root int) {
		queue := []int{root}
		seen[root] = true
		for len(queue) > 0 {
			c := queue[0]
			queue = queue[1:]
			met[c] = n
			n++
			first, second := s.cells[c].down, s.cells[c].up
			if !down {
				first, second = second, first
			}
			for _, next := range [][]int{first, second} {
				for _, w := range mixed(next) {
					if !seen[w] {
						seen[w] = true
						queue = append(queue, w)
					}
				}
				if len(next) > 0 {
					break
				}
			}
		}
	}
	for i := range s.cells {
		c := &s.cells[i]
		if down && len(c.up) == 0 || !down && len(c.down) == 0 {
			visit(i)
		}
	}
	for layer := range s.layers {
		l := s.layers[layer]
		slices.SortFunc(l, func(a, b int) int { return met[a] - met[b] })
		items := s.tree(layer)
		s.layers[layer] = s.flatten(items, nil)
	}
	s.number()
}

// tree gathers a layer into the groups, each where its first cell stands; a group's
// label comes first in it.
func (s *sorter) tree(layer int) []item {
	cells := s.layers[layer]
	flat := true
	for _, c := range cells {
		flat = flat && s.cells[c].group < 0
	}
	if flat {
		items := make([]item, len(cells))
		for i, c := range cells {
			items[i] = item{cell: c, group: -1}
		}
		return items
	}
	if s.members == nil {
		s.members, s.entered = make([][]int, len(s.groups)+1), make([]bool, len(s.groups)+1)
	}
	// members holds by group, from -1, its items: cells as >= 0, groups as -1-group.
	var touched []int
	enter := func(gr int) {
		for ; gr >= 0 && !s.entered[gr+1]; gr = s.parent[gr] {
			s.entered[gr+1] = true
			touched = append(touched, gr)
			s.members[s.parent[gr]+1] = append(s.members[s.parent[gr]+1], -1-gr)
		}
	}
	for _, c := range cells {
		gr := s.cells[c].group
		enter(gr)
		if s.cells[c].kind == groupLabelCell {
			s.members[gr+1] = slices.Insert(s.members[gr+1], 0, c)
		} else {
			s.members[gr+1] = append(s.members[gr+1], c)
		}
	}
	items := s.gather(-1)
	s.members[0] = s.members[0][:0]
	for _, gr := range touched {
		s.members[gr+1], s.entered[gr+1] = s.members[gr+1][:0], false
	}
	return items
}

func (s *sorter) gather(gr int) []item {
	items := make([]item, len(s.members[gr+1]))
	for i, o := range s.members[gr+1] {
		if o >= 0 {
			items[i] = item{cell: o, group: gr}
		} else {
			items[i] = item{cell: -1, group: -1 - o, items: s.gather(-1 - o)}
		}
	}
	return s.keepPlace(items)
}

// keepPlace puts the groups among items into their order, in the places where groups are.
func (s *sorter) keepPlace(items []item) []item {
	if s.place == nil {
		return items
	}
	var groups []item
	for _, it := range items {
		if it.cell < 0 {
			groups = append(groups, it)
		}
	}
	if len(groups) < 2 {
		return items
	}
	slices.SortFunc(groups, func(a, b item) int { return s.place[a.group] - s.place[b.group] })
	for i := range items {
		if items[i].cell < 0 {
			items[i], groups = groups[0], groups[1:]
		}
	}
	return items
}

func (s *sorter) flatten(items []item, into []int) []int {
	for _, it := range items {
		if it.cell >= 0 {
			into = append(into, it.cell)
		} else {
			into = s.flatten(it.items, into)
		}
	}
	return into
}

// fix settles the order of groups side by side by where their cells are on average.
func (s *sorter) fix() {
	const scale = 1 << 16
	sum, n := make([]int, len(s.groups)), make([]int, len(s.groups))
	for i := range s.cells {
		c := &s.cells[i]
		for gr := c.group; gr >= 0; gr = s.parent[gr] {
			sum[gr] += c.at * scale / len(s.layers[c.layer])
			n[gr]++
		}
	}
	order := make([]int, len(s.groups))
	for gr := range order {
		order[gr] = gr
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sum[a]/n[a], sum[b]/n[b]) })
	s.place = make([]int, len(order))
	for i, gr := range order {
		s.place[gr] = i
	}
	for layer := range s.layers {
		s.layers[layer] = s.flatten(s.tree(layer), nil)
	}
	s.number()
}

// sweep orders the layers one after another by the one before, downward and upward in
// turn; by barycentres and by medians in turn.
func (s *sorter) sweep(round int, down bool) {
	median := round/2%2 == 1
	if (round%2 == 0) == down {
		for l := 1; l < len(s.layers); l++ {
			s.sortLayer(l, true, median)
		}
	} else {
		for l := len(s.layers) - 2; l >= 0; l-- {
			s.sortLayer(l, false, median)
		}
	}
}

func (s *sorter) sortLayer(layer int, byUpper, median bool) {
	s.layers[layer] = s.flatten(s.sortItems(s.tree(layer), byUpper, median), s.layers[layer][:0])
	for i, c := range s.layers[layer] {
		s.cells[c].at = i
	}
}

// sortItems sorts items by the places of the cells they are joined to; those without
// any stay where they are.
func (s *sorter) sortItems(items []item, byUpper, median bool) []item {
	type valued struct {
		item
		value int
	}
	var moving []valued
	var free []int
	for i, it := range items {
		if it.cell < 0 {
			items[i].items = s.sortItems(it.items, byUpper, median)
		}
		s.places = s.ends(items[i], byUpper, s.places[:0])
		at := s.places
		if len(at) == 0 || it.cell >= 0 && s.cells[it.cell].kind == groupLabelCell {
			continue
		}
		moving = append(moving, valued{items[i], centre(at, median)})
		free = append(free, i)
	}
	slices.SortStableFunc(moving, func(a, b valued) int { return cmp.Compare(a.value, b.value) })
	for k, i := range free {
		items[i] = moving[k].item
	}
	return s.keepPlace(items)
}

// ends appends the places of the cells above or below that the item's cells are joined to.
func (s *sorter) ends(it item, upper bool, into []int) []int {
	if it.cell < 0 {
		for _, in := range it.items {
			into = s.ends(in, upper, into)
		}
		return into
	}
	c := &s.cells[it.cell]
	list := c.down
	if upper {
		list = c.up
	}
	for _, w := range list {
		into = append(into, s.cells[w].at)
	}
	return into
}

// centre returns the mean or the median of places, scaled; the median of an even number
// leans to the side where the places are denser (Gansner et al. 1993, section 3).
func centre(at []int, median bool) int {
	const scale = 1 << 12
	if !median {
		sum := 0
		for _, v := range at {
			sum += v
		}
		return sum * scale / len(at)
	}
	slices.Sort(at)
	n := len(at)
	m := n / 2
	switch {
	case n%2 == 1:
		return at[m] * scale
	case n == 2:
		return (at[0] + at[1]) * scale / 2
	}
	left, right := at[m-1]-at[0], at[n-1]-at[m]
	if left+right == 0 {
		return (at[m-1] + at[m]) * scale / 2
	}
	return (at[m-1]*right + at[m]*left) * scale / (left + right)
}

// transpose exchanges neighbours while that removes crossings.
func (s *sorter) transpose(turn bool) {
	passes := 10
	if len(s.cells) > 6000 {
		passes = 3
	}
	// A layer is looked at again only when it or one beside it has changed since.
	n := len(s.layers)
	changed, settled := make([]int, n), make([]int, n)
	step := 1
	for pass := range passes {
		better := false
		s.turn = turn && pass == 0
		for layer := range s.layers {
			last := max(changed[layer], changed[max(layer-1, 0)], changed[min(layer+1, n-1)])
			if settled[layer] > last {
				continue
			}
			step++
			items := s.tree(layer)
			s.places = s.places[:0]
			if !s.exchange(items) {
				settled[layer] = step
				continue
			}
			better = true
			changed[layer] = step
			s.layers[layer] = s.flatten(items, s.layers[layer][:0])
			for i, c := range s.layers[layer] {
				s.cells[c].at = i
			}
		}
		if !better {
			return
		}
	}
}

// exchange exchanges neighbours among the items and within them; it reports whether any.
func (s *sorter) exchange(items []item) bool {
	better := false
	type joined struct{ up, down []int }
	ends := make([]joined, len(items))
	sorted := func(it item, upper bool) []int {
		from := len(s.places)
		s.places = s.ends(it, upper, s.places)
		out := s.places[from:]
		if !slices.IsSorted(out) {
			slices.Sort(out)
		}
		return out
	}
	for i := range items {
		if items[i].cell < 0 && s.exchange(items[i].items) {
			better = true
		}
		ends[i] = joined{sorted(items[i], true), sorted(items[i], false)}
	}
	for i := 0; i+1 < len(items); i++ {
		a, b := items[i], items[i+1]
		if a.cell >= 0 && s.cells[a.cell].kind == groupLabelCell || a.cell < 0 && b.cell < 0 && s.place != nil {
			continue
		}
		now := pairs(ends[i].up, ends[i+1].up) + pairs(ends[i].down, ends[i+1].down)
		if now == 0 {
			continue
		}
		then := pairs(ends[i+1].up, ends[i].up) + pairs(ends[i+1].down, ends[i].down)
		if then < now || then == now && s.turn {
			items[i], items[i+1] = b, a
			ends[i], ends[i+1] = ends[i+1], ends[i]
			better = true
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

// crossings counts the crossings between all layers (W. Barth, M. Juenger, P. Mutzel,
// "Simple and Efficient Bilayer Cross Counting", 2002).
func (p *part) crossings() int {
	total := 0
	var tree, lower []int
	for l := 0; l+1 < len(p.layers); l++ {
		width := len(p.layers[l+1])
		tree = append(tree[:0], make([]int, width+1)...)
		before := 0
		for _, c := range p.layers[l] {
			lower = lower[:0]
			for _, w := range p.cells[c].down {
				lower = append(lower, p.cells[w].at)
			}
			// Edges of one cell do not cross each other: all are counted, then entered.
			for _, at := range lower {
				upTo := 0
				for i := at + 1; i > 0; i &= i - 1 {
					upTo += tree[i]
				}
				total += before - upTo
			}
			for _, at := range lower {
				before++
				for i := at + 1; i <= width; i += i & -i {
					tree[i]++
				}
			}
		}
	}
	return total
}
