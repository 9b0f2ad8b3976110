package replay

// This file lets the threads of worksharing loops take part in a contest: each takes a chunk,
// executes its iterations with what is inside, and asks for the next.

import (
	"pathspan/build/probe"
	"pathspan/mapping/loops"
)

// dealtLoop is an execution of a loop whose threads are under way.
type dealtLoop struct {
	dispatched bool // each chunk costs
	next       func(thread int) (loops.Chunk, bool)
	groups     []group      // and behind the last: where the iterations end
	untold     bool         // of none the program told where it begins
	spread     []sideBySide // then: its accesses before an event
	before     int32
	// Of a loop with ordered parts: the group whose turn it is, of each how many iterations have not
	// passed, and who waits.
	first   int32
	left    []int64
	waiting []waitsForTurn
}

// waitsForTurn is a processor that waits for the turn of a group.
type waitsForTurn struct {
	processor int
	group     int32
}

// turn reports whether it is a group's turn, or notes that a processor waits for it.
func (l *dealtLoop) turn(p int, group int32) bool {
	if l.left == nil || group <= l.first {
		return true
	}
	l.waiting = append(l.waiting, waitsForTurn{p, group})
	return false
}

// passes notes that so many iterations of a group have done their ordered part, or ended without
// one, and lets those go on whose turn it is then.
func (c *contest) passes(l *dealtLoop, group int32, n int64, now float64) {
	if l.left == nil {
		return
	}
	l.left[group] -= min(n, l.left[group])
	for int(l.first) < len(l.left) && l.left[l.first] == 0 {
		l.first++
	}
	rest := l.waiting[:0]
	for _, x := range l.waiting {
		if x.group > l.first {
			rest = append(rest, x)
			continue
		}
		c.free(x.processor, now)
	}
	l.waiting = rest
}

// A group is iterations between which nothing was told.
type group struct {
	at    int64 // its first iteration
	event int32 // that it begins with
}

// thread is a thread of a loop amid a chunk. Of a group that chunks split, each has its part
// of the work, and those regions of it that lie in that part if they lie evenly.
type thread struct {
	loop, group int32
	number      int
	chunk       loops.Chunk // empty before the first and behind each
	part        float64     // of the group
	from, to    float64     // which part
	passed, all int         // regions of the group, where it is split
}

// groupsOf finds where the iterations of a loop begin.
func (s *Simulator) groupsOf(t *tape, begin int32, region, construct int) dealtLoop {
	end := t.closes(begin)
	var n, chunk, told, last uint64
	var at []uint64
	d := dealtLoop{groups: []group{{0, begin}}}
	for e := begin + 1; e < end; e++ {
		word := t.events[e].word
		switch {
		case t.begins(e):
			e = t.closes(e)
		case word>>56 == probe.LoopIterations:
			n = valueOf(word)
		case word>>56 == probe.LoopChunk:
			chunk = valueOf(word)
		case word>>56 == probe.Iteration && t.region(e) == region && t.construct(e) == construct:
			d.groups, at = append(d.groups, group{event: e}), append(at, told)
			last = uint64(t.section(e))
			told += last
		}
	}
	x, kept := extentOf(n, told, last, chunk, int(end) >= t.ended), 0
	d.untold = told == 0 && n > 1
	for i, before := range at {
		if g := (group{x.at(before), d.groups[1+i].event}); g.at > d.groups[kept].at && g.at < x.done {
			kept++
			d.groups[kept] = g
		}
	}
	d.groups = append(d.groups[:kept+1], group{x.done, end})
	if x.done < x.n {
		d.groups = append(d.groups, group{x.n, end})
	}
	if s.prog.Regions[region].Constructs[construct].Loop.Ordered {
		for i := range d.groups[1:] {
			d.left = append(d.left, d.groups[i+1].at-d.groups[i].at)
		}
	}
	l := s.loop(region, construct)
	if l.Shares == nil {
		schedule := x.schedule(l)
		d.next, d.dispatched = schedule.Taking(x.n, l.Threads), schedule.Dispatched()
		return d
	}
	chunks := loops.Weighted(x.n, l.Shares)
	d.next = func(thread int) (loops.Chunk, bool) {
		c := chunks[thread]
		chunks[thread].Begin = c.End
		return c, c.Len() > 0
	}
	return d
}

func (c *contest) inThread(p int, a *activity) {
	x := &a.thread
	l := &c.loops[x.loop]
	if x.chunk.Len() == 0 {
		chunk, more := l.next(x.number)
		if !more {
			c.leave(p, a.competes)
			return
		}
		x.chunk, x.group = chunk, l.groupAt(chunk.Begin)
		if l.dispatched {
			c.workers[p].clock += c.s.dispatch(p)
		}
		c.enter(a)
		return
	}
	if a.stage == toWork {
		if c.work(p, a) {
			a.stage = toAct
		}
		return
	}
	switch end := l.groups[x.group+1]; {
	case a.event == end.event:
		if !l.turn(p, x.group) { // an iteration without an ordered part waits as well, as in libomp
			c.workers[p].stuck, a.competes = true, true
			return
		}
		c.passes(l, x.group, min(end.at, x.chunk.End)-max(l.groups[x.group].at, x.chunk.Begin), c.workers[p].clock)
		if end.at >= x.chunk.End {
			x.chunk = loops.Chunk{}
			break
		}
		x.group++
		c.enter(a)
	case !c.tape.begins(a.event):
		if c.passLock(p, a) {
			a.event, a.stage = a.event+1, toWork
		}
	case x.passes(l):
		a.event, a.stage = c.tape.closes(a.event)+1, toWork
	default:
		c.inside(p, a)
	}
}

func (l *dealtLoop) groupAt(iteration int64) int32 {
	low, high := int32(0), int32(len(l.groups)-1)
	for high-low > 1 {
		if mid := (low + high) / 2; l.groups[mid].at <= iteration {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

// enter begins with the part of a group that is in a thread's chunk.
func (c *contest) enter(a *activity) {
	x := &a.thread
	l := &c.loops[x.loop]
	from, to := l.groups[x.group], l.groups[x.group+1]
	mine := min(to.at, x.chunk.End) - max(from.at, x.chunk.Begin)
	if from.event == to.event { // behind the program's end
		a.event, a.stage = to.event, toAct
		return
	}
	x.split(from, to)
	a.event, a.stage = from.event+1, toWork
	if mine == to.at-from.at {
		return
	}
	for e := from.event + 1; e < to.event; e++ {
		if c.tape.begins(e) {
			x.all++
			e = c.tape.closes(e)
		}
	}
}

// split notes which part of a group is in a thread's chunk.
func (x *thread) split(from, to group) {
	begin, end, all := max(from.at, x.chunk.Begin), min(to.at, x.chunk.End), float64(to.at-from.at)
	x.part, x.from, x.to = float64(end-begin)/all, float64(begin-from.at)/all, float64(end-from.at)/all
	x.passed, x.all = 0, 0
}

// passes reports whether the next region in a group is in another chunk's part of it.
func (x *thread) passes(l *dealtLoop) bool {
	if x.part == 1 {
		return false
	}
	from, to := l.groups[x.group].at, l.groups[x.group+1].at
	at := from + int64(float64(to-from)*(float64(x.passed)+0.5)/float64(x.all))
	x.passed++
	return at < x.chunk.Begin || at >= x.chunk.End
}
