package replay

// This file holds the simulator against schedules worked out by hand.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// script writes a stream: events, each with what every meter counted before it.
type script struct {
	buf    bytes.Buffer
	meters int
	told   []uint64 // accesses
}

func (s *script) event(kind int, region, construct, section int, units ...uint64) *script {
	binary.Write(&s.buf, binary.LittleEndian, probe.Event(kind, region, construct, section))
	for len(units) < s.meters {
		units = append(units, 0)
	}
	binary.Write(&s.buf, binary.LittleEndian, units)
	return s
}

const (
	regionBegin  = int(ir.RegionBegin)
	regionEnd    = int(ir.RegionEnd)
	sectionBegin = int(ir.SectionBegin)
	sectionEnd   = int(ir.SectionEnd)
)

// region is a whole region of one construct whose sections take the given units.
func (s *script) region(r int, before uint64, sections ...uint64) *script {
	s.event(regionBegin, r, 0, 0, before)
	for i, u := range sections {
		s.event(sectionBegin, r, 0, i).event(sectionEnd, r, 0, i, u)
	}
	return s.event(regionEnd, r, 0, 0)
}

// program has regions of one construct each, of so many sections.
func program(sections ...int) *ir.Program {
	p := &ir.Program{Funcs: []*ir.Func{{Name: "main"}}}
	for _, n := range sections {
		p.Regions = append(p.Regions, ir.Region{Name: "r", Constructs: []ir.Construct{{Sections: make([]ir.Section, n)}}})
	}
	return p
}

// testbed is a simulator whose processors are of the given models and clocks.
type testbed struct {
	plan *Plan
	sim  *Simulator
}

// newTestbed maps proc[region][section]; explicit regions are those of a mapping file.
func newTestbed(t *testing.T, models []int, clocks []float64, create, sync float64, proc [][]int, explicit ...int) *testbed {
	t.Helper()
	all := make([]*procmodels.Costs, slices.Max(models)+1)
	for i := range all {
		all[i] = &procmodels.Costs{Blocks: [][]procmodels.BlockCost{{}}}
	}
	prog := program()
	m := &mapping.Resolved{Platform: &mapping.Platform{Processors: make([]mapping.Processor, len(models))}}
	for r, sections := range proc {
		prog.Regions = append(prog.Regions, program(len(sections)).Regions[0])
		order := make([]int, len(sections))
		for i := range order {
			order[i] = i
		}
		m.Regions = append(m.Regions, mapping.RegionMap{Proc: [][]int{sections}, Order: [][]int{order}, Explicit: slices.Contains(explicit, r)})
	}
	if err := m.Check(prog); err != nil {
		t.Fatal(err)
	}
	var costs []*procmodels.Costs
	for _, k := range models {
		costs = append(costs, all[k])
	}
	plan, err := NewPlan(prog, 0, all)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := NewSimulator(plan, m, costs, clocks, slices.Repeat([]procmodels.Overheads{{Create: create, Sync: sync}}, len(models)), prog)
	if err != nil {
		t.Fatal(err)
	}
	return &testbed{plan, sim}
}

func (b *testbed) run(t *testing.T, s *script) {
	t.Helper()
	if _, err := Read(&s.buf, b.plan, []*Simulator{b.sim}); err != nil {
		t.Fatal(err)
	}
}

func (b *testbed) want(t *testing.T, sequential, parallel float64) {
	t.Helper()
	if got := b.sim.Sequential(); math.Abs(got-sequential) > 1e-9 {
		t.Errorf("%g sequential cycles, want %g", got, sequential)
	}
	if got := b.sim.Parallel(); math.Abs(got-parallel) > 1e-9 {
		t.Errorf("%g parallel cycles, want %g", got, parallel)
	}
}

func started(meters int) *script {
	s := &script{meters: meters}
	return s.event(probe.RootBegin, 0, 0, 0, 999) // what ran before the root does not count
}

