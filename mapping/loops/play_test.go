package loops

// This file checks playing against a walk through iterations one by one, and the fast way
// to finishing times against playing.

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// walk plays a schedule iteration by iteration: the slow and plain way to finishing times.
// It knows no stealing.
func walk(s Schedule, costs [][]float64, n int64, dispatch float64, start []float64) []float64 {
	clocks := slices.Clone(start)
	threads := len(costs)
	if s.Kind == Static {
		for t := range costs {
			for k := range n {
				owner := 0
				for u := range threads {
					for c := range s.Share(n, threads, u).All() {
						if c.Begin <= k && k < c.End {
							owner = u
						}
					}
				}
				if owner == t {
					clocks[t] += costs[t][k]
				}
			}
		}
		return clocks
	}
	for _, c := range dispensed(s, n, threads) {
		first := 0
		for t := range clocks {
			if clocks[t] < clocks[first] {
				first = t
			}
		}
		clocks[first] += dispatch
		for k := c.Begin; k < c.End; k++ {
			clocks[first] += costs[first][k]
		}
	}
	return clocks
}

func TestPlayIsAWalkThroughIterations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		n, threads := r.Int64N(60), 1+r.IntN(9)
		s := Schedule{Kind: Kind(r.IntN(4)), Order: Monotonic}
		if s.Kind != Auto && r.IntN(2) == 0 {
			s.Chunk = 1 + r.Int64N(12)
		}
		costs := make([][]float64, threads)
		curves := make([]Curve, threads)
		start := make([]float64, threads)
		for u := range costs {
			start[u] = float64(r.IntN(40))
			at, work := []int64{0}, []float64{float64(r.IntN(9))}
			for k := range n {
				costs[u] = append(costs[u], float64(r.IntN(20)))
				at = append(at, k+1)
				work = append(work, work[k]+costs[u][k])
			}
			var err error
			if curves[u], err = NewCurve(at, work); err != nil {
				t.Fatal(err)
			}
		}
		dispatch := float64(r.IntN(5))
		want := walk(s, costs, n, dispatch, start)
		got, taken := Play(s, curves, n, same(dispatch, threads), start)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, %d iterations, %d threads: done at %v, want %v", s, n, threads, got, want)
		}
		if all := slices.Concat(taken...); !covers(all, n) {
			t.Fatalf("%v, %d iterations, %d threads: took %v", s, n, threads, taken)
		}
	}
}

// bent returns a curve of n iterations and whole works, with so many pieces, which is as even as
// whole numbers can be within each.
func bent(r *rand.Rand, n int64, pieces int) Curve {
	at, work := []int64{0}, []float64{0}
	for p := range pieces {
		length := n / int64(pieces)
		if p == 0 {
			length += n % int64(pieces)
		}
		if length == 0 {
			continue
		}
		last := len(at) - 1
		at = append(at, at[last]+length)
		work = append(work, work[last]+float64(length)*float64(r.IntN(30)))
	}
	return Curve{at, work}
}

func TestFinishIsWhatPlayingGives(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var stole int
	for range 500 {
		n, threads := r.Int64N(40000), 1+r.IntN(12)
		s := Schedule{Kind: pick(r, Static, Dynamic, Dynamic, Guided, Auto, Runtime), Order: pick(r, Unstated, Monotonic, Nonmonotonic)}
		if r.IntN(2) == 0 {
			s.Chunk = 1 + r.Int64N(pick[int64](r, 4, 40, 4000))
		}
		same := bent(r, n, 1+r.IntN(20))
		curves := make([]Curve, threads)
		start := make([]float64, threads)
		for u := range curves {
			curves[u] = same
			if r.IntN(2) == 0 {
				curves[u] = bent(r, n, 1+r.IntN(20))
			}
			start[u] = float64(r.IntN(pick(r, 1, 50, 200000)))
		}
		costs := make([]float64, threads)
		for u := range costs {
			costs[u] = float64(r.IntN(9))
		}
		want, taken := Play(s, curves, n, costs, start)
		got, asked := Finish(s, curves, n, costs, start)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, %d iterations, %d threads: done at %v, playing gives %v", s, n, threads, got, want)
		}
		for u, chunks := range taken {
			if static := s.Kind == Static || s.Kind == Runtime; static && asked[u] != 0 || !static && asked[u] != int64(len(chunks)) {
				t.Fatalf("%v, %d iterations: thread %d asked %d times and took %d chunks", s, n, u, asked[u], len(chunks))
			}
		}
		if all := slices.Concat(taken...); !covers(all, n) {
			t.Fatalf("%v, %d iterations, %d threads: took %d chunks", s, n, threads, len(all))
		}
		if s.Steals(n, threads) {
			stole++
		}
	}
	if stole < 40 {
		t.Errorf("%d loops of 500 were stolen from, want 40 at least", stole)
	}
}

