package fifo_test

// This file holds depths that are found to trying them all.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/streams/fifo"
)

// with is a network of other depths.
func with(n *fifo.Network, depths []int64) *fifo.Network {
	out := &fifo.Network{Modules: n.Modules, FIFOs: slices.Clone(n.FIFOs)}
	for f, d := range depths {
		out.FIFOs[f].Depth = d
	}
	return out
}

// floor is the least that FIFOs of a network can hold.
func floor(n *fifo.Network) []int64 {
	low := make([]int64, len(n.FIFOs))
	for f, q := range n.FIFOs {
		low[f] = max(1, q.Initial)
	}
	for _, m := range n.Modules {
		for _, a := range slices.Concat(m.Reads, m.Writes) {
			low[a.FIFO] = max(low[a.FIFO], a.Tokens)
		}
	}
	return low
}

// every calls try with all depths of at most so many bits.
func every(n *fifo.Network, most int64, try func(depths []int64, bits int64)) {
	low := floor(n)
	depths := slices.Clone(low)
	var fill func(f int, left int64)
	fill = func(f int, left int64) {
		if f == len(depths) {
			try(depths, most-left)
			return
		}
		rest := int64(0)
		for g := f + 1; g < len(low); g++ {
			rest += low[g] * n.FIFOs[g].Width
		}
		for depths[f] = low[f]; depths[f]*n.FIFOs[f].Width+rest <= left; depths[f]++ {
			fill(f+1, left-depths[f]*n.FIFOs[f].Width)
		}
	}
	fill(0, most)
}

// TestDepthsOfRandom: nothing that is not found is as fast with fewer bits, by the second
// simulator; and the front is what of all depths no other beats.
func TestDepthsOfRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	deep, hopeless, long, flushes, tried := 0, 0, 0, 0, 0
	for k := 0; deep < 1000 || hopeless < 20 || long < 60; k++ {
		n := network(rng)
		if len(n.FIFOs) == 0 || len(n.FIFOs) > 4 {
			continue
		}
		for i := range n.Modules {
			if m := &n.Modules[i]; m.Iterations*m.Runs > 20 {
				m.Iterations, m.Runs = min(m.Iterations, 10), min(m.Runs, 2)
			}
		}
		if k%2 == 0 {
			unusual(rng, n)
		}
		balanced := true
		for f := range n.FIFOs {
			balanced = balanced && enough(n, f)
		}
		if !balanced {
			continue
		}
		wide := slices.Clone(floor(n))
		for f := range wide {
			wide[f] += 2000
		}
		free := brute(with(n, wide))
		want := fifo.Want{Tries: 15000}
		if rng.IntN(3) == 0 {
			want.Cycles = free.Cycles + rng.Int64N(free.Cycles+1) - 2
		}
		got, err := fifo.Depths(n, want)
		if err != nil {
			t.Fatal(err)
		}
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("network %d: %s: %+v\n%+v", k, fmt.Sprintf(format, args...), *got, n)
		}
		if (got.Fastest == 0) != (free.Deadlock != nil) || got.Fastest > 0 && got.Fastest != free.Cycles {
			fail("with deep FIFOs %d cycles", free.Cycles)
		}
		if got.Best == nil {
			if got.Fastest > 0 && got.Fastest <= got.Target {
				fail("nothing found")
			}
			if got.Proven && hopeless < 200 {
				every(n, bits(n, floor(n))+3, func(depths []int64, _ int64) {
					if r := brute(with(n, depths)); r.Deadlock == nil && (want.Cycles == 0 || r.Cycles <= want.Cycles) {
						fail("%v take %d cycles", depths, r.Cycles)
					}
				})
				hopeless++
			}
			continue
		}
		if !got.Proven {
			continue
		}
		if r := brute(with(n, got.Best.Depths)); r.Deadlock != nil || r.Cycles != got.Best.Cycles {
			fail("%d cycles with what was found", r.Cycles)
		}
		// What no other beats, of all.
		count := 0
		every(n, got.Best.Bits, func([]int64, int64) { count++ })
		if count > 1500 {
			continue
		}
		fewest := map[int64]int64{}
		var sizes []int64
		every(n, got.Best.Bits, func(depths []int64, bits int64) {
			tried++
			r := brute(with(n, depths))
			if r.Deadlock != nil {
				return
			}
			if was, is := fewest[bits]; !is || r.Cycles < was {
				fewest[bits] = r.Cycles
			}
			if !slices.Contains(sizes, bits) {
				sizes = append(sizes, bits)
			}
		})
		slices.Sort(sizes)
		var front []string
		last := int64(1) << 60
		for _, bits := range sizes {
			if fewest[bits] < last {
				last = fewest[bits]
				front = append(front, fmt.Sprint(bits, " ", last))
				if last <= got.Target {
					break
				}
			}
		}
		var have []string
		for _, x := range got.Front {
			have = append(have, fmt.Sprint(x.Bits, " ", x.Cycles))
		}
		if !slices.Equal(have, front) || !got.Whole {
			fail("front %v, want %v", have, front)
		}
		if !slices.Equal(got.Best.Depths, floor(n)) {
			deep++
		}
		if len(front) > 2 {
			long++
		}
		if slices.ContainsFunc(n.Modules, func(m fifo.Module) bool { return m.Flush }) {
			flushes++
		}
	}
	t.Logf("%d raised, %d without hope, %d fronts of more than two, %d flush, %d tried", deep, hopeless, long, flushes, tried)
	if long < 50 || flushes < 100 {
		t.Errorf("%d fronts of more than two, %d flush: too few to tell", long, flushes)
	}
}

