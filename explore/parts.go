package explore

// This file cuts the searches that prove their result into work items: by serial
// processor, set of processors, unit, and the first choices within a unit.

import (
	"math"
	"slices"

	"pathspan/estimate/table"
)

// partBatch is how many items see the same results of others.
const partBatch = 16

// prefixDepth is how many choices an item has made at most.
const prefixDepth = 3

// partItems gives the items in batches. What earlier batches left of the budget goes to
// those that remain.
func partItems(s *Search, batch int, before []*Outcome) []item {
	if s.pieces == nil {
		s.pieces = s.cutUp()
	}
	first := batch * partBatch
	if first >= len(s.pieces) {
		return nil
	}
	all := slices.Clone(s.pieces[first:min(first+partBatch, len(s.pieces))])
	left := s.Evaluations
	for _, o := range before {
		left -= o.Evaluations
	}
	rest := int64(len(s.pieces) - first)
	for i := range all {
		all[i].budget = max((left+rest-1)/rest, 1)
		if s.Time > 0 || s.choice.name == "exhaustive" && s.size <= float64(s.Evaluations) {
			all[i].budget = math.MaxInt64
		}
	}
	return all
}

// cutUp lists all items.
func (s *Search) cutUp() []item {
	var all []item
	for i, p := range s.problems {
		for set := range p.sets {
			allowed := p.within(p.sets[set])
			units := []int{whole}
			if !s.whole() {
				units = units[:0]
				for u := range p.space.Units {
					units = append(units, u)
				}
			}
			for _, u := range units {
				order := s.order(p, u, allowed)
				for _, prefix := range p.prefixes(order, allowed) {
					all = append(all, item{number: len(all), problem: i, set: set, unit: u, prefix: prefix})
				}
			}
		}
	}
	return all
}

// order returns the genes of an item in the order in which they are chosen.
func (s *Search) order(p *problem, unit int, allowed [][]int32) []int {
	var genes []int
	for _, u := range p.units(unit) {
		x := &p.space.Units[u]
		if s.choice.name == "branch-and-bound" && !x.General && !x.Loop {
			genes = append(genes, p.space.NewPartial(u, allowed, s.price(s.Objective)).Order...)
			continue
		}
		for g := x.First; g < x.First+x.Count; g++ {
			genes = append(genes, g)
		}
	}
	return genes
}

// units lists the units of an item: the general one comes first.
func (p *problem) units(unit int) []int {
	if unit != whole {
		return []int{unit}
	}
	var all []int
	for u := range p.space.Units {
		if p.space.Units[u].General {
			all = slices.Insert(all, 0, u)
		} else {
			all = append(all, u)
		}
	}
	return all
}

// choices walks through candidates that differ in more than the names of interchangeable
// processors: of those that no chosen section runs on, the first of each class is tried.
type choices struct {
	p       *problem
	allowed [][]int32
	genes   []int32 // what is chosen so far
	used    []int   // by processor: sections chosen
}

func (p *problem) newChoices(allowed [][]int32) *choices {
	return &choices{p, allowed, make([]int32, len(allowed)), make([]int, len(p.class))}
}

// of appends the values to try for a gene.
func (c *choices) of(g int, out []int32) []int32 {
	if c.p.space.Genes[g].Kind != table.Placement {
		return append(out, c.allowed[g]...)
	}
	if c.idle(g) {
		return append(out, c.allowed[g][0])
	}
	for i, v := range c.allowed[g] {
		twin := func(u int32) bool { return c.used[u] == 0 && c.p.class[u] == c.p.class[v] }
		if c.used[v] > 0 || !slices.ContainsFunc(c.allowed[g][:i], twin) {
			out = append(out, v)
		}
	}
	return out
}

// idle reports that a placement does not count, as its region is not spread.
func (c *choices) idle(g int) bool { return c.p.spread[g] >= 0 && c.genes[c.p.spread[g]] == 0 }

func (c *choices) choose(g int, v int32) {
	c.genes[g] = v
	if c.p.space.Genes[g].Kind == table.Placement && !c.idle(g) {
		c.used[v]++
	}
}

func (c *choices) undo(g int) {
	if c.p.space.Genes[g].Kind == table.Placement && !c.idle(g) {
		c.used[c.genes[g]]--
	}
}

// prefixes lists the first choices that items begin with.
func (p *problem) prefixes(order []int, allowed [][]int32) [][]int32 {
	depth := min(prefixDepth, len(order)-2)
	if depth < 1 {
		return [][]int32{nil}
	}
	c := p.newChoices(allowed)
	var all [][]int32
	var next func(d int)
	next = func(d int) {
		if d == depth {
			var prefix []int32
			for _, g := range order[:depth] {
				prefix = append(prefix, c.genes[g])
			}
			all = append(all, prefix)
			return
		}
		for _, v := range c.of(order[d], nil) {
			c.choose(order[d], v)
			next(d + 1)
			c.undo(order[d])
		}
	}
	next(0)
	if len(all) > 64 { // many processors of many kinds: no need to cut further
		return [][]int32{nil}
	}
	return all
}
