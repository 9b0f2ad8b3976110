package estimate

// This file tests intervals and comparisons on cases with known distributions.

import (
	"math"
	"math/rand"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/workers"
)

// twoSections is a region of two sections of 100 cycles, blocks p and q.
func twoSections(t *testing.T) *literal {
	l := parseLiteral(t, `
		func main
		r R0(      0:   -> p
		p R0.0.0(  100: -> pe
		pe R0.0.0) 0:   -> q
		q R0.0.1(  100: -> qe
		qe R0.0.1) 0:   -> e
		e R0)      0:`)
	l.run("main", 0, pathprof.EndFunction, "1: r p pe q qe e")
	return l
}

// vary lets the cost of a block of main move with a factor.
func (l *literal) vary(block string, factor procmodels.Factor, down, up float64) {
	at := slices.Index(l.costs.Factors, factor)
	if at < 0 {
		at = len(l.costs.Factors)
		l.costs.Factors = append(l.costs.Factors, factor)
	}
	b := &l.costs.Blocks[0][l.prog.Funcs[0].BlockNamed(block)]
	b.Varies = append(b.Varies, procmodels.Variation{Factor: at, Down: down, Up: up})
}

// free returns processors without overheads.
func free(p Processors) Processors {
	p.Overheads = make([]procmodels.Overheads, len(p.Costs))
	return p
}

// sampled estimates one mapping by PB and returns the result with its intervals.
func (l *literal) sampled(p Processors, procs []int, n int) Result {
	l.t.Helper()
	a, err := Prepare(l.bundle, "")
	if err != nil {
		l.t.Fatal(err)
	}
	e, err := a.On(p)
	if err != nil {
		l.t.Fatal(err)
	}
	m := e.onto(procs...)
	s, err := a.Spread([]Case{{p, []*mapping.Resolved{m}}}, []Technique{PathBased}, n, 1)
	if err != nil {
		l.t.Fatal(err)
	}
	r := estimate(l.t, e, m, PathBased)
	if s[0] != nil {
		r.SetIntervals(s[0][0][0], 0.9)
	}
	return r
}

func within(t *testing.T, what string, in *Interval, low, high, slack float64) {
	t.Helper()
	if in == nil || math.Abs(in.Low-low) > slack || math.Abs(in.High-high) > slack || in.Confidence != 0.9 {
		t.Errorf("%s: %+v, want %v to %v", what, in, low, high)
	}
}

// One factor, two tasks: one takes 100+20z cycles, the other 100.
func TestIntervalsInClosedForm(t *testing.T) {
	l := twoSections(t)
	l.vary("p", procmodels.Factor{Name: "load", Bounded: true}, 20, 20)
	r := l.sampled(free(equal(2, l.costs)), []int{0, 1}, 4000)
	// 90% of a triangle from -1 over 0 to 1 lie within 1-sqrt(0.1) of 0.
	z := 1 - math.Sqrt(0.1)
	const cycle = 1 / 100e6
	within(t, "parallel", r.ParallelSecondsInterval, 100*cycle, (100+20*z)*cycle, 0.7*cycle)
	within(t, "sequential", r.SequentialSecondsInterval, (200-20*z)*cycle, (200+20*z)*cycle, 0.7*cycle)
	// The speed-up is 2 at z = 0 and falls on both sides.
	var speedups []float64
	for i := range 100000 {
		p := (float64(i) + 0.5) / 100000
		z := 1 - math.Sqrt(2*(1-p))
		if p < 0.5 {
			z = math.Sqrt(2*p) - 1
		}
		speedups = append(speedups, (200+20*z)/max(100, 100+20*z))
	}
	want := intervalOf(speedups, 0.9)
	within(t, "speed-up", r.SpeedupInterval, want.Low, want.High, 0.005)
	if r.Speedup != 2 {
		t.Errorf("speed-up %v, want that of the typical costs", r.Speedup)
	}
}

