package table

// This file lets the threads of loops take part in the play of an execution: each takes a chunk when it has none, and does
// what is inside of its iterations.

import (
	"math"
	"sort"
)

// some is what of a piece of iterations a thread's chunk has: which share of its work, and which of what is executed
// inside, counted from 0.
type some struct {
	share          float64 // 0 where it is no piece
	from, to, seen int32
	nearer         float64 // its work takes this part of its time, as lines are nearer
}

// next passes so many executions, and returns how many of them are the chunk's.
func (x *some) next(n int32) float64 {
	first := x.seen
	x.seen += n
	return float64(max(0, min(x.seen, x.to)-max(first, x.from)))
}

// loopOf returns the loop, and the number of the thread in it, that is a section of a job.
func (s *simulator) loopOf(j *job, section int) (l *loopPlay, thread int) {
	for i := j.loops; i < j.loops+j.played; i++ {
		if l := &s.loops[i]; l.has(section) {
			return l, section - l.Lane
		}
	}
	return nil, 0
}

// iterations lets a thread take its next chunk, or begin with what comes next in the one that it has; false where there
// is none.
func (s *simulator) iterations(p int, f *frame, l *loopPlay, thread, section int, now float64) (spent float64, more bool) {
	v := s.v
	if f.chunk.Len() <= 0 {
		if f.chunk, more = l.next(thread); !more {
			return 0, false
		}
		if f.job.team >= 0 && l.Threads > 1 && l.Shares == nil && l.Schedule.Dispatched() {
			asks := 1.0
			if l.Joined {
				asks = math.Ceil(float64(f.chunk.Len()) * l.Asks / float64(l.Schedule.Chunk))
			}
			if over := s.spend(Dispatch, p, f.job.execution, now, asks*v.t.Dispatch[p]); over > 0 {
				return over, true
			}
		}
	}
	i := sort.Search(len(l.Begin), func(k int) bool { return l.Begin[k] > f.chunk.Begin }) - 1
	from, to := l.Begin[i], l.end(i)
	begin, end := f.chunk.Begin, min(to, f.chunk.End)
	f.chunk.Begin = end
	of := some{share: float64(end-begin) / float64(to-from), to: math.MaxInt32, nearer: 1}
	if begin > from || end < to {
		all := v.t.inside(l.Piece[i])
		before := func(iteration int64) int32 {
			return int32(sort.Search(all, func(k int) bool {
				return from+int64(float64(to-from)*(float64(k)+0.5)/float64(all)) >= iteration
			}))
		}
		of.from, of.to = before(begin), before(end)
	}
	j := f.job
	if j.team >= 0 {
		e := &v.t.executions[j.execution]
		of.nearer = v.shorter(int(e.region), int(e.construct), s.owner(j.team), section)
	}
	s.push(p, frame{of: of, waits: -1, stage: stageSections, job: job{execution: int32(l.Piece[i]), team: -1, nested: j.nested, under: j.under || j.team >= 0, around: j.execution, section: int32(section)}})
	return 0, true
}

// inside is how many executions are inside of a piece.
func (t *Table) inside(piece int) int {
	n := 0.0
	t.eachPart(piece, func(_ int, p part) {
		if p.set >= 0 {
			n += p.times
		}
	})
	return int(n)
}
