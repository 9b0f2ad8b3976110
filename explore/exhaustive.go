package explore

// This file is exhaustive search: of one unit, or of all of them together.

import (
	"math"
	"slices"
)

// exhaust tries every choice of its item. Of a unit it keeps the choices of least cost,
// of all units together the best candidates.
func (w *worker) exhaust() {
	allowed := w.p.within(w.p.sets[w.item.set])
	first, count := 0, len(allowed)
	if w.item.unit != whole {
		u := &w.p.space.Units[w.item.unit]
		first, count = u.First, u.Count
	}
	w.limit(allowed, first, count)
	w.f.Set(w.p.start(allowed))
	x := &exhaustion{w: w, c: w.p.newChoices(allowed), order: w.s.order(w.p, w.item.unit, allowed)}
	x.values = make([][]int32, len(x.order)+1)
	w.complete = x.walk(0) && !w.cut && (w.front == nil || !w.front.thinned)
}

type exhaustion struct {
	w      *worker
	c      *choices
	order  []int
	values [][]int32 // by depth, scratch
}

// walk reports whether it came to the end.
func (x *exhaustion) walk(d int) bool {
	w := x.w
	if d == len(x.order) {
		if !w.more() {
			return false
		}
		if w.item.unit == whole {
			w.look()
		} else {
			w.lookAtUnit()
		}
		return true
	}
	g := x.order[d]
	if d < len(w.item.prefix) {
		x.values[d] = append(x.values[d][:0], w.item.prefix[d])
	} else {
		x.values[d] = x.c.of(g, x.values[d][:0])
	}
	for _, v := range x.values[d] {
		x.c.choose(g, v)
		if w.f.Genes[g] != v {
			w.f.Move(g, v)
		}
		on := x.walk(d + 1)
		x.c.undo(g)
		if !on {
			return false
		}
	}
	return true
}

// lookAtUnit values what the unit adds and keeps it unless a choice is as good.
func (w *worker) lookAtUnit() {
	w.used++
	w.left--
	part := w.partOf()
	if math.IsInf(part.Seconds, 1) {
		return // a recursion without solution
	}
	if !slices.ContainsFunc(w.parts, func(o Part) bool { return w.s.covers(&o, &part) }) {
		u := &w.p.space.Units[w.item.unit]
		part.Genes = slices.Clone(w.f.Genes[u.First : u.First+u.Count])
		w.parts = uncovered(w.parts, part, w.s.covers)
	}
}

// partOf returns what the unit adds.
func (w *worker) partOf() Part {
	part := Part{Seconds: w.f.UnitSeconds(w.item.unit)}
	if w.s.wants(Energy) {
		clear(w.busy)
		w.f.UnitBusySeconds(w.item.unit, w.busy)
		part.Joules = finite(w.s.power.Joules(part.Seconds, w.busy))
	}
	return part
}

// covers reports whether a part is no worse than another in what the search needs: time,
// energy or both.
func (s *Search) covers(a, b *Part) bool {
	time, energy := s.needs()
	return (!time || a.Seconds <= b.Seconds) && (!energy || a.Joules <= b.Joules)
}

// needs says which costs of units decide.
func (s *Search) needs() (time, energy bool) {
	energy = s.wants(Energy)
	time = !energy || s.wants(Time) || s.wants(Speedup) || s.Constraints.MinSpeedup > 0
	return time, energy
}

// sum is a choice of one part for each unit so far.
type sum struct {
	part  Part
	picks []int // by unit
}

// maxSums bounds the choices that are kept while units are added up.
const maxSums = 20000

// combine adds up the best parts of all units, for one problem and set of processors, and
// looks at what can be best. It reports whether nothing was left out.
func (w *worker) combine(allowed [][]int32, parts [][]Part) bool {
	space, all := w.p.space, true
	genes := w.p.start(allowed)
	sums := []sum{{}}
	for u := range space.Units {
		if len(parts[u]) == 0 { // not searched: it stays at the start
			all = false
			for i := range sums {
				sums[i].picks = append(sums[i].picks, -1)
			}
			continue
		}
		var next []sum
		for _, a := range sums {
			for i := range parts[u] {
				x := sum{Part{nil, a.part.Seconds + parts[u][i].Seconds, a.part.Joules + parts[u][i].Joules}, append(slices.Clone(a.picks), i)}
				next = uncovered(next, x, func(a, b *sum) bool { return w.s.covers(&a.part, &b.part) })
			}
			if len(next) > maxSums {
				next, all = next[:maxSums], false
			}
		}
		sums = next
	}
	for _, x := range sums {
		for u, i := range x.picks {
			if i >= 0 {
				copy(genes[space.Units[u].First:], parts[u][i].Genes)
			}
		}
		w.f.Set(genes)
		w.look()
	}
	return all
}