// A factor behind every cost, such as a clock or a cache that nobody knows, moves the
// times and not the speed-up.
func TestSharedFactorCancels(t *testing.T) {
	l := twoSections(t)
	for _, b := range []string{"p", "q"} {
		l.vary(b, procmodels.Factor{Name: "everything"}, 5, 5)
	}
	r := l.sampled(free(equal(2, l.costs)), []int{0, 1}, 4000)
	within(t, "speed-up", r.SpeedupInterval, 2, 2, 1e-9)
	const cycle = 1 / 100e6
	within(t, "parallel", r.ParallelSecondsInterval, (100-5*1.645)*cycle, (100+5*1.645)*cycle, 0.5*cycle)
	// Ranges without factors vary together just so.
	for b := range l.costs.Blocks[0] {
		if c := &l.costs.Blocks[0][b]; c.Varies != nil {
			c.Varies, c.Best, c.Worst = nil, 90, 120
		}
	}
	r = l.sampled(free(equal(2, l.costs)), []int{0, 1}, 4000)
	within(t, "speed-up", r.SpeedupInterval, 2, 2, 1e-9)
	z := 1 - math.Sqrt(0.1)
	within(t, "parallel", r.ParallelSecondsInterval, (100-10*z)*cycle, (100+20*z)*cycle, 0.7*cycle)
}

// Two normal times, 100 and 105 with deviation 10 each: the first is less with
// probability Phi(5/sqrt(200)), and the saved share of time is known by quadrature.
func TestShareOfSamplesOnPlantedCase(t *testing.T) {
	l := twoSections(t)
	l.costs.Blocks[0][l.prog.Funcs[0].BlockNamed("q")].Cycles = 0
	l.vary("p", procmodels.Factor{Name: "fit"}, 10, 10)
	other := &procmodels.Costs{Model: "other", Factors: l.costs.Factors, Blocks: [][]procmodels.BlockCost{slices.Clone(l.costs.Blocks[0])}}
	other.Blocks[0][l.prog.Funcs[0].BlockNamed("p")].Cycles = 105
	a, err := Prepare(l.bundle, "")
	if err != nil {
		t.Fatal(err)
	}
	compare := func(p Processors) Comparison {
		e, err := a.On(p)
		if err != nil {
			t.Fatal(err)
		}
		ms := []*mapping.Resolved{e.onto(0, 0), e.onto(1, 0)}
		s, err := a.Spread([]Case{{p, ms}}, []Technique{PathBased}, 4000, 1)
		if err != nil {
			t.Fatal(err)
		}
		x, y := estimate(t, e, ms[0], PathBased), estimate(t, e, ms[1], PathBased)
		x.Mapping, y.Mapping = "A", "B"
		c := Compare(&x, &y, s[0][0][0], s[0][1][0])
		if back := Compare(&y, &x, s[0][1][0], s[0][0][0]); back != c && c.Ties < 1 {
			t.Errorf("%+v, the other way round %+v", c, back)
		}
		return c
	}
	p := free(equal(2, l.costs))
	p.Costs[1] = other
	c := compare(p)
	share := 0.5 * math.Erfc(-5/math.Sqrt(200)/math.Sqrt2)
	if slack := 3.5 * math.Sqrt(share*(1-share)/4000); math.Abs(c.Wins-share) > slack || c.Mapping != "A" || c.Samples != 4000 || c.Ties != 0 {
		t.Errorf("%+v, want A to win %.3f within %.3f", c, share, slack)
	}
	gain, weight := 0.0, 0.0
	for i := -50; i <= 50; i++ {
		for j := -50; j <= 50; j++ {
			x, y := float64(i)/10, float64(j)/10
			w := math.Exp(-(x*x + y*y) / 2)
			gain += w * (1 - (100+10*x)/(105+10*y))
			weight += w
		}
	}
	if gain /= weight; math.Abs(c.Gain-gain) > 0.008 {
		t.Errorf("gain %v, want %v", c.Gain, gain)
	}
	// One model on two clocks: one draw for both, so the faster clock always wins.
	p = free(equal(2, l.costs))
	p.ClockMHz[1] = 95
	if c := compare(p); c.Wins != 1 || !near(c.Gain, 0.05) {
		t.Errorf("%+v, want A to win always, by 5%%", c)
	}
	// No difference at all.
	p.ClockMHz[1] = 100
	if c := compare(p); c.Ties != 1 || c.Wins != 0 || c.Gain != 0 {
		t.Errorf("%+v, want ties", c)
	}
}

