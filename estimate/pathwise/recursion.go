package pathwise

// This file solves recursive functions. Their values are the solution of x = F(x),
// where F adds, and takes maxima of, affine forms. At any x the maxima choose one form
// each; the linear system that these make is solved exactly, and so on from its
// solution until the choices hold. From below this climbs to the least solution
// (Newton's method for convex F).

import (
	"fmt"
	"maps"
	"math"

	"gonum.org/v1/gonum/mat"
)

// system is the recursion of one component.
type system struct {
	unknowns []spot
	index    map[spot]int
	x        []float64
}

// rounds bounds the search; each choice of maxima is met once at most.
const rounds = 1000

func (w *walker) recursive(at spot) amount {
	if x, ok := w.solved[at]; ok {
		return amount{micros: x}
	}
	c := w.p.component[at.fn]
	if s := w.solving[c]; s != nil {
		u := s.unknown(at)
		return amount{s.x[u], map[int]float64{u: 1}}
	}
	s := &system{index: map[spot]int{}}
	s.unknown(at)
	w.solving[c] = s
	w.solve(s, c)
	delete(w.solving, c)
	w.forget(c)
	for u, spot := range s.unknowns {
		w.solved[spot] = s.x[u]
	}
	return amount{micros: w.solved[at]}
}

func (s *system) unknown(at spot) int {
	u, ok := s.index[at]
	if !ok {
		u = len(s.unknowns)
		s.index[at] = u
		s.unknowns, s.x = append(s.unknowns, at), append(s.x, 0)
	}
	return u
}

// forget drops the values of levels that depend on unknowns.
func (w *walker) forget(component int) {
	of := func(at spot, _ amount) bool { return w.p.component[at.fn] == component }
	maps.DeleteFunc(w.levels, of)
	maps.DeleteFunc(w.pooled, of)
}

func (w *walker) solve(s *system, component int) {
	last := math.Inf(1)
	for range rounds {
		w.forget(component)
		var f []amount
		for u := 0; u < len(s.unknowns); u++ { // more may be found
			f = append(f, w.level(s.unknowns[u]))
		}
		n := len(f)
		a, b := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for u := range f {
			constant := f[u].micros
			for v := range n {
				slope := f[u].slope[v]
				constant -= slope * s.x[v]
				a.Set(u, v, -slope)
			}
			a.Set(u, u, a.At(u, u)+1)
			b.SetVec(u, constant)
		}
		x := mat.NewVecDense(n, nil)
		if err := x.SolveVec(a, b); err != nil && !isCondition(err) {
			w.fail(s)
			return
		}
		change := 0.0
		for u := range f {
			if v := x.AtVec(u); math.IsNaN(v) || v < -1e-9 || math.IsInf(v, 0) {
				w.fail(s)
				return
			}
			change = max(change, math.Abs(x.AtVec(u)-s.x[u])/max(math.Abs(s.x[u]), 1e-9))
			s.x[u] = x.AtVec(u)
		}
		if change < 1e-13 || change < 1e-10 && change >= last {
			return
		}
		last = change
	}
	w.fail(s)
}

// isCondition reports whether a system was solved, if inexactly.
func isCondition(err error) bool {
	c, ok := err.(mat.Condition)
	return ok && !math.IsInf(float64(c), 0)
}

func (w *walker) fail(s *system) {
	if w.err == nil {
		w.err = fmt.Errorf("verify: the recursion of %s has no solution", w.p.funcs[s.unknowns[0].fn].fn.Name)
	}
}
