package fit

// This file solves least squares with coefficients of 0 or more.

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// nnls returns the x >= 0 that minimises |A x - b| (C. L. Lawson, R. J. Hanson,
// Solving Least Squares Problems, chapter 23, algorithm NNLS), and which of them are
// free: the others are pinned at zero. Columns are scaled to unit length inside, which
// does not change the solution. A column that adds nothing to those that are free, a
// copy of one say, stays at zero. start names variables that are free to begin with,
// those of a problem nearly the same; nil for none. The solution does not depend on it.
//
// Deviation: a column that enters and comes out with a step of no length is put
// aside until another one has entered, so that rounding cannot make it cycle.
func nnls(a *mat.Dense, b []float64, start []bool) (x []float64, free []bool, err error) {
	m, n := a.Dims()
	scaled, norms := scaleColumns(a)
	x, free = make([]float64, n), make([]bool, n)
	aside := make([]bool, n)
	if start != nil {
		// A set whose solution has signs of both kinds is no place to start from.
		if s, ok := leastSquares(scaled, b, start); ok && slices.Min(s) >= 0 {
			copy(x, s)
			for j := range x {
				free[j] = start[j] && x[j] > 0
			}
		}
	}
	scaleB := math.Sqrt(dot(b, b))
	const tolerance = 1e-11
	gradient := make([]float64, n)
	for range 20 * (n + 1) {
		// The gradient of the free ones is zero; the steepest other one enters.
		r := residual(scaled, x, b)
		clear(gradient)
		for i := range m {
			for j, v := range scaled.RawRowView(i) {
				gradient[j] += v * r[i]
			}
		}
		enter, steepest := -1, tolerance*scaleB
		for j, g := range gradient {
			if !free[j] && !aside[j] && norms[j] > 0 && g > steepest {
				enter, steepest = j, g
			}
		}
		if enter < 0 {
			for j := range x {
				if free[j] {
					x[j] /= norms[j]
				}
			}
			return x, free, nil
		}
		free[enter] = true
		if !descend(scaled, b, x, free) || x[enter] == 0 {
			free[enter], x[enter], aside[enter] = false, 0, true
			continue
		}
		clear(aside)
	}
	return nil, nil, errors.New("the regression does not converge: the samples are too much alike; leave out samples that repeat others")
}

// descend moves x to the best point with the given variables free, pinning those that
// would turn negative on the way. It reports false, x unchanged, when the free columns
// are dependent.
func descend(a *mat.Dense, b, x []float64, free []bool) bool {
	for {
		s, ok := leastSquares(a, b, free)
		if !ok {
			return false
		}
		step, blocks := 1.0, -1
		for j := range x {
			if free[j] && s[j] <= 0 {
				if t := x[j] / (x[j] - s[j]); blocks < 0 || t < step {
					step, blocks = t, j
				}
			}
		}
		if blocks < 0 {
			copy(x, s)
			return true
		}
		for j := range x {
			if free[j] {
				x[j] += step * (s[j] - x[j])
				if j == blocks || x[j] <= 0 {
					x[j], free[j] = 0, false
				}
			}
		}
	}
}

// leastSquares solves for the free columns by QR; the others are zero.
func leastSquares(a *mat.Dense, b []float64, free []bool) ([]float64, bool) {
	m, n := a.Dims()
	var cols []int
	for j := range n {
		if free[j] {
			cols = append(cols, j)
		}
	}
	s := make([]float64, n)
	if len(cols) == 0 {
		return s, true
	}
	if len(cols) > m {
		return nil, false
	}
	var qr mat.QR
	qr.Factorize(columns(a, cols))
	if qr.Cond() > 1e9 {
		return nil, false
	}
	var v mat.VecDense
	if err := qr.SolveVecTo(&v, false, mat.NewVecDense(m, b)); err != nil {
		return nil, false
	}
	for k, j := range cols {
		s[j] = v.AtVec(k)
	}
	return s, true
}

func columns(a *mat.Dense, cols []int) *mat.Dense {
	m, _ := a.Dims()
	out := mat.NewDense(m, len(cols), nil)
	for k, j := range cols {
		for i := range m {
			out.Set(i, k, a.At(i, j))
		}
	}
	return out
}

// scaleColumns divides each column by its length.
func scaleColumns(a *mat.Dense) (*mat.Dense, []float64) {
	m, n := a.Dims()
	out := mat.DenseCopyOf(a)
	norms := make([]float64, n)
	for j := range n {
		for i := range m {
			norms[j] = math.Hypot(norms[j], a.At(i, j))
		}
		for i := range m {
			if norms[j] > 0 {
				out.Set(i, j, a.At(i, j)/norms[j])
			}
		}
	}
	return out, norms
}

func residual(a *mat.Dense, x, b []float64) []float64 {
	m, _ := a.Dims()
	r := make([]float64, m)
	for i := range m {
		r[i] = b[i] - dot(a.RawRowView(i), x)
	}
	return r
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}
