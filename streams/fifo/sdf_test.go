package fifo_test

// This file holds rates to synchronous data flow: actors that consume and produce fixed numbers of
// tokens, executed as early as they can be until a state comes again, after A. Ghamarian and
// others, *Throughput Analysis of Synchronous Data Flow Graphs* (ACSD 2006). An actor fires once
// at a time. Room in FIFOs is tokens that go back.

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/streams/fifo"
)

type actor struct{ time int64 }

type channel struct {
	from, to         int
	produce, consume int64
	tokens           int64
}

type graph struct {
	actors   []actor
	channels []channel
}

// rate is how often an actor fires in a cycle, in the long run; 0 in a deadlock.
func (g *graph) rate(of int) *big.Rat {
	tokens := make([]int64, len(g.channels))
	for c := range tokens {
		tokens[c] = g.channels[c].tokens
	}
	left := make([]int64, len(g.actors)) // cycles of the firing under way
	type moment struct{ at, fired int64 }
	seen := map[string]moment{}
	fired := int64(0)
	for now := int64(0); ; now++ {
		for a := range left {
			if left[a] == 0 {
				continue
			}
			if left[a]--; left[a] == 0 {
				for c, x := range g.channels {
					if x.from == a {
						tokens[c] += x.produce
					}
				}
			}
		}
		for a := range left {
			ready := left[a] == 0
			for c, x := range g.channels {
				ready = ready && (x.to != a || tokens[c] >= x.consume)
			}
			if !ready {
				continue
			}
			left[a] = g.actors[a].time
			if a == of {
				fired++
			}
			for c, x := range g.channels {
				if x.to == a {
					tokens[c] -= x.consume
				}
			}
		}
		state := fmt.Sprint(tokens, left)
		if was, again := seen[state]; again {
			return big.NewRat(fired-was.fired, now-was.at)
		}
		seen[state] = moment{now, fired}
	}
}

// actors makes a graph of a network whose modules begin an iteration when the one before is over:
// an actor for the cycle in which one reads, one for that in which it writes, one for what is
// between, and a token that goes around. Where all is in one cycle there is one actor.
func actors(n *fifo.Network) (g *graph, first []int) {
	g = &graph{}
	last := make([]int, len(n.Modules))
	for i, m := range n.Modules {
		first = append(first, len(g.actors))
		parts := []int64{1}
		if m.Latency > 2 {
			parts = append(parts, m.Latency-2)
		}
		if m.Latency > 1 {
			parts = append(parts, 1)
		}
		for k, time := range parts {
			if k > 0 {
				g.channels = append(g.channels, channel{len(g.actors) - 1, len(g.actors), 1, 1, 0})
			}
			g.actors = append(g.actors, actor{time})
		}
		last[i] = len(g.actors) - 1
		if last[i] != first[i] {
			g.channels = append(g.channels, channel{last[i], first[i], 1, 1, 1})
		}
	}
	for f, q := range n.FIFOs {
		var produce, consume int64
		for _, a := range n.Modules[q.Writer].Writes {
			if a.FIFO == f {
				produce = a.Tokens
			}
		}
		for _, a := range n.Modules[q.Reader].Reads {
			if a.FIFO == f {
				consume = a.Tokens
			}
		}
		g.channels = append(g.channels, channel{last[q.Writer], first[q.Reader], produce, consume, q.Initial},
			channel{first[q.Reader], last[q.Writer], consume, produce, q.Depth - q.Initial})
	}
	return g, first
}

// consistent makes up a connected network in which as much is written as is read.
func consistent(rng *rand.Rand) *fifo.Network {
	n := &fifo.Network{Modules: make([]fifo.Module, 2+rng.IntN(4))}
	often := make([]int64, len(n.Modules))
	for i := range n.Modules {
		often[i] = int64(1 + rng.IntN(4))
		time := int64(1 + rng.IntN(6))
		n.Modules[i] = fifo.Module{Name: fmt.Sprint("m", i), Iterations: often[i] * 1000000, Runs: 1, II: time, Latency: time, Flush: time == 1 && rng.IntN(2) == 0}
	}
	connect := func(from, to int) {
		g := new(big.Int).GCD(nil, nil, big.NewInt(often[from]), big.NewInt(often[to])).Int64()
		by := int64(1 + rng.IntN(2))
		f, produce, consume := len(n.FIFOs), often[to]/g*by, often[from]/g*by
		q := fifo.FIFO{Name: fmt.Sprint("f", f), Width: 1, Writer: from, Reader: to}
		if from >= to {
			q.Initial = produce*consume + int64(rng.IntN(4))
		}
		q.Depth = max(produce, consume, q.Initial) + int64(rng.IntN(6))
		n.FIFOs = append(n.FIFOs, q)
		n.Modules[from].Writes = append(n.Modules[from].Writes, fifo.Access{FIFO: f, At: n.Modules[from].Latency - 1, Tokens: produce})
		n.Modules[to].Reads = append(n.Modules[to].Reads, fifo.Access{FIFO: f, Tokens: consume})
	}
	for to := 1; to < len(n.Modules); to++ {
		connect(rng.IntN(to), to)
	}
	for range rng.IntN(4) {
		if from, to := rng.IntN(len(n.Modules)), rng.IntN(len(n.Modules)); from != to {
			connect(from, to)
		}
	}
	return n
}

