package explore

// This file is branch and bound, depth first: sections are placed one after the other,
// those with the most work first, and a placement is given up when its lower bound is no
// better than the best candidate known.

import (
	"cmp"
	"math"
	"slices"

	"pathspan/estimate/table"
)

// nearly is how much below the best a bound must be to go on: differences below it are
// those of rounding.
const nearly = 1 - 1e-11

// branch searches its item, starting from what list scheduling and earlier batches found.
func (w *worker) branch() {
	s, p := w.s, w.p
	allowed := p.within(p.sets[w.item.set])
	b := &branching{w: w, c: p.newChoices(allowed), price: s.price(s.Objective), best: math.Inf(1), memory: make([]float64, len(p.class))}
	first, count := 0, len(allowed)
	if w.item.unit != whole {
		u := &p.space.Units[w.item.unit]
		first, count = u.First, u.Count
	}
	w.limit(allowed, first, count)
	for _, u := range p.units(w.item.unit) {
		x := branchUnit{Unit: &p.space.Units[u], index: u}
		if x.General || x.Loop {
			for g := x.First; g < x.First+x.Count; g++ {
				x.order = append(x.order, g)
			}
			x.lower = p.space.UnitBounds(u, allowed).Combined * b.price.PerSecond
		} else {
			x.partial = p.space.NewPartial(u, allowed, b.price)
			x.order = x.partial.Order
			x.lower = x.partial.Bound()
		}
		b.units = append(b.units, x)
	}
	if w.item.unit == whole {
		b.base = p.space.BaseSeconds() * b.price.PerSecond
		if b.price.PerBusySecond != nil {
			b.base += p.space.BaseSeconds() * b.price.PerBusySecond[p.space.Serial]
		}
	}
	w.list()
	b.take(w.best)
	for i, o := range w.before {
		if it := s.pieces[i]; it.problem != w.item.problem || it.set != w.item.set || it.unit != w.item.unit {
			continue
		}
		if w.item.unit == whole {
			b.take(o.Best)
		}
		for k := range o.Parts {
			copy(w.f.Genes[first:], o.Parts[k].Genes)
			w.f.Set(slices.Clone(w.f.Genes))
			b.keep()
		}
	}
	// What is not proven with half of the budget is improved with the other half.
	rest := w.left / 2
	if w.left == math.MaxInt64 {
		rest = 0
	}
	w.left -= rest
	w.complete = b.node(0, 0, 0) && !w.cut
	if w.left += rest; w.complete || w.cut || rest == 0 {
		return
	}
	w.anneal()
	b.take(w.best)
}

// branching is the state of one item.
type branching struct {
	w      *worker
	c      *choices
	price  table.Price
	units  []branchUnit
	base   float64 // price of what is outside of all units
	best   float64 // price of the best known
	memory []float64
}

type branchUnit struct {
	*table.Unit
	index   int
	order   []int
	partial *table.Partial // nil for general units and loops
	lower   float64        // before anything is placed
	fixed   float64        // price, when all of it is placed
}

// value is the price of the candidate of f, of the unit searched or as a whole.
func (b *branching) value() float64 {
	w := b.w
	if w.item.unit != whole {
		return b.priceOf(w.item.unit)
	}
	clear(w.busy)
	if b.price.PerBusySecond != nil {
		w.f.BusySeconds(w.busy)
	}
	return b.priced(w.f.Seconds())
}

// priceOf is the price of one unit of f.
func (b *branching) priceOf(unit int) float64 {
	w := b.w
	clear(w.busy)
	if b.price.PerBusySecond != nil {
		w.f.UnitBusySeconds(unit, w.busy)
	}
	return b.priced(w.f.UnitSeconds(unit))
}

// priced adds to the price of a time that of w.busy.
func (b *branching) priced(seconds float64) float64 {
	x := b.price.PerSecond * seconds
	for p, more := range b.price.PerBusySecond {
		x += more * b.w.busy[p]
	}
	return x
}

// take looks at a candidate that a search before found.
func (b *branching) take(c *Candidate) {
	if c != nil && c.Violation == 0 {
		b.w.f.Set(c.Genes)
		b.keep()
	}
}

// keep keeps the candidate of f if it is the best.
func (b *branching) keep() {
	w := b.w
	x := b.value()
	if !(x < b.best) || w.item.unit == whole && (w.s.limits.tied && w.overfull() > 0 || w.unfit()) {
		return
	}
	b.best = x
	if w.item.unit == whole {
		w.look()
		return
	}
	u := &w.p.space.Units[w.item.unit]
	part := w.partOf()
	part.Genes = slices.Clone(w.f.Genes[u.First : u.First+u.Count])
	w.parts = []Part{part}
}

// child is a value of a gene and its bound.
type child struct {
	value int32
	bound float64
}

// node goes on with choice d of unit k and reports whether it came to the end; chosen
// counts the choices so far.
func (b *branching) node(k, d, chosen int) bool {
	w := b.w
	if k == len(b.units) {
		w.used++
		w.left--
		b.keep()
		return w.more()
	}
	u := &b.units[k]
	if d == len(u.order) {
		if u.partial != nil {
			u.fixed = u.partial.Bound()
		} else {
			u.fixed = b.priceOf(u.index)
		}
		return b.node(k+1, 0, chosen)
	}
	// What is fixed, and the least of what is not begun.
	others := b.base
	for i := range b.units {
		switch {
		case i < k:
			others += b.units[i].fixed
		case i > k:
			others += b.units[i].lower
		}
	}
	g := u.order[d]
	var children []child
	for _, v := range b.c.of(g, nil) {
		if chosen < len(w.item.prefix) && w.item.prefix[chosen] != v {
			continue
		}
		if w.s.limits.tied && w.p.space.Genes[g].Kind == table.Placement && w.p.demand[g] > 0 && b.memory[v]+w.p.demand[g] > w.s.limits.memory[v] {
			continue
		}
		bound := others + u.lower
		if u.partial != nil {
			w.used++
			w.left--
			u.partial.Place(v)
			bound = others + u.partial.Bound()
			u.partial.Take()
		}
		children = append(children, child{v, bound})
	}
	slices.SortStableFunc(children, func(a, b child) int { return cmp.Compare(a.bound, b.bound) })
	for _, x := range children {
		if x.bound >= b.best*nearly {
			break // so are the others
		}
		if !w.more() {
			return false
		}
		b.c.choose(g, x.value)
		if w.f.Genes[g] != x.value {
			w.f.Move(g, x.value)
		}
		if u.partial != nil {
			u.partial.Place(x.value)
		}
		placement := w.p.space.Genes[g].Kind == table.Placement
		if placement {
			b.memory[x.value] += w.p.demand[g]
		}
		on := b.node(k, d+1, chosen+1)
		if placement {
			b.memory[x.value] -= w.p.demand[g]
		}
		if u.partial != nil {
			u.partial.Take()
		}
		b.c.undo(g)
		if !on {
			return false
		}
	}
	return true
}
