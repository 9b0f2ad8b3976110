package table

// This file plays locks among tasks. Who asks for one that another thread has waits, first come
// first served, and executes nothing else meanwhile, as in LLVM's run-time library.

import "math"

// enter begins an execution of a construct that a thread meets in a lane: a stretch under a lock,
// or what stays on its processor though locks are taken inside, with the tasks that are made there.
func (t *thread) enter(x int, e *execution, inner bool) {
	if e.lock > 0 {
		t.frames = append(t.frames, taskFrame{task: -1, lane: e.first, under: int32(x) + 1, inner: inner})
		return
	}
	for l := e.first + e.lanes - 1; l >= e.first; l-- { // the last frame is the first to run
		t.frames = append(t.frames, taskFrame{task: -1, lane: l, inner: true})
	}
}

// acquire lets a thread have the lock of a frame, which costs, or wait for it.
func (s *taskSimulator) acquire(at int, f *taskFrame, now float64) (spent float64, waits bool) {
	t, e := &s.threads[at], &s.v.t.executions[f.under-1]
	l := &s.locks[e.lock-1]
	if e.atomic {
		f.has = true
		waits, comes := l.line.Update(t.processor, now, e.acquires, s.v.t.Atomic[t.processor])
		s.tellLock(at, LockWait, e.lock, now, now+waits)
		s.tellLock(at, Lock, e.lock, now+waits, now+(waits+comes))
		return waits + comes, false
	}
	handed := l.holder == int32(at) && l.depth == 0
	if !l.take(int32(at)) {
		t.since, t.until = now, math.Inf(1)
		return 0, true
	}
	if handed && t.since < now {
		s.tellLock(at, LockWait, e.lock, t.since, now)
	}
	f.has = true
	over := s.v.t.Lock[t.processor] * e.acquires
	s.tellLock(at, Lock, e.lock, now, now+over)
	return over, false
}

// release hands a lock to the thread that has waited for longest.
func (s *taskSimulator) release(at int, number int32, now float64) {
	if next := s.locks[number-1].release(int32(at)); next >= 0 {
		s.threads[next].until = now
		s.threads[at].cut = now
	}
}

// force ends the wait of a thread where all wait for each other, and reports whether one waits.
func (s *taskSimulator) force(now float64) bool {
	next := s.locks.force()
	if next >= 0 {
		s.threads[next].until = now
	}
	return next >= 0
}

// tellLock tells of time that a thread spends on a lock, which is no part of a stretch.
func (s *taskSimulator) tellLock(at int, kind EventKind, number int32, start, end float64) {
	if s.watch == nil || start == end {
		return
	}
	s.flush(at)
	s.watch(Event{Kind: kind, Processor: s.threads[at].processor, Execution: s.root, Section: -1, Lock: int(number) - 1, Start: start, End: end})
}
