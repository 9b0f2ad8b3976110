package replay

// This file holds schedules in which regions compete for processors against those worked
// out by hand, against the reference, and against what no schedule can pass.

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pathspan/build/probe"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// begin, work, and end write the sections of a region by hand: work is what ran before
// the next event.
func (s *script) begin(r int, before uint64) *script   { return s.event(regionBegin, r, 0, 0, before) }
func (s *script) end(r int, before uint64) *script     { return s.event(regionEnd, r, 0, 0, before) }
func (s *script) in(r, section int) *script            { return s.event(sectionBegin, r, 0, section) }
func (s *script) out(r, section int, u uint64) *script { return s.event(sectionEnd, r, 0, section, u) }
func (s *script) ended() *script {
	return s.event(probe.RootEnd, 0, 0, 0).event(probe.StreamEnd, 0, 0, 0)
}

// free returns a testbed of equal processors without overheads, on which all regions are
// named.
func free(t *testing.T, processors int, proc ...[]int) *testbed {
	t.Helper()
	return paid(t, processors, 0, 0, proc...)
}

func paid(t *testing.T, processors int, create, sync float64, proc ...[]int) *testbed {
	t.Helper()
	all := make([]int, len(proc))
	for r := range all {
		all[r] = r
	}
	return newTestbed(t, make([]int, processors), slices.Repeat([]float64{100}, processors), create, sync, proc, all...)
}

// Region 0:  cpu0: a (10, region 1, 5)   cpu1: b (30)   cpu2: c (20, region 2, 5)
// Region 1 sends 7 to cpu1 at 10, region 2 sends 9 to cpu1 at 20. cpu1 is busy until 30,
// then runs 7 until 37 and 9 until 46, in the order of arrival.
func TestQueueIsFirstInFirstOut(t *testing.T) {
	b := free(t, 3, []int{0, 1, 2}, []int{1}, []int{1})
	s := started(1).begin(0, 0)
	s.in(0, 0).begin(1, 10).in(1, 0).out(1, 0, 7).end(1, 0).out(0, 0, 5)
	s.in(0, 1).out(0, 1, 30)
	s.in(0, 2).begin(2, 20).in(2, 0).out(2, 0, 9).end(2, 0).out(0, 2, 5)
	b.run(t, s.end(0, 0).ended())
	b.want(t, 86, 51)
	for r, want := range map[int]float64{0: 51, 1: 27, 2: 26} {
		if d := b.sim.Region(r); d.Count != 1 || d.Parallel != want {
			t.Errorf("region %d: %+v, want one execution of %g", r, d, want)
		}
	}
}

// As above, but both shares arrive at 20: that of cpu0 comes first, though cpu2 may have
// been simulated before.
func TestEqualTimesGoByProcessor(t *testing.T) {
	b := free(t, 3, []int{2, 1, 0}, []int{1}, []int{1})
	s := started(1).begin(0, 0)
	s.in(0, 0).begin(1, 20).in(1, 0).out(1, 0, 7).end(1, 0).out(0, 0, 0) // on cpu2
	s.in(0, 1).out(0, 1, 30)
	s.in(0, 2).begin(2, 20).in(2, 0).out(2, 0, 9).end(2, 0).out(0, 2, 0) // on cpu0
	b.run(t, s.end(0, 0).ended())
	b.want(t, 86, 46)
	if first, second := b.sim.Region(2).Parallel, b.sim.Region(1).Parallel; first != 19 || second != 26 {
		t.Errorf("the regions take %g and %g, want 19 and 26", first, second)
	}
}

// cpu0 ends its own section at 10 and waits for cpu1 until 102. Meanwhile, at 5, cpu1 has
// sent it 40: that runs from 10 to 50, so cpu1, which has 50 itself, goes on at 55. Its
// second nested region, met at 55, sends 40 again, which cpu0 runs until 95.
func TestAProcessorThatWaitsRunsItsQueue(t *testing.T) {
	b := free(t, 2, []int{0, 1}, []int{0, 1})
	s := started(1).begin(0, 0)
	s.in(0, 0).out(0, 0, 10)
	s.in(0, 1).region(1, 5, 40, 50).region(1, 0, 40, 7).out(0, 1, 7)
	b.run(t, s.end(0, 0).ended())
	b.want(t, 159, 102)
}

