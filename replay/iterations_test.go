package replay

// This file holds worksharing loops in the simulator against schedules worked out by hand.

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/loops"
	"pathspan/procmodels"
)

// number is an event that tells a number of a loop.
func (s *script) number(kind int, value uint64) *script {
	return s.event(kind, int(value>>32), int(value>>16&0xffff), int(value&0xffff))
}

// loop is a whole loop, in construct 0 of a region, whose iterations take so many units, and
// which tells that it has n and chunks of so many.
func (s *script) loop(r int, n, chunk uint64, iterations ...uint64) *script {
	s.event(regionBegin, r, 0, 0).event(sectionBegin, r, 0, 0)
	if s.number(probe.LoopIterations, n); chunk > 0 {
		s.number(probe.LoopChunk, chunk)
	}
	before := uint64(0) // units of the iteration before, which come with the next event
	for _, u := range iterations {
		s.event(probe.Iteration, r, 0, 1, before)
		before = u
	}
	return s.event(sectionEnd, r, 0, 0, before).event(regionEnd, r, 0, 0)
}

// newLoopBed has a loop in each region, on one thread for each of the processors, which cost
// the same and have the given clocks. Regions are named where a mapping names them.
func newLoopBed(t *testing.T, l mapping.LoopMap, clocks []float64, create, sync float64, regions int, named bool) *testbed {
	t.Helper()
	n := len(clocks)
	l.Threads = n
	prog := &ir.Program{Funcs: []*ir.Func{{Name: "main"}}}
	m := &mapping.Resolved{Platform: &mapping.Platform{Processors: make([]mapping.Processor, n)}}
	for range regions {
		prog.Regions = append(prog.Regions, ir.Region{Name: "r", Constructs: []ir.Construct{{Sections: make([]ir.Section, n), Loop: &ir.Loop{}}}})
		all := make([]int, n)
		for p := range all {
			all[p] = p
		}
		m.Regions = append(m.Regions, mapping.RegionMap{Proc: [][]int{all}, Order: [][]int{all}, Loops: []*mapping.LoopMap{&l}, Explicit: named})
	}
	if err := m.Check(prog); err != nil {
		t.Fatal(err)
	}
	costs := []*procmodels.Costs{{Blocks: [][]procmodels.BlockCost{{}}}}
	plan, err := NewPlan(prog, 0, costs)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := NewSimulator(plan, m, slices.Repeat(costs, n), clocks, slices.Repeat([]procmodels.Overheads{{Create: create, Sync: sync}}, n), prog)
	if err != nil {
		t.Fatal(err)
	}
	return &testbed{plan, sim}
}

func ended(s *script) *script {
	return s.event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0)
}

// Ten iterations of 1 to 10 units in each way of sharing them between two processors.
func TestSharedIterations(t *testing.T) {
	for _, c := range []struct {
		schedule string
		shares   []float64
		computed bool
		chunk    uint64
		clocks   []float64
		create   float64
		want     float64
	}{
		{schedule: "static", want: 6 + 7 + 8 + 9 + 10},
		{schedule: "static,2", want: 1 + 2 + 5 + 6 + 9 + 10},
		{schedule: "static", computed: true, chunk: 2, want: 1 + 2 + 5 + 6 + 9 + 10},
		{schedule: "static", shares: []float64{7, 3}, want: 28},
		{schedule: "monotonic:dynamic", want: 30}, // 1 3 5 7 9 and 2 4 6 8 10
		{schedule: "monotonic:dynamic,5", want: 40},
		{schedule: "static", clocks: []float64{100, 50}, want: 80},
		{schedule: "static", create: 3, want: 44},
	} {
		for _, named := range []bool{false, true} {
			s, err := loops.Parse(c.schedule)
			if err != nil {
				t.Fatal(err)
			}
			clocks := c.clocks
			if clocks == nil {
				clocks = []float64{100, 100}
			}
			sync := 0.0
			if c.create > 0 {
				sync = 1
			}
			b := newLoopBed(t, mapping.LoopMap{Schedule: s, Shares: c.shares, Computed: c.computed}, clocks, c.create, sync, 1, named)
			b.run(t, ended(started(1).loop(0, 10, c.chunk, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)))
			if got := b.sim.Parallel(); b.sim.Sequential() != 55 || math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%+v, named %v: %g of %g cycles", c, named, got, b.sim.Sequential())
			}
		}
	}
}

