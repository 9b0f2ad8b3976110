package replay

// This file simulates one mapping, event by event.

import (
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// A place says where code runs: 0 on the serial processor with no region active
// around it, 1+p on processor p inside an active region.
type place int

// Simulator follows one mapping of one program onto one platform. Times are in
// cycles of processor 0 until they are asked for. It keeps the sums of what is under
// way, which is all that regions take that do not compete for processors; an execution
// in which some do is simulated once more from the tape, when it has ended.
type Simulator struct {
	deep    map[int]deepStage // by task: stages whose buffers the mapping deepens
	prog    *ir.Program
	plan    *Plan
	m       *mapping.Resolved
	scale   []float64 // by processor: cycles of processor 0 in a unit of its meter
	meter   []int     // by processor
	factor  []float64 // by processor: cycles of processor 0 in one of its own
	create  []float64 // by processor
	sync    []float64
	perRef  float64    // cycles of the serial processor in one of processor 0
	sole    []int      // by region: the processor of all its sections, or one of these
	singles []bool     // by region: one thread does something alone, while its team executes tasks
	deals   [][][]deal // by region and construct; nil when no region can compete
	tape    *tape      // where Read keeps events
	loops   *loopRuns  // and what it knows of those under way
	contest contest
	caches  *cacheTree // nil where accesses are not simulated
	alone   *cacheTree // and those of the serial processor if it executes all
	timed   inTime
	copies  *copies // nil where all processors work on one memory, or stages do the copying
	tokens  *tokens // what stages copy; nil where they do not
	carried Carried // or what they are told to; nil where they are not
	rates   []float64

	on         bool // between the begin and the end of the root
	depth      int  // activations of the root
	frames     []frame
	outermost  int // the frame of the region that is spread and not in another, -1 for none
	sequential float64
	parallel   float64
	runs       uint64 // completed outermost executions of the root
	unended    *ir.Mark
	regions    []Distribution
	inner      []bool // by region: its tasks ran where they were made, as it was met inside of another
}

// frame is a region or a section under way.
type frame struct {
	section   bool
	inline    bool  // a region that stays on its processor
	competes  bool  // a region that competes for processors is in it, or it does itself
	begin     int32 // of the outermost region that is spread: its event on the tape
	region    int
	construct int
	index     int // of the section
	at        place
	shared    bool              // threads of a loop share it, of which at is the first
	outer     *laneRun          // what was under way around a section that copies
	owed      *owed             // of a region whose streaks copy
	run       *loopRun          // of the iterations of a loop that threads share
	waits     []float64         // for memory, by thread of a loop that threads share
	untold    []uint64          // accesses of a loop that has told of no iteration
	far       float64           // lines that came from main memory
	owns      func(i int64) int // and who executes an iteration
	elapsed   float64           // since its begin
	serial    float64           // the same on the serial processor, one after the other
	// Of regions: the construct that is collecting its sections, -1 for none, and the
	// time of each section that ended.
	open  int
	times []float64
	ran   []bool
	under streak
	// Of regions whose team may execute tasks: whether the streak's events are kept, those
	// that begin the sections of its last construct, and whether sections make tasks.
	taped  bool
	begins []int32
	tasks  bool
	made   bool    // sections of some construct did
	longer float64 // what constructs without tasks take longer where locks are waited for
	lost   bool    // tasks were made that are not kept
	stuck  bool    // tasks wait for each other for ever
}

// A streak is what a region is at: constructs from one to the next of which threads go on
// without waiting (nowait), or one.
type streak struct {
	far     float64 // lines that came from main memory
	copying *copying
	clock   []float64 // by processor: how long it has been at its share
	takes   []bool    // by processor: it has one
	forks   bool      // one of them is another processor than the region's
	items   []item    // sections that ran, and threads of loops, as far as their events are kept, and their processors
	at      []int
	loops   []int32 // events that begin those
}

// What stands for the processor of a region's sections.
const (
	severalProcessors = -1
	noSections        = -2
)

// A deal is what one processor runs of a construct whose sections all run, in schedule
// order.
type deal struct {
	processor int
	sections  []int
}

// NewSimulator simulates a mapping, which must pass its Check. costs and clocks (MHz)
// and overheads are by processor, as in estimate.Processors; the costs must be of the plan.
func NewSimulator(plan *Plan, m *mapping.Resolved, costs []*procmodels.Costs, clocks []float64, overheads []procmodels.Overheads, prog *ir.Program) (*Simulator, error) {
	s := &Simulator{prog: prog, plan: plan, m: m, regions: make([]Distribution, len(prog.Regions)), inner: make([]bool, len(prog.Regions)), perRef: clocks[m.Serial] / clocks[0], outermost: -1, deep: deepStages(m, prog)}
	for p := range m.Platform.Processors {
		k := plan.Meter(costs[p])
		if k < 0 {
			return nil, fmt.Errorf("replay: processor %s is priced by costs that the plan does not count", m.Platform.Processors[p].Name)
		}
		factor := clocks[0] / clocks[p]
		s.meter, s.factor, s.scale = append(s.meter, k), append(s.factor, factor), append(s.scale, factor/plan.Scale)
		s.create, s.sync = append(s.create, overheads[p].Create*factor), append(s.sync, overheads[p].Sync*factor)
	}
	canCompete := false
	for r := range m.Regions {
		s.sole = append(s.sole, soleProcessor(&m.Regions[r]))
		s.singles = append(s.singles, slices.ContainsFunc(prog.Regions[r].Constructs, func(c ir.Construct) bool { return c.Single }))
		canCompete = canCompete || m.Regions[r].Explicit && s.sole[r] != noSections && len(s.scale) > 1
	}
	if canCompete || len(prog.Locks) > 0 {
		for r := range m.Regions {
			s.deals = append(s.deals, dealsOf(&m.Regions[r]))
		}
	}
	return s, nil
}

func soleProcessor(rm *mapping.RegionMap) int {
	sole := noSections
	for _, construct := range rm.Proc {
		for _, p := range construct {
			if sole != noSections && sole != p {
				return severalProcessors
			}
			sole = p
		}
	}
	return sole
}

func dealsOf(rm *mapping.RegionMap) [][]deal {
	constructs := make([][]deal, len(rm.Proc))
	for c, order := range rm.Order {
		for _, section := range order {
			p := rm.Proc[c][section]
			i := slices.IndexFunc(constructs[c], func(d deal) bool { return d.processor == p })
			if i < 0 {
				i = len(constructs[c])
				constructs[c] = append(constructs[c], deal{processor: p})
			}
			d := &constructs[c][i]
			d.sections = append(d.sections, section)
		}
	}
	return constructs
}

// Sequential returns the cycles of the serial processor that the program takes on it
// alone, per execution of the root.
func (s *Simulator) Sequential() float64 { return s.sequential * s.perRef / float64(max(s.runs, 1)) }

// Parallel returns the cycles of the serial processor until the mapped program ends,
// per execution of the root.
func (s *Simulator) Parallel() float64 { return s.parallel * s.perRef / float64(max(s.runs, 1)) }

// Runs returns how often the root was executed, activations within itself not counted.
func (s *Simulator) Runs() uint64 { return s.runs }

// Unended returns the section in which the program ended when no execution of its region
// had come to an end, or nil.
func (s *Simulator) Unended() *ir.Mark { return s.unended }

// Inner reports whether a region made tasks inside of another one, where they ran.
func (s *Simulator) Inner(r int) bool { return s.inner[r] }

// Region returns the distribution of a region's executions.
func (s *Simulator) Region(r int) *Distribution { return &s.regions[r] }

// spend adds what ran since the event before.
func (s *Simulator) spend(units []uint64) {
	if !s.on {
		return
	}
	serial := s.cost(s.m.Serial, units[s.meter[s.m.Serial]])
	s.sequential += serial
	if n := len(s.frames); n > 0 {
		f := &s.frames[n-1]
		p := s.processor(f.at)
		f.elapsed += s.cost(p, units[s.meter[p]])
		f.serial += serial
		return
	}
	s.parallel += serial
}

// cost returns what units of its meter take on a processor.
func (s *Simulator) cost(p int, units uint64) float64 { return float64(units) * s.scale[p] }

func (s *Simulator) processor(at place) int {
	if at == 0 {
		return s.m.Serial
	}
	return int(at) - 1
}

func (s *Simulator) beginRegion(r int) {
	at, shared := place(0), false
	if n := len(s.frames); n > 0 {
		around := &s.frames[n-1]
		at, shared = around.at, around.shared
		if !around.section {
			s.join(around, -1) // its construct has ended
		}
	}
	f := s.push()
	f.region, f.at, f.shared, f.open = r, at, shared, -1
	f.inline, f.competes = s.nested(r, at, shared)
	if s.copies != nil && at == 0 {
		f.owed = s.owes(r)
	}
	if s.deals != nil && s.outermost < 0 && (s.active(r, s.processor(at)) || s.timed.on && s.mayTape(r, at)) {
		s.outermost, f.begin = len(s.frames)-1, s.tape.begin()
		s.beginInTime(f.begin)
	}
	f.competes = f.competes || s.timed.on && s.outermost >= 0
}

// push makes room for a frame and keeps the slices of the one that was there.
func (s *Simulator) push() *frame {
	if len(s.frames) < cap(s.frames) {
		s.frames = s.frames[:len(s.frames)+1]
	} else {
		s.frames = append(s.frames, frame{})
	}
	f := &s.frames[len(s.frames)-1]
	*f = frame{times: f.times[:0], ran: f.ran[:0], begins: f.begins[:0], waits: f.waits[:0], untold: f.untold[:0], under: f.under}
	f.under.reset(len(s.scale))
	return f
}

func (s *Simulator) beginSection(r, c, index int) error {
	n := len(s.frames)
	if n == 0 || s.frames[n-1].section || s.frames[n-1].region != r {
		return fmt.Errorf("section %d of region %d begins outside it", index, r)
	}
	region := &s.frames[n-1]
	rm := &s.m.Regions[r]
	at, shared := region.at, region.shared
	var run *loopRun
	if !region.inline {
		if region.open != c || region.ran[index] {
			s.join(region, c)
			sections := len(rm.Proc[c])
			region.open = c
			region.times = append(region.times[:0], make([]float64, sections)...)
			region.ran = append(region.ran[:0], make([]bool, sections)...)
			region.begins = append(region.begins[:0], make([]int32, sections)...)
		}
		if s.mayTape(r, at) && (!s.timed.on || n-1 == s.outermost) {
			if !region.taped {
				region.taped = true
				s.tape.begin()
			}
			region.begins[index] = s.tape.number()
		}
		fork := s.processor(region.at)
		if proc := rm.Proc[c][index]; proc != fork || s.active(r, fork) || region.shared {
			at, shared = place(1+proc), false
			if s.loop(r, c) != nil {
				shared, run = true, s.loops.innermost()
			}
		}
	}
	outer := (*laneRun)(nil)
	if region.owed != nil {
		outer = s.copies.current
		s.copiesFrom(region, c, index, run != nil)
	}
	f := s.push()
	f.section, f.region, f.construct, f.index, f.at, f.shared, f.run, f.outer = true, r, c, index, at, shared, run, outer
	return nil
}

// mayTape reports whether a team may execute tasks of a region that is met somewhere.
func (s *Simulator) mayTape(r int, at place) bool {
	return at == 0 && len(s.m.Regions[r].Team) > 1 && s.plan.mayMakeTasks(r)
}

// active reports whether a region runs on more than the processor that forks it.
func (s *Simulator) active(r, fork int) bool {
	return s.sole[r] != fork && s.sole[r] != noSections || s.singles[r] && len(s.m.Regions[r].Team) > 1
}

// nested reports how a region runs that is met somewhere. Inside an active region one
// that no mapping names stays where it is, as OpenMP runs nested regions by default. One
// that is named and spread competes for the processors with what they run already. Which
// processor meets one inside of iterations that threads share is not known before the loop
// has ended, so that each that is named is taken to compete.
func (s *Simulator) nested(r int, at place, shared bool) (inline, competes bool) {
	if at == 0 {
		return false, false
	}
	named := s.m.Regions[r].Explicit
	return !named, named && (s.active(r, s.processor(at)) || shared && s.deals != nil && s.sole[r] != noSections)
}

func (s *Simulator) endSection(r, index int) error {
	n := len(s.frames)
	if n < 2 || !s.frames[n-1].section || s.frames[n-1].region != r || s.frames[n-1].index != index {
		return fmt.Errorf("section %d of region %d ends, but has not begun", index, r)
	}
	s.closeSection()
	return nil
}

func (s *Simulator) closeSection() {
	n := len(s.frames)
	f, region := &s.frames[n-1], &s.frames[n-2]
	if len(f.untold) > 0 {
		s.playUntold(f)
	}
	s.frames = s.frames[:n-1]
	if region.owed != nil {
		s.copies.current = f.outer
	}
	region.serial += f.serial
	region.under.far += f.far
	region.far += f.far
	region.competes = region.competes || f.competes
	if region.inline {
		region.elapsed += f.elapsed
		return
	}
	if f.run != nil {
		proc, fork := s.m.Regions[f.region].Proc[f.construct][:s.loop(f.region, f.construct).Threads], s.processor(region.at)
		takes := s.share(f.run, slices.ContainsFunc(proc, func(p int) bool { return p != fork }), region.under.clock)
		for t, took := range takes {
			if len(f.waits) > 0 {
				took += f.waits[t]
			}
			region.times[t], region.ran[t] = took, true
		}
		return
	}
	region.times[f.index], region.ran[f.index] = f.elapsed, true
}

// makesTask notes that a section of a region that nothing runs beside makes tasks, or one of a
// region inside of another, which keeps them: they run where they are made.
func (s *Simulator) makesTask() {
	if n := len(s.frames); n > 2 { // a region, its section, and what is inside of that
		s.inner[s.frames[n-1].region] = true
	}
	for i := len(s.frames) - 1; i >= 0; i-- {
		if f := &s.frames[i]; !f.section {
			f.tasks = f.taped
			return
		}
	}
}

// join ends the construct that a region is collecting: each processor runs its sections in
// schedule order, between the overheads of creating and synchronising (Lattuada, Pilato,
// Ferrandi, Appendix A, step 5), and the last to end decides. Where threads go on without
// waiting to the next construct, of that number, it decides behind that one.
func (s *Simulator) join(f *frame, next int) {
	if f.open < 0 {
		return
	}
	rm, r, u := &s.m.Regions[f.region], &s.prog.Regions[f.region], &f.under
	fork := s.processor(f.at)
	for i, ran := range f.ran {
		if p := rm.Proc[f.open][i]; ran {
			u.clock[p] += f.times[i]
			u.takes[p], u.forks = true, u.forks || p != fork
		}
	}
	if f.taped {
		s.gather(f)
	}
	if next >= 0 && goesOn(r, f.open, next) {
		f.open = -1
		return
	}
	longest, forks := 0.0, u.forks
	switch {
	case f.tasks && s.tape.full && !s.timed.on:
		f.lost = true
	case f.taped && s.timed.on: // closeRegion knows how
		s.timed.keep(u, f.tasks, s.tape.number())
		f.made, forks = f.made || f.tasks, forks || f.tasks
	case f.tasks:
		takes, ended := s.playTasks(f.region, &keptStreak{items: u.items, at: u.at, loops: u.loops, tasks: true})
		longest, forks = takes, true
		f.stuck, f.made = f.stuck || !ended, true
	default:
		for p, total := range u.clock {
			if u.takes[p] && u.forks {
				total += s.create[p] + s.sync[p]
			}
			longest = max(longest, total)
		}
		if s.caches != nil {
			longest = max(longest, u.far*s.caches.of.Occupied)
		}
		if u.copying != nil {
			s.copiesUntil(u, fork)
			longest = 0
		}
		if f.taped && f.competes && !s.tape.full {
			takes, _ := s.playTasks(f.region, &keptStreak{items: u.items, at: u.at, loops: u.loops, tasks: true})
			f.longer += takes - longest
		}
	}
	before, after := s.around(f.region, f.open, fork, forks)
	f.elapsed += before + longest + after
	if f.taped {
		s.tape.users--
	}
	f.open, f.taped, f.tasks = -1, false, false
	u.reset(len(s.scale))
}

// gather notes what the team does of a construct.
func (s *Simulator) gather(f *frame) {
	rm, u, loop := &s.m.Regions[f.region], &f.under, int32(0)
	if s.loop(f.region, f.open) != nil {
		u.loops = append(u.loops, f.begins[0])
		loop = int32(len(u.loops))
	}
	for _, i := range rm.Order[f.open] {
		if !f.ran[i] {
			continue
		}
		x := item{event: f.begins[i]}
		if loop > 0 {
			x = item{int32(i), loop}
		}
		u.items, u.at = append(u.items, x), append(u.at, rm.Proc[f.open][i])
	}
}

// reset begins a streak.
func (u *streak) reset(processors int) {
	if len(u.clock) != processors {
		u.clock, u.takes = make([]float64, processors), make([]bool, processors)
	}
	u.far = 0
	clear(u.clock)
	clear(u.takes)
	u.forks, u.items, u.at, u.loops = false, u.items[:0], u.at[:0], u.loops[:0]
}

// goesOn reports whether threads go on from one construct of a region to another that they
// come to next, without waiting for each other.
func goesOn(r *ir.Region, from, to int) bool {
	first, n := r.Together(from)
	return r.GoesOn(from) && first <= to && to < first+n
}

func (s *Simulator) endRegion(r int) error {
	n := len(s.frames)
	if n == 0 || s.frames[n-1].section || s.frames[n-1].region != r {
		return fmt.Errorf("region %d ends, but has not begun", r)
	}
	return s.closeRegion()
}

func (s *Simulator) closeRegion() error {
	n := len(s.frames)
	f := &s.frames[n-1]
	s.join(f, -1)
	if f.made && s.timed.on && !s.tape.full {
		s.playInTime(f)
	}
	if f.made && !(s.timed.on && s.tape.full) { // it is played construct by construct
		f.elapsed += f.longer
		f.competes = false
	}
	s.frames = s.frames[:n-1]
	if f.lost {
		return fmt.Errorf("region %s: %w", s.prog.Regions[f.region].Name, errManyTasks)
	}
	if f.stuck {
		return fmt.Errorf("region %s: %w", s.prog.Regions[f.region].Name, errStuck)
	}
	passed := s.outermost == n-1 && s.tape.full && s.timed.on && !s.timed.must
	if passed {
		f.competes = false
		s.asPlayed()
	}
	if f.competes && s.tape.full && (s.timed.must || !s.timed.on) {
		full := errFull
		if s.timed.on {
			full = errManyAccesses
		}
		return fmt.Errorf("region %s: %w", s.prog.Regions[f.region].Name, full)
	}
	competes := f.competes
	if s.outermost == n-1 {
		s.outermost = -1
		s.tape.users--
		if competes {
			s.goBack()
			f.elapsed = s.contest.simulate(s, f.begin)
		}
		competes = false // with what lies around it
	}
	switch {
	case f.owed != nil:
		f.owed.elapsed, f.owed.serial, f.owed.ended = f.elapsed, f.serial, true
		s.paid(f.owed)
	case !f.competes:
		s.regions[f.region].add(f.elapsed*s.perRef, f.serial*s.perRef)
	case s.timed.on && !s.timed.must && s.outermost >= 0:
		s.timed.inner = append(s.timed.inner, asEnded{f.region, f.elapsed, f.serial})
	}
	if n > 1 {
		around := &s.frames[n-2]
		around.elapsed += f.elapsed
		around.serial += f.serial
		around.far += f.far
		around.competes = around.competes || competes
		return nil
	}
	s.parallel += f.elapsed
	return nil
}

// beginRoot and endRoot bound what counts; activations of the root inside itself
// change nothing.
func (s *Simulator) beginRoot() {
	if s.depth++; s.depth == 1 {
		s.on = true
	}
}

func (s *Simulator) endRoot() error {
	if s.depth == 0 {
		return nil
	}
	if s.depth--; s.depth == 0 {
		return s.finish()
	}
	return nil
}

// finish closes what is under way: the root returned, or the program ended.
func (s *Simulator) finish() error {
	if s.outermost >= 0 || slices.ContainsFunc(s.frames, func(f frame) bool { return f.taped }) {
		s.tape.end()
	}
	for len(s.frames) > 0 {
		if f := &s.frames[len(s.frames)-1]; f.section {
			if s.unended == nil && s.regions[f.region].Count == 0 {
				s.unended = &ir.Mark{Kind: ir.SectionBegin, Region: f.region, Construct: f.construct, Section: f.index}
			}
			if f.run != nil {
				f.run.left = true
			}
			s.closeSection()
		} else if err := s.closeRegion(); err != nil {
			return err
		}
	}
	if s.on {
		s.runs++
	}
	s.on, s.depth = false, 0
	return nil
}
