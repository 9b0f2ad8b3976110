package replay

// This file simulates locks: who finds one taken waits, first come first served, and does
// nothing else meanwhile.

import (
	"cmp"
	"math"
	"slices"

	"pathspan/ir"
)

type lock struct {
	owner  int
	depth  int   // how often its owner has it, where locks nest
	handed bool  // to its owner, who has not gone on yet
	queue  []int // processors that wait
}

// locks reports whether an event tells that a lock is taken or released.
func locks(word uint64) bool {
	kind := ir.MarkKind(word >> 56)
	return kind == ir.LockTaken || kind == ir.LockReleased
}

// locking notes that a lock is taken or released in a section that may run beside others:
// when it is had is known only from the order of all events.
func (s *Simulator) locking() {
	for i := len(s.frames) - 1; i >= 0; i-- {
		if f := &s.frames[i]; f.section {
			f.competes = f.competes || s.outermost >= 0
			return
		}
	}
}

// passLock acts on an event that takes or releases a lock, and reports whether its processor
// goes on. The last lock that was taken is the first to be released.
func (c *contest) passLock(p int, a *activity) bool {
	word := c.tape.events[a.event].word
	if !a.beside {
		return true
	}
	a.competes = true
	w := &c.workers[p]
	if updates(word) {
		if len(a.held) == 0 {
			w.clock = c.lines.update(word, p, w.clock, c.s.update(p))
		}
		return true
	}
	if c.s.ordered(word) {
		if a.kind == threadKind && !c.loops[a.thread.loop].turn(p, a.thread.group) {
			w.stuck = true
			return false
		}
		a.held = append(a.held, nil)
		return true
	}
	switch ir.MarkKind(word >> 56) {
	case ir.LockTaken:
		if c.locks == nil {
			c.locks = map[uint64]*lock{}
		}
		l := c.locks[word]
		if l == nil {
			l = &lock{}
			c.locks[word] = l
		}
		if (l.depth > 0 || l.handed) && l.owner != p {
			l.queue = append(l.queue, p)
			w.stuck = true
			return false
		}
		l.owner, l.handed = p, false
		l.depth++
		a.held = append(a.held, l)
		w.clock += c.s.m.Platform.Other.Lock.Cycles * c.s.factor[p]
	case ir.LockReleased:
		if n := len(a.held); n > 0 {
			l := a.held[n-1]
			a.held = a.held[:n-1]
			if l == nil { // an ordered part
				if a.kind == threadKind && a.thread.part == 1 {
					c.passes(&c.loops[a.thread.loop], a.thread.group, math.MaxInt64, w.clock)
				}
				break
			}
			if l.owner != p {
				break // it was forced
			}
			if l.depth--; l.depth == 0 && len(l.queue) > 0 {
				c.hand(l, w.clock)
			}
		}
	}
	return true
}

// ordered reports whether an event begins an ordered part of an iteration. Locks that addresses
// tell apart have no name in it.
func (s *Simulator) ordered(word uint64) bool {
	n := regionOf(word)
	return ir.MarkKind(word>>56) == ir.LockTaken && sectionOf(word) == 0 && n < len(s.prog.Locks) && s.prog.Locks[n].Ordered()
}

// hand gives a lock to the processor that has waited for longest.
func (c *contest) hand(l *lock, now float64) {
	p := l.queue[0]
	l.owner, l.depth, l.handed = p, 0, true
	l.queue = l.queue[1:]
	c.free(p, now)
}

// free lets a processor go on that waited for a lock, or for its turn.
func (c *contest) free(p int, now float64) {
	w := &c.workers[p]
	w.stuck = false
	if w.waits {
		c.wake(p, now)
	}
}

// force lets a processor have a lock for which it waits where all wait for each other, else the
// thread of a loop whose turn comes first go on before it is.
func (c *contest) force() bool {
	best := uint64(0)
	for word, l := range c.locks {
		if len(l.queue) > 0 && (best == 0 || word < best) {
			best = word
		}
	}
	if best != 0 {
		c.hand(c.locks[best], c.workers[c.locks[best].queue[0]].clock)
		return c.busy.Len() > 0
	}
	for i := range c.loops {
		if l := &c.loops[i]; len(l.waiting) > 0 {
			first := slices.MinFunc(l.waiting, func(a, b waitsForTurn) int { return cmp.Compare(a.group, b.group) })
			l.first = first.group
			c.passes(l, first.group, 0, c.workers[first.processor].clock)
			return c.busy.Len() > 0
		}
	}
	return false
}
