package table

// This file tests what data cost that lie with other processors.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomTransfers lets regions of one construct each move something. Processors are in pairs.
func randomTransfers(r *rand.Rand, m *Machine, sections []int) {
	const classes = 3
	for p := range m.KindOf {
		m.Apart, m.Near = append(m.Apart, nil), append(m.Near, nil)
		for q := range m.KindOf {
			m.Near[p] = append(m.Near[p], p/2 == q/2)
			class := classes - 1
			if p == q {
				class = 0
			} else if p/2 == q/2 {
				class = 1
			}
			m.Apart[p] = append(m.Apart[p], class)
		}
	}
	drawn := func(r *rand.Rand) Crossing {
		near := float64(12 * r.IntN(3)) // whole numbers where up to four share it
		if near == 0 {
			return nil
		}
		return Crossing{0, near, near + float64(12*r.IntN(3))}
	}
	crossing := func() Crossing { return drawn(r) }
	for _, n := range sections {
		x := &Transfers{Shared: r.IntN(4) == 0}
		lanes := n
		if x.Shared {
			lanes = 1
		}
		for range lanes {
			x.In, x.Out = append(x.In, crossing()), append(x.Out, crossing())
		}
		for range r.IntN(3) {
			if !x.Shared {
				x.Between = append(x.Between, Between{From: r.IntN(n+2) - 2, To: r.IntN(n), Via: r.IntN(n+2) - 2, Crossing: crossing()})
			}
		}
		own := rand.New(rand.NewPCG(uint64(n), uint64(len(m.Transfers))))
		if x.Shared && own.IntN(2) == 0 {
			x.Turns = []Crossing{nil, nil}
			for range len(m.KindOf) - 1 {
				x.Turns = append(x.Turns, drawn(own))
			}
		}
		if !x.Shared && n > 1 && own.IntN(2) == 0 {
			for range lanes {
				x.Most = append(x.Most, drawn(own))
			}
			for range 1 + own.IntN(2) {
				x.Beside = append(x.Beside, Between{From: own.IntN(n), To: own.IntN(n), Crossing: drawn(own)})
			}
		}
		if own.IntN(2) == 0 {
			x.Nearer = randomNearer(own, m, n, x.Shared)
		}
		if r.IntN(3) == 0 {
			for range lanes {
				c := Crossing{0}
				for range len(m.KindOf) {
					c = append(c, float64(12*r.IntN(4)))
				}
				x.Crowd = append(x.Crowd, c)
			}
		}
		if r.IntN(3) == 0 {
			for range lanes {
				x.Bus = append(x.Bus, float64(r.IntN(5))/4)
			}
		}
		m.Transfers = append(m.Transfers, []*Transfers{x})
	}
	if r.IntN(2) == 0 {
		randomCopies(r, m)
	}
}

// randomNearer lets lanes take less, by up to a quarter of their time for each of up to three bands.
func randomNearer(r *rand.Rand, m *Machine, sections int, shared bool) (out []Nearer) {
	if shared {
		sections = 1
	}
	for range sections {
		var bands Nearer
		for range r.IntN(4) {
			b := Band{Last: r.IntN(sections+1) - 1}
			for range sections + 2 {
				b.By = append(b.By, float64(r.IntN(3))/float64(2*sections+4))
			}
			for at := range Points + 1 {
				for range m.Kinds {
					less := 0.25 * r.Float64()
					if at == Points {
						less = 0
					}
					b.Less = append(b.Less, less)
				}
			}
			bands = append(bands, b)
		}
		out = append(out, bands)
	}
	return out
}

