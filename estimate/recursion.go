package estimate

// This file solves recursive functions whose tasks run in parallel.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// recursion is the system of equations of one component of the call graph: the value
// of each of its functions, in each context in which it is called, as a function of
// those values. It is piecewise linear, as times are sums and maxima.
type recursion struct {
	component int
	unknowns  []instance
	values    []float64
}

type instance struct {
	hot     int
	context context
}

// Limits of Newton's method.
const (
	converged = 1e-12 // largest relative change of the last step
	settled   = 1e-10 // accepted when steps no longer get smaller
	maxSteps  = 200
)

// recursive returns the value of a recursive function in a context, and solves its
// component first when it is not being solved.
func (v *evaluator) recursive(h int, c context) float64 {
	f := v.e.hot[h]
	start := v.e.serial[f.fn].levels[0][v.kind(c)]
	r := v.recursion
	if r != nil && r.component == v.e.scc[f.fn] {
		r.unknowns = append(r.unknowns, instance{h, c})
		v.values[c][h], v.state[c][h] = start, provisional
		return start
	}
	outer := v.recursion
	r = &recursion{component: v.e.scc[f.fn], unknowns: []instance{{h, c}}}
	v.recursion = r
	v.values[c][h], v.state[c][h] = start, provisional
	v.newton(r)
	v.recursion = outer
	for _, u := range r.unknowns {
		v.state[u.context][u.hot] = known
	}
	return v.values[c][h]
}

// newton solves x = F(x) from the serial solution on. As F is convex and increasing,
// Newton's method with any of its subgradients approaches the solution from above after
// the first step. The Jacobian is taken from one-sided differences, which are exact
// between the kinks of F; at a kink, such as two sections that take equally long, they
// would count both sides, so the differences are taken beside x.
func (v *evaluator) newton(r *recursion) {
	last := math.Inf(1)
	for range maxSteps {
		v.apply(r) // finds further unknowns
		n := len(r.unknowns)
		for v.apply(r); len(r.unknowns) > n; v.apply(r) {
			n = len(r.unknowns)
		}
		f := append([]float64(nil), r.values...)
		x := v.current(r)
		a := v.jacobian(r, x)
		for i := range n {
			for j := range n {
				a.Set(i, j, -a.At(i, j))
			}
			a.Set(i, i, 1+a.At(i, i))
		}
		b := mat.NewVecDense(n, nil)
		for i := range n {
			b.SetVec(i, f[i]-x[i])
		}
		var lu mat.LU
		lu.Factorize(a)
		d := mat.NewVecDense(n, nil)
		if err := lu.SolveVecTo(d, false, b); err != nil || lu.Cond() > singular {
			v.fail(r)
			return
		}
		change := 0.0
		for i, u := range r.unknowns {
			v.values[u.context][u.hot] = x[i] + d.AtVec(i)
			change = math.Max(change, math.Abs(d.AtVec(i))/math.Max(math.Abs(x[i]), 1))
		}
		if !plausible(v.current(r)) {
			v.fail(r)
			return
		}
		if change < converged || change < settled && change >= last {
			return
		}
		last = change
	}
	v.fail(r)
}

// Steps of differences: how far beside x they are taken, and how wide they are.
const (
	beside = 1e-5
	width  = 1e-8
)

// jacobian returns that of F near x, a vector of one value for each unknown.
func (v *evaluator) jacobian(r *recursion, x []float64) *mat.Dense {
	n := len(x)
	scale := 1.0
	for _, y := range x {
		scale = math.Max(scale, math.Abs(y))
	}
	at := func(i int) float64 { // no two at the same distance from x
		_, f := math.Modf(float64(i+1) * math.Phi)
		return x[i] + scale*beside*(1+f)
	}
	for i, u := range r.unknowns {
		v.values[u.context][u.hot] = at(i)
	}
	v.apply(r)
	f := append([]float64(nil), r.values...)
	a := mat.NewDense(n, n, nil)
	for j, u := range r.unknowns {
		v.values[u.context][u.hot] = at(j) + scale*width
		v.apply(r)
		v.values[u.context][u.hot] = at(j)
		for i := range n {
			a.Set(i, j, (r.values[i]-f[i])/(scale*width))
		}
	}
	for i, u := range r.unknowns {
		v.values[u.context][u.hot] = x[i]
	}
	return a
}

// apply evaluates F into values.
func (v *evaluator) apply(r *recursion) {
	r.values = r.values[:0]
	for i := 0; i < len(r.unknowns); i++ {
		r.values = append(r.values, v.function(r.unknowns[i].hot, r.unknowns[i].context))
	}
}

func (v *evaluator) current(r *recursion) []float64 {
	x := make([]float64, len(r.unknowns))
	for i, u := range r.unknowns {
		x[i] = v.values[u.context][u.hot]
	}
	return x
}

func (v *evaluator) fail(r *recursion) {
	if v.err == nil {
		f := v.e.funcs[v.e.hot[r.unknowns[0].hot].fn].fn.Name
		v.err = fmt.Errorf("estimate: the recursion through %s has no solution under this mapping: each call leads to another on average; map the regions that it reaches to fewer processors, or lower the overheads", f)
	}
}
