package fifo

// This file holds the relaxed network to being one: it is never slower, and never slower for
// deeper FIFOs. It is seen in what Depths finds as well; here is each by itself.

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRelaxedIsNeverSlower(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	faster, deeper, ends := 0, 0, 0
	for k := range 20000 {
		n := flushing(rng)
		r := n.relaxed()
		play := func(n *Network, depths []int64) int64 {
			all := n.depths()
			copy(all, depths)
			s, err := run(n, all)
			if err != nil {
				t.Fatal(err)
			}
			if !s.over() {
				return 1 << 60
			}
			return s.now
		}
		depths := n.depths()
		real, relaxed := play(n, depths), play(r, depths)
		if relaxed > real {
			t.Fatalf("network %d: %d cycles, relaxed %d: %+v", k, real, relaxed, n)
		}
		if relaxed < real {
			faster++
		}
		if real < 1<<60 {
			ends++
		}
		more := slices.Clone(depths)
		more[rng.IntN(len(more))] += int64(1 + rng.IntN(3))
		switch again := play(r, more); {
		case again > relaxed:
			t.Fatalf("network %d: %d cycles, %d with %v: %+v", k, relaxed, again, more, n)
		case again < relaxed:
			deeper++
		}
	}
	if faster < 100 || deeper < 100 || ends < 1000 {
		t.Errorf("%d are faster, %d with deeper FIFOs, %d end: too few to tell", faster, deeper, ends)
	}
}

// flushing makes a network up in which pipelines flush and read and write in any cycle.
func flushing(rng *rand.Rand) *Network {
	n := &Network{Modules: make([]Module, 2+rng.IntN(3))}
	iterations := int64(1 + rng.IntN(12))
	for i := range n.Modules {
		n.Modules[i] = Module{Iterations: iterations, Runs: 1, II: int64(1 + rng.IntN(3)), Latency: int64(1 + rng.IntN(7)), Flush: rng.IntN(3) > 0}
		if rng.IntN(4) == 0 {
			n.Modules[i].Pause = int64(rng.IntN(9))
		}
		if rng.IntN(4) == 0 && iterations%2 == 0 {
			n.Modules[i].Runs, n.Modules[i].Iterations = 2, iterations/2
		}
	}
	for range len(n.Modules) + rng.IntN(3) {
		from, to := rng.IntN(len(n.Modules)), rng.IntN(len(n.Modules))
		if from > to {
			from, to = to, from
		}
		f := len(n.FIFOs)
		q := FIFO{Width: 1, Depth: int64(1 + rng.IntN(3)), Writer: from, Reader: to}
		if from == to {
			q.Initial = q.Depth
		}
		n.FIFOs = append(n.FIFOs, q)
		read := Access{FIFO: f, Tokens: 1}
		if rng.IntN(3) == 0 {
			read.At = rng.Int64N(n.Modules[to].Latency)
		}
		var when []bool
		if rng.IntN(3) == 0 {
			when = []bool{true, false, true}
		}
		read.When = when
		n.Modules[to].Reads = append(n.Modules[to].Reads, read)
		n.Modules[from].Writes = append(n.Modules[from].Writes, Access{FIFO: f, At: rng.Int64N(n.Modules[from].Latency), Tokens: 1, When: when})
	}
	return n
}