// TestRatesOfRandom: what random networks settle at is what their graphs do.
func TestRatesOfRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	deadlocks, rates := 0, map[string]bool{}
	for k := range 2000 {
		n := consistent(rng)
		g, first := actors(n)
		r := simulate(t, n)
		of := rng.IntN(len(n.Modules))
		want := g.rate(first[of])
		if r.Deadlock != nil {
			deadlocks++
			if want.Sign() != 0 {
				t.Fatalf("network %d: %+v deadlocks, and its graph fires at a rate of %s", k, n, want)
			}
			continue
		}
		if r.Period == 0 {
			t.Fatalf("network %d: %+v does not settle", k, n)
		}
		if got := big.NewRat(r.Each[of], r.Period); got.Cmp(want) != 0 {
			t.Fatalf("network %d: module %d at %s, its graph at %s: %+v", k, of, got, want, n)
		}
		rates[want.String()] = true
	}
	if deadlocks < 100 || len(rates) < 30 {
		t.Errorf("%d deadlocks and %d rates: too few to tell", deadlocks, len(rates))
	}
}

// TestPublishedTradeOff: the graph a, b, c of S. Stuijk, M. Geilen, T. Basten (DAC 2006), whose c
// fires at best at these rates with so much room in both channels together. There, room is taken
// when a firing starts and given back when one ends: two FIFOs say so, of data and of room.
func TestPublishedTradeOff(t *testing.T) {
	best := map[int64]*big.Rat{}
	for ab := int64(1); ab <= 10; ab++ {
		for bc := int64(1); ab+bc <= 11; bc++ {
			g := &graph{[]actor{{1}, {2}, {2}}, []channel{{0, 1, 2, 3, 0}, {1, 0, 3, 2, ab}, {1, 2, 1, 2, 0}, {2, 1, 2, 1, bc}}}
			rate := g.rate(2)
			n := read(t, fmt.Sprintf(`fifos: {ab: {depth: 20}, ba: {depth: 20, initial: %d}, bc: {depth: 20}, cb: {depth: 20, initial: %d}}
modules:
  a: {iterations: 300000, ii: 1, latency: 1, reads: {ba: {at: 0, tokens: 2}}, writes: {ab: {at: 0, tokens: 2}}}
  b: {iterations: 200000, ii: 2, latency: 2, reads: {ab: {at: 0, tokens: 3}, cb: 0}, writes: {ba: {at: 1, tokens: 3}, bc: 1}}
  c: {iterations: 100000, ii: 2, latency: 2, reads: {bc: {at: 0, tokens: 2}}, writes: {cb: {at: 1, tokens: 2}}}
`, ab, bc))
			r := simulate(t, n)
			got := new(big.Rat)
			if r.Deadlock == nil {
				got = big.NewRat(r.Each[2], r.Period)
			}
			if got.Cmp(rate) != 0 {
				t.Errorf("%d and %d: %s, its graph %s", ab, bc, got, rate)
			}
			if was := best[ab+bc]; was == nil || rate.Cmp(was) > 0 {
				best[ab+bc] = rate
			}
		}
	}
	var front []string
	last := new(big.Rat)
	for size := int64(2); size <= 11; size++ {
		if best[size].Cmp(last) > 0 {
			last = best[size]
			front = append(front, fmt.Sprint(size, " ", last))
		}
	}
	if want := []string{"6 1/7", "8 1/6", "9 1/5", "10 1/4"}; !slices.Equal(front, want) {
		t.Errorf("%v, want %v", front, want)
	}
}