// unusual moves more tokens at once, and writes early, which a pipeline that flushes may wait for
// once iterations under way have gone on.
func unusual(rng *rand.Rand, n *fifo.Network) {
	for i := range n.Modules {
		for k, list := range [][]fifo.Access{n.Modules[i].Reads, n.Modules[i].Writes} {
			for a := range list {
				if rng.IntN(3) == 0 {
					list[a].Tokens = int64(1 + rng.IntN(3))
				}
				alone := !slices.ContainsFunc(list, func(x fifo.Access) bool { return x.FIFO == list[a].FIFO && x.At != list[a].At })
				if k == 1 && alone && rng.IntN(3) == 0 {
					list[a].At = 0
				}
			}
		}
	}
}

// enough says whether as much is written as is read, or more.
func enough(n *fifo.Network, f int) bool {
	sum := n.FIFOs[f].Initial
	for _, m := range n.Modules {
		for k, list := range [][]fifo.Access{m.Writes, m.Reads} {
			for _, a := range list {
				if a.FIFO != f {
					continue
				}
				for j := range m.Iterations * m.Runs {
					if len(a.When) == 0 || a.When[j%int64(len(a.When))] {
						sum += a.Tokens * int64(1-2*k)
					}
				}
			}
		}
	}
	return sum >= 0
}

func bits(n *fifo.Network, depths []int64) (sum int64) {
	for f, d := range depths {
		sum += d * n.FIFOs[f].Width
	}
	return sum
}

// TestDepthsOfPaths: what the short path has to hold is what the other is longer by. The depth
// of 6 of both its FIFOs with which it took 1.125 cycles an element could be one of 10, with 2.
func TestDepthsOfPaths(t *testing.T) {
	for _, x := range []struct {
		pipeline string
		cycles   int64
		want     string
	}{
		{"flush", 0, "[2 2 12 2] 4000016 of 15 true"},
		{"stall", 0, "[2 2 12 2] 4000016 of 6 true"},
		{"flush", 4500014, "[2 2 10 2] 4500014 of 13 true"},
		{"stall", 16000000, "[2 1 9 1] 15999999 of 1 true"},
		{"stall", 4000015, "none true"},
	} {
		n := read(t, mpath(4000000, 2, x.pipeline))
		d, err := fifo.Depths(n, fifo.Want{Cycles: x.cycles})
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint("none ", d.Proven)
		if d.Best != nil {
			got = fmt.Sprint(d.Best.Depths, d.Best.Cycles, " of ", len(d.Front), " ", d.Proven)
		}
		if got != x.want {
			t.Errorf("%s, %d cycles: %s, want %s", x.pipeline, x.cycles, got, x.want)
		}
	}
}

// TestDepthsGiveUp: a search that comes to its limit says how far it came, and what it knows.
func TestDepthsGiveUp(t *testing.T) {
	n := read(t, mpath(4000000, 2, "flush"))
	d, err := fifo.Depths(n, fifo.Want{Tries: 60})
	if err != nil {
		t.Fatal(err)
	}
	if d.Proven || d.Best == nil || d.Best.Cycles != 4000016 || d.Best.Bits < 576 || d.Below > 576 || d.Below < 200 || d.Tries != 60 {
		t.Errorf("%+v, best %+v", d, d.Best)
	}
	if d, err = fifo.Depths(n, fifo.Want{Tries: 1}); err != nil || d.Proven || d.Best != nil {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestDepthsOfAnEndlessBurst: FIFOs that grow as long as their writer runs.
func TestDepthsOfAnEndlessBurst(t *testing.T) {
	n := read(t, `fifos:
  a: {depth: 1}
modules:
  fast: {iterations: 1000000000000, ii: 1, latency: 1, writes: {a: 0}}
  slow: {iterations: 1000000000000, ii: 2, latency: 1, reads: {a: 0}}
`)
	d, err := fifo.Depths(n, fifo.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Best == nil || d.Best.Depths[0] != 1 || d.Fastest != 2000000000000 || d.Best.Cycles != d.Fastest {
		t.Errorf("%+v, best %+v", d, d.Best)
	}
}