// same is a cost that is the same for all threads.
func same(cost float64, threads int) []float64 { return slices.Repeat([]float64{cost}, threads) }

func TestPlaysOfNothing(t *testing.T) {
	for kind := Static; kind <= Runtime; kind++ {
		s := Schedule{Kind: kind}
		if finish, taken := Play(s, nil, 10, nil, nil); len(finish) != 0 || len(taken) != 0 {
			t.Errorf("%v without threads: %v, %v", s, finish, taken)
		}
		start := []float64{3, 1}
		none := Curve{[]int64{0}, []float64{0}}
		finish, taken := Play(s, []Curve{none, none}, 0, same(5, 2), start)
		if !slices.Equal(finish, start) || !reflect.DeepEqual(taken, make([][]Chunk, 2)) {
			t.Errorf("%v of no iterations: %v, %v", s, finish, taken)
		}
		if finish, _ := Finish(s, []Curve{none, none}, 0, same(5, 2), start); !slices.Equal(finish, start) {
			t.Errorf("%v of no iterations is done at %v", s, finish)
		}
	}
}

func TestCurvesThatAreNone(t *testing.T) {
	for _, c := range []struct {
		at   []int64
		work []float64
		want string
	}{
		{nil, nil, "curve of 0 iterations and 0 works (want as many of both, and one at least)"},
		{[]int64{0, 1}, []float64{0}, "curve of 2 iterations and 1 works (want as many of both, and one at least)"},
		{[]int64{1}, []float64{0}, "curve begins at iteration 1 (want 0)"},
		{[]int64{0, 1, 1}, []float64{0, 1, 2}, "curve goes back from iteration 1 and work 1 to 1 and 2"},
		{[]int64{0, 1}, []float64{2, 1}, "curve goes back from iteration 0 and work 2 to 1 and 1"},
	} {
		if _, err := NewCurve(c.at, c.work); err == nil || err.Error() != c.want {
			t.Errorf("%v, %v: %v, want %s", c.at, c.work, err, c.want)
		}
	}
}

func benchmark(b *testing.B, run func(s Schedule, curves []Curve, n int64)) {
	const n = 4_000_000
	r := rand.New(rand.NewPCG(9, 10))
	curve := bent(r, n, 1000)
	for _, text := range []string{"static,1", "monotonic:dynamic", "nonmonotonic:dynamic", "guided"} {
		for _, threads := range []int{2, 8, 64} {
			s := must(Parse(text))
			curves := slices.Repeat([]Curve{curve}, threads)
			b.Run(fmt.Sprintf("%s/%d", text, threads), func(b *testing.B) {
				for b.Loop() {
					run(s, curves, n)
				}
			})
		}
	}
}

// Benchmarks are of four million iterations under a curve of 1000 pieces.
func BenchmarkPlay(b *testing.B) {
	benchmark(b, func(s Schedule, curves []Curve, n int64) { Play(s, curves, n, same(20, len(curves)), nil) })
}

func BenchmarkFinish(b *testing.B) {
	benchmark(b, func(s Schedule, curves []Curve, n int64) { Finish(s, curves, n, same(20, len(curves)), nil) })
}