// Four sections on four processors, two of which share a cache. Section 1 reads 10 near or 30 far of
// what lies where the construct is met, section 4 as much of what section 3 wrote, and of what 2 wrote 5
// or 7 is read behind the join.
func TestTransfers(t *testing.T) {
	for _, c := range []struct {
		proc []int
		want float64
	}{
		{[]int{0, 0, 0, 0}, 40},                              // nothing moves
		{[]int{0, 0, 1, 1}, 20 + 3},                          // nor here
		{[]int{1, 0, 0, 0}, 30 + 3},                          // the longest is another
		{[]int{2, 0, 0, 2}, 10 + 10 + 30 + 30 + 3},           // and from 3 to 4
		{[]int{0, 1, 2, 3}, 10 + 10 + 3 + 5},                 // 4 waits near, the serial processor behind
		{[]int{3, 2, 1, 0}, max(10+30, 10+10) + 3 + 7},       // all wait
		{[]int{1, 1, 1, 1}, 40 + 10 + 3 + 5},                 // what 3 wrote is where 4 is
		{[]int{0, 2, 2, 3}, max(10, 20, 10+10) + 3 + 7},      // 2 is far
		{[]int{2, 3, 2, 3}, max(20+30, 20+10) + 3 + 7},       // 4 is near 3
		{[]int{1, 3, 0, 0}, max(10+10, 10, 10+10) + 3 + 7.0}, // on the processor that meets it, no more
	} {
		m := machine(4, 2, 1)
		m.Apart = [][]int{{0, 1, 2, 2}, {1, 0, 2, 2}, {2, 2, 0, 1}, {2, 2, 1, 0}}
		x := Crossing{0, 10, 30}
		m.Transfers = [][]*Transfers{{{In: []Crossing{x, nil, nil, nil}, Out: []Crossing{nil, {0, 5, 7}, nil, nil}, Between: []Between{{2, 3, 2, x}}}}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10, 10, 10, 10)), 1)
		if got := value(t, b, 0, resolved(4, nil, c.proc)); got != c.want {
			t.Errorf("%v: %g, want %g", c.proc, got, c.want)
		}
	}
}

// Half of what lies between uses of section 1's lines is its own, a quarter is section 2's, and a quarter lies where the construct is met. It takes less
// by 40 % without all that, and so by 20 % with half. What section 3 finds near was section 1's, or lies where the construct is met.
func TestNearer(t *testing.T) {
	less := func(most float64) (out []float64) {
		for at := range Points + 1 {
			out = append(out, most*float64(Points-at)/Points)
		}
		return out
	}
	for _, c := range []struct {
		proc []int
		want float64
	}{
		{[]int{0, 0, 0}, 250},
		{[]int{1, 0, 0}, max(100*(1-0.2), 100+50*(1-0.2*(1-0.5))) + 3},
		{[]int{1, 1, 1}, 100*(1-0.1) + 100 + 50*(1-0.6) + 3},                 // 3 finds what 1 used
		{[]int{1, 0, 1}, max(100*(1-0.2)+50*(1-0.6), 100) + 3},               // here as well
		{[]int{1, 1, 0}, 100*(1-0.1) + 100 + 3},                              // there not, but what lies with the serial processor
		{[]int{0, 1, 1}, max(100*(1-0.1), 100+50) + 3},                       // section 1 is beside the rest
		{[]int{0, 1, 0}, max(100*(1-0.1)+50*(1-0.6-0.2*(1-0.5)), 100.0) + 3}, // and 3 finds both
		{[]int{0, 2, 1}, max(100*(1-0.1), 100, 50) + 3},                      // or none
		{[]int{1, 2, 0}, max(100*(1-0.2), 100, 50*(1-0.2*(1-0.5))) + 3},      // and 3 what lies where it is
	} {
		m := machine(3, 2, 1)
		m.Apart, m.Near = [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}, [][]bool{make([]bool, 3), make([]bool, 3), make([]bool, 3)}
		m.Transfers = [][]*Transfers{{{In: make([]Crossing, 3), Out: make([]Crossing, 3), Nearer: []Nearer{
			{{Last: 0, By: []float64{0.5, 0.25, 0, 0.25, 0}, Less: less(0.4)}},
			nil,
			{{Last: 0, By: []float64{0, 0, 0, 0, 0}, Less: less(0.6)}, {Last: -1, By: []float64{0, 0, 0, 0.25, 0.25}, Less: less(0.2)}},
		}}}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(100, 100, 50)), 1)
		if got := value(t, b, 0, resolved(3, nil, c.proc)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %g, want %g", c.proc, got, c.want)
		}
	}
}

