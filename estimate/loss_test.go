package estimate

// This file tests the account of losses of package pathwise: by hand on the paper's
// example, and that it adds up.

import (
	"math/rand"
	"slices"
	"testing"

	"pathspan/estimate/pathwise"
	"pathspan/mapping"
)

func losses(t testing.TB, e *Estimator, m *mapping.Resolved) *pathwise.Losses {
	t.Helper()
	x, err := second(t, e).Losses(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// addsUp holds an account against an estimate.
func addsUp(t testing.TB, x *pathwise.Losses, e *Estimator, m *mapping.Resolved) {
	t.Helper()
	pb, err := e.Estimate(m, PathBased)
	if err != nil {
		t.Fatal(err)
	}
	sum := x.Sequential / x.Ideal
	for k := range x.Terms {
		items := 0.0
		for _, i := range x.Terms[k].Items {
			items += i.Micros
		}
		if !near(items, x.Terms[k].Micros) {
			t.Errorf("%v: %v, items %v", pathwise.Kind(k), x.Terms[k].Micros, items)
		}
		sum += x.Terms[k].Micros
	}
	clock := e.ClockMHz[m.Serial]
	if !near(sum*clock, pb.ParallelCycles) || !near(x.Sequential*clock, pb.SequentialCycles) {
		t.Errorf("%v cycles of %v by the account, estimated %v of %v", sum*clock, x.Sequential*clock, pb.ParallelCycles, pb.SequentialCycles)
	}
}

// Blocks 1.0 and 13.4 are serial: 5 cycles, 2.5 of them lost to the idle processor. Two
// processors have an overhead of 60. In (a), SolA: 2054 + 1061 cycles wait for 2052, or
// 5 + 1061 for 3; half of the difference, 1063, is lost.
func TestLossesOfTheWorkedExample(t *testing.T) {
	for _, c := range []struct {
		situation byte
		procs     []int
		imbalance float64
		waitsFor  []int // sections
		average   float64
		classes   [][]bool // of sections 1 and 3, 50 % each
	}{
		// SolA in (b): 2054 + 1061 against 3, 5 + 1061 against 2052.
		{'a', []int{0, 0, 1}, 1063 / 2.0, []int{1}, 2155.5, [][]bool{{true, true}, {false, false}}},
		{'b', []int{0, 0, 1}, (3112 + 986) / 2.0 / 2, []int{1, 2}, 2155.5, [][]bool{{true, false}, {false, true}}},
		// SolB in (a): 2054 + 2052 against 1061, 5 + 3 against 1061.
		{'a', []int{0, 1, 0}, (3045 + 1053) / 2.0 / 2, []int{1, 2}, 2122, [][]bool{{true, true}, {false, false}}},
	} {
		e := fun0Literal(t, c.situation).estimator("fun_0", 2)
		m := e.onto(c.procs...)
		x := losses(t, e, m)
		addsUp(t, x, e, m)
		us := 1 / e.ClockMHz[0]
		for kind, want := range map[pathwise.Kind]float64{
			pathwise.Serial: 2.5, pathwise.Overhead: 60, pathwise.Imbalance: c.imbalance, pathwise.Single: 0,
			pathwise.NestedSerial: 0, pathwise.NestedSpread: 0, pathwise.Speeds: 0, pathwise.Communication: 0, pathwise.Contention: 0,
		} {
			if got := x.Terms[kind].Micros / us; !near(got, want) {
				t.Errorf("(%c) %v: %v of %v cycles lost, want %v", c.situation, c.procs, kind, got, want)
			}
		}
		if x.Ideal != 2 || len(x.Used) != 2 {
			t.Errorf("(%c) %v: ideal %v on %v", c.situation, c.procs, x.Ideal, x.Used)
		}
		var waits []int
		for _, i := range x.Terms[pathwise.Imbalance].Items {
			waits = append(waits, i.Section)
		}
		if slices.Sort(waits); !slices.Equal(waits, c.waitsFor) {
			t.Errorf("(%c) %v: waits for sections %v, want %v", c.situation, c.procs, waits, c.waitsFor)
		}
		if !near(x.Gap.Average/us, c.average) || len(x.Gap.Regions) != 1 {
			t.Fatalf("(%c) %v: gap %+v", c.situation, c.procs, x.Gap)
		}
		g := x.Gap.Regions[0]
		if !near((x.Parallel-x.Gap.Average)/us, (g.Paths-g.Average)/us) {
			t.Errorf("(%c) %v: gap of the region is %v, of the program %v", c.situation, c.procs, g.Paths-g.Average, x.Parallel-x.Gap.Average)
		}
		if len(g.Sections) != 2 || g.Sections[0].Section != 0 || g.Sections[1].Section != 2 || len(g.Classes) != 2 {
			t.Fatalf("(%c) %v: %+v", c.situation, c.procs, g)
		}
		for _, class := range g.Classes {
			if class.Share != 0.5 || !slices.ContainsFunc(c.classes, func(long []bool) bool { return slices.Equal(long, class.Long) }) {
				t.Errorf("(%c) %v: class %+v", c.situation, c.procs, class)
			}
		}
	}
}

// A processor of half the clock counts half; what runs there loses nothing by it.
func TestLossesOfUnequalClocks(t *testing.T) {
	l := fun0Literal(t, 'a')
	a, err := Prepare(l.bundle, "fun_0")
	if err != nil {
		t.Fatal(err)
	}
	p := equal(2, l.costs)
	p.ClockMHz = []float64{100, 50}
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	m := e.onto(0, 0, 1)
	x := losses(t, e, m)
	addsUp(t, x, e, m)
	if !near(x.Ideal, 1.5) || !near(x.Terms[pathwise.Speeds].Micros, 0) {
		t.Errorf("ideal %v, unequal processors %v", x.Ideal, x.Terms[pathwise.Speeds])
	}
	// 5 cycles at 100 MHz, of which the slower processor could have done half as much.
	if got := x.Terms[pathwise.Serial].Micros; !near(got, 0.05*0.5/1.5) {
		t.Errorf("serial %v", got)
	}
	// 60 cycles on each: the slower one takes twice as long, and counts half.
	if got := x.Terms[pathwise.Overhead].Micros; !near(got, (0.6+1.2*0.5)/1.5) {
		t.Errorf("overhead %v", got)
	}
}

// A region inside a section runs on one processor unless the mapping names it.
func TestLossesOfNestedRegions(t *testing.T) {
	e := nestedLiteral(t).estimator("", 2)
	m := mapping.Default(e.Platform, e.Bundle.Program)
	m.Regions[0].Explicit = true
	m.Regions[0].Proc[0] = []int{0, 1}
	x := losses(t, e, m)
	addsUp(t, x, e, m)
	// 180 cycles, 160 of them in the nested region, against 50.
	us := 1 / e.ClockMHz[0]
	if got, want := x.Terms[pathwise.NestedSerial].Micros/us, (180-50)/2.0*160/180; !near(got, want) {
		t.Errorf("nested regions on one processor: %v, want %v", got, want)
	}
	m.Regions[1].Explicit = true
	m.Regions[1].Proc[0] = []int{0, 1}
	x = losses(t, e, m)
	addsUp(t, x, e, m)
	// The nested region takes 160 with its overheads on two processors, 160 on one.
	if got := x.Terms[pathwise.NestedSerial].Micros; got != 0 {
		t.Errorf("nested regions on one processor: %v", got)
	}
	m.Regions[0].Proc[0] = []int{0, 0}
	m.Regions[1].Proc[0] = []int{0, 0}
	x = losses(t, e, m)
	addsUp(t, x, e, m)
	if x.Ideal != 1 || len(x.Used) != 1 {
		t.Errorf("everything on one processor: ideal %v", x.Ideal)
	}
}

func TestLossesAddUp(t *testing.T) {
	booked := [pathwise.Kinds]int{}
	for seed := range int64(400) {
		l := randomLiteral(t, seed, false, 3)
		a, err := Prepare(l.bundle, "f0")
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewSource(seed))
		procs := unequal(r, 1+r.Intn(4), l.costs)
		if seed%3 == 0 {
			procs = equal(1+r.Intn(4), l.costs)
		}
		e := onRandom(t, a, l, seed, r, procs)
		m := randomMapping(r, e)
		x := losses(t, e, m)
		addsUp(t, x, e, m)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		for k := range x.Terms {
			if x.Terms[k].Micros != 0 {
				booked[k]++
			}
			switch pathwise.Kind(k) {
			case pathwise.Serial, pathwise.Single, pathwise.Imbalance, pathwise.NestedSerial, pathwise.Overhead:
				if x.Terms[k].Micros < -1e-9*x.Parallel && x.Ideal >= 1 {
					t.Errorf("seed %d: %v is negative: %v", seed, pathwise.Kind(k), x.Terms[k].Micros)
				}
			}
			if seed%3 == 0 && pathwise.Kind(k) == pathwise.Speeds && !near(x.Terms[k].Micros, 0) {
				t.Errorf("seed %d: equal processors differ: %v", seed, x.Terms[k].Micros)
			}
		}
	}
	for k, n := range booked[:pathwise.Communication] {
		if n < 10 {
			t.Errorf("only %d accounts with a loss of kind %v", n, pathwise.Kind(k))
		}
	}
}
