package explore

// This file is simulated annealing (Kirkpatrick, Gelatt, Vecchi).

import (
	"math"
	"slices"
)

const (
	hot  = 0.1  // first temperature: a tenth of the time at rest
	cold = 1e-5 // last temperature
)

// anneal moves one section, or exchanges two, and accepts what is worse the less often
// the colder it is. The first chain of a problem starts from list scheduling, the others
// from anywhere.
func (w *worker) anneal() {
	if len(w.free) == 0 {
		w.f.Set(w.p.start(w.allowed))
		w.look()
		return
	}
	first := w.item.number < len(w.s.problems)
	if w.best == nil && first { // no search before
		w.list()
	}
	if w.best != nil {
		w.f.Set(w.best.Genes)
	} else if !first {
		genes := w.p.start(w.allowed)
		w.scatter(genes)
		w.f.Set(genes)
	}
	if !w.more() {
		return
	}
	at := w.look()
	total := float64(w.left)
	cooling := math.Pow(cold/hot, 1/max(total, 1))
	for temperature := hot; w.more(); temperature *= cooling {
		g := w.free[w.random.IntN(len(w.free))]
		from, to := w.f.Genes[g], w.pick(g)
		other := -1
		if w.random.IntN(4) == 0 { // exchange with a section that is there
			other = w.partner(g, to, from)
		}
		back := int32(0)
		if other >= 0 {
			back = w.f.Genes[other]
			w.f.Move(other, from)
		}
		w.f.Move(g, to)
		x := w.look()
		if x <= at || w.random.Float64() < math.Exp((at-x)/temperature) {
			at = x
			continue
		}
		w.f.Undo()
		if other >= 0 {
			w.f.Move(other, back)
		}
	}
}

// partner returns a gene of the same unit that has value to and may have from, found at
// random, or -1.
func (w *worker) partner(g int, to, from int32) int {
	u := &w.p.space.Units[w.p.space.Genes[g].Unit]
	if u.General {
		return -1
	}
	start := w.random.IntN(u.Count)
	for i := range u.Count {
		o := u.First + (start+i)%u.Count
		if o != g && w.f.Genes[o] == to && slices.Contains(w.allowed[o], from) {
			return o
		}
	}
	return -1
}
