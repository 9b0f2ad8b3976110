package replay

// This file simulates one execution of a region inside which other regions compete for
// the processors. It does what the run-time library of measured programs does
// (build/runtime/team.c), in the order of time.

import (
	"container/heap"
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
)

// An item is a section, or a thread of a loop.
type item struct {
	event int32 // that begins the section; the thread's number
	loop  int32 // of contest.loops, from 1; 0 for a section
}

// A share is what one processor runs of one execution of a construct, or of several from one
// to the next of which it goes on without waiting: sections in schedule order, or threads of loops.
type share struct {
	first, end int32 // of contest.items
	join       int32 // of contest.joins
	at         place
	overhead   bool // it pays for creating before and for synchronising after
	beside     bool // others run beside it
}

// A join is the end of one execution of a construct, which the processor that met it
// waits for.
type join struct {
	owner    int
	left     int      // shares that have not ended
	loops    [2]int32 // of contest.loops, from and to: those in it
	competes bool     // a region inside competes
}

// An activity is something a processor is in the middle of; what it does inside that
// lies above it on the processor's stack.
type activity struct {
	kind     ir.MarkKind // RegionBegin, SectionBegin, shareKind or threadKind
	stage    stage
	competes bool // regions: this one or one inside it
	inline   bool // regions: it stays on the processor that meets it
	at       place
	shared   bool  // by threads of a loop, as frame.shared
	beside   bool  // other processors execute something of what is under way
	begin    int32 // regions and sections: the event that begins it
	event    int32 // the event that comes next
	share    share
	join     int32 // regions: the construct under way
	between  gap   // regions: work between the sections of the construct under way
	piece    piece
	met      float64 // regions: when
	paid     bool    // regions: what lies before the construct that comes next
	after    float64 // regions: what lies behind the construct under way
	held     []*lock // sections and threads: that were taken in it, the last one last
	thread   thread
}

// gap is what a processor executes between sections.
type gap struct {
	takes float64
	left  [][]uint64 // its accesses, where they are played in the order of time
}

const (
	shareKind  = ir.MarkKind(0)
	threadKind = ir.SectionEnd + 1 // a thread of a loop
)

type stage uint8

// The stages of an activity: regions and sections work up to their next event, then act
// on it, regions wait for the construct that they have met; shares create, run their
// sections, synchronise, end.
const (
	toWork stage = iota
	toAct
	toJoin
	toCreate
	toRun
	toEnd
)

type worker struct {
	stack []activity
	queue []share
	taken int     // shares of the queue that have left it
	clock float64 // until when it is busy
	waits bool    // for a construct or, with nothing on its stack, for anything
	stuck bool    // for a lock
}

// contest is the simulation of one region. Its slices are used again by the next.
type contest struct {
	s       *Simulator
	tape    *tape
	workers []worker
	busy    agenda
	items   []item // by share
	loops   []dealtLoop
	joins   []join
	unused  []int32 // joins that can be used again
	locks   map[uint64]*lock
	lines   lines
	begun   []int32 // by section of the construct being dealt: the event that begins it, or 0
}

// agenda orders busy processors by when they are next to act; on equal times, but for how sums are rounded, the one
// with the lower number comes first.
type agenda struct {
	workers []worker
	heap    []int
}

func (a *agenda) Len() int { return len(a.heap) }
func (a *agenda) Less(i, j int) bool {
	p, q := a.heap[i], a.heap[j]
	return earlier(a.workers[p].clock, p, a.workers[q].clock, q)
}

func earlier(x float64, p int, y float64, q int) bool {
	if math.Abs(x-y) > 1e-12*y {
		return x < y
	}
	return p < q
}

// first reports whether a processor that is not on the agenda acts before all that are.
func (a *agenda) first(p int) bool {
	if len(a.heap) == 0 {
		return true
	}
	return earlier(a.workers[p].clock, p, a.workers[a.heap[0]].clock, a.heap[0])
}

func (a *agenda) Swap(i, j int) { a.heap[i], a.heap[j] = a.heap[j], a.heap[i] }
func (a *agenda) Push(p any)    { a.heap = append(a.heap, p.(int)) }
func (a *agenda) Pop() any {
	p := a.heap[len(a.heap)-1]
	a.heap = a.heap[:len(a.heap)-1]
	return p
}

