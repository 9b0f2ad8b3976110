package loops

// This file checks what holds of every schedule: each iteration is executed once.

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// covers reports whether chunks, in any order, are n iterations, each once.
func covers(chunks []Chunk, n int64) bool {
	chunks = slices.Clone(chunks)
	slices.SortFunc(chunks, func(a, b Chunk) int { return cmp.Compare(a.Begin, b.Begin) })
	at := int64(0)
	for _, c := range chunks {
		if c.Begin != at || c.End <= c.Begin {
			return false
		}
		at = c.End
	}
	return at == n
}

// randomCount returns loops' lengths of every magnitude, short ones most often.
func randomCount(r *rand.Rand) int64 {
	switch r.IntN(8) {
	case 0:
		return r.Int64N(4)
	case 1:
		return r.Int64() >> r.IntN(63)
	}
	return r.Int64N(3000)
}

func dispensed(s Schedule, n int64, threads int) []Chunk {
	var out []Chunk
	for d := NewDispenser(s, n, threads); ; {
		c, more := d.Next()
		if !more {
			return out
		}
		out = append(out, c)
	}
}

func TestEachIterationIsExecutedOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n, threads := randomCount(r), 1+r.IntN(9)
		s := Schedule{Kind: Kind(r.IntN(4))}
		if s.Kind != Auto && r.IntN(3) > 0 {
			s.Chunk = 1 + r.Int64N(40)
			if r.IntN(6) == 0 {
				s.Chunk = 1 + r.Int64()>>r.IntN(63)
			}
		}
		// Chunks that are too many to list are for the tests below.
		few := max(s.Chunk, n/2000, 1)
		if s.Kind != Static {
			if s.Kind == Auto && n > 1<<20 {
				continue
			}
			s.Chunk = few
			if chunks := dispensed(s, n, threads); !covers(chunks, n) {
				t.Fatalf("%v, %d iterations, %d threads: %v", s, n, threads, chunks)
			}
			continue
		}
		if s.Chunk > 0 {
			s.Chunk = few
		}
		var all []Chunk
		for thread := range threads {
			share := s.Share(n, threads, thread)
			mine := slices.Collect(share.All())
			var sum int64
			for _, c := range mine {
				sum += c.Len()
			}
			if sum != share.Iterations() || int64(len(mine)) != share.Chunks() {
				t.Fatalf("%v, %d iterations, thread %d of %d: %d chunks, %d iterations of %v", s, n, thread, threads, share.Chunks(), share.Iterations(), mine)
			}
			all = append(all, mine...)
		}
		if !covers(all, n) {
			t.Fatalf("%v, %d iterations, %d threads: %v", s, n, threads, all)
		}
	}
}

// TestSharesOfHugeLoops counts what cannot be listed.
func TestSharesOfHugeLoops(t *testing.T) {
	for _, n := range []int64{math.MaxInt64, math.MaxInt64 - 1, 1 << 62, 1<<53 + 1, 1 << 32} {
		for _, chunk := range []int64{0, 1, 2, 1 << 31, 1 << 61, math.MaxInt64} {
			for threads := 1; threads <= 9; threads++ {
				var sum, shares int64
				for thread := range threads {
					share := Schedule{Chunk: chunk}.Share(n, threads, thread)
					sum += share.Iterations()
					if share.Iterations() == 0 {
						continue
					}
					shares++
					if c := share.Chunk(share.Chunks() - 1); c.End > n || c.End <= c.Begin {
						t.Errorf("%d iterations, chunk %d, thread %d of %d: last chunk is %v", n, chunk, thread, threads, c)
					}
				}
				if sum != n || shares == 0 {
					t.Errorf("%d iterations, chunk %d, %d threads: %d in shares", n, chunk, threads, sum)
				}
			}
		}
	}
}

func TestWeighted(t *testing.T) {
	for _, c := range []struct {
		n      int64
		shares []float64
		want   []Chunk
	}{
		{10, []float64{1, 1, 1}, []Chunk{{0, 4}, {4, 7}, {7, 10}}},
		{10, []float64{2, 1, 1}, []Chunk{{0, 5}, {5, 8}, {8, 10}}},
		{7, []float64{1, 0, 6}, []Chunk{{0, 1}, {1, 1}, {1, 7}}},
		{3, []float64{0, 0}, []Chunk{{0, 3}, {3, 3}}},
		{3, []float64{math.NaN(), math.Inf(1), -2, 1}, []Chunk{{0, 0}, {0, 0}, {0, 0}, {0, 3}}},
		{0, []float64{1, 2}, []Chunk{{0, 0}, {0, 0}}},
		{4, []float64{math.MaxFloat64, math.MaxFloat64}, []Chunk{{0, 2}, {2, 4}}},
		{5, nil, []Chunk{}},
	} {
		if got := Weighted(c.n, c.shares); !slices.Equal(got, c.want) {
			t.Errorf("%d by %v: %v, want %v", c.n, c.shares, got, c.want)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := randomCount(r)
		shares := make([]float64, 1+r.IntN(9))
		sum := 0.0
		for i := range shares {
			shares[i] = math.Exp2(r.Float64()*40 - 20)
			sum += shares[i]
		}
		at := int64(0)
		for i, c := range Weighted(n, shares) {
			due := float64(n) * shares[i] / sum
			if c.Begin != at || c.End < c.Begin || math.Abs(float64(c.Len())-due) > 1+float64(n)*1e-15 {
				t.Fatalf("%d by %v: processor %d has %v of %g due", n, shares, i, c, due)
			}
			at = c.End
		}
		if at != n {
			t.Fatalf("%d by %v: %d given out", n, shares, at)
		}
	}
}

func TestTrips(t *testing.T) {
	const lowest, highest = math.MinInt64, math.MaxInt64
	for _, c := range []struct {
		lower, upper, stride int64
		unsigned             bool
		want                 uint64
	}{
		{0, 9, 1, false, 10},
		{0, 9, 3, false, 4},
		{9, 0, -1, false, 10},
		{9, 0, -4, false, 3},
		{0, -1, 1, false, 0},
		{0, -1, 1, true, 0}, // all of them: past 64 bits
		{1, -1, 1, true, math.MaxUint64},
		{0, -1, 2, true, 1 << 63},
		{-1, 0, -2, true, 1 << 63},
		{lowest, highest, 1, false, 0},
		{lowest, highest, 2, false, 1 << 63},
		{lowest, highest, highest, false, 3},
		{highest, lowest, lowest, false, 2},
		{lowest, -1, 1, true, 1 << 63},
		{5, 5, -7, false, 1},
		{5, 6, -7, false, 0},
		{0, 9, 0, false, 0},
	} {
		if got := trips(c.lower, c.upper, c.stride, c.unsigned); got != c.want {
			t.Errorf("from %d to %d by %d, unsigned %v: %d, want %d", c.lower, c.upper, c.stride, c.unsigned, got, c.want)
		}
	}
}
