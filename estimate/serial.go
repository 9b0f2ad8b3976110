package estimate

// This file solves the program on one processor: the sequential time S_0, for
// recursive functions too.

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"pathspan/estimate/recursion"
)

// solveSerial fills serial, callees first. Recursive functions that the profile shows
// no way into, and the root does not call, have value 0. The average number of cycles of the
// functions of a component is A = C*A + O, where C holds the calls among them per
// invocation and O everything else (the algorithm for recursive calls of Cai,
// Gerstlauer and Gajski's profiler for SpecC).
func (e *Estimator) solveSerial(levels [][]level) error {
	e.serial = make([]constants, len(e.funcs))
	for _, members := range e.components {
		for _, f := range members {
			e.serial[f] = newConstants(levels[f], len(e.kinds), false)
		}
		for k := range e.kinds {
			if err := e.solveComponent(levels, members, k); err != nil {
				return err
			}
		}
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

// forms holds the values of the levels of a function, and of their parts.
type forms struct {
	levels []linear
	parts  [][]linear
}

func (e *Estimator) solveComponent(levels [][]level, members []int, k int) error {
	unknown := 0
	if e.cyclic[e.scc[members[0]]] {
		unknown = len(members)
	}
	all := make([]forms, len(members))
	for m, f := range members {
		all[m] = e.linearForms(levels[f], members, unknown, k)
	}
	a := make([]float64, len(members))
	if unknown > 0 {
		c, o := mat.NewDense(unknown, unknown, nil), mat.NewDense(unknown, 1, nil)
		for m := range members {
			o.Set(m, 0, all[m].levels[0].value)
			c.SetRow(m, all[m].levels[0].coef)
		}
		x, ok := recursion.Linear(c, o)
		if a = x.RawMatrix().Data; !ok {
			if e.reached[members[0]] {
				return e.endless(members)
			}
			clear(a) // such as threads whose start was not seen
			all = make([]forms, len(members))
		}
	}
	at := func(x *linear) float64 {
		v := x.value
		for j, w := range x.coef {
			v += w * a[j]
		}
		return v
	}
	for m, f := range members {
		for l := range all[m].levels {
			e.serial[f].levels[l][k] = at(&all[m].levels[l])
			for i := range all[m].parts[l] {
				e.serial[f].parts[l][i][k] = at(&all[m].parts[l][i])
			}
		}
	}
	return nil
}

func (e *Estimator) endless(members []int) error {
	var names []string
	for _, f := range members {
		names = append(names, e.funcs[f].fn.Name)
	}
	return fmt.Errorf("estimate: the recursion of %s has no end in the profile: each call leads to another on average; profile a run that ends by returning from main", strings.Join(names, ", "))
}

// linearForms returns the values of one entry of each level of a function.
func (e *Estimator) linearForms(levels []level, members []int, unknown, k int) forms {
	out := forms{levels: make([]linear, len(levels)), parts: make([][]linear, len(levels))}
	row := func(x *linear, t *costTable, n int) {
		for cell := n * t.tasks; cell < (n+1)*t.tasks; cell++ {
			x.value += t.base[k][cell]
			for i := t.first[cell]; i < t.first[cell+1]; i++ {
				w := t.weight[k][i]
				switch id := t.terms[i]; {
				case id.fn < 0 && id.part < 0:
					x.add(&out.levels[id.level], w)
				case id.fn < 0:
					x.add(&out.parts[id.level][id.part], w)
				case unknown > 0 && e.scc[id.fn] == e.scc[members[0]]:
					x.coef[slices.Index(members, int(id.fn))] += w
				default:
					x.value += w * e.serial[id.fn].levels[0][k]
				}
			}
		}
	}
	for l := len(levels) - 1; l >= 0; l-- {
		lev := &levels[l]
		out.parts[l] = make([]linear, lev.parts.rows)
		for i := range out.parts[l] {
			out.parts[l][i].coef = make([]float64, unknown)
			row(&out.parts[l][i], &lev.parts, i)
		}
		x := &out.levels[l]
		x.coef = make([]float64, unknown)
		row(x, &lev.sum, 0)
		for _, o := range lev.orphans {
			x.add(&out.levels[o], 1)
		}
		x.value /= lev.denom
		for i := range x.coef {
			x.coef[i] /= lev.denom
		}
	}
	return out
}