// simulate returns how long the region takes that an event begins, which nothing around
// it runs beside. It adds to the distributions of those regions in it that compete for
// processors or have such regions inside, itself included.
func (c *contest) simulate(s *Simulator, begin int32) float64 {
	if c.workers == nil {
		c.workers = make([]worker, len(s.scale))
		c.busy.workers = c.workers
	}
	c.s, c.tape = s, s.tape
	c.tape.layOut()
	c.items, c.joins, c.unused, c.loops = c.items[:0], c.joins[:0], c.unused[:0], c.loops[:0]
	for p := range c.workers {
		w := &c.workers[p]
		w.stack, w.queue, w.taken, w.clock, w.waits, w.stuck = w.stack[:0], w.queue[:0], 0, 0, true, false
	}
	c.locks, c.lines = nil, nil
	if s.caches != nil {
		s.caches.begin()
	}
	c.meet(s.m.Serial, begin, 0, false, 0)
	c.wake(s.m.Serial, 0)
	for c.busy.Len() > 0 || c.force() {
		c.advance(heap.Pop(&c.busy).(int))
	}
	for p := range c.workers {
		if w := &c.workers[p]; len(w.stack) > 0 || len(w.queue) > 0 {
			panic(fmt.Sprintf("replay: simulate: processor %d waits for ever", p))
		}
	}
	return c.workers[s.m.Serial].clock
}

// wake puts a processor that waits on the agenda: there may be something to do.
func (c *contest) wake(p int, now float64) {
	if w := &c.workers[p]; w.waits && !w.stuck {
		w.waits, w.clock = false, now
		heap.Push(&c.busy, p)
	}
}

// advance lets a processor act until it does something that takes time, or waits.
func (c *contest) advance(p int) {
	w := &c.workers[p]
	now := w.clock
	for now == w.clock {
		if n := len(w.stack); n == 0 || w.stack[n-1].stage == toJoin && c.joins[w.stack[n-1].join].left > 0 {
			if !c.take(p) {
				w.waits = true
				return
			}
		}
		a := &w.stack[len(w.stack)-1]
		if w.stuck {
			w.waits = true
			return
		}
		switch a.kind {
		case shareKind:
			c.inShare(p, a)
		case ir.SectionBegin:
			c.inSection(p, a)
		case threadKind:
			c.inThread(p, a)
		default:
			c.inRegion(p, a)
		}
	}
	heap.Push(&c.busy, p)
}

// take begins with the share that has been in a processor's queue for longest.
func (c *contest) take(p int) bool {
	w := &c.workers[p]
	if w.taken == len(w.queue) {
		return false
	}
	c.begin(p, w.queue[w.taken])
	if w.taken++; w.taken == len(w.queue) {
		w.queue, w.taken = w.queue[:0], 0
	}
	return true
}

func (c *contest) begin(p int, s share) {
	w := &c.workers[p]
	w.stack = append(w.stack, activity{kind: shareKind, stage: toCreate, share: s})
}

func (c *contest) inShare(p int, a *activity) {
	w := &c.workers[p]
	switch {
	case a.stage == toCreate:
		a.stage = toRun
		if a.share.overhead {
			w.clock += c.s.create[p]
		}
	case a.share.first < a.share.end:
		x := c.items[a.share.first]
		a.share.first++
		if x.loop > 0 {
			w.stack = append(w.stack, activity{kind: threadKind, at: a.share.at, shared: true, beside: a.share.beside, thread: thread{loop: x.loop - 1, number: int(x.event)}})
			return
		}
		w.stack = append(w.stack, activity{kind: ir.SectionBegin, at: a.share.at, beside: a.share.beside, begin: x.event, event: x.event + 1})
	case a.stage == toRun:
		a.stage = toEnd
		if a.share.overhead {
			w.clock += c.s.sync[p]
		}
	default:
		j := &c.joins[a.share.join]
		j.competes = j.competes || a.competes
		w.stack = w.stack[:len(w.stack)-1]
		if j.left--; j.left == 0 {
			clear(c.loops[j.loops[0]:j.loops[1]])
			c.wake(j.owner, w.clock)
		}
	}
}

func (c *contest) inSection(p int, a *activity) {
	if a.stage == toWork {
		if c.work(p, a) {
			a.stage = toAct
		}
		return
	}
	if a.event != c.tape.closes(a.begin) {
		if c.tape.begins(a.event) {
			c.inside(p, a)
		} else if c.passLock(p, a) { // or of a loop that is not shared here
			a.event, a.stage = a.event+1, toWork
		}
		return
	}
	c.leave(p, a.competes)
}

