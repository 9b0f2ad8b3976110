package table

// This file tests what copies between local memories take.

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomCopies gives processors memories of their own, and lanes something to copy: over a bus, or over a link to each
// but those of the first pair.
func randomCopies(r *rand.Rand, m *Machine) {
	n := len(m.KindOf)
	bus, remote := r.IntN(2) == 0, r.IntN(4) == 0
	m.Links = &Links{Rate: []float64{float64(1 + r.IntN(3))}, Route: make([][]Route, n)}
	for range n {
		m.Links.Rate = append(m.Links.Rate, float64(1+r.IntN(3)))
	}
	node := func(p int) int { return max(0, p-1) } // the first two share main memory
	for p := range n {
		for q := range n {
			way := Route{Latency: float64(r.IntN(3)), Remote: remote}
			switch {
			case node(p) == node(q):
			case bus:
				way.Links = []int{0}
			default:
				for _, at := range []int{node(p), node(q)} {
					if at > 0 {
						way.Links = append(way.Links, at)
					}
				}
			}
			m.Links.Route[p] = append(m.Links.Route[p], way)
		}
	}
	for _, of := range m.Transfers {
		x := of[0]
		x.Copies = &Copies{}
		for range x.In {
			for _, list := range []*[]float64{&x.Copies.In, &x.Copies.Out, &x.Copies.Accesses, &x.Copies.Bytes} {
				*list = append(*list, float64(r.IntN(4)))
			}
		}
	}
}

// star is processors at links of a rate, or at one bus, all but the first with a memory of their own.
func star(m *Machine, bus bool, rate, latency float64) {
	m.Links = &Links{}
	for p := range m.KindOf {
		m.Links.Rate = append(m.Links.Rate, rate)
		m.Links.Route = append(m.Links.Route, nil)
		m.Apart = append(m.Apart, make([]int, len(m.KindOf)))
		m.Near = append(m.Near, make([]bool, len(m.KindOf)))
		for q := range m.KindOf {
			way := Route{Latency: latency}
			for _, node := range []int{p, q} {
				switch {
				case p == q || node == 0:
				case bus:
					way.Links = []int{0}
				default:
					way.Links = append(way.Links, node)
				}
			}
			m.Links.Route[p] = append(m.Links.Route[p], way)
		}
	}
}

// Three lanes of 100 read 20, 20 and 40 bytes and write 0, 0 and 10 that others read, at 2 bytes a cycle and 1 cycle
// before the first; creating and synchronising take 5.
func TestCopies(t *testing.T) {
	for _, c := range []struct {
		bus  bool
		proc []int
		want float64
	}{
		{true, []int{0, 0, 0}, 300},
		{true, []int{0, 0, 1}, max(200, 1+20+100+1+5) + 5}, // a lane on the serial processor copies nothing
		{true, []int{1, 1, 1}, 300 + 3 + 40 + 1 + 5 + 5},   // a latency for each lane that copies
		{false, []int{0, 1, 2}, 1 + 20 + 100 + 1 + 5 + 5},
		{false, []int{1, 2, 3}, 1 + 20 + 100 + 1 + 5 + 5},
		// The first two share the bus until both have their 20, the third until 60 have moved: 20 at a third of
		// 2 take 30, and the 20 that it lacks another 10.
		{true, []int{1, 2, 3}, 1 + 30 + 10 + 100 + 1 + 5 + 5},
		{true, []int{0, 1, 3}, 1 + 20 + 10 + 100 + 1 + 5 + 5},
	} {
		m := machine(4, 5, 0)
		star(&m, c.bus, 2, 1)
		none := make([]float64, 3)
		m.Transfers = [][]*Transfers{{{In: make([]Crossing, 3), Out: make([]Crossing, 3), Copies: &Copies{In: []float64{20, 20, 40}, Out: []float64{0, 0, 10}, Accesses: none, Bytes: none}}}}
		b := NewBuilder(m, 1)
		x := b.Execution(0, 0, 1, lanes(100, 100, 100))
		b.Root(x, 1)
		if got := value(t, b, 0, resolved(4, nil, c.proc)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v, bus %v: %g, want %g", c.proc, c.bus, got, c.want)
		}
	}
}

// Four lanes make 10 accesses of 4 bytes each: nothing is copied, each waits for its latency and its bytes, and the bus
// carries one at a time.
func TestRemoteAccesses(t *testing.T) {
	for _, c := range []struct {
		own  float64
		proc []int
		want float64
	}{
		{100, []int{0, 0, 1, 2}, 200}, {100, []int{0, 1, 2, 3}, 100 + 10*3 + 40}, {0, []int{0, 1, 2, 3}, 120}, {0, []int{1, 1, 1, 1}, 4 * (10*3 + 40)},
	} {
		m := machine(4, 0, 0)
		star(&m, true, 1, 3)
		for _, to := range m.Links.Route {
			for q := range to {
				to[q].Remote = true
			}
		}
		four := func(x float64) []float64 { return []float64{x, x, x, x} }
		m.Transfers = [][]*Transfers{{{In: make([]Crossing, 4), Out: make([]Crossing, 4), Copies: &Copies{In: four(0), Out: four(0), Accesses: four(10), Bytes: four(40)}}}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(c.own, c.own, c.own, c.own)), 1)
		if got := value(t, b, 0, resolved(4, nil, c.proc)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %g, want %g", c.proc, got, c.want)
		}
	}
}
