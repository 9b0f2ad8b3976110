package loops

// This file plays schedules on a clock, chunk by chunk.

import (
	"fmt"
	"slices"
)

// Play executes n iterations under a schedule and returns when each thread is done with its
// last chunk, and the chunks that it took, in order. Thread t begins at start[t] (all at 0
// where start is nil) and takes as long for iterations as curves[t] says; the curves are as
// many as the threads.
//
// A static schedule is decided before the loop runs. Any other asks for each chunk, which
// costs thread t dispatch[t] (nothing where dispatch is nil): the thread that is done first asks first, the one with the lowest number
// among equals. What is dispensed is what libomp dispenses; a nonmonotonic dynamic loop is
// played as it has it, each thread first on its own share and then stealing from others (see
// Schedule.Steals). An unstated order counts as monotonic: Clause and Environment say what it
// means where it was written. Finding that nothing is left costs nothing, nor does a barrier behind
// the loop. A Runtime schedule is static, as it is without OMP_SCHEDULE.
func Play(s Schedule, curves []Curve, n int64, dispatch, start []float64) (finish []float64, taken [][]Chunk) {
	taken = make([][]Chunk, len(curves))
	finish = play(s, curves, n, dispatch, start, func(thread int, c Chunk) { taken[thread] = append(taken[thread], c) })
	return finish, taken
}

// play tells visit of each chunk when a thread takes it, in the order of the clock where
// the schedule is not static.
func play(s Schedule, curves []Curve, n int64, dispatch, start []float64, visit func(int, Chunk)) []float64 {
	clocks := begin(curves, n, start)
	if len(clocks) == 0 {
		return clocks
	}
	dispatch = begin(curves, n, dispatch)
	reads := make([]cursor, len(curves))
	for t := range curves {
		reads[t].curve = curves[t]
	}
	run := func(thread int, c Chunk) float64 {
		before := reads[thread].work(c.Begin)
		return reads[thread].work(c.End) - before
	}
	if s.decided() {
		for t := range clocks {
			for c := range s.resolved().Share(n, len(curves), t).All() {
				visit(t, c)
				clocks[t] += run(t, c)
			}
		}
		return clocks
	}
	next := s.Taking(n, len(curves))
	for q := newQueue(clocks); len(q) > 0; {
		t := q[0].thread
		c, more := next(t)
		if !more {
			q.pop()
			continue
		}
		visit(t, c)
		clocks[t] += dispatch[t] + run(t, c)
		q.reorder(clocks[t])
	}
	return clocks
}

// decided reports whether it is decided before a loop runs who executes what.
func (s Schedule) decided() bool { return s.resolved().Kind == Static }

// Dispatched reports whether threads ask for each chunk.
func (s Schedule) Dispatched() bool { return !s.decided() }

// Chunks returns how many chunks of n iterations threads ask for, which does not depend on
// their clocks.
func (s Schedule) Chunks(n int64, threads int) int64 {
	switch {
	case s.decided() || threads < 2 || n < 1:
		return 0
	case s.Kind == Dynamic:
		return chunksOf(n, max(s.Chunk, 1))
	}
	all := int64(0)
	for d := NewDispenser(s, n, threads); ; all++ {
		if _, more := d.Next(); !more {
			return all
		}
	}
}

// resolved returns what a Runtime schedule is without OMP_SCHEDULE.
func (s Schedule) resolved() Schedule {
	if s.Kind == Runtime {
		return Schedule{}
	}
	return s
}

// Taking returns what says which chunk a thread takes when it is done with its last, and
// false where there is none left for it, for callers that have a clock of their own: threads
// must ask in its order.
func (s Schedule) Taking(n int64, threads int) func(thread int) (Chunk, bool) {
	switch {
	case s.decided():
		taken := make([]int64, threads)
		return func(thread int) (Chunk, bool) {
			share := s.resolved().Share(n, threads, thread)
			if taken[thread] == share.Chunks() {
				return Chunk{}, false
			}
			taken[thread]++
			return share.Chunk(taken[thread] - 1), true
		}
	case s.Steals(n, threads):
		return newStealing(s, n, threads).next
	}
	d := NewDispenser(s, n, threads)
	return func(int) (Chunk, bool) { return d.Next() }
}

// begin returns a figure of each thread before a loop, 0 where start is nil, having checked
// what Play was given.
func begin(curves []Curve, n int64, start []float64) []float64 {
	for t, c := range curves {
		if len(c.at) == 0 || c.End() < n {
			panic(fmt.Sprintf("loops.Play: the curve of thread %d ends before the loop of %d iterations does", t, n))
		}
	}
	if start == nil {
		return make([]float64, len(curves))
	}
	if len(start) != len(curves) {
		panic(fmt.Sprintf("loops.Play: %d curves and %d starts or costs", len(curves), len(start)))
	}
	return slices.Clone(start)
}

// turn is a thread that will ask for a chunk at a time.
type turn struct {
	clock  float64
	thread int
}

func (a turn) before(b turn) bool {
	return a.clock < b.clock || a.clock == b.clock && a.thread < b.thread
}

// queue is a binary heap of turns, the next one first.
type queue []turn

func newQueue(clocks []float64) queue {
	q := make(queue, len(clocks))
	for t, clock := range clocks {
		q[t] = turn{clock, t}
	}
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
	return q
}

// pop takes the first thread out.
func (q *queue) pop() {
	last := len(*q) - 1
	(*q)[0] = (*q)[last]
	*q = (*q)[:last]
	q.down(0)
}

// reorder gives the first thread a later turn.
func (q *queue) reorder(clock float64) {
	(*q)[0].clock = clock
	q.down(0)
}

func (q *queue) down(i int) {
	h := *q
	for {
		child := 2*i + 1
		if child >= len(h) {
			return
		}
		if right := child + 1; right < len(h) && h[right].before(h[child]) {
			child = right
		}
		if !h[child].before(h[i]) {
			return
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
}
