package table

// This file plays worksharing loops chunk by chunk, as threads come for them. Of those whose iterations make tasks,
// each thread takes a chunk, makes the tasks of its iterations, and asks for the next; behind the loop, where threads
// wait, they execute tasks (tasks.go). Of those whose threads compete for processors with other regions (simulate.go), it
// does what is inside of its iterations meanwhile. The lanes of such an execution hold what threads take that find their
// processors free, and execute tasks where they make them, which is what all else reads of them.

import (
	"encoding/binary"
	"slices"

	"pathspan/mapping/loops"
)

// Chunks are those of a loop whose iterations make tasks or whose threads compete for processors.
type Chunks struct {
	Schedule loops.Schedule
	Shares   []float64 // where they say what each thread executes
	N        int64     // iterations
	Lane     int       // of the execution: that of the loop's first thread
	Threads  int
	Begin    []int64 // by chunk, in their order: its first iteration
	Piece    []int   // by chunk: an execution, a Piece
	Joined   bool    // there are so many that several are one here
	// Of threads that compete: Begin and Piece are of iterations that are told of together, which threads' chunks may
	// split, and Asks is how many chunks are one.
	Runs bool
	Asks float64
	born []uint64 // by chunk: deferred tasks that those before make
}

// content spells chunks, so that equal ones are found.
func (c *Chunks) content(key []byte) []byte {
	for _, x := range []int64{int64(c.Lane), c.N, c.Schedule.Chunk, int64(len(c.Piece))} {
		key = binary.AppendVarint(key, x)
	}
	for i, piece := range c.Piece {
		key = binary.AppendVarint(binary.AppendVarint(key, c.Begin[i]), int64(piece))
	}
	return key
}

// countBorn counts the tasks that chunks make.
func (t *Table) countBorn() {
	known := map[int]float64{}
	var deferred func(x int) float64
	deferred = func(x int) float64 {
		if n, ok := known[x]; ok {
			return n
		}
		n := 0.0
		t.eachPart(x, func(_ int, p part) {
			if p.set < 0 {
				return
			}
			switch inner := t.sets[p.set].Executions[0]; t.executions[inner].role {
			case Deferred:
				n += p.times
			case Piece:
				n += p.times * deferred(inner)
			}
		})
		known[x] = n
		return n
	}
	for _, all := range t.chunked {
		for i := range all {
			n := 0.0
			for _, x := range all[i].Piece {
				all[i].born = append(all[i].born, uint64(n))
				n += deferred(x)
			}
		}
	}
}

// competes returns the loops of an execution whose threads compete for processors.
func (t *Table) competes(x int) (out []*Chunks) {
	for i := range t.chunked[x] {
		if c := &t.chunked[x][i]; c.Runs {
			out = append(out, c)
		}
	}
	return out
}

// has reports whether a lane is of one of the threads.
func (c *Chunks) has(lane int) bool { return lane >= c.Lane && lane < c.Lane+c.Threads }

// end is the iteration behind a piece.
func (c *Chunks) end(piece int) int64 {
	if piece+1 < len(c.Begin) {
		return c.Begin[piece+1]
	}
	return c.N
}

// loopPlay is a loop under way.
type loopPlay struct {
	*Chunks
	next func(thread int) (loops.Chunk, bool)
}

func (c *Chunks) play() loopPlay {
	if c.Shares == nil {
		return loopPlay{c, c.Schedule.Taking(c.N, c.Threads)}
	}
	left := loops.Weighted(c.N, c.Shares)
	return loopPlay{c, func(thread int) (loops.Chunk, bool) {
		mine := left[thread]
		left[thread].Begin = mine.End
		return mine, mine.Len() > 0
	}}
}

// loopOf tells in which loop, from 1, a lane is of which thread.
func (s *taskSimulator) loopOf(lane int32) (loop, thread int32) {
	for i := range s.loops {
		if l := &s.loops[i]; l.has(int(lane)) {
			return int32(i) + 1, lane - int32(l.Lane)
		}
	}
	return 0, 0
}

// chunk lets a thread take its next chunk, which may cost, or ends the loop's lane.
func (s *taskSimulator) chunk(at int, f *taskFrame, me int32, now float64) float64 {
	t, l := &s.threads[at], &s.loops[f.loop-1]
	c, more := l.next(int(f.thread))
	if !more {
		t.frames = t.frames[:len(t.frames)-1]
		s.end(at, me, now)
		return 0
	}
	i, _ := slices.BinarySearch(l.Begin, c.Begin)
	s.tasks[me].born = l.born[i]
	t.frames = append(t.frames, taskFrame{task: -1, lane: s.v.t.executions[l.Piece[i]].first})
	if !l.Schedule.Dispatched() || l.Shares != nil || l.Threads == 1 {
		return 0
	}
	over := s.v.t.Dispatch[t.processor]
	s.tell(at, Dispatch, -1, now, over, 0)
	return over
}

// elder finds the child that was made so many children before the next, in the order of the
// program; other threads have children of their own between those of a loop's chunks.
func (x *task) elder(before uint64) (kid, bool) {
	if before > x.born {
		return kid{}, false
	}
	born := x.born - before
	for i := len(x.kids) - 1; i >= 0; i-- {
		k := x.kids[i]
		if k.born == born {
			return k, true
		}
		if i == len(x.kids)-1 && k.born > born && k.born-born <= uint64(i) { // most are in a row
			if k = x.kids[i-int(k.born-born)]; k.born == born {
				return k, true
			}
		}
	}
	return kid{}, false
}
