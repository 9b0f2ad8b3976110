package loops

// This file holds the work of iterations in order, cumulated.

import (
	"fmt"
	"math"
	"sort"
)

// Curve is how much work the first iterations of a loop are, for each number of them: it
// goes straight between cut points. Its unit is the caller's; Play takes it for time.
type Curve struct {
	at   []int64
	work []float64
}

// NewCurve returns the curve through cut points: before iteration at[i], work[i] is done.
// Iterations begin with 0 and grow, work does not shrink and is finite.
func NewCurve(at []int64, work []float64) (Curve, error) {
	if len(at) != len(work) || len(at) == 0 {
		return Curve{}, fmt.Errorf("curve of %d iterations and %d works (want as many of both, and one at least)", len(at), len(work))
	}
	if at[0] != 0 {
		return Curve{}, fmt.Errorf("curve begins at iteration %d (want 0)", at[0])
	}
	for i, w := range work {
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return Curve{}, fmt.Errorf("curve has work %g at iteration %d (want a finite number)", w, at[i])
		}
		if i > 0 && (at[i] <= at[i-1] || w < work[i-1]) {
			return Curve{}, fmt.Errorf("curve goes back from iteration %d and work %g to %d and %g", at[i-1], work[i-1], at[i], w)
		}
	}
	return Curve{at, work}, nil
}

// End returns how many iterations a curve describes.
func (c Curve) End() int64 { return c.at[len(c.at)-1] }

// Work returns the work of the iterations from begin up to, but without, end.
func (c Curve) Work(begin, end int64) float64 {
	k := cursor{curve: c}
	before := k.work(begin)
	return k.work(end) - before
}

// cursor reads a curve at iterations that mostly grow.
type cursor struct {
	curve Curve
	piece int // iterations at[piece] to at[piece+1] were asked for last
}

// work returns the work before an iteration.
func (k *cursor) work(i int64) float64 {
	at := k.curve.at
	if k.piece+1 >= len(at) || i < at[k.piece] || i > at[k.piece+1] {
		if len(at) == 1 {
			return k.curve.work[0]
		}
		if next := k.piece + 1; next+1 < len(at) && i > at[next] && i <= at[next+1] {
			k.piece = next
		} else {
			found := sort.Search(len(at), func(j int) bool { return at[j] > i })
			k.piece = min(max(found-1, 0), len(at)-2)
		}
	}
	from, to := k.piece, k.piece+1
	work := k.curve.work
	if i == at[to] {
		return work[to]
	}
	return work[from] + (work[to]-work[from])*float64(i-at[from])/float64(at[to]-at[from])
}
