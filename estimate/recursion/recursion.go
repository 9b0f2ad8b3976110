// Package recursion solves what functions, or ways of executing constructs, that lead to
// each other take: systems of linear equations, and of sums and maxima.
//
//	x, ok := recursion.Linear(c, o) // x = C*x + o
//	err := recursion.Newton(system) // x = F(x)
//
// It knows nothing of programs: a caller says what its unknowns are, and what it means
// that there is no solution, as where each call leads to another on average.
package recursion

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// singular is the condition number from which a recursion counts as never ending.
const singular = 1e13

// Linear solves x = C*x + o for each column of o. It reports false where there is no
// solution, or none of times and counts, which are 0 or more.
func Linear(c mat.Matrix, o *mat.Dense) (x *mat.Dense, ok bool) {
	x, ok = solve(c, o)
	return x, ok && plausible(x.RawMatrix().Data)
}

func solve(c mat.Matrix, o *mat.Dense) (x *mat.Dense, ok bool) {
	n, figures := o.Dims()
	a := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, -c.At(i, j))
		}
		a.Set(i, i, 1+a.At(i, i))
	}
	var lu mat.LU
	lu.Factorize(a)
	x = mat.NewDense(n, figures, nil)
	err := lu.SolveTo(x, false, o)
	return x, err == nil && lu.Cond() <= singular
}

// plausible reports whether a recursion's solution can be times.
func plausible(all []float64) bool {
	return !slices.ContainsFunc(all, func(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) })
}

// System is a system of equations x = F(x), where F adds unknowns and takes maxima of sums.
type System interface {
	// Values returns what is assumed of the unknowns that are known so far.
	Values() []float64
	Assume(x []float64)
	// Apply returns F of what is assumed. It may come upon further unknowns.
	Apply() ([]float64, error)
}

// ErrNone is the error of a system without solution.
var ErrNone = errors.New("a recursion without solution")

// Limits of Newton's method, and steps of differences: how far beside x they are taken, and
// how wide they are.
const (
	converged = 1e-12 // largest relative change of the last step
	settled   = 1e-10 // accepted when steps no longer get smaller
	maxSteps  = 200
	beside    = 1e-5
	width     = 1e-8
)

// Newton solves a system from what it assumes. As F is convex and increasing, Newton's method
// with any of its subgradients approaches the solution from above after the first step. The
// Jacobian is taken from one-sided differences, which are exact between the kinks of F; at a
// kink, such as two sections that take equally long, they would count both sides, so the
// differences are taken beside x. The error is ErrNone, or Apply's.
func Newton(s System) error {
	last := math.Inf(1)
	for range maxSteps {
		for n := -1; n != len(s.Values()); { // until no further unknown turns up
			n = len(s.Values())
			if _, err := s.Apply(); err != nil {
				return err
			}
		}
		x := s.Values()
		f, err := s.Apply()
		if err != nil {
			return err
		}
		a, err := jacobian(s, x)
		if err != nil {
			return err
		}
		for i := range f {
			f[i] -= x[i]
		}
		d, ok := solve(a, mat.NewDense(len(f), 1, f))
		if !ok {
			return ErrNone
		}
		change := 0.0
		for i := range x {
			x[i] += d.At(i, 0)
			change = max(change, math.Abs(d.At(i, 0))/max(x[i], 1))
		}
		if !plausible(x) {
			return ErrNone
		}
		if s.Assume(x); change < converged || change < settled && change >= last {
			return nil
		}
		last = change
	}
	return ErrNone
}

// jacobian returns that of F near x.
func jacobian(s System, x []float64) (*mat.Dense, error) {
	n, scale := len(x), 1.0
	for _, y := range x {
		scale = max(scale, y)
	}
	near := make([]float64, n)
	for i := range near { // no two at the same distance from x
		_, f := math.Modf(float64(i+1) * math.Phi)
		near[i] = x[i] + scale*beside*(1+f)
	}
	s.Assume(near)
	f, err := s.Apply()
	if err != nil {
		return nil, err
	}
	a := mat.NewDense(n, n, nil)
	for j := range n {
		at := near[j]
		near[j] += scale * width
		s.Assume(near)
		near[j] = at
		g, err := s.Apply()
		if err != nil {
			return nil, err
		}
		for i := range n {
			a.Set(i, j, (g[i]-f[i])/(scale*width))
		}
	}
	return a, nil
}
