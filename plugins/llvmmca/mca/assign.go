package mca

// This file assigns machine blocks to IR blocks and edges.

import "slices"

// share is a machine block's part in an IR block or edge.
type share struct {
	block  int     // machine block
	weight float64 // executions for one of the IR block or edge
}

// edge is an edge between IR blocks.
type edge struct{ from, to int }

// assignment says which machine code is executed with which IR block.
type assignment struct {
	blocks [][]share // by IR block, ascending by machine block
	// ways are, by IR block, the machine blocks in an order in which control flows
	// forward, for the shortest and the longest way; nil where there is one block.
	ways  [][]int
	edges map[edge][]int
}

// assign gives each machine block of a function to one IR block, or to the edges into one.
// A block that bears an IR block's name is that one's. Blocks that llc added are placed by
// the control flow around them, see place.
func assign(f *machineFunc, names []string, succs [][]int) *assignment {
	p := placer{f: f, owner: make([]int, len(f.blocks)), succs: succs, preds: make([][]int, len(names)), mpreds: make([][]int, len(f.blocks))}
	index := map[string]int{}
	for i, n := range names {
		index[n] = i
	}
	for i, ss := range succs {
		for _, s := range ss {
			if !slices.Contains(p.preds[s], i) {
				p.preds[s] = append(p.preds[s], i)
			}
		}
	}
	for i, b := range f.blocks {
		p.owner[i] = -1
		if k, ok := index[b.name]; ok {
			p.owner[i] = k
		}
		for _, s := range b.succs {
			p.mpreds[s] = append(p.mpreds[s], i)
		}
	}
	a := &assignment{blocks: make([][]share, len(names)), ways: make([][]int, len(names)), edges: map[edge][]int{}}
	final := slices.Clone(p.owner)
	for i := range f.blocks {
		if p.owner[i] >= 0 {
			continue
		}
		owner, edges := p.place(i)
		final[i] = owner
		for _, e := range edges {
			a.edges[e] = append(a.edges[e], i)
		}
	}
	groups := make([][]int, len(names))
	for i, k := range final {
		if k >= 0 {
			groups[k] = append(groups[k], i)
		}
	}
	for k, g := range groups {
		a.blocks[k], a.ways[k] = p.weigh(g)
	}
	return a
}

type placer struct {
	f      *machineFunc
	owner  []int   // IR block by machine block, -1 for those that llc added
	succs  [][]int // of IR blocks
	preds  [][]int
	mpreds [][]int // of machine blocks
}

// place finds where an added block belongs: to an IR block, or (owner -1) to edges.
func (p *placer) place(i int) (owner int, edges []edge) {
	from := p.reach(i, func(j int) []int { return p.mpreds[j] })
	to := p.reach(i, func(j int) []int { return p.f.blocks[j].succs })
	within := func(a, b []int) bool {
		return !slices.ContainsFunc(a, func(x int) bool { return !slices.Contains(b, x) })
	}
	if len(from) == 1 && within(p.succs[from[0]], to) {
		return from[0], nil // executed whenever its source is
	}
	if len(to) == 1 && within(p.preds[to[0]], from) {
		return to[0], nil // executed whenever its target is
	}
	if len(to) == 1 && len(from) > 0 && within(from, p.preds[to[0]]) {
		for _, x := range from {
			edges = append(edges, edge{x, to[0]})
		}
		return -1, edges
	}
	if len(from) == 1 {
		return from[0], nil
	}
	for j := i - 1; j >= 0; j-- { // llc adds blocks behind those they come from
		if p.owner[j] >= 0 {
			return p.owner[j], nil
		}
	}
	return 0, nil
}

// reach returns the IR blocks that are met from an added block through added blocks only,
// ascending.
func (p *placer) reach(i int, next func(int) []int) []int {
	seen := map[int]bool{i: true}
	var met []int
	for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
		for _, j := range next(queue[0]) {
			switch {
			case seen[j]:
			case p.owner[j] >= 0:
				met = append(met, p.owner[j])
			default:
				queue = append(queue, j)
			}
			seen[j] = true
		}
	}
	slices.Sort(met)
	return slices.Compact(met)
}

// weigh tells how often each machine block of a group runs when its IR block runs once:
// control enters at the first, branches go either way equally often, loops run once. A
// block that cannot be seen to be reached, as through a jump table, counts fully.
func (p *placer) weigh(group []int) ([]share, []int) {
	shares := make([]share, len(group))
	for i, g := range group {
		shares[i] = share{g, 1}
	}
	if len(group) < 2 {
		return shares, nil
	}
	in := func(j int) bool { _, ok := slices.BinarySearch(group, j); return ok }
	head := group[0]
	for _, g := range group {
		if !slices.ContainsFunc(p.mpreds[g], in) && g != 0 || g == 0 {
			head = g
			break
		}
	}
	order := p.forward(head, in)
	position := map[int]int{}
	for i, j := range order {
		position[j] = i
	}
	weight := map[int]float64{head: 1}
	for i, j := range order {
		back := func(s int) bool { k, ok := position[s]; return ok && k <= i }
		ways := slices.DeleteFunc(slices.Clone(p.f.blocks[j].succs), back)
		for _, s := range ways {
			if _, ok := position[s]; ok {
				weight[s] += weight[j] / float64(len(ways))
			}
		}
	}
	for i, g := range group {
		if _, ok := position[g]; ok {
			shares[i].weight = min(1, weight[g])
		}
	}
	return shares, order
}

// forward returns the blocks of a group that are reached from its head, in reverse
// postorder.
func (p *placer) forward(head int, in func(int) bool) []int {
	seen := map[int]bool{}
	var order []int
	var visit func(int)
	visit = func(j int) {
		seen[j] = true
		for _, s := range p.f.blocks[j].succs {
			if in(s) && !seen[s] {
				visit(s)
			}
		}
		order = append(order, j)
	}
	visit(head)
	slices.Reverse(order)
	return order
}
