package pathwise

// This file declares times that may depend on values still to be solved for.

// amount is a time in microseconds. While a recursion is solved it is an affine form:
// slope holds by how much it grows with each unknown, and is nil otherwise. Forms are
// never changed once made.
type amount struct {
	micros float64
	slope  map[int]float64
}

// plus returns a + w*b.
func (a amount) plus(b amount, w float64) amount {
	sum := amount{a.micros + w*b.micros, a.slope}
	if b.slope == nil || w == 0 {
		return sum
	}
	sum.slope = make(map[int]float64, len(a.slope)+len(b.slope))
	for u, s := range a.slope {
		sum.slope[u] = s
	}
	for u, s := range b.slope {
		sum.slope[u] += w * s
	}
	return sum
}

func (a amount) over(n float64) amount { return amount{}.plus(a, 1/n) }

func larger(a, b amount) amount {
	if b.micros > a.micros {
		return b
	}
	return a
}