// cpu0 ends its share of region 2 at 10, waits for that of cpu1, and takes the 100 that
// cpu1 sends at 10 for region 1. cpu1 waits in turn, runs its share of region 2 from 10 to
// 30, and cpu0 sees that only when the 100 have ended.
func TestAShareRunsToItsEnd(t *testing.T) {
	b := free(t, 3, []int{0, 1}, []int{0, 2}, []int{0, 1})
	s := started(1).begin(0, 0)
	s.in(0, 0).region(2, 0, 10, 20).out(0, 0, 1)
	s.in(0, 1).region(1, 10, 100, 3).out(0, 1, 2)
	b.run(t, s.end(0, 0).ended())
	b.want(t, 146, 112)
	if d := b.sim.Region(2); d.Parallel != 110 {
		t.Errorf("region 2 takes %g, want 110", d.Parallel)
	}
}

// Each share pays on its own processor, wherever that stands; an owner without sections
// pays nothing.
func TestOverheadsOfSharesThatWait(t *testing.T) {
	b := paid(t, 2, 4, 1, []int{0, 1}, []int{1})
	s := started(1).begin(0, 0)
	s.in(0, 0).begin(1, 10).in(1, 0).out(1, 0, 7).end(1, 0).out(0, 0, 5) // 4+10, then waits
	s.in(0, 1).out(0, 1, 30)                                             // 4+30+1, then 4+7+1
	b.run(t, s.end(0, 0).ended())
	b.want(t, 52, 35+12+5+1)
}

// A region that no mapping names stays with its processor, and so does one whose sections
// are all on the processor that meets it, which runs them in schedule order; what they
// meet in turn competes.
func TestNestedRegionsThatStay(t *testing.T) {
	nested := func(bed *testbed) *testbed {
		s := started(1).begin(0, 0)
		s.in(0, 0).begin(1, 10)
		s.in(1, 0).out(1, 0, 3)
		s.in(1, 1).begin(2, 2).in(2, 0).out(2, 0, 7).end(2, 0).out(1, 1, 0)
		s.end(1, 0).out(0, 0, 5)
		s.in(0, 1).out(0, 1, 13)
		bed.run(t, s.end(0, 0).ended())
		return bed
	}
	proc := [][]int{{0, 1}, {0, 0}, {1}}
	equal := []float64{100, 100}
	// cpu0 is at 15 when it sends 7 to cpu1, which is free from 13 on.
	unnamed := nested(newTestbed(t, []int{0, 0}, equal, 0, 0, proc, 0, 2))
	unnamed.want(t, 40, 27)
	if d := unnamed.sim.Region(1); d.Parallel != 12 {
		t.Errorf("the region that is not named takes %g, want 12", d.Parallel)
	}
	nested(free(t, 2, proc...)).want(t, 40, 27)
	// Neither is named: all stays.
	nested(newTestbed(t, []int{0, 0}, equal, 0, 0, proc, 0)).want(t, 40, 27)
	// Section 1 comes first: cpu0 sends 7 at 12, which runs from 13 to 20.
	turned := free(t, 2, proc...)
	turned.sim.m.Regions[1].Order[0] = []int{1, 0}
	turned.sim.deals[1] = dealsOf(&turned.sim.m.Regions[1])
	nested(turned).want(t, 40, 28)
	if d := turned.sim.Region(2); d.Parallel != 8 {
		t.Errorf("the innermost region takes %g, want 8", d.Parallel)
	}
}

// A region of one processor leaves what it meets as if it were not there: the region in
// it is the outermost that is spread.
func TestRegionsInARegionOfOneProcessor(t *testing.T) {
	b := free(t, 2, []int{0, 0}, []int{0, 1}, []int{0, 1})
	s := started(1).begin(0, 3)
	s.in(0, 0)
	for range 2 {
		s.begin(1, 2).in(1, 0).region(2, 0, 10, 20).out(1, 0, 0).in(1, 1).out(1, 1, 15).end(1, 0)
	}
	s.out(0, 0, 1).in(0, 1).out(0, 1, 4)
	b.run(t, s.end(0, 0).ended())
	b.want(t, 102, 3+2*(2+35)+1+4)
}

