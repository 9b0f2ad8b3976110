package estimate_test

// This file tests the account of losses of package account: by hand on small programs,
// and that it adds up on random ones.

import (
	"math"
	"slices"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/mapping"
)

func same(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}

// lossesOf accounts for a mapping and holds the account against the estimate.
func lossesOf(t testing.TB, e *estimate.Estimator, m *mapping.Resolved, technique estimate.Technique) *account.Account {
	t.Helper()
	x, err := account.Losses(e, m, technique)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Estimate(m, technique)
	if err != nil {
		t.Fatal(err)
	}
	sum := x.Sequential / x.Ideal
	for k, term := range x.Terms {
		items := 0.0
		for _, i := range term.Items {
			items += i.Micros
		}
		if !same(items, term.Micros) {
			t.Errorf("%v: %v, items %v", account.Kind(k), term.Micros, items)
		}
		sum += term.Micros
	}
	clock := e.ClockMHz[m.Serial]
	if !same(sum*clock, r.ParallelCycles) || !same(x.Parallel*clock, r.ParallelCycles) || !same(x.Sequential*clock, r.SequentialCycles) {
		t.Errorf("%s: %v of %v cycles by the account, from %v; estimated %v from %v", technique, sum*clock, x.Parallel*clock, x.Sequential*clock, r.ParallelCycles, r.SequentialCycles)
	}
	return x
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
		e := estimate.WorkedExample(t, c.situation)
		m := e.Onto(c.procs...)
		x := lossesOf(t, e, m, estimate.PathBased)
		us := 1 / e.ClockMHz[0]
		for kind, want := range map[account.Kind]float64{
			account.Serial: 2.5, account.Overhead: 60, account.Imbalance: c.imbalance, account.Single: 0,
			account.NestedSerial: 0, account.Speeds: 0, account.Communication: 0, account.Contention: 0,
		} {
			if got := x.Terms[kind].Micros / us; !same(got, want) {
				t.Errorf("(%c) %v: %v of %v cycles lost, want %v", c.situation, c.procs, kind, got, want)
			}
		}
		if x.Ideal != 2 || len(x.Used) != 2 {
			t.Errorf("(%c) %v: ideal %v on %v", c.situation, c.procs, x.Ideal, x.Used)
		}
		var waits []int
		for _, i := range x.Terms[account.Imbalance].Items {
			waits = append(waits, i.Section)
		}
		if slices.Sort(waits); !slices.Equal(waits, c.waitsFor) {
			t.Errorf("(%c) %v: waits for sections %v, want %v", c.situation, c.procs, waits, c.waitsFor)
		}
		at, err := e.Estimate(m, estimate.AverageTime)
		if err != nil || !same(at.ParallelCycles, c.average) || len(x.Gap) != 1 {
			t.Fatalf("(%c) %v: average %v, %v, gap %+v", c.situation, c.procs, at, err, x.Gap)
		}
		g := x.Gap[0]
		if !same(x.Parallel/us-c.average, (g.Rows-g.Average)/us) || g.Maximal < g.Rows {
			t.Errorf("(%c) %v: gap of the region is %v, of the program %v", c.situation, c.procs, g.Rows-g.Average, x.Parallel-c.average)
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
	e := estimate.WorkedExampleAt(t, 'a', 100, 50)
	x := lossesOf(t, e, e.Onto(0, 0, 1), estimate.PathBased)
	if !same(x.Ideal, 1.5) || !same(x.Terms[account.Speeds].Micros, 0) {
		t.Errorf("ideal %v, unequal processors %v", x.Ideal, x.Terms[account.Speeds])
	}
	// 5 cycles at 100 MHz, of which the slower processor could have done half as much.
	if got := x.Terms[account.Serial].Micros; !same(got, 0.05*0.5/1.5) {
		t.Errorf("serial %v", got)
	}
	// 60 cycles on each: the slower one takes twice as long, and counts half.
	if got := x.Terms[account.Overhead].Micros; !same(got, (0.6+1.2*0.5)/1.5) {
		t.Errorf("overhead %v", got)
	}
}

// A region inside a section runs on one processor unless the mapping names it.
func TestLossesOfNestedRegions(t *testing.T) {
	e := estimate.NestedExample(t)
	m := mapping.Default(e.Platform, e.Bundle.Program)
	m.Regions[0].Explicit = true
	m.Regions[0].Proc[0] = []int{0, 1}
	us := 1 / e.ClockMHz[0]
	// Processor 0 has a section of 20 cycles and then 160 in the nested region, processor 1
	// one of 50, each with 50 before it and 10 behind it. So processor 1 waits from 110 on,
	// to 230 for the nested region, and 10 more.
	x := lossesOf(t, e, m, estimate.PathBased)
	if got, want := x.Terms[account.NestedSerial].Micros/us, (230-110)/2.0; !same(got, want) {
		t.Errorf("nested regions on one processor: %v, want %v", got, want)
	}
	if items := x.Terms[account.NestedSerial].Items; len(items) != 1 || items[0].Region != 0 || items[0].Section != 0 {
		t.Errorf("nested regions on one processor: %+v", items)
	}
	// Named, it runs on both, and nothing stays on one.
	m.Regions[1].Explicit = true
	m.Regions[1].Proc[0] = []int{0, 1}
	x = lossesOf(t, e, m, estimate.PathBased)
	if got := x.Terms[account.NestedSerial].Micros; got != 0 {
		t.Errorf("nested regions on one processor: %v", got)
	}
	// Behind the region f is executed once more, on two processors: 60 each.
	if got, want := x.Terms[account.Overhead].Micros/us, 3*60.0; !same(got, want) {
		t.Errorf("overheads: %v, want %v", got, want)
	}
	m.Regions[0].Proc[0] = []int{0, 0}
	m.Regions[1].Proc[0] = []int{0, 0}
	x = lossesOf(t, e, m, estimate.PathBased)
	if x.Ideal != 1 || len(x.Used) != 1 || x.Parallel != x.Sequential {
		t.Errorf("everything on one processor: ideal %v, %v of %v", x.Ideal, x.Parallel, x.Sequential)
	}
}

// The account of random programs adds up, by paths, by averages and by executions: nothing
// that processors wait for or spend on tasks is below 0, equal processors do not differ,
// on one processor nothing is lost, and the places of serial code are all of it.
func TestLossesAddUp(t *testing.T) {
	booked := map[estimate.Technique]*[account.Kinds]int{}
	for seed := range int64(240) {
		e, ms := estimate.RandomTrees(t, seed)
		for _, m := range ms {
			for _, technique := range []estimate.Technique{estimate.PathBased, estimate.AverageTime, estimate.ExecutionBased} {
				x := lossesOf(t, e, m, technique)
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
				if booked[technique] == nil {
					booked[technique] = new([account.Kinds]int)
				}
				for k, term := range x.Terms {
					if term.Micros != 0 {
						booked[technique][k]++
					}
					if kind := account.Kind(k); kind != account.Speeds && term.Micros < 0 || seed%3 == 0 && kind == account.Speeds && e.ClockMHz[0] == e.ClockMHz[m.Serial] && !same(term.Micros, 0) {
						t.Errorf("seed %d, %s: %v is %v", seed, technique, kind, term.Micros)
					}
					for _, i := range term.Items {
						if i.Region < 0 && account.Kind(k) != account.Serial {
							t.Errorf("seed %d, %s: %v in %+v", seed, technique, account.Kind(k), i)
						}
					}
				}
				if len(x.Used) == 1 && !same(x.Parallel, x.Sequential+x.Terms[account.TeamOfOne].Micros+x.Terms[account.Overhead].Micros) {
					t.Errorf("seed %d, %s: one processor takes %v of %v", seed, technique, x.Parallel, x.Sequential)
				}
				for _, g := range x.Gap {
					if g.Maximal < g.Average*(1-1e-9) {
						t.Errorf("seed %d, %s: %+v", seed, technique, g)
					}
				}
			}
			one := lossesOf(t, e, mapping.OnOne(e.Platform, m.Serial, e.Bundle.Program), estimate.ExecutionBased)
			for k, term := range one.Terms {
				if term.Micros != 0 && account.Kind(k) != account.TeamOfOne {
					t.Errorf("seed %d: %v loses %v on one processor", seed, account.Kind(k), term.Micros)
				}
			}
		}
	}
	for technique, kinds := range booked {
		for k, n := range kinds[:account.Communication] {
			if none := []account.Kind{account.Combining, account.Dispatch, account.Tasking, account.Waiting, account.Locking}; n < 10 && !slices.Contains(none, account.Kind(k)) { // of reductions, loops, tasks and locks, which these programs have none of
				t.Errorf("%s: only %d accounts with a loss of kind %v", technique, n, account.Kind(k))
			}
		}
	}
}

// Places of serial code are those whose blocks run outside of sections by the paths: they
// take what the estimate takes there.
func TestSerialSecondsOfRandomPrograms(t *testing.T) {
	compared := 0
	for seed := range int64(150) {
		e, ms := estimate.RandomTrees(t, seed)
		for _, m := range ms {
			x := lossesOf(t, e, m, estimate.PathBased)
			want, err := e.SerialSeconds(m.Serial, estimate.PathBased)
			if err != nil {
				t.Fatal(err)
			}
			if x.Ideal == 1 || want == 0 {
				continue
			}
			elsewhere := mapping.OnOne(e.Platform, (m.Serial+1)%len(e.Platform.Processors), e.Bundle.Program)
			elsewhere.Serial = m.Serial
			all, err := e.Attribute(elsewhere, nil)
			if err != nil {
				t.Fatal(err)
			}
			cycles := 0.0
			for _, b := range all.Blocks {
				if b.Processor == m.Serial {
					cycles += b.Executions * b.Cycles
				}
			}
			if got := cycles / (e.ClockMHz[m.Serial] * 1e6); !same(got*1e6, want*1e6) {
				t.Errorf("seed %d: blocks outside of sections take %v s, the estimate has %v", seed, got, want)
			}
			compared++
		}
	}
	if compared < 100 {
		t.Errorf("only %d programs compared", compared)
	}
	e := estimate.WorkedExample(t, 'a')
	s, err := e.SerialSeconds(0, estimate.PathBased)
	if err != nil || !same(s*e.ClockMHz[0]*1e6, 5) {
		t.Errorf("%v cycles outside of sections, want 5: %v", s*e.ClockMHz[0]*1e6, err)
	}
}
