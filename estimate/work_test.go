package estimate

// This file tests the prices of kinds of work.

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Prices that are planted in blocks are found, where blocks tell kinds apart; none that is
// found is below 0, and then what is left fits no worse than with any of the others at 0, too.
func TestNotBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	bounded := 0
	for range 300 {
		const kinds, blocks = 4, 9
		a, b, want := mat.NewSymDense(kinds, nil), mat.NewVecDense(kinds, nil), make([]float64, kinds)
		below := false
		for k := range want {
			want[k] = float64(r.IntN(10) - 1)
			below = below || want[k] < 0
		}
		for range blocks {
			v, c := make([]float64, kinds), 0.0
			for k := range v {
				v[k] = float64(r.IntN(6))
				c += v[k] * want[k]
			}
			for i := range v {
				for j := i; j < kinds; j++ {
					a.SetSym(i, j, a.At(i, j)+v[i]*v[j])
				}
				b.SetVec(i, b.AtVec(i)+v[i]*c)
			}
		}
		got := notBelow(a, b, nil)
		for k, x := range got {
			if !below && math.Abs(x-want[k]) > 1e-6 || x < 0 {
				t.Fatalf("%v, want %v", got, want)
			}
		}
		if !below {
			continue
		}
		bounded++
		lost := func(x []float64) float64 { // what the squares are, but for a constant
			v := mat.NewVecDense(kinds, x)
			return mat.Inner(v, a, v) - 2*mat.Dot(v, b)
		}
		for k := range got {
			if fewer := append([]float64(nil), got...); fewer[k] > 0 {
				fewer[k] = 0
				if lost(fewer) < lost(got)-1e-9*math.Abs(lost(got)) {
					t.Fatalf("%v fits worse than without kind %d", got, k)
				}
			}
		}
	}
	if bounded < 50 {
		t.Errorf("%d systems with prices below 0", bounded)
	}
}