func TestExactCostsHaveNoSpread(t *testing.T) {
	l := twoSections(t)
	r := l.sampled(equal(2, l.costs), []int{0, 1}, 100)
	if r.SpeedupInterval != nil || r.ParallelSecondsInterval != nil || r.SequentialSecondsInterval != nil {
		t.Errorf("%+v, want no intervals", r)
	}
	slower := r
	slower.Mapping, slower.ParallelSeconds = "slower", r.ParallelSeconds*2
	if c := Compare(&slower, &r, nil, nil); c.Mapping != r.Mapping || c.Wins != 1 || c.Gain != 0.5 || c.Samples != 0 {
		t.Errorf("%+v", c)
	}
}

// uncertain lets every block of some costs vary, by factors or by a range.
func uncertain(r *rand.Rand, c *procmodels.Costs) {
	c.Factors = []procmodels.Factor{{Name: "a", Bounded: true}, {Name: "b"}}
	for f := range c.Blocks {
		for b := range c.Blocks[f] {
			switch x := &c.Blocks[f][b]; r.Intn(3) {
			case 0:
				x.Best, x.Worst = x.Cycles/2, x.Cycles*1.5
			case 1:
				x.Varies = []procmodels.Variation{{Factor: r.Intn(2), Down: r.Float64() * 3, Up: r.Float64()*4 - 1}}
			}
		}
	}
}

// The trials are the same on one core and on several, alone and beside other
// platforms, and each is the estimate with its draw.
func TestSpreadIsDeterministic(t *testing.T) {
	for seed := range int64(12) {
		l := randomLiteral(t, seed, false, 2)
		r := rand.New(rand.NewSource(seed))
		mixed := unequal(r, 3, l.costs)
		mixed.Costs[0] = l.costs
		for i, c := range mixed.Costs {
			if !slices.Contains(mixed.Costs[:i], c) {
				uncertain(r, c)
			}
		}
		a, err := Prepare(l.bundle, "f0")
		if err != nil {
			t.Fatal(err)
		}
		// The same kinds, but cycles are those of another clock.
		turned := Processors{Platform: mixed.Platform, Costs: slices.Clone(mixed.Costs), ClockMHz: slices.Clone(mixed.ClockMHz)}
		slices.Reverse(turned.Costs)
		slices.Reverse(turned.ClockMHz)
		var cases []Case
		for _, p := range []Processors{equal(2, l.costs), equal(4, l.costs), mixed, turned} {
			e, err := a.On(p)
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, Case{p, []*mapping.Resolved{randomMapping(r, e), randomMapping(r, e)}})
		}
		all := []Technique{PathBased, PathBasedUnmapped, AverageTime, MaximalTime}
		spread := func(procs int, cases ...Case) []Spread {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			s, err := a.Spread(cases, all, 20, uint64(seed))
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		one := spread(1, cases...)
		if two := spread(2, cases...); !reflect.DeepEqual(one, two) {
			t.Fatalf("seed %d: other trials on two cores", seed)
		}
		for k, c := range cases {
			// The first case goes along as models are numbered by first use.
			if alone := spread(2, cases[0], c)[1]; !reflect.DeepEqual(alone, one[k]) {
				t.Errorf("seed %d: case %d has other trials beside the others", seed, k)
			}
		}
	}
}

// A panic while one sample is estimated reaches whoever asked for all.
func TestPanicsOfSpread(t *testing.T) {
	l := twoSections(t)
	l.vary("p", procmodels.Factor{Name: "load"}, 20, 20)
	a, err := Prepare(l.bundle, "")
	if err != nil {
		t.Fatal(err)
	}
	p := free(equal(2, l.costs))
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	m := e.onto(0, 1)
	l.costs.Blocks[0] = l.costs.Blocks[0][:1]
	l.costs.Blocks[0][0].Varies = []procmodels.Variation{{Factor: 9, Down: 1, Up: 1}}
	caught := workers.Catch(func() { a.Spread([]Case{{p, []*mapping.Resolved{m}}}, []Technique{PathBased}, 20, 1) })
	if caught == nil || !strings.Contains(caught.String(), "index out of range") {
		t.Errorf("Spread panics with %v", caught)
	}
}
