package estimate

// This file plays loops with ordered parts: an iteration does its part when all before it have
// done theirs, or have ended without one. One without ends when all before it have, too: so
// libomp has it (__kmp_dispatch_finish in openmp/runtime/src/kmp_dispatch.cpp).

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping/loops"
)

// mostTurns bounds the iterations of a loop that are played. Where there are more, so many
// are taken for one, and chunks are that much smaller.
const mostTurns = 1 << 14

// mostTurnPieces is how many stretches of work and waiting a thread's lane tells apart.
const mostTurnPieces = 64

// ordered reports whether an entry is an ordered part of iterations.
func (m *executionRows) ordered(entry int) bool {
	return m.locked(entry) && m.e.Bundle.Program.Locks[m.x.Entries[entry].Construct/ir.LocksOfOne].Ordered()
}

// inOrder returns the lanes of the threads of a loop with ordered parts. As iterations pass in
// their order, and each thread's own ascend, they are played one by one in that order, whoever
// has them: when one comes, all that it waits for is known.
func (b *blocks) inOrder(m *executionRows, l *sharing, s loops.Schedule, clock []float64) [][]table.Part {
	joined := (b.n + mostTurns - 1) / mostTurns
	n := (b.n + joined - 1) / joined
	if s.Chunk > 0 {
		s.Chunk = max(1, s.Chunk/joined)
	}
	o := b.turnsOf(m, l, s, n, clock)
	at := func(i int64) int64 { return min(i*joined, b.n) }
	passed, t := 0.0, 0
	for i := range n {
		if t = o.holder(i, t); t < 0 {
			break // nobody is left to execute it
		}
		x, k := &o.threads[t], m.e.kindOf[l.processors[t]]
		from, to := at(i), at(i+1)
		part := x.part(n / int64(l.Threads) / mostTurnPieces)
		for k := range part.Own {
			part.Own[k] += o.own[k].Work(from, to)
		}
		all := o.all[k].Work(from, to) * x.pace
		before, mine := all, 0.0
		if math.Floor(o.turns.Work(0, to)+1e-6) > math.Floor(o.turns.Work(0, from)+1e-6) {
			before, mine = o.early[k].Work(from, to)*x.pace, o.inTurn[k].Work(from, to)*x.pace
		}
		part.Waits += math.Max(0, passed-x.clock-before) / x.pace
		passed = math.Max(passed, x.clock+before) + mine
		x.clock = passed + all - before - mine
		if n := len(x.took) - 1; n >= 0 && x.took[n].End == from {
			x.took[n].End = to
		} else {
			x.took = append(x.took, loops.Chunk{Begin: from, End: to})
		}
		x.Begin++
	}
	out := make([][]table.Part, l.Threads)
	var often []loops.Curve
	if o.inside != nil {
		often = b.often()
	}
	for t, p := range l.processors {
		x := &o.threads[t]
		clock[p] += (x.clock - x.start) / x.pace
		for i, set := range o.inside {
			if times := executed(often[i], x.took); times > 0 {
				x.lane = append(x.lane, table.Part{Set: set, Times: times, Own: make([]float64, len(o.own))})
			}
		}
		if out[t] = x.lane; x.lane == nil {
			out[t] = []table.Part{{Set: -1, Own: make([]float64, len(o.own))}}
		}
	}
	return out
}

// inTurns is a loop with ordered parts that is being played.
type inTurns struct {
	threads []inTurn
	next    func(thread int) (loops.Chunk, bool)
	// By kind: all work, that of the threads' own parts, what is ahead of ordered parts, these.
	all, own, early, inTurn []loops.Curve
	turns                   loops.Curve
	inside                  []int // sets that are parts of their own
}

// inTurn is one of its threads.
type inTurn struct {
	loops.Chunk        // what is left of the one that it has
	start, clock, pace float64
	dispatch           float64 // of a chunk, below 0 where there are none to ask for
	over               bool
	lane               []table.Part
	left               int64 // iterations until its lane has another part
	took               []loops.Chunk
	kinds, lock        int
}

func (b *blocks) turnsOf(m *executionRows, l *sharing, s loops.Schedule, n int64, clock []float64) *inTurns {
	kinds := len(m.e.kinds)
	o := &inTurns{next: s.Taking(n, l.Threads), turns: b.curve(b.sum(quantity{what: turns})), inside: b.sets,
		own: b.curves(ofOwn, 0, kinds), early: b.curves(ofEarly, 0, kinds), inTurn: b.curves(ofTurns, 0, kinds)}
	locksAlone := !slices.ContainsFunc(b.sets, func(s int) bool { _, lock := m.stretch[s]; return !lock })
	for k := range kinds {
		o.all = append(o.all, b.curve(b.whole(k)))
	}
	if locksAlone { // who waits for them is not known beside turns
		o.own, o.inside = o.all, nil
	}
	if l.Shares != nil {
		shares := loops.Weighted(n, l.Shares)
		o.next = func(t int) (loops.Chunk, bool) {
			c := shares[t]
			shares[t].Begin = c.End
			return c, c.Len() > 0
		}
	}
	start, dispatch := b.starts(m, l, clock)
	for t, p := range l.processors {
		x := inTurn{pace: m.e.pace(p), dispatch: -1, kinds: kinds, lock: b.turn}
		x.start = start[t] * x.pace
		if x.clock = x.start; s.Dispatched() && l.Shares == nil {
			x.dispatch = dispatch[t] * x.pace
		}
		o.threads = append(o.threads, x)
	}
	return o
}

// holder returns the thread that has an iteration: t, or another, which takes its next chunk
// where nobody does; -1 for none.
func (o *inTurns) holder(i int64, t int) int {
	for {
		for range o.threads {
			if x := &o.threads[t]; x.Len() > 0 && x.Begin == i {
				return t
			}
			t = (t + 1) % len(o.threads)
		}
		first := -1 // that is done with its last
		for t := range o.threads {
			if x := &o.threads[t]; !x.over && x.Len() == 0 && (first < 0 || x.clock < o.threads[first].clock) {
				first = t
			}
		}
		if first < 0 {
			return -1
		}
		x := &o.threads[first]
		c, more := o.next(first)
		if x.over = !more; !more {
			continue
		}
		if x.Chunk = c; x.dispatch >= 0 {
			x.clock += x.dispatch
			x.part(1).Asks++
		}
	}
}

// part is the part of the thread's lane that an iteration belongs to, where each is of so many.
func (x *inTurn) part(of int64) *table.Part {
	if x.lane == nil || x.left <= 0 {
		x.lane = append(x.lane, table.Part{Set: -1, Own: make([]float64, x.kinds), Lock: x.lock})
		x.left = max(1, of)
	}
	x.left--
	return &x.lane[len(x.lane)-1]
}
