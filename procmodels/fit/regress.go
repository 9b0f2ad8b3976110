package fit

// This file solves one regression: coefficients and their covariance.

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"pathspan/procmodels/fitted"
)

// solution is a regression's outcome. Slices are by feature of the design.
type solution struct {
	mean    float64 // cycles of a mean instruction
	cycles  []float64
	seen    []bool        // executed by one of the rows
	free    []int         // features not pinned at zero
	cov     *mat.SymDense // of the free ones; nil when rows are too few
	gram    *mat.SymDense // of the free ones: X^T X, rows relative
	sd      float64       // of relative errors about the fit, 0 when unknown
	columns *mat.Dense    // rows relative
}

// rounds is how often rows are weighed anew; the weights have settled well before.
const rounds = 8

// regress fits the rows. Residuals are relative to the geometric mean of what was
// measured and what is predicted, that of the round before, so that an estimate of half
// and one of twice the cycles are equally wrong: relative to the measured cycles alone
// no estimate can be worse than 0, and the fit leans towards too little.
//
// Ridge adds, for each class of instructions, ridge times the square of how many mean
// instructions its coefficient differs from one mean instruction, and for each pair
// how many it differs from none: a prior belief that matters for what the samples leave
// open. Library functions are free, but that one which was timed by itself counts as a sample of its own does. With the prior the covariance is that of the
// posterior, residual variance times (X^T X + prior)^-1.
func (d *design) regress(rows []int, ridge float64) (*solution, error) {
	scale := make([]float64, len(rows))
	for r, i := range rows {
		scale[r] = d.samples[i].Cycles
	}
	var start []bool
	for round := 0; ; round++ {
		s, err := d.weighted(rows, scale, ridge, start)
		if err != nil || round == rounds {
			return s, err
		}
		start = make([]bool, len(d.features))
		for _, j := range s.free {
			start[j] = true
		}
		settled := true
		for r, i := range rows {
			predicted := dot(d.counts[i], s.cycles)
			// One that is next to nothing must not count for everything.
			ratio := min(16, max(1.0/16, predicted/d.samples[i].Cycles))
			next := d.samples[i].Cycles * math.Sqrt(ratio)
			settled = settled && math.Abs(next/scale[r]-1) < 1e-6
			scale[r] = next
		}
		if settled {
			return s, nil
		}
	}
}

// weighted fits the rows, each divided by its scale and multiplied by the root of its
// weight. start names features likely to be free.
func (d *design) weighted(rows []int, scale []float64, ridge float64, start []bool) (*solution, error) {
	n, p := len(rows), len(d.features)
	s := &solution{mean: d.meanInstruction(rows), cycles: make([]float64, p), seen: make([]bool, p)}
	total := 0.0
	for _, i := range rows {
		total += d.samples[i].Weight
	}
	x := mat.NewDense(n+p, p, nil)
	b := make([]float64, n+p)
	for r, i := range rows {
		root := math.Sqrt(d.samples[i].Weight*float64(n)/total) / scale[r]
		for j, c := range d.counts[i] {
			x.Set(r, j, root*c)
			s.seen[j] = s.seen[j] || c > 0
		}
		b[r] = root * d.samples[i].Cycles
	}
	for j, f := range d.features {
		if ridge > 0 && s.seen[j] && s.mean > 0 && !fitted.IsLibrary(f) {
			x.Set(n+j, j, math.Sqrt(ridge)/s.mean)
			if isInstruction(f) {
				b[n+j] = math.Sqrt(ridge)
			}
		}
		if t := d.timed[f]; t > 0 && s.seen[j] {
			x.Set(n+j, j, 1/t)
			b[n+j] = 1
		}
	}
	cycles, free, err := nnls(x, b, start)
	if err != nil {
		return nil, err
	}
	s.cycles = cycles
	s.columns = mat.DenseCopyOf(x.Slice(0, n, 0, p))
	for j := range free {
		if free[j] {
			s.free = append(s.free, j)
		}
	}
	s.gram = gramOf(s.columns, s.free)
	res := residual(s.columns, cycles, b[:n])
	if dof := n - len(s.free); dof > 0 && len(s.free) > 0 {
		variance := dot(res, res) / float64(dof)
		s.sd = math.Sqrt(variance)
		s.cov = inverse(gramOf(x, s.free))
		if s.cov != nil {
			s.cov.ScaleSym(variance, s.cov)
		}
	}
	return s, nil
}

// gramOf returns X^T X of some columns.
func gramOf(x *mat.Dense, cols []int) *mat.SymDense {
	if len(cols) == 0 {
		return nil
	}
	var g mat.SymDense
	g.SymOuterK(1, columns(x, cols).T())
	return &g
}

// inverse inverts a Gram matrix after scaling it to a unit diagonal; nil when it is
// singular.
func inverse(g *mat.SymDense) *mat.SymDense {
	if g == nil {
		return nil
	}
	n := g.SymmetricDim()
	scaled := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			scaled.SetSym(i, j, g.At(i, j)/math.Sqrt(g.At(i, i)*g.At(j, j)))
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(scaled) || chol.Cond() > 1e13 {
		return nil
	}
	var inv mat.SymDense
	if err := chol.InverseTo(&inv); err != nil {
		return nil
	}
	for i := range n {
		for j := i; j < n; j++ {
			inv.SetSym(i, j, inv.At(i, j)/math.Sqrt(g.At(i, i)*g.At(j, j)))
		}
	}
	return &inv
}