// halves writes a region whose two sections halve the work, so many levels deep.
func halves(s *script, levels int, leaf uint64) {
	s.begin(0, 0)
	for i := range 2 {
		s.in(0, i)
		if levels > 1 {
			halves(s, levels-1, leaf)
			s.out(0, i, 0)
		} else {
			s.out(0, i, leaf)
		}
	}
	s.end(0, 0)
}

// Divide and conquer on one region that calls itself: two levels by hand, and no more
// than the processors give at any depth.
func TestRecursion(t *testing.T) {
	// cpu0 and cpu1 each meet the region again at once, and send each other a leaf.
	b := free(t, 2, []int{0, 1})
	s := started(1)
	halves(s, 2, 10)
	b.run(t, s.ended())
	b.want(t, 40, 20)
	for levels := 1; levels <= 8; levels++ {
		for processors := 2; processors <= 4; processors++ {
			b := free(t, processors, []int{processors - 2, processors - 1})
			s := started(1)
			halves(s, levels, 1000)
			b.run(t, s.ended())
			if speedup := b.sim.Sequential() / b.sim.Parallel(); speedup > 2 || speedup < 1 {
				t.Errorf("%d levels on %d processors, of which two are used: speed-up %g", levels, processors, speedup)
			}
		}
	}
}

// The program ends inside nested sections: what ran counts, and what is open is closed.
func TestEndInCompetingSections(t *testing.T) {
	b := free(t, 2, []int{0, 1}, []int{0, 1})
	s := started(1).begin(0, 4).in(0, 0).out(0, 0, 10)
	s.in(0, 1).begin(1, 20).in(1, 0).out(1, 0, 5).in(1, 1)
	b.run(t, s.event(probe.StreamEnd, 0, 0, 0, 6))
	b.want(t, 45, 4+20+6)
	if b.sim.Unended() == nil {
		t.Error("no section is said to have no end")
	}
}

// Past the bound there is one line that says what to do, for mappings under which regions
// compete, and only then.
func TestTooManyEvents(t *testing.T) {
	nested := started(1).begin(0, 0)
	nested.in(0, 0)
	for range 100 {
		nested.region(1, 1, 2, 3)
	}
	nested.out(0, 0, 1).in(0, 1).out(0, 1, 9).end(0, 0).ended()
	proc := [][]int{{0, 1}, {0, 1}}
	try := func(events int, named ...int) (*Simulator, error) {
		b := newTestbed(t, []int{0, 0}, []float64{100, 100}, 0, 0, proc, named...)
		_, err := read(bytes.NewReader(nested.buf.Bytes()), b.plan, []*Simulator{b.sim}, 16*events)
		return b.sim, err
	}
	if _, err := try(605, 0, 1); err == nil || !strings.HasPrefix(err.Error(), "region r: ") || !strings.Contains(err.Error(), "leave the inner regions out of the mapping") || strings.Contains(err.Error(), "\n") {
		t.Errorf("605 of 606 events kept: %v", err)
	}
	if _, err := try(606, 0, 1); err != nil {
		t.Errorf("606 of 606 events kept: %v", err)
	}
	whole, err := try(1<<20, 0)
	if err != nil {
		t.Fatal(err)
	}
	if few, err := try(10, 0); err != nil || few.Parallel() != whole.Parallel() {
		t.Errorf("nothing competes, 10 events kept: %v, %v", few.Parallel(), err)
	}
}

// forest makes random programs: trees of executions of the regions of a mapping.
type forest struct {
	*rand.Rand
	meters int
	depth  int // of regions
	id     int
	shape  [][]int // by region and construct: sections
	sparse int     // one in so many pieces of work in a section has a region behind it
	plain  bool    // regions hold one whole construct and nothing else
	lines  int     // that accesses use; 0 for none
}

func (f *forest) piece() part { return part{work: f.work(), touches: f.touches()} }