// distribute adds an execution of a region, between two events, to what is known of these.
func (s *Simulator) distribute(begin, end int32, takes float64) {
	serial := s.cost(s.m.Serial, s.tape.units(s.meter[s.m.Serial], begin, end)) + s.timed.alone(begin, end)
	s.regions[s.tape.region(begin)].add(takes*s.perRef, serial*s.perRef)
}

// leave ends the activity on top of a stack and tells the one below whether regions
// competed in it.
func (c *contest) leave(p int, competes bool) {
	w := &c.workers[p]
	w.stack = w.stack[:len(w.stack)-1]
	if n := len(w.stack); n > 0 && competes {
		w.stack[n-1].competes = true
	}
}

// work lets the time pass that a processor takes up to the next event, or a thread for its part of what lies before it, and
// reports whether that is done: others may act between its accesses.
func (c *contest) work(p int, a *activity) bool {
	w, passed := &c.workers[p], 0.0
	if !a.piece.under {
		passed = c.s.cost(p, c.tape.units(c.s.meter[p], a.event-1, a.event))
		if a.kind == threadKind {
			passed *= a.thread.part
		}
		if passed += a.between.takes; c.s.timed.on {
			if a.kind == threadKind {
				passed = a.piece.begin(passed, a.thread.accesses(&c.loops[a.thread.loop], c.tape, a.event)...)
			} else {
				passed = a.piece.begin(passed, append(a.between.left, c.tape.between(a.event-1, a.event))...)
			}
		}
		w.clock += passed
		a.between = gap{}
	}
	if !c.s.timed.on {
		return true
	}
	for more := true; ; w.clock += passed {
		if passed > 0 && !c.busy.first(p) {
			return false
		}
		if passed, more = a.piece.next(c.s, p, w.clock); !more {
			return true
		}
	}
}

// inside enters the region or section whose begin is the next event of an activity,
// which goes on behind it.
func (c *contest) inside(p int, a *activity) {
	begin, at, beside, now := a.event, a.at, a.beside, c.workers[p].clock
	a.event, a.stage = c.tape.closes(begin)+1, toWork
	if c.tape.kind(begin) == ir.RegionBegin {
		c.meet(p, begin, at, a.shared, now)
		top := &c.workers[p].stack[len(c.workers[p].stack)-1]
		top.beside = beside
		return
	}
	w := &c.workers[p]
	w.stack = append(w.stack, activity{kind: ir.SectionBegin, at: at, shared: a.shared, beside: beside, begin: begin, event: begin + 1})
}

// meet begins a region.
func (c *contest) meet(p int, begin int32, at place, shared bool, now float64) {
	r := c.tape.region(begin)
	inline, competes := c.s.nested(r, at, shared)
	competes = competes || c.s.timed.on
	w := &c.workers[p]
	w.stack = append(w.stack, activity{kind: ir.RegionBegin, inline: inline, competes: competes, at: at, shared: shared, begin: begin, event: begin + 1, met: now})
}

func (c *contest) inRegion(p int, a *activity) {
	switch {
	case a.stage == toJoin:
		a.competes = a.competes || c.joins[a.join].competes
		c.unused = append(c.unused, a.join)
		a.stage = toWork
		c.workers[p].clock += a.after
		a.paid, a.after = false, 0
	case a.stage == toWork:
		if c.work(p, a) {
			a.stage = toAct
		}
	case a.event == c.tape.closes(a.begin):
		competes := a.competes
		if competes {
			c.s.distribute(a.begin, a.event, c.workers[p].clock-a.met)
		}
		c.leave(p, competes)
	case !c.tape.begins(a.event):
		a.event, a.stage = a.event+1, toWork
	case a.inline || c.tape.kind(a.event) == ir.RegionBegin:
		c.inside(p, a)
	default:
		c.deal(p, a)
	}
}

