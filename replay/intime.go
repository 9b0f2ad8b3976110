package replay

// This file plays accesses in the order of time. The accesses of an outermost region that is spread are kept
// until it has ended. A processor makes those that lie between two events at even distances, and each takes it as
// long as it waits for the caches, which are then as all earlier accesses have left them, and for main memory.
//
// Where it is known beforehand who makes which, they are played as they come as well: an execution that has more of them
// than can be kept takes as long as that says. Else it hangs on how long others take: threads take chunks as they come,
// wait for locks, or execute tasks, or regions compete for processors.

import (
	"slices"

	"pathspan/ir"
)

// inTime is what is known of an outermost region whose accesses are played in the order of time.
type inTime struct {
	on      bool       // accesses are
	must    bool       // who makes which is not known else
	passed  int        // executions of regions that had too many
	before  keptCaches // what was in caches when the region began, unless must is set
	inner   []asEnded  // and what regions inside took, as played as they come
	waited  float64    // what the accesses of the region wait on the serial processor if that executes all
	behind  []float64  // by event, from the region's first: the same until then
	first   int32
	streaks []keptStreak // of a region whose team may execute tasks
}

// keptStreak is a streak that is played when its region has ended.
type keptStreak struct {
	items []item
	at    []int
	loops []int32
	tasks bool  // sections make some, and the team executes them
	forks bool  // else: another processor than the region's takes part
	event int32 // behind it
}

// asEnded is an execution of a region.
type asEnded struct {
	region          int
	elapsed, serial float64
}

// needsOrder reports whether it is not known beforehand who makes which access.
func (s *Simulator) needsOrder() bool {
	if s.prog.HasTasks() || s.prog.HasLocks() || s.plan.Meters.Updates || s.deals != nil && regionsNest(s.prog) {
		return true
	}
	for r := range s.m.Regions {
		for _, l := range s.m.Regions[r].Loops {
			if l != nil && l.Threads > 1 && l.Shares == nil && l.Schedule.Dispatched() {
				return true
			}
		}
	}
	return false
}

// Copies reports whether copies between memories are played.
func (s *Simulator) Copies() bool { return s.copies != nil }

// InTime reports whether accesses are played in the order of time, and how many executions of regions had too many
// for that, so that theirs were played in the order of the program.
func (s *Simulator) InTime() (yes bool, but int) { return s.timed.on, s.timed.passed }

// inOrder has accesses played in the order of time.
func (s *Simulator) inOrder() {
	s.timed.must = s.needsOrder()
	if s.timed.on = true; s.deals == nil {
		for r := range s.m.Regions {
			s.deals = append(s.deals, dealsOf(&s.m.Regions[r]))
		}
	}
}

// regionsNest reports whether a region may be met inside of another: a function that has a mark calls
// another that has, or has those of several.
func regionsNest(p *ir.Program) bool {
	reaches := reaching(p, func(b *ir.Block) bool { return b.Mark != nil })
	for _, f := range p.Funcs {
		region := -1
		for _, b := range f.Blocks {
			if b.Mark == nil {
				continue
			}
			if region >= 0 && b.Mark.Region != region {
				return true
			}
			region = b.Mark.Region
		}
		if region < 0 {
			continue
		}
		for _, b := range f.Blocks {
			for _, c := range b.Calls() {
				if c.Indirect || len(c.FuncArgs) > 0 || c.Callee >= 0 && reaches[c.Callee] {
					return true
				}
			}
		}
	}
	return false
}

func (s *Simulator) beginInTime(event int32) {
	x := &s.timed
	if !x.on {
		return
	}
	x.waited, x.behind, x.first, x.streaks = 0, x.behind[:0], event, x.streaks[:0]
	x.behind = append(x.behind, 0)
	if x.inner = x.inner[:0]; !x.must {
		s.caches.keep(&x.before)
	}
}

// goBack has caches hold what they did when the region began, whose accesses were played as they came.
func (s *Simulator) goBack() {
	if s.timed.on && !s.timed.must {
		s.caches.goBack(&s.timed.before)
	}
}

// asPlayed leaves an execution of a region as it was played in the order of the program.
func (s *Simulator) asPlayed() {
	s.timed.passed++
	for _, x := range s.timed.inner {
		s.regions[x.region].add(x.elapsed*s.perRef, x.serial*s.perRef)
	}
}

