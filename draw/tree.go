package draw

// This file keeps the cells of a group together in each layer, and groups side by side
// in one order.

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