func (f *forest) work() []uint64 {
	u := make([]uint64, f.meters)
	for k := range u {
		if f.plain {
			u[k] = 1 + f.Uint64N(1<<30)
		} else if f.IntN(4) > 0 {
			u[k] = f.Uint64N(12)
			if f.lines > 0 { // all times between accesses are whole
				u[k] *= 2520
			}
		}
	}
	return u
}

func (f *forest) region(depth int) *regionRun {
	x := &regionRun{region: f.IntN(len(f.shape))}
	if f.plain {
		x.parts = []part{f.construct(x.region, 0, depth)}
		return x
	}
	for range 1 + f.IntN(3) {
		switch f.IntN(5) {
		case 0:
			x.parts = append(x.parts, f.piece())
		case 1:
			if depth < f.depth {
				x.parts = append(x.parts, part{nested: f.region(depth + 1)})
				continue
			}
			fallthrough
		default:
			if p := f.construct(x.region, f.IntN(len(f.shape[x.region])), depth); p.sections != nil && !continues(x.parts, p) {
				x.parts = append(x.parts, p, f.piece())
			}
		}
	}
	return x
}

// continues reports whether the sections of a part would be taken to belong to the
// construct before them.
func continues(before []part, p part) bool {
	for _, q := range slices.Backward(before) {
		if q.nested != nil || q.sections != nil {
			return q.nested == nil && q.construct == p.construct &&
				!slices.ContainsFunc(q.sections, func(s *sectionRun) bool { return s.index == p.sections[0].index })
		}
	}
	return false
}

func (f *forest) construct(region, construct, depth int) part {
	p := part{construct: construct}
	for i := range f.shape[region][construct] {
		if !f.plain && f.IntN(5) == 0 {
			continue // it did not run
		}
		f.id++
		s := &sectionRun{index: i, id: f.id - 1, parts: []part{f.piece()}}
		for depth < f.depth && f.IntN(f.sparse) == 0 {
			s.parts = append(s.parts, part{nested: f.region(depth + 1)}, f.piece())
		}
		p.sections = append(p.sections, s)
	}
	if !f.plain && len(p.sections) > 1 && f.IntN(3) == 0 {
		p.between, p.touches = f.work(), f.touches()
	}
	return p
}

// mapping returns a random mapping of the shape, and the program.
func (f *forest) mapping(processors int) *mapping.Resolved {
	m := &mapping.Resolved{Platform: &mapping.Platform{Processors: make([]mapping.Processor, processors)}, Serial: f.IntN(processors)}
	for _, constructs := range f.shape {
		rm := mapping.RegionMap{Explicit: f.IntN(4) > 0}
		near := f.IntN(processors)
		for _, sections := range constructs {
			proc := make([]int, sections)
			for i := range proc {
				if proc[i] = near; f.IntN(3) > 0 {
					proc[i] = f.IntN(processors)
				}
			}
			rm.Proc, rm.Order = append(rm.Proc, proc), append(rm.Order, f.Perm(sections))
		}
		m.Regions = append(m.Regions, rm)
	}
	return m
}

// write tells a tree as events; pending is what has run since the last.
func (s *script) write(x *regionRun, pending []uint64) []uint64 {
	tell := func(kind, construct, section int) {
		s.event(kind, x.region, construct, section, pending...)
		pending = make([]uint64, s.meters)
	}
	plus := func(units []uint64) {
		for k := range units {
			pending[k] += units[k]
		}
	}
	tell(regionBegin, 0, 0)
	x.told[0] = len(s.told)
	for _, p := range x.parts {
		switch {
		case p.nested != nil:
			pending = s.write(p.nested, pending)
		case p.work != nil:
			plus(p.work)
			s.touch(p.touches)
		}
		for i, q := range p.sections {
			if p.between != nil && i == len(p.sections)-1 {
				plus(p.between)
				s.touch(p.touches)
			}
			tell(sectionBegin, p.construct, q.index)
			for _, in := range q.parts {
				if in.nested != nil {
					pending = s.write(in.nested, pending)
				} else {
					plus(in.work)
					s.touch(in.touches)
				}
			}
			tell(sectionEnd, p.construct, q.index)
		}
	}
	tell(regionEnd, 0, 0)
	x.told[1] = len(s.told)
	return pending
}