// Threads of a loop have half of what lies between uses each, and three quarters of it where one of them has so many of the iterations.
func TestNearerInLoops(t *testing.T) {
	var less []float64
	for at := range Points + 1 {
		less = append(less, 0.5*float64(Points-at)/Points)
	}
	for _, c := range []struct {
		threads []float64
		last    int
		dealt   float64
		met     float64
		want    float64
	}{
		{[]float64{60, 60}, 0, 0, 0, 60*(1-0.25) + 3},
		{[]float64{60, 60}, -1, 0, 0, 60*(1-0.125) + 3}, // as likely on the other
		{[]float64{90, 30}, 0, 0, 0, 90*(1-0.125) + 3},
		// Half of the lines are those of the code outside, and the first thread has all of these, the other none.
		{[]float64{60, 60}, 0, 0, 0.5, 60*(1-0.125) + 3},
		{[]float64{20, 60}, 0, 0, 0.5, 60*(1-0.5*(1-0.5*0.75)) + 3},
		{[]float64{60, 60}, -1, 0.5, 0.5, 60*(1-0.0625-0.25/12) + 3},
		// Or in the k-th execution before, half as likely each time, with 1 - 2^-k of the lines in between; and where half of them are other loops',
		// of which a thread has half.
		{[]float64{60, 60}, -1, 1, 0, 60*(1-0.125-0.5/12) + 3},
		{[]float64{60, 60}, -1, 0.5, 0, 60*(1-0.125-0.5*(0.25/2+0.5/12)) + 3},
	} {
		m := machine(2, 2, 1)
		m.Apart, m.Near = [][]int{{0, 1}, {1, 0}}, [][]bool{make([]bool, 2), make([]bool, 2)}
		m.Transfers = [][]*Transfers{{{Shared: true, In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: c.last, Dealt: c.dealt, Met: c.met, Less: less}}}}}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(c.threads...)), 1)
		tab, err := b.Table([]float64{0})
		if err != nil {
			t.Fatal(err)
		}
		tab.LongestDecides()
		got, err := tab.NewValuer().Value(resolved(2, nil, []int{0, 1}))
		if err != nil || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%v, last %d: %g, %v, want %g", c.threads, c.last, got, err, c.want)
		}
	}
}

// The second section meets a region that reads 7 of what lies where all begins, 5 of the first section, 13 outside of constructs, and writes 11 that are read behind the
// join. What the mapping sends elsewhere of it the section's processor does not wait for.
func TestInside(t *testing.T) {
	for _, c := range []struct {
		named       bool // the region inside
		proc, inner []int
		want        float64
	}{
		{false, []int{0, 1}, []int{0, 0}, 100 + 3 + 7 + 5 + 13 + 11},
		{true, []int{0, 1}, []int{1, 1}, 100 + 3 + 7 + 5 + 13 + 11},
		{true, []int{0, 1}, []int{1, 0}, 100 + 3 + 7 + 13},
		{true, []int{0, 1}, []int{0, 1}, 100 + 3 + 13 + 11},
		{true, []int{1, 0}, []int{0, 0}, 100 + 3 + 5},
		{false, []int{0, 0}, []int{1, 1}, 200},
	} {
		m := machine(2, 2, 1)
		m.Apart, m.Near = [][]int{{0, 1}, {1, 0}}, [][]bool{make([]bool, 2), make([]bool, 2)}
		m.Transfers = [][]*Transfers{{{In: make([]Crossing, 2), Out: make([]Crossing, 2), Inside: []Inside{
			{Between{WhereMet, 1, WhereMet, Crossing{0, 7}}, 1, 1, 0, 0},
			{Between{0, 1, 0, Crossing{0, 5}}, 1, 1, 0, -1},
			{Between{WhereMet, 1, WhereMet, Crossing{0, 13}}, 1, 1, -1, 0},
			{Between{1, WhereMet, 1, Crossing{0, 11}}, 1, 1, 0, 1},
		}}}, {nil}}
		b := NewBuilder(m, 2)
		b.Root(b.Execution(0, 0, 1, lanes(100, 100)), 1)
		if got := value(t, b, 0, resolved(2, []bool{true, c.named}, c.proc, c.inner)); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v, inside %v: %g, want %g", c.proc, c.inner, got, c.want)
		}
	}
}

// Main memory serves one processor at a time: three lanes that keep it busy for half of their
// time take no less than all of that, wherever they are, and as long as ever on one.
func TestContention(t *testing.T) {
	for _, c := range []struct {
		bus  []float64
		proc []int
		want float64
	}{
		{[]float64{0.5, 0.5, 0.5}, []int{0, 1, 2}, 15}, // in which tasks are created and synchronised
		{[]float64{0.5, 0.5, 0.5}, []int{0, 0, 1}, 20 + 3},
		{[]float64{1, 1, 1}, []int{0, 1, 2}, 30},
		{[]float64{1, 1, 1}, []int{0, 0, 0}, 30},
		{[]float64{0.25, 0.25, 0.25}, []int{0, 1, 2}, 10 + 3},
	} {
		m := machine(3, 2, 1)
		m.Apart = [][]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}
		m.Transfers = [][]*Transfers{{{In: make([]Crossing, 3), Out: make([]Crossing, 3), Bus: c.bus}}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10, 10, 10)), 1)
		if got := value(t, b, 0, resolved(3, nil, c.proc)); got != c.want {
			t.Errorf("%v on %v: %g, want %g", c.bus, c.proc, got, c.want)
		}
	}
}