// waitedUntil takes note of an event that the tape keeps.
func (s *Simulator) waitedUntil(word uint64) {
	if s.timed.on && s.outermost >= 0 && tells(word) {
		s.timed.behind = append(s.timed.behind, s.timed.waited)
	}
}

// alone returns what accesses from one event to another wait on the serial processor.
func (x *inTime) alone(from, to int32) float64 {
	if !x.on {
		return 0
	}
	at := func(event int32) float64 {
		if n := event - x.first; int(n) < len(x.behind) {
			return x.behind[n]
		}
		return x.waited // the program ended in it
	}
	return at(to) - at(from)
}

func (x *inTime) keep(u *streak, tasks bool, event int32) {
	x.streaks = append(x.streaks, keptStreak{append([]item(nil), u.items...), append([]int(nil), u.at...), append([]int32(nil), u.loops...), tasks, u.forks, event})
}

// piece is what a processor executes between two events, from an access to the next.
type piece struct {
	under bool
	each  float64 // from one to the next, but for what it waits
	left  [][]uint64
}

// between returns the accesses between an event and a later one.
func (t *tape) between(from, to int32) []uint64 { return t.accesses[t.reached[from]:t.reached[to]] }

// accesses returns those that a thread's part of a group makes before an event.
func (x *thread) accesses(l *dealtLoop, t *tape, event int32) [][]uint64 {
	all := t.between(event-1, event)
	if !l.untold {
		n := float64(len(all))
		return [][]uint64{all[int(x.from*n):int(x.to*n)]}
	}
	if l.before != event {
		l.before, l.spread = event, spread(all, float64(l.groups[len(l.groups)-1].at))
	}
	var out [][]uint64
	for _, r := range l.spread {
		first, _ := slices.BinarySearch(r.of, x.chunk.Begin)
		end, _ := slices.BinarySearch(r.of, x.chunk.End)
		out = append(out, r.words[first:end])
	}
	return out
}

// begin has a piece of so much time lie before a processor.
func (x *piece) begin(takes float64, left ...[]uint64) (before float64) {
	n := 0
	for _, words := range left {
		n += len(words)
	}
	x.under, x.each, x.left = true, takes/float64(n+1), append(x.left[:0], left...)
	return x.each
}

// next makes the next access of a piece on a processor, and returns the time until the one behind it;
// false where there is none.
func (x *piece) next(s *Simulator, p int, now float64) (takes float64, more bool) {
	for len(x.left) > 0 && len(x.left[0]) == 0 {
		x.left = x.left[1:]
	}
	if len(x.left) == 0 {
		x.under = false
		return 0, false
	}
	word := x.left[0][0]
	x.left[0] = x.left[0][1:]
	return s.caches.toldAt(p, word, s.factor, now) + x.each, true
}

// playInTime plays what a region does some construct of which makes tasks: one streak after the other,
// and behind each what the processor that met it executes until the next.
func (s *Simulator) playInTime(f *frame) {
	s.tape.layOut()
	p, event := s.processor(f.at), f.begin+1
	if s.tokens != nil {
		s.tokens.follow(s.tape, f.begin)
	}
	for i := range s.timed.streaks {
		k := &s.timed.streaks[i]
		f.elapsed += s.playOutside(p, &event, k.event)
		takes, ended := s.playTasks(f.region, k)
		f.elapsed, f.stuck = f.elapsed+takes, f.stuck || !ended
	}
	f.elapsed += s.playOutside(p, &event, int32(len(s.tape.events)))
	if s.tokens != nil {
		f.elapsed += s.fetchBack(p)
	}
	s.timed.streaks = s.timed.streaks[:0]
}

// playOutside makes the accesses outside of the sections of a region, from an event to another, and
// returns what they wait.
func (s *Simulator) playOutside(p int, event *int32, end int32) (waits float64) {
	for depth := 0; *event < end; *event++ {
		for _, word := range s.tape.between(*event-1, *event) {
			w, _ := s.caches.told(p, word, s.factor)
			waits += w
		}
		switch kind := s.tape.kind(*event); {
		case kind == ir.RegionBegin: // which stays there
			depth++
		case kind == ir.RegionEnd:
			depth--
		case kind == ir.SectionBegin && depth == 0:
			*event = s.tape.closes(*event)
		}
	}
	return waits
}