// deal gives each processor its share of the construct that a region has met, with those to
// which threads go on from it without waiting, and goes on behind them when all have ended.
func (c *contest) deal(p int, a *activity) {
	t := c.tape
	r, active := t.region(a.event), c.s.active(t.region(a.event), p)
	forks := false
	c.constructs(p, a, func(construct int, begins []int32) {
		proc, l := c.s.m.Regions[r].Proc[construct], c.s.loop(r, construct)
		for i, q := range proc {
			forks = forks || q != p && (l == nil && begins[i] != 0 || l != nil && i < l.Threads)
		}
	})
	if c.pays(p, a, r, t.construct(a.event), forks) {
		return
	}
	shares, first := make([][]item, len(c.workers)), len(c.loops)
	behind, between := c.constructs(p, a, func(construct int, begins []int32) {
		l, proc := c.s.loop(r, construct), c.s.m.Regions[r].Proc[construct]
		if l == nil || !active && !a.shared {
			for _, d := range c.s.deals[r][construct] {
				for _, i := range d.sections {
					if begins[i] != 0 {
						shares[d.processor] = append(shares[d.processor], item{event: begins[i]})
					}
				}
			}
			return
		}
		dealt := c.s.groupsOf(t, begins[0], r, construct)
		dealt.dispatched = dealt.dispatched && slices.ContainsFunc(proc[:l.Threads], func(q int) bool { return q != p })
		c.loops = append(c.loops, dealt)
		for number, q := range proc[:l.Threads] {
			shares[q] = append(shares[q], item{int32(number), int32(len(c.loops))})
		}
	})
	a.event = behind
	a.between.takes += between.takes
	a.between.left = append(a.between.left, between.left...)
	a.stage, a.join = toJoin, c.newJoin(p)
	joined := a.join
	c.joins[joined].loops = [2]int32{int32(first), int32(len(c.loops))}
	at := a.at
	if active || a.shared {
		at = place(1 + p)
	}
	own, mine, around := share{}, false, a.beside
	for q, items := range shares {
		if items == nil {
			continue
		}
		x := share{first: int32(len(c.items)), join: joined, at: place(1 + q), overhead: forks, beside: forks || around}
		c.items = append(c.items, items...)
		x.end = int32(len(c.items))
		c.joins[joined].left++
		if q == p {
			x.at = at
			own, mine = x, true
			continue
		}
		to := &c.workers[q]
		to.queue = append(to.queue, x)
		c.wake(q, c.workers[p].clock)
	}
	if mine {
		c.begin(p, own)
	}
}

// constructs visits the constructs that a region has met on a processor: the next on the tape,
// and those to which threads go on from it without waiting, each with the events that begin its
// sections, 0 for those that the program did not come to. It returns the event behind them, and
// what the processor takes between their sections.
func (c *contest) constructs(p int, a *activity, visit func(construct int, begins []int32)) (behind int32, between gap) {
	t, event := c.tape, a.event
	r := t.region(event)
	for construct := -1; ; {
		if t.construct(event) != construct || c.begun[t.section(event)] != 0 {
			construct = t.construct(event)
			c.begun = append(c.begun[:0], make([]int32, len(c.s.m.Regions[r].Proc[construct]))...)
		}
		c.begun[t.section(event)] = event
		behind = t.closes(event) + 1
		next := behind
		for next != t.closes(a.begin) && !t.begins(next) {
			next++
		}
		if t.kind(next) != ir.SectionBegin {
			visit(construct, c.begun)
			return behind, between
		}
		if to := t.construct(next); to != construct || c.begun[t.section(next)] != 0 {
			visit(construct, c.begun)
			if !goesOn(&c.s.prog.Regions[r], construct, to) {
				return behind, between
			}
		}
		between.takes += c.s.cost(p, t.units(c.s.meter[p], behind-1, next))
		if c.s.timed.on {
			between.left = append(between.left, t.between(behind-1, next))
		}
		event = next
	}
}

// pays lets time pass for what lies before a construct that a region meets, once, and
// reports whether it does.
func (c *contest) pays(p int, a *activity, region, construct int, forks bool) bool {
	if a.paid {
		return false
	}
	before, after := c.s.around(region, construct, p, forks)
	a.paid, a.after = true, after
	c.workers[p].clock += before
	return before > 0
}

func (c *contest) newJoin(owner int) int32 {
	if n := len(c.unused); n > 0 {
		j := c.unused[n-1]
		c.unused = c.unused[:n-1]
		c.joins[j] = join{owner: owner}
		return j
	}
	c.joins = append(c.joins, join{owner: owner})
	return int32(len(c.joins) - 1)
}