// Two executions in which the long section changes place: 2 x max, not max of sums.
func TestEachExecutionIsScheduled(t *testing.T) {
	b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, [][]int{{0, 1}})
	b.run(t, started(1).region(0, 5, 100, 10).region(0, 7, 10, 100).event(probe.RootEnd, 0, 0, 0, 3).event(probe.StreamEnd, 0, 0, 0, 777))
	b.want(t, 5+110+7+110+3, 5+100+7+100+3)
	if d := b.sim.Region(0); d.Count != 2 || d.Parallel != 200 || d.Sequential != 220 || d.Min != 100 || d.Max != 100 {
		t.Errorf("distribution %+v", d)
	}
}

// Sections that share a processor follow each other; each processor used pays create
// and sync once, the forking one included.
func TestOverheads(t *testing.T) {
	b := newTestbed(t, []int{0, 0, 0}, []float64{100, 100, 100}, 50, 10, [][]int{{0, 1, 1, 0}})
	b.run(t, started(1).region(0, 0, 100, 30, 40, 5).event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0))
	b.want(t, 175, 105+60)
}

// A region that stays on the processor that forks it creates nothing.
func TestNoOverheadAlone(t *testing.T) {
	b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 50, 10, [][]int{{0, 0}})
	b.run(t, started(1).region(0, 1, 2, 3).event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0))
	b.want(t, 6, 6)
}

// Processor 1 has its own model and runs at half the clock: 30 units of its meter are
// 60 cycles of processor 0.
func TestKindsAndClocks(t *testing.T) {
	b := newTestbed(t, []int{0, 1}, []float64{200, 100}, 4, 0, [][]int{{0, 1}})
	s := started(2).event(regionBegin, 0, 0, 0, 10, 7)
	s.event(sectionBegin, 0, 0, 0).event(sectionEnd, 0, 0, 0, 50, 35)
	s.event(sectionBegin, 0, 0, 1).event(sectionEnd, 0, 0, 1, 40, 30)
	b.run(t, s.event(regionEnd, 0, 0, 0).event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0))
	b.want(t, 100, 10+max(50+4, 2*30+2*4))
}

// A nested region stays on its processor, unless the mapping names it.
func TestNestedRegions(t *testing.T) {
	nested := func() *script {
		s := started(1).event(regionBegin, 0, 0, 0)
		s.event(sectionBegin, 0, 0, 0).region(1, 20, 30, 40).event(sectionEnd, 0, 0, 0, 1)
		s.event(sectionBegin, 0, 0, 1).event(sectionEnd, 0, 0, 1, 25)
		return s.event(regionEnd, 0, 0, 0).event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0)
	}
	maps := [][]int{{0, 1}, {0, 1}}
	b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, maps)
	b.run(t, nested())
	b.want(t, 116, 91)
	b = newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, maps, 1)
	b.run(t, nested())
	b.want(t, 116, 25+40+1) // processor 1 is busy for 25
}

// A construct that a region executes twice in a loop joins between.
func TestConstructInALoop(t *testing.T) {
	b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, [][]int{{0, 1}})
	s := started(1).event(regionBegin, 0, 0, 0)
	for _, u := range [][2]uint64{{10, 1}, {2, 20}} {
		s.event(sectionBegin, 0, 0, 0, 3).event(sectionEnd, 0, 0, 0, u[0]).event(sectionBegin, 0, 0, 1).event(sectionEnd, 0, 0, 1, u[1])
	}
	b.run(t, s.event(regionEnd, 0, 0, 0).event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0))
	b.want(t, 39, 3+10+3+20)
}

// The program ends inside a section: what ran counts, and what is open is closed.
func TestEndInSection(t *testing.T) {
	b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, [][]int{{0, 1}})
	s := started(1).event(regionBegin, 0, 0, 0, 4).event(sectionBegin, 0, 0, 0).event(sectionEnd, 0, 0, 0, 10)
	b.run(t, s.event(sectionBegin, 0, 0, 1).event(probe.StreamEnd, 0, 0, 0, 6))
	b.want(t, 20, 14)
}

