package fit

// This file holds NNLS against its optimality conditions and against trying every set
// of free coefficients.

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// randomProblem makes a problem whose best unconstrained solution has both signs.
func randomProblem(r *rand.Rand, m, n int) (*mat.Dense, []float64) {
	a := mat.NewDense(m, n, nil)
	b := make([]float64, m)
	for i := range m {
		for j := range n {
			a.Set(i, j, math.Abs(r.NormFloat64())*math.Pow(10, float64(j%4)))
		}
		b[i] = 3 * r.NormFloat64()
	}
	return a, b
}

func cost(a *mat.Dense, x, b []float64) float64 {
	r := residual(a, x, b)
	return dot(r, r)
}

func TestNNLSIsOptimal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	pinned := 0
	for range 300 {
		m := 1 + r.IntN(12)
		n := 1 + r.IntN(8)
		a, b := randomProblem(r, m, n)
		if n > 2 && r.IntN(4) == 0 { // a copy of a column
			for i := range m {
				a.Set(i, 1, a.At(i, 0))
			}
		}
		var start []bool // some variables free to begin with, or none
		if r.IntN(2) == 0 {
			for range n {
				start = append(start, r.IntN(2) == 0)
			}
		}
		x, free, err := nnls(a, b, start)
		if err != nil {
			t.Fatal(err)
		}
		// Karush, Kuhn, Tucker: x >= 0, gradient 0 where x > 0 and no descent elsewhere.
		res := residual(a, x, b)
		for j := range x {
			g, norm := 0.0, 0.0
			for i := range m {
				g += a.At(i, j) * res[i]
				norm = math.Hypot(norm, a.At(i, j))
			}
			g /= norm * (1 + math.Sqrt(dot(b, b)))
			if x[j] < 0 || g > 1e-7 || x[j] > 0 && g < -1e-7 || x[j] > 0 && !free[j] {
				t.Fatalf("%dx%d: x[%d] = %g with gradient %g, free %v", m, n, j, x[j], g, free[j])
			}
			if x[j] == 0 {
				pinned++
			}
		}
		best := math.Inf(1)
		for set := range 1 << n {
			free := make([]bool, n)
			for j := range n {
				free[j] = set>>j&1 == 1
			}
			s, ok := leastSquares(a, b, free)
			for j := range s {
				ok = ok && s[j] >= 0
			}
			if ok {
				best = min(best, cost(a, s, b))
			}
		}
		if got := cost(a, x, b); math.Abs(got-best) > 1e-7*(1+best) {
			t.Fatalf("%dx%d: residual %g, the best of all subsets has %g", m, n, got, best)
		}
	}
	if pinned == 0 {
		t.Error("no problem had a coefficient at zero: the constraint was never tested")
	}
}
