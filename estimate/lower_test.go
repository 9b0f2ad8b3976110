package estimate

// This file holds lower bounds against candidates, all of them where there are few.

import (
	"math"
	"math/rand"
	"testing"

	"pathspan/estimate/table"
)

// everyCandidate visits all candidates, or random ones where there are too many.
func everyCandidate(s *spaceOf, r *rand.Rand, visit func(f *table.Fast)) {
	f := s.NewFast()
	size := 1.0
	for i := range s.Genes {
		size *= float64(s.Genes[i].Values)
	}
	if size > 3000 {
		for range 300 {
			f.Set(randomGenes(r, s))
			visit(f)
		}
		return
	}
	genes := make([]int32, len(s.Genes))
	for {
		f.Set(genes)
		visit(f)
		i := 0
		for ; i < len(genes); i++ {
			if genes[i]++; int(genes[i]) < s.Genes[i].Values {
				break
			}
			genes[i] = 0
		}
		if i == len(genes) {
			return
		}
	}
}

func TestBoundsStayBelowEveryCandidate(t *testing.T) {
	tight, general := 0, 0
	for n := range int64(600) {
		seed := n / 2
		s := spaceBy(t, n)
		if len(s.Genes) == 0 {
			continue
		}
		b := s.Bounds(nil)
		best := math.Inf(1)
		everyCandidate(s, rand.New(rand.NewSource(seed)), func(f *table.Fast) { best = min(best, f.Seconds()) })
		for name, x := range map[string]float64{"critical": b.Critical, "capacity": b.Capacity, "combined": b.Combined} {
			if x > best*(1+1e-9) {
				t.Fatalf("seed %d: %s bound of %v s above a candidate of %v s", seed, name, x, best)
			}
		}
		if b.Combined < max(b.Critical, b.Capacity)*(1-1e-9) {
			t.Errorf("seed %d: combined bound %v below %v and %v", seed, b.Combined, b.Critical, b.Capacity)
		}
		if b.Combined > 0.99*best {
			tight++
		}
		if s.HasGeneral() {
			general++
		}
	}
	if tight < 50 || general < 30 {
		t.Errorf("only %d bounds within 1%%, %d spaces with regions in regions", tight, general)
	}
}

// Where a section may run limits the bounds, which still hold.
func TestBoundsOfAllowedProcessors(t *testing.T) {
	higher := 0
	for n := range int64(400) {
		seed := n / 2
		s := spaceBy(t, n)
		r := rand.New(rand.NewSource(seed))
		allowed := make([][]int32, len(s.Genes))
		for i := range allowed {
			for v := range s.Genes[i].Values {
				if r.Intn(2) == 0 {
					allowed[i] = append(allowed[i], int32(v))
				}
			}
		}
		b := s.Bounds(allowed)
		if b.Combined > s.Bounds(nil).Combined*(1+1e-9) {
			higher++
		}
		f := s.NewFast()
		genes := make([]int32, len(s.Genes))
		for range 100 {
			for i := range genes {
				genes[i] = int32(r.Intn(s.Genes[i].Values))
				if n := len(allowed[i]); n > 0 {
					genes[i] = allowed[i][r.Intn(n)]
				}
			}
			f.Set(genes)
			if x := f.Seconds(); max(b.Critical, b.Capacity, b.Combined) > x*(1+1e-9) {
				t.Fatalf("seed %d: bounds %v above a candidate of %v s", seed, b, x)
			}
		}
	}
	if higher < 10 {
		t.Errorf("only %d spaces in which the limits matter", higher)
	}
}