// An iteration may stand for several, and a loop may ask once more whether it ends. Where it
// tells of fewer than it has, they are spread over all.
func TestIterationsTold(t *testing.T) {
	b := newLoopBed(t, mapping.LoopMap{}, []float64{100, 100}, 0, 0, 1, false)
	s := started(1).event(regionBegin, 0, 0, 0).event(sectionBegin, 0, 0, 0).number(probe.LoopIterations, 8)
	s.event(probe.Iteration, 0, 0, 6).event(probe.Iteration, 0, 0, 2, 60).event(sectionEnd, 0, 0, 0, 4).event(regionEnd, 0, 0, 0)
	b.run(t, ended(s))
	b.want(t, 64, 40)
	b = newLoopBed(t, mapping.LoopMap{}, []float64{100, 100}, 0, 0, 1, false)
	s = started(1).loop(0, 2, 0, 7, 9, 1)
	b.run(t, ended(s))
	b.want(t, 17, 10)
	b = newLoopBed(t, mapping.LoopMap{}, []float64{100, 100}, 0, 0, 1, false)
	b.run(t, ended(started(1).loop(0, 1000, 0, 7, 9)))
	b.want(t, 16, 9)
	b = newLoopBed(t, mapping.LoopMap{}, []float64{100, 100}, 0, 0, 1, false)
	s = started(1).event(regionBegin, 0, 0, 0).event(sectionBegin, 0, 0, 0).number(probe.LoopIterations, 3).event(sectionEnd, 0, 0, 0, 30)
	b.run(t, ended(s.event(regionEnd, 0, 0, 0)))
	b.want(t, 30, 20)
}

// Long loops are kept in few cut points.
func TestManyIterations(t *testing.T) {
	const n, most = 10000, 64
	plan := newLoopBed(t, mapping.LoopMap{}, []float64{100}, 0, 0, 1, false).plan
	runs := newLoopRuns(plan)
	runs.most = most
	runs.before(probe.Event(sectionBegin, 0, 0, 0), []uint64{0})
	for i := range uint64(n) {
		runs.before(probe.Event(probe.Iteration, 0, 0, 1), []uint64{i})
	}
	run := runs.innermost()
	if len(run.positions) > most || len(run.positions) < most/4 || run.at != n {
		t.Fatalf("%d cut points of %d iterations", len(run.positions), run.at)
	}
	for i, at := range run.positions {
		if at > 0 && run.spent[i] != at*(at+1)/2 { // iteration j comes with j units
			t.Errorf("%d units before iteration %d", run.spent[i], at)
		}
		if i > 0 && at-run.positions[i-1] > 4*n/most {
			t.Errorf("no cut point between %d and %d", run.positions[i-1], at)
		}
	}
}

// A loop inside each iteration of another competes where a mapping names it, and stays on
// the thread's processor where none does.
func TestLoopInLoop(t *testing.T) {
	for _, c := range []struct {
		named bool
		want  float64
	}{{false, 4 * 10}, {true, 40}} {
		b := newLoopBed(t, mapping.LoopMap{Schedule: loops.Schedule{Kind: loops.Dynamic, Order: loops.Monotonic}}, []float64{100, 100}, 0, 0, 2, c.named)
		s := started(1).event(regionBegin, 0, 0, 0).event(sectionBegin, 0, 0, 0).number(probe.LoopIterations, 8)
		for range 8 {
			s.event(probe.Iteration, 0, 0, 1).loop(1, 5, 0, 2, 2, 2, 2, 2)
		}
		b.run(t, ended(s.event(sectionEnd, 0, 0, 0).event(regionEnd, 0, 0, 0)))
		if b.sim.Sequential() != 80 || b.sim.Parallel() < c.want || math.IsInf(b.sim.Parallel(), 1) {
			t.Errorf("named %v: %v of %v cycles", c.named, b.sim.Parallel(), b.sim.Sequential())
		}
		if !c.named && b.sim.Parallel() != c.want {
			t.Errorf("%v cycles, want %v", b.sim.Parallel(), c.want)
		}
		if d := b.sim.Region(1); d.Count != 8 {
			t.Errorf("%d executions inside", d.Count)
		}
	}
}

// Streams that tell of loops where none are give errors or are passed over.
func FuzzReadLoops(f *testing.F) {
	f.Add(ended(started(1).loop(0, 3, 2, 5, 6, 7)).buf.Bytes())
	f.Add(ended(started(1).event(regionBegin, 0, 0, 0).event(sectionBegin, 0, 0, 0).event(probe.Iteration, 0, 0, 1).loop(1, 3, 0, 5, 6).event(sectionEnd, 0, 0, 0).event(regionEnd, 0, 0, 0)).buf.Bytes())
	f.Add(started(1).event(probe.Iteration, 0, 0, 1).number(probe.LoopChunk, 5).event(regionBegin, 1, 0, 0).event(probe.Iteration, 1, 0, 3).event(sectionBegin, 1, 0, 1, 4).buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, named := range []bool{false, true} {
			b := newLoopBed(t, mapping.LoopMap{Schedule: loops.Schedule{Kind: loops.Dynamic}, Computed: true}, []float64{100, 70}, 3, 1, 2, named)
			if _, err := Read(bytes.NewReader(data), b.plan, []*Simulator{b.sim}); err == nil && !(b.sim.Parallel() >= 0) {
				t.Errorf("%v cycles", b.sim.Parallel())
			}
		}
	})
}
