package estimate

// This file holds the bounds of partial placements against their completions.

import (
	"math/rand"
	"testing"

	"pathspan/estimate/table"
)

func TestPartialBounds(t *testing.T) {
	compared, exact := 0, 0
	for n := range int64(800) {
		seed := n / 2
		s := spaceBy(t, n)
		r := rand.New(rand.NewSource(seed))
		n := len(s.e.Platform.Processors)
		price := table.Price{PerSecond: r.Float64()}
		if seed%2 == 0 {
			for range n {
				price.PerBusySecond = append(price.PerBusySecond, r.Float64())
			}
		}
		f := s.NewFast()
		value := func(u int) float64 {
			busy := make([]float64, n)
			f.UnitBusySeconds(u, busy)
			x := price.PerSecond * f.UnitSeconds(u)
			for p, more := range price.PerBusySecond {
				x += more * busy[p]
			}
			return x
		}
		for u := range s.Units {
			if s.Units[u].General {
				continue
			}
			b := s.NewPartial(u, nil, price)
			for range 10 {
				f.Set(randomGenes(r, s))
				want := value(u)
				for _, g := range b.Order {
					if x := b.Bound(); x > want*(1+1e-9) {
						t.Fatalf("seed %d: bound %v above a completion of %v", seed, x, want)
					}
					b.Place(f.Genes[g])
				}
				compared++
				if x := b.Bound(); !closeTo(x, want) {
					// The bound knows overheads of busy times only in what is placed.
					if price.PerBusySecond == nil || x > want {
						t.Fatalf("seed %d: bound %v of a whole placement of %v", seed, x, want)
					}
				} else {
					exact++
				}
				for range b.Order {
					b.Take()
				}
			}
		}
	}
	if compared < 500 || exact < 300 {
		t.Errorf("only %d placements compared, %d exactly", compared, exact)
	}
}
