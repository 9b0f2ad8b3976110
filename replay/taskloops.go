package replay

// This file lets the threads of worksharing loops whose iterations make tasks take part in a
// simulation of tasks: each takes a chunk, goes through its iterations, and asks for the next. It
// has locks as well, which tasks and sections wait for.

import (
	"pathspan/ir"
	"pathspan/mapping/loops"
)

// taskLoop is an execution of a loop whose iterations make tasks.
type taskLoop struct {
	dealtLoop
	made []int // by group: deferred tasks that iterations before it make
}

// loopOf finds the iterations of a loop that an event begins, and counts their tasks.
func (p *taskPlay) loopOf(begin int32) taskLoop {
	r, c := p.t.region(begin), p.t.construct(begin)
	x, n, e := taskLoop{dealtLoop: p.s.groupsOf(p.t, begin, r, c)}, 0, begin+1
	x.dispatched = x.dispatched && p.s.loop(r, c).Threads > 1
	for _, g := range x.groups {
		for ; e < g.event; e++ {
			switch p.t.kind(e) {
			case ir.TaskBegin:
				if sectionOf(p.t.events[e].word) == 0 {
					n++
				}
				e = p.t.closes(e)
			case ir.RegionBegin:
				e = p.t.closes(e)
			}
		}
		x.made = append(x.made, n)
	}
	return x
}

// chunk lets a thread begin with its next chunk, or ends what it does of the loop.
func (p *taskPlay) chunk(w *taskWorker, x *strand) bool {
	l, t := &p.loops[x.thread.loop], x.thread
	c, more := l.next(t.number)
	if !more {
		n := x.node
		w.strands = w.strands[:len(w.strands)-1]
		p.finish(w, n)
		return true
	}
	t.chunk, t.group = c, l.groupAt(c.Begin)
	if l.dispatched {
		w.clock += p.s.dispatch(w.processor)
	}
	p.beginGroup(x)
	return true
}

// beginGroup begins with the part of a group that is in a thread's chunk.
func (p *taskPlay) beginGroup(x *strand) {
	t := x.thread
	l := &p.loops[t.loop]
	from, to := l.groups[t.group], l.groups[t.group+1]
	x.node.born, x.worked, x.event = l.made[t.group], false, from.event+1
	if from.event == to.event { // behind the program's end
		x.event, x.worked = to.event, true
		return
	}
	mine := min(to.at, t.chunk.End) - max(from.at, t.chunk.Begin)
	t.split(from, to)
	if mine == to.at-from.at {
		return
	}
	for e := from.event + 1; e < to.event; e++ {
		if p.isStep(e) {
			t.all++
			if kind := p.t.kind(e); kind == ir.TaskBegin || kind == ir.RegionBegin {
				e = p.t.closes(e)
			}
		}
	}
}

// isStep reports whether an event is one of those that are in one chunk's part of a group.
func (p *taskPlay) isStep(e int32) bool {
	kind := p.t.kind(e)
	return kind == ir.RegionBegin || kind.OfTasks() && kind != ir.TaskEnd
}

// elsewhere reports whether an event is in another chunk's part of a group, and passes it then.
func (p *taskPlay) elsewhere(x *strand, e int32) bool {
	if x.thread.part == 1 || !p.isStep(e) || !x.thread.passes(&p.loops[x.thread.loop].dealtLoop) {
		return false
	}
	switch p.t.kind(e) {
	case ir.TaskBegin:
		if sectionOf(p.t.events[e].word) == 0 {
			x.node.born++
		}
		x.event = p.t.closes(e) + 1
	case ir.RegionBegin:
		x.event = p.t.closes(e) + 1
	}
	return true
}

// endGroup goes on behind a group.
func (p *taskPlay) endGroup(x *strand) {
	t := x.thread
	if p.loops[t.loop].groups[t.group+1].at >= t.chunk.End {
		t.chunk = loops.Chunk{}
		return
	}
	t.group++
	p.beginGroup(x)
}

// passLock acts on an event that takes or releases a lock, and reports whether its worker goes on.
func (p *taskPlay) passLock(w *taskWorker, x *strand) bool {
	word := p.t.events[x.event].word
	if updates(word) {
		if len(x.held) == 0 {
			w.clock = p.lines.update(word, w.processor, w.clock, p.s.update(w.processor))
		}
		return true
	}
	if ir.MarkKind(word>>56) == ir.LockTaken {
		l := p.locks[word]
		if l == nil {
			l = &lock{}
			p.locks[word] = l
		}
		if (l.depth > 0 || l.handed) && l.owner != w.index {
			l.queue = append(l.queue, w.index)
			w.stuck = true
			return false
		}
		l.owner, l.handed = w.index, false
		l.depth++
		x.held = append(x.held, l)
		w.clock += p.s.m.Platform.Other.Lock.Cycles * p.s.factor[w.processor]
		return true
	}
	n := len(x.held) - 1
	if n < 0 {
		return true
	}
	l := x.held[n]
	if x.held = x.held[:n]; l.owner != w.index { // it was forced
		return true
	}
	if l.depth--; l.depth == 0 && len(l.queue) > 0 {
		p.hand(l, w.clock)
	}
	return true
}

// hand gives a lock to the worker that has waited for longest.
func (p *taskPlay) hand(l *lock, now float64) {
	w := p.workers[l.queue[0]]
	l.owner, l.depth, l.handed, l.queue = w.index, 0, true, l.queue[1:]
	w.stuck, w.idle = false, true
	p.rouseOne(w, now)
}

// forceLock lets a worker have a lock where all wait for each other.
func (p *taskPlay) forceLock() bool {
	best := uint64(0)
	for word, l := range p.locks {
		if len(l.queue) > 0 && (best == 0 || word < best) {
			best = word
		}
	}
	if best == 0 {
		return false
	}
	now := 0.0
	for _, w := range p.workers {
		if w.stuck || w.idle {
			now = max(now, w.clock)
		}
	}
	p.hand(p.locks[best], now)
	return true
}