// Three lanes wait 6 and 20 longer beside one and two others that share their cache, processor 3 has its own.
func TestCrowd(t *testing.T) {
	for _, c := range []struct {
		proc []int
		want float64
	}{
		{[]int{0, 0, 0}, 30}, {[]int{0, 0, 1}, 20 + 12}, {[]int{0, 1, 2}, 10 + 20}, {[]int{0, 3, 3}, 20}, {[]int{0, 1, 3}, 10 + 6},
	} {
		m := machine(4, 0, 0)
		m.Apart = [][]int{{0, 1, 1, 2}, {1, 0, 1, 2}, {1, 1, 0, 2}, {2, 2, 2, 0}}
		m.Near = [][]bool{{true, true, true, false}, {true, true, true, false}, {true, true, true, false}, {false, false, false, true}}
		x := Crossing{0, 6, 20, 99}
		m.Transfers = [][]*Transfers{{{In: make([]Crossing, 3), Out: make([]Crossing, 3), Crowd: []Crossing{x, x, x}}}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10, 10, 10)), 1)
		if got := value(t, b, 0, resolved(4, nil, c.proc)); got != c.want {
			t.Errorf("%v: %g, want %g", c.proc, got, c.want)
		}
	}
}

// Threads of a loop share what it reads.
func TestTransfersOfLoops(t *testing.T) {
	m := machine(4, 0, 0)
	m.Apart = [][]int{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}}
	m.Transfers = [][]*Transfers{{{Shared: true, In: []Crossing{{0, 12}}, Out: []Crossing{{0, 24}}}}}
	for _, c := range []struct {
		proc []int
		want float64
	}{{[]int{0, 0, 0, 0}, 40}, {[]int{0, 1, 2, 3}, 10 + 3 + 18}, {[]int{1, 2, 1, 2}, 20 + 6 + 24}} {
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10, 10, 10, 10)), 1)
		if got := value(t, b, 0, resolved(4, nil, c.proc)); got != c.want {
			t.Errorf("%v: %g, want %g", c.proc, got, c.want)
		}
	}
}

// Four threads of a loop use lines by turns: by how many processors take part, each waits its part, as far as the others are.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		proc []int
		want float64
	}{
		{[]int{0, 0, 0, 0}, 40},
		{[]int{0, 0, 1, 1}, 20 + 3 + 8.0/2},              // near
		{[]int{0, 0, 2, 2}, 20 + 3 + 16.0/2},             // far
		{[]int{0, 1, 2, 3}, 10 + 3 + (24.0+48+48)/(4*3)}, // one near, two far
	} {
		m := machine(4, 2, 1)
		m.Apart = [][]int{{0, 1, 2, 2}, {1, 0, 2, 2}, {2, 2, 0, 1}, {2, 2, 1, 0}}
		m.Transfers = [][]*Transfers{{{Shared: true, In: []Crossing{nil}, Out: []Crossing{nil}, Turns: []Crossing{nil, nil, {0, 8, 16}, nil, {0, 24, 48}}}}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10, 10, 10, 10)), 1)
		tab, err := b.Table(make([]float64, m.Kinds))
		if err != nil {
			t.Fatal(err)
		}
		got, err := tab.NewValuer().Value(resolved(4, nil, c.proc))
		if err != nil || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %g, want %g (%v)", c.proc, got, c.want, err)
		}
	}
}