// Activations of the root within itself are part of the outermost; code outside it
// does not count, and figures are per outermost execution.
func TestRoot(t *testing.T) {
	b := newTestbed(t, []int{0}, []float64{100}, 0, 0, nil)
	s := started(1).event(probe.RootBegin, 0, 0, 0, 1).event(probe.RootEnd, 0, 0, 0, 2).event(probe.RootEnd, 0, 0, 0, 3)
	s.event(probe.RootBegin, 0, 0, 0, 100).event(probe.RootEnd, 0, 0, 0, 8)
	b.run(t, s.event(probe.StreamEnd, 0, 0, 0, 50))
	b.want(t, 7, 7)
	if b.sim.Runs() != 2 {
		t.Errorf("%d executions, want 2", b.sim.Runs())
	}
}

func TestBrokenStreams(t *testing.T) {
	for _, c := range []struct {
		name, want string
		s          *script
	}{
		{"cut", ErrCut.Error(), started(1).event(regionBegin, 0, 0, 0)},
		{"half an event", ErrCut.Error(), &script{meters: 1, buf: *bytes.NewBufferString("abc")}},
		{"section outside", "begins outside", started(1).event(sectionBegin, 0, 0, 0)},
		{"section not begun", "has not begun", started(1).event(regionBegin, 0, 0, 0).event(sectionEnd, 0, 0, 0)},
		{"region not begun", "has not begun", started(1).event(regionEnd, 0, 0, 0)},
		{"no such region", "region 7 of 1", started(1).event(regionBegin, 7, 0, 0)},
		{"no such section", "does not have", started(1).event(regionBegin, 0, 0, 0).event(sectionBegin, 0, 0, 9)},
		{"unknown kind", "unknown kind", started(1).event(77, 0, 0, 0)},
	} {
		b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, [][]int{{0, 1}})
		_, err := Read(&c.s.buf, b.plan, []*Simulator{b.sim})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if c.want == ErrCut.Error() && !errors.Is(err, ErrCut) {
			t.Errorf("%s: %v is not ErrCut", c.name, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(started(1).region(0, 5, 100, 10).event(probe.RootEnd, 0, 0, 0, 3).event(probe.StreamEnd, 0, 0, 0, 777).buf.Bytes())
	f.Add(started(1).event(regionBegin, 0, 0, 0).event(sectionBegin, 0, 0, 1, 4).buf.Bytes())
	nested := started(1).event(regionBegin, 0, 0, 0).event(sectionBegin, 0, 0, 1, 4).region(1, 2, 3, 4).region(0, 5, 6, 7)
	f.Add(nested.event(sectionEnd, 0, 0, 1).event(sectionBegin, 0, 0, 0, 8).event(probe.StreamEnd, 0, 0, 0, 9).buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		read := func(proc [][]int) (*Simulator, Totals, error) {
			b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 5, 1, proc, 0, 1)
			totals, err := Read(bytes.NewReader(data), b.plan, []*Simulator{b.sim})
			return b.sim, totals, err
		}
		spread, totals, err := read([][]int{{0, 1}, {1, 0}})
		again, same, errAgain := read([][]int{{0, 1}, {1, 0}})
		alone, _, errAlone := read([][]int{{0, 0}, {0, 0}})
		if fmt.Sprint(err) != fmt.Sprint(errAgain) || fmt.Sprint(err) != fmt.Sprint(errAlone) || totals != same || again.Parallel() != spread.Parallel() {
			t.Errorf("%v of %d cycles, then %v of %d; on one processor %v", err, totals.Events, errAgain, same.Events, errAlone)
		}
		if err != nil && strings.Contains(err.Error(), "\n") || totals.Events > uint64(len(data)/16) {
			t.Errorf("%d events of %d bytes, error %v", totals.Events, len(data), err)
		}
		if err != nil { // it ended inside a region, say
			return
		}
		// Mappings agree on the sequential time, and on one processor the parallel time is
		// the same.
		if a, b := alone.Sequential(), spread.Sequential(); a != b || !(a >= 0) {
			t.Errorf("sequential times %v and %v", a, b)
		}
		if a, b := alone.Sequential(), alone.Parallel(); math.Abs(a-b) > 1e-9*a {
			t.Errorf("on one processor %v, in parallel %v", a, b)
		}
	})
}