// simulators prices a random platform for mappings of its processors. All times are whole
// multiples of a quarter.
func (f *forest) simulators(t *testing.T, mappings ...*mapping.Resolved) (*Plan, []*Simulator, []float64) {
	t.Helper()
	prog := program()
	for _, constructs := range f.shape {
		r := program(0).Regions[0]
		r.Constructs = nil
		for _, n := range constructs {
			c := program(n).Regions[0].Constructs[0]
			c.NoWait = f.IntN(3) == 0
			r.Constructs = append(r.Constructs, c)
		}
		prog.Regions = append(prog.Regions, r)
	}
	models := make([]*procmodels.Costs, f.meters)
	for k := range models {
		models[k] = &procmodels.Costs{Blocks: [][]procmodels.BlockCost{{}}}
	}
	var costs []*procmodels.Costs
	var clocks []float64
	var overheads []procmodels.Overheads
	if f.IntN(2) == 0 {
		other := mapping.Overheads{
			Fork: mapping.Overhead{Cycles: float64(f.IntN(9))}, Join: mapping.Overhead{Cycles: float64(f.IntN(9))},
			Barrier: mapping.Overhead{Cycles: float64(f.IntN(9))}, TeamOfOne: mapping.Overhead{Cycles: float64(f.IntN(9))},
		}
		for _, m := range mappings {
			m.Platform.Other = other
		}
	}
	for p := range mappings[0].Platform.Processors {
		costs = append(costs, models[f.IntN(f.meters)])
		if p < f.meters {
			costs[p] = models[p]
		}
		clocks = append(clocks, []float64{50, 100, 100, 200}[f.IntN(4)])
		overheads = append(overheads, procmodels.Overheads{Create: float64(f.IntN(3) * f.IntN(4)), Sync: float64(f.IntN(3) * f.IntN(2))})
	}
	plan, err := NewPlan(prog, 0, costs)
	if err != nil {
		t.Fatal(err)
	}
	var sims []*Simulator
	for _, m := range mappings {
		if err := m.Check(prog); err != nil {
			t.Fatal(err)
		}
		sim, err := NewSimulator(plan, m, costs, clocks, overheads, prog)
		if err != nil {
			t.Fatal(err)
		}
		sims = append(sims, sim)
	}
	return plan, sims, clocks
}

// Random trees, platforms and mappings, several of which read one stream: the simulation
// equals the reference and passes no bound that every schedule keeps.
func TestCompetingRegionsAgainstTheReference(t *testing.T) {
	waited := 0
	for seed := range uint64(2500) {
		f := &forest{Rand: rand.New(rand.NewPCG(seed, 1)), depth: 1 + int(seed%4), sparse: 3}
		processors := 1 + f.IntN(5)
		f.meters = 1 + f.IntN(min(2, processors))
		for range 1 + f.IntN(4) {
			var constructs []int
			for range 1 + f.IntN(3) {
				constructs = append(constructs, 1+f.IntN(4))
			}
			f.shape = append(f.shape, constructs)
		}
		plan, sims, clocks := f.simulators(t, f.mapping(processors), f.mapping(processors), f.mapping(processors))
		s := started(f.meters)
		var trees []*regionRun
		for range 1 + f.IntN(2) {
			x := f.region(1)
			s.write(x, make([]uint64, f.meters))
			trees = append(trees, x)
		}
		if _, err := Read(&s.ended().buf, plan, sims); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i, sim := range sims {
			waited += compare(t, fmt.Sprintf("seed %d, mapping %d", seed, i), sim, trees)
			speeds := 0.0
			for _, c := range clocks {
				speeds += c / clocks[sim.m.Serial]
			}
			if f.meters == 1 && sim.Sequential() > sim.Parallel()*speeds {
				t.Errorf("seed %d: speed-up %g on processors of %g together", seed, sim.Sequential()/sim.Parallel(), speeds)
			}
		}
	}
	if waited < 1000 {
		t.Errorf("in only %d executions a share waited", waited)
	}
}