// Four sections use one line: beside each stand those of another processor, one at a time, and no use is lost to two. Three that another
// processor executes one behind the other are beside the first only for as long as that takes.
func TestSectionsBeside(t *testing.T) {
	for _, c := range []struct {
		proc []int
		want float64
	}{
		{[]int{0, 0, 0, 0}, 40}, {[]int{0, 0, 1, 1}, 20 + 3 + 2*6}, {[]int{0, 1, 1, 1}, 30 + 3 + 3*6/3}, {[]int{0, 1, 2, 3}, 10 + 3 + 15}, {[]int{0, 1, 2, 2}, 20 + 3 + 2*12/2},
	} {
		m := machine(4, 2, 1)
		m.Apart = [][]int{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}}
		x := &Transfers{In: make([]Crossing, 4), Out: make([]Crossing, 4), Most: slices.Repeat([]Crossing{{0, 15}}, 4)}
		for a := range 4 {
			for b := range 4 {
				if a != b {
					x.Beside = append(x.Beside, Between{a, b, a, Crossing{0, 6}})
				}
			}
		}
		m.Transfers = [][]*Transfers{{x}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10, 10, 10, 10)), 1)
		if got := value(t, b, 0, resolved(4, nil, c.proc)); got != c.want {
			t.Errorf("%v: %g, want %g", c.proc, got, c.want)
		}
	}
}

// Lines that a third used last are on its processor as well, whoever wrote them.
func TestLinesOfAThird(t *testing.T) {
	for _, c := range []struct {
		from, via int
		proc      []int
		want      float64
	}{
		{0, 0, []int{1, 2, 3}, 10 + 6},
		{0, 0, []int{3, 2, 3}, 20},
		{0, 1, []int{1, 3, 3}, 20},
		{0, 1, []int{1, 2, 3}, 10 + 6},
		{0, WhereMet, []int{1, 2, 0}, 10},
		{0, Anywhere, []int{1, 3, 3}, 20 + 6},
		{WhereMet, 1, []int{1, 2, 3}, 10 + 6},
		{WhereMet, 1, []int{1, 2, 0}, 10},
		{Anywhere, Anywhere, []int{1, 2, 3}, 10 + 6*3./4},
	} {
		m := machine(4, 2, 1)
		m.Apart = [][]int{{0, 1, 1, 1}, {1, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 1, 0}}
		m.Transfers = [][]*Transfers{{{In: make([]Crossing, 3), Out: make([]Crossing, 3), Between: []Between{{c.from, 2, c.via, Crossing{0, 6}}}}}}
		const sync = 3
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10, 10, 10)), 1)
		if got := value(t, b, 0, resolved(3, nil, c.proc)); got != c.want+sync {
			t.Errorf("from %d, last %d, on %v: %g, want %g", c.from, c.via, c.proc, got, c.want+sync)
		}
	}
}

// Tables refuse transfers that none can be.
func TestTransfersCheck(t *testing.T) {
	none := make([]float64, Points+1)
	for _, x := range []Transfers{
		{In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{nil, nil}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: 1, By: []float64{0, 0, 0}, Less: none}}}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: 0, By: []float64{0}, Less: none}}}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: 0, By: []float64{0, 0, 0}, Less: none[1:]}}}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: 0, By: []float64{0, 0, 0}, Less: append([]float64{1}, none[1:]...)}}}},
		{In: []Crossing{{0, -1}}, Out: []Crossing{nil}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Between: []Between{{0, 1, 0, nil}}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Between: []Between{{0, 0, 1, nil}}},
		{Shared: true, In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: 0, Less: none, Kept: []float64{0, 2, 0}}}}},
		{Shared: true, In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: -1, Less: none, Dealt: 0.75, Met: 0.5}}}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Nearer: []Nearer{{{Last: 0, By: []float64{0, 0, 0}, Less: none, Met: 0.5}}}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Most: []Crossing{nil}, Beside: []Between{{0, 1, 0, nil}}},
		{In: []Crossing{nil}, Out: []Crossing{nil}, Beside: []Between{{0, 0, 0, nil}}},
		{Shared: true, In: []Crossing{nil}, Out: []Crossing{nil}, Turns: []Crossing{nil, {0, -1}, nil}},
		{Shared: true, In: []Crossing{nil}, Out: []Crossing{nil}, Turns: []Crossing{nil}},
	} {
		m := machine(2, 0, 0)
		m.Transfers, m.Apart = [][]*Transfers{{&x}}, [][]int{{0, 1}, {1, 0}}
		b := NewBuilder(m, 1)
		b.Root(b.Execution(0, 0, 1, lanes(10)), 1)
		if _, err := b.Table([]float64{0}); err == nil {
			t.Errorf("%+v is accepted", x)
		}
	}
}
