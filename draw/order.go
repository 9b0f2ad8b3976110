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
