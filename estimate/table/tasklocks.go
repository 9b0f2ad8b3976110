package table

// This file plays locks among tasks. Who asks for one that another thread has waits, first come
// first served, and executes nothing else meanwhile, as in LLVM's run-time library.

import "math"

func (s *taskSimulator) clearLocks() {
	for len(s.locks) < s.v.t.locks {
		s.locks = append(s.locks, lock{})
	}
	for i := range s.locks {
		s.locks[i] = lock{-1, 0, s.locks[i].queue[:0]}
	}
}

// enter begins an execution of a construct that a thread meets in a lane: a stretch under a lock,
// or what stays on its processor though locks are taken inside.
func (t *thread) enter(x int, e *execution) {
	if e.lock > 0 {
		t.frames = append(t.frames, taskFrame{task: -1, lane: e.first, under: int32(x) + 1})
		return
	}
	for l := e.first + e.lanes - 1; l >= e.first; l-- { // the last frame is the first to run
		t.frames = append(t.frames, taskFrame{task: -1, lane: l})
	}
}

// acquire lets a thread have the lock of a frame, which costs, or wait for it.
func (s *taskSimulator) acquire(at int, f *taskFrame, now float64) (spent float64, waits bool) {
	t, e := &s.threads[at], &s.v.t.executions[f.under-1]
	l := &s.locks[e.lock-1]
	switch {
	case l.holder < 0:
		l.holder = int32(at)
	case l.holder != int32(at):
		l.queue = append(l.queue, int32(at))
		t.since, t.until = now, math.Inf(1)
		return 0, true
	case l.depth == 0 && t.since < now: // it was handed over
		s.tellLock(at, LockWait, e.lock, t.since, now)
	}
	l.depth++
	f.has = true
	over := s.v.t.Lock[t.processor] * e.acquires
	s.tellLock(at, Lock, e.lock, now, now+over)
	return over, false
}

// release hands a lock to the thread that has waited for longest.
func (s *taskSimulator) release(at int, number int32, now float64) {
	l := &s.locks[number-1]
	if l.holder != int32(at) {
		return // it was forced
	}
	if l.depth--; l.depth > 0 {
		return
	}
	if l.holder = -1; len(l.queue) > 0 {
		s.hand(l, now)
		s.threads[at].cut = now
	}
}

func (s *taskSimulator) hand(l *lock, now float64) {
	l.holder, l.depth = l.queue[0], 0
	l.queue = append(l.queue[:0], l.queue[1:]...)
	s.threads[l.holder].until = now
}

// force gives a lock to a thread that waits for it where all wait for each other, as programs can
// that take locks in different orders, and reports whether there is one.
func (s *taskSimulator) force(now float64) bool {
	for i := range s.locks {
		if len(s.locks[i].queue) > 0 {
			s.hand(&s.locks[i], now)
			return true
		}
	}
	return false
}

// tellLock tells of time that a thread spends on a lock, which is no part of a stretch.
func (s *taskSimulator) tellLock(at int, kind EventKind, number int32, start, end float64) {
	if s.watch == nil || start == end {
		return
	}
	s.flush(at)
	s.watch(Event{Kind: kind, Processor: s.threads[at].processor, Execution: s.root, Section: -1, Lock: int(number) - 1, Start: start, End: end})
}
