package draw

// This file exchanges neighbours in a layer, and counts crossings.

import "slices"

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
