package procmodels

// This file tests samples of uncertain costs.

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestSampleAtGivenFactors(t *testing.T) {
	c := &Costs{Model: "m", Factors: []Factor{{"load", true}, {"fit", false}}, Blocks: [][]BlockCost{nil, {
		{Cycles: 10, Varies: []Variation{{0, 2, 4}}},
		{Cycles: 10, Varies: []Variation{{0, 2, 4}, {1, -1, -3}}, After: []AfterCost{{0, 1}, {3, 20}}},
		{Cycles: 10, Best: 7, Worst: 15},
		{Cycles: 10, Best: 7, Worst: 15, Varies: []Variation{{1, 1, 1}}},
		{Cycles: 10},
		{Cycles: 1, Varies: []Variation{{0, 5, 5}}},
	}}}
	for _, x := range []struct {
		z      []float64
		common float64
		want   []float64
		after  []float64
	}{
		{[]float64{0, 0}, 0, []float64{10, 10, 10, 10, 10, 1}, []float64{1, 20}},
		{[]float64{-1, 0}, 1, []float64{8, 8, 15, 10, 10, 0}, []float64{0, 18}},
		{[]float64{0.5, -2}, -1, []float64{12, 14, 7, 8, 10, 3.5}, []float64{5, 24}},
		{[]float64{1, 3}, 0.5, []float64{14, 5, 12.5, 13, 10, 6}, []float64{0, 15}},
	} {
		got := c.at(x.z, x.common)
		for b, want := range x.want {
			if got.Blocks[1][b].Cycles != want {
				t.Errorf("z %v, %v: block %d costs %v, want %v", x.z, x.common, b, got.Blocks[1][b].Cycles, want)
			}
		}
		for i, want := range x.after {
			if a := got.Blocks[1][1].After[i]; a.Cycles != want || a.Pred != c.Blocks[1][1].After[i].Pred {
				t.Errorf("z %v: after %+v, want %v cycles", x.z, a, want)
			}
		}
	}
}

// The distributions are those that the contract names: mean, variance, bounds.
func TestSampleDistributions(t *testing.T) {
	c := &Costs{Factors: []Factor{{"bounded", true}, {"normal", false}}, Blocks: [][]BlockCost{{
		{Cycles: 100, Varies: []Variation{{0, 1, 1}}},
		{Cycles: 100, Varies: []Variation{{1, 1, 1}}},
		{Cycles: 100, Best: 99, Worst: 101},
		{Cycles: 100, Best: 98, Worst: 102},
	}}}
	const n = 20000
	var mean, square [3]float64
	var cross float64
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		s := c.Sample(rng).Blocks[0]
		var z [3]float64
		for b := range z {
			z[b] = s[b].Cycles - 100
			mean[b] += z[b] / n
			square[b] += z[b] * z[b] / n
		}
		cross += z[0] * z[1] / n
		if math.Abs(z[0]) > 1 || math.Abs(z[2]) > 1 {
			t.Fatalf("bounded factors at %v", z)
		}
		if math.Abs(s[3].Cycles-100-2*z[2]) > 1e-9 {
			t.Fatalf("ranges do not vary together: %v and %v", s[2].Cycles, s[3].Cycles)
		}
	}
	for b, variance := range [3]float64{1.0 / 6, 1, 1.0 / 6} {
		if math.Abs(mean[b]) > 0.03 || math.Abs(square[b]/variance-1) > 0.05 {
			t.Errorf("factor %d: mean %.3f, variance %.3f, want 0 and %.3f", b, mean[b], square[b], variance)
		}
	}
	if math.Abs(cross) > 0.02 {
		t.Errorf("factors are correlated: %.3f", cross)
	}
}

func TestExactCostsAreTheirOwnSample(t *testing.T) {
	c := &Costs{Factors: []Factor{{"unused", true}}, Blocks: [][]BlockCost{{{Cycles: 3, Best: 3, Worst: 3}, {Cycles: 4}}}}
	if !c.Exact() || c.Sample(rand.New(rand.NewPCG(1, 1))) != c {
		t.Error("a table without ranges was sampled")
	}
	c.Blocks[0][1].Worst = 5
	if c.Exact() || c.Sample(rand.New(rand.NewPCG(1, 1))) == c {
		t.Error("a table with a range was not sampled")
	}
}
