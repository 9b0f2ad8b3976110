package estimate

// This file tests the prices of kinds of work.

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"pathspan/procmodels"
	"pathspan/profile"
)

// More blocks than kinds, so that no prices fit all: together they cost what the model says,
// whoever executed them, or sections and the tasks that they lead to would trade time.
func TestPricesKeepTotals(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		const kinds, blocks = 3, 12
		costs := &procmodels.Costs{Blocks: [][]procmodels.BlockCost{make([]procmodels.BlockCost, blocks)}}
		x := &profile.Executions{Kinds: make([]string, kinds), Weights: []uint32{1, 2, 5}, Vectors: [][][]uint32{make([][]uint32, blocks)}}
		f := &function{counts: make([]uint64, blocks)}
		var at [][2]int
		for b := range blocks {
			costs.Blocks[0][b].Cycles, f.counts[b] = float64(1+r.IntN(40)), uint64(1+r.IntN(1000))
			for range kinds {
				x.Vectors[0][b] = append(x.Vectors[0][b], uint32(r.IntN(4)))
			}
			at = append(at, [2]int{0, b})
		}
		e := &Estimator{
			Analysis: &Analysis{Bundle: &profile.Bundle{Executions: x}, funcs: []*function{f}},
			priced:   &priced{kinds: []kind{{costs: costs}}, factor: []float64{1}},
		}
		want, got := 0.0, 0.0
		prices := e.leastSquares(0, at)
		for b := range blocks {
			want += float64(f.counts[b]) * costs.Blocks[0][b].Cycles
			for k, n := range x.Vectors[0][b] {
				got += float64(f.counts[b]) * float64(n) * prices[k]
			}
		}
		if math.Abs(got/want-1) > 1e-12 {
			t.Fatalf("blocks cost %v by prices of kinds, %v by the model", got, want)
		}
	}
}

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
