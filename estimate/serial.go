package estimate

// This file solves the program on one processor: the sequential time S_0, for
// recursive functions too.

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// singular is the condition number from which a recursion counts as never ending.
const singular = 1e13

// solveSerial fills serial, callees first. The average number of cycles of the
// functions of a component is A = C*A + O, where C holds the calls among them per
// invocation and O everything else (the algorithm for recursive calls of Cai,
// Gerstlauer and Gajski's profiler for SpecC).
func (e *Estimator) solveSerial(levels [][]level) error {
	e.serial = make([][][]float64, len(e.funcs))
	for i := 0; i < len(e.order); {
		j := i + 1
		for j < len(e.order) && e.scc[e.order[j]] == e.scc[e.order[i]] {
			j++
		}
		members := e.order[i:j]
		for _, f := range members {
			e.serial[f] = make([][]float64, len(levels[f]))
			for l := range e.serial[f] {
				e.serial[f][l] = make([]float64, len(e.kinds))
			}
		}
		for k := range e.kinds {
			if err := e.solveComponent(levels, members, k); err != nil {
				return err
			}
		}
		i = j
	}
	return nil
}

// linear is a value that depends on those of the functions of a component: a
// constant and a coefficient for each of them.
type linear struct {
	value float64
	coef  []float64
}

func (x *linear) add(y *linear, w float64) {
	x.value += y.value * w
	for i := range y.coef {
		x.coef[i] += y.coef[i] * w
	}
}

func (e *Estimator) solveComponent(levels [][]level, members []int, k int) error {
	unknown := 0
	if e.cyclic[e.scc[members[0]]] {
		unknown = len(members)
	}
	forms := make([][]linear, len(members))
	for m, f := range members {
		forms[m] = e.linearForms(levels[f], members, unknown, k)
	}
	a := make([]float64, len(members))
	if unknown == 0 {
		a[0] = forms[0][0].value
	} else {
		c, o := mat.NewDense(unknown, unknown, nil), mat.NewVecDense(unknown, nil)
		for m := range members {
			o.SetVec(m, forms[m][0].value)
			for j, w := range forms[m][0].coef {
				c.Set(m, j, -w)
			}
			c.Set(m, m, 1+c.At(m, m))
		}
		var lu mat.LU
		lu.Factorize(c)
		x := mat.NewVecDense(unknown, a)
		if err := lu.SolveVecTo(x, false, o); err != nil || lu.Cond() > singular || !plausible(a) {
			return e.endless(members)
		}
	}
	for m, f := range members {
		for l := range forms[m] {
			v := forms[m][l].value
			for j, w := range forms[m][l].coef {
				v += w * a[j]
			}
			e.serial[f][l][k] = v
		}
	}
	return nil
}

// plausible reports whether a recursion's solution can be times.
func plausible(a []float64) bool {
	for _, x := range a {
		if math.IsNaN(x) || math.IsInf(x, 0) || x < 0 {
			return false
		}
	}
	return true
}

func (e *Estimator) endless(members []int) error {
	var names []string
	for _, f := range members {
		names = append(names, e.funcs[f].fn.Name)
	}
	return fmt.Errorf("estimate: the recursion of %s has no end in the profile: each call leads to another on average; profile a run that ends by returning from main", strings.Join(names, ", "))
}

// linearForms returns the value of one entry of each level of a function.
func (e *Estimator) linearForms(levels []level, members []int, unknown, k int) []linear {
	forms := make([]linear, len(levels))
	for l := len(levels) - 1; l >= 0; l-- {
		lev, x := &levels[l], &forms[l]
		x.coef = make([]float64, unknown)
		t := &lev.sum
		for cell := range t.tasks {
			x.value += t.base[k][cell]
			for i := t.first[cell]; i < t.first[cell+1]; i++ {
				w := t.weight[k][i]
				switch id := t.terms[i]; {
				case !id.function():
					x.add(&forms[id.level()], w)
				case unknown > 0 && e.scc[id] == e.scc[members[0]]:
					x.coef[indexOf(members, int(id))] += w
				default:
					x.value += w * e.serial[id][0][k]
				}
			}
		}
		for _, o := range lev.orphans {
			x.add(&forms[o], 1)
		}
		x.value /= lev.denom
		for i := range x.coef {
			x.coef[i] /= lev.denom
		}
	}
	return forms
}

// indexOf finds a function among the ascending members of a component.
func indexOf(members []int, f int) int {
	lo, hi := 0, len(members)
	for lo < hi {
		if mid := (lo + hi) / 2; members[mid] < f {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