// compare holds what a simulator says of regions met one after the other against the
// reference, and returns in how many of them shares waited.
func compare(t *testing.T, where string, sim *Simulator, trees []*regionRun) int {
	t.Helper()
	same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }
	want := &reference{s: sim}
	var sequential, parallel float64
	if sim.caches != nil {
		want.memory = newBrute(sim.caches.of)
		want.alone = newBrute(sim.caches.of).waits(sim, trees)
		sequential = want.alone[len(want.alone)-1]
	}
	waited := 0
	all := make([]Distribution, len(sim.m.Regions))
	for _, x := range trees {
		length, busy := want.run(x), 0.0
		parallel += length
		for _, u := range want.serial(x.parts) {
			sequential += u
		}
		for _, w := range want.workers {
			busy += w.spent
			if w.spent > length {
				t.Errorf("%s: processor %d is busy for %g of %g", where, w.number, w.spent, length)
			}
		}
		path := want.longest(x, sim.m.Serial, 0)
		if length < path || length > busy {
			t.Errorf("%s: it takes %g; the critical path %g, all work %g", where, length, path, busy)
		}
		if length > path {
			waited++
		}
		for r := range all {
			d, more := &all[r], &want.regions[r]
			if more.Count > 0 && (d.Count == 0 || more.Min < d.Min) {
				d.Min = more.Min
			}
			d.Max = max(d.Max, more.Max)
			d.Count += more.Count
			d.Parallel += more.Parallel
			d.Sequential += more.Sequential
		}
	}
	if got := sim.Parallel(); !same(got, parallel*sim.perRef) {
		t.Errorf("%s: %g parallel cycles, the reference has %g", where, got, parallel*sim.perRef)
	}
	if got := sim.Sequential(); !same(got, sequential*sim.perRef) {
		t.Errorf("%s: %g sequential cycles, the reference has %g", where, got, sequential*sim.perRef)
	}
	for r := range all {
		got, d := sim.Region(r), &all[r]
		if got.Count != d.Count || !same(got.Parallel, d.Parallel) || !same(got.Sequential, d.Sequential) || got.Min != d.Min || got.Max != d.Max {
			t.Errorf("%s, region %d: %+v, the reference has %+v", where, r, got, d)
		}
	}
	return waited
}

// Programs without nested regions give the same to the last bit as before: sums are taken
// in the same order, whether regions can compete or not.
func TestFlatProgramsAreAsBefore(t *testing.T) {
	for seed := range uint64(300) {
		f := &forest{Rand: rand.New(rand.NewPCG(seed, 2)), meters: 1, depth: 1, sparse: 1, shape: [][]int{{3}, {4}}}
		m := f.mapping(3)
		plan, sims, _ := f.simulators(t, m)
		sim := sims[0]
		m.Platform.Other = mapping.Overheads{}
		for p := range sim.scale { // no sum of thirds is exact
			sim.scale[p] /= 3
			sim.create[p] += 0.1
		}
		s := started(1)
		want := 0.0
		for range 20 {
			r := f.IntN(2)
			u := make([]uint64, f.shape[r][0])
			for i := range u {
				u[i] = f.Uint64N(1000)
			}
			before := f.Uint64N(1000)
			s.region(r, before, u...)
			want += sim.cost(m.Serial, before)
			want += flat(sim, r, u)
		}
		if _, err := Read(&s.ended().buf, plan, sims); err != nil {
			t.Fatal(err)
		}
		if got := sim.Parallel(); got != want*sim.perRef {
			t.Errorf("seed %d: %v parallel cycles, want %v", seed, got, want*sim.perRef)
		}
	}
}

// flat returns what a region takes that holds one construct and nothing else.
func flat(s *Simulator, r int, units []uint64) float64 {
	proc := s.m.Regions[r].Proc[0]
	longest := 0.0
	for p := range s.scale {
		total := 0.0
		for i, u := range units {
			if proc[i] == p {
				total += float64(u) * s.scale[p]
			}
		}
		if slices.Contains(proc, p) && slices.ContainsFunc(proc, func(p int) bool { return p != s.m.Serial }) {
			total += s.create[p] + s.sync[p]
		}
		longest = max(longest, total)
	}
	return longest
}