func TestQuantiles(t *testing.T) {
	var d Distribution
	for i := range 1000 {
		d.add(float64(1000+i), 1)
	}
	for _, q := range []float64{0.05, 0.5, 0.95} {
		want := 1000 + 1000*q
		if got := d.Quantile(q); math.Abs(got/want-1) > 0.02 {
			t.Errorf("quantile %g: %g, want about %g", q, got, want)
		}
	}
	if d.Quantile(0) != d.Min && math.Abs(d.Quantile(0)/d.Min-1) > 0.02 || d.Quantile(1) > d.Max {
		t.Errorf("quantiles 0 and 1: %g and %g of %g to %g", d.Quantile(0), d.Quantile(1), d.Min, d.Max)
	}
}

// One event is one word and one sum: a region with two sections is six of them.
func BenchmarkRead(b *testing.B) { benchmarkFlat(b) }

func benchmarkFlat(b *testing.B, explicit ...int) {
	bed := newTestbed(&testing.T{}, []int{0, 0}, []float64{100, 100}, 50, 10, [][]int{{0, 1}}, explicit...)
	s := started(1)
	const regions = 10000
	for range regions {
		s.region(0, 5, 100, 10)
	}
	data := s.event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0).buf.Bytes()
	for b.Loop() {
		if _, err := Read(bytes.NewReader(data), bed.plan, []*Simulator{bed.sim}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*(6*regions+3)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}

// Costs of any size are counted without passing 64 bits, or refused.
func TestScaleOfLargeCosts(t *testing.T) {
	prog := program()
	for _, x := range []struct {
		cycles []float64
		scale  float64
		exact  bool
	}{
		{[]float64{1, 2.5}, 2, true}, {[]float64{1, 1.0 / 3}, 1 << 20, false},
		{[]float64{1 << 40, 1}, 1, true}, {[]float64{1 << 40, 0.5}, 1, false}, {[]float64{1 << 30, 1.0 / 3}, 1 << 10, false}, {[]float64{1e18}, 1, false},
	} {
		f := &ir.Func{Name: "main"}
		costs := &procmodels.Costs{Blocks: [][]procmodels.BlockCost{nil}}
		for _, c := range x.cycles {
			f.Blocks = append(f.Blocks, &ir.Block{Index: len(f.Blocks)})
			costs.Blocks[0] = append(costs.Blocks[0], procmodels.BlockCost{Cycles: c})
		}
		prog.Funcs = []*ir.Func{f}
		plan, err := NewPlan(prog, 0, []*procmodels.Costs{costs})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Scale != x.scale || plan.Exact != x.exact {
			t.Errorf("%v: scale %v, exact %v; want %v, %v", x.cycles, plan.Scale, plan.Exact, x.scale, x.exact)
		}
		for i, c := range x.cycles {
			if got := float64(plan.Meters.Funcs[0].Blocks[i].Add[0]) / plan.Scale; math.Abs(got-c) > 1/plan.Scale {
				t.Errorf("%v cycles are counted as %v", c, got)
			}
		}
		costs.Blocks[0][0].Cycles = 1e19
		if _, err := NewPlan(prog, 0, []*procmodels.Costs{costs}); err == nil || !strings.Contains(err.Error(), "too many to count") {
			t.Errorf("1e19 cycles: %v", err)
		}
	}
}

// A program of flat regions under a mapping that names them, for which events are kept
// until each region ends.
func BenchmarkReadNamed(b *testing.B) { benchmarkFlat(b, 0) }

// The same work in regions that compete: one outer region with as many inside.
func BenchmarkReadCompeting(b *testing.B) {
	bed := newTestbed(&testing.T{}, []int{0, 0}, []float64{100, 100}, 50, 10, [][]int{{0, 1}, {0, 1}}, 0, 1)
	s := started(1).event(regionBegin, 0, 0, 0)
	const regions = 10000
	for i := range 2 {
		s.event(sectionBegin, 0, 0, i)
		for range regions / 2 {
			s.region(1, 5, 100, 10)
		}
		s.event(sectionEnd, 0, 0, i)
	}
	data := s.event(regionEnd, 0, 0, 0).event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0).buf.Bytes()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(bytes.NewReader(data), bed.plan, []*Simulator{bed.sim}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*(6*regions+9)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
