package loops

// This file computes when threads are done without playing each chunk.

import (
	"math"
	"sort"
)

// Finish returns what Play returns as finish, in time that grows with the cut points of the
// curves rather than with the number of chunks: where work is even, many chunks are taken at
// one stroke. Both agree to the last bit where all times are whole numbers below 2^53. Else
// they are rounded differently, by which threads that are done at the same time can swap
// chunks. asked is how many chunks each thread asked for, none where the schedule is static.
func Finish(s Schedule, curves []Curve, n int64, dispatch, start []float64) (finish []float64, asked []int64) {
	switch {
	case s.Kind == Runtime:
		return Finish(Schedule{}, curves, n, dispatch, start)
	case s.Kind == Static:
		clocks := begin(curves, n, start)
		for t, c := range curves {
			clocks[t] += c.shared(s.Share(n, len(curves), t))
		}
		return clocks, make([]int64, len(clocks))
	case s.Steals(n, len(curves)):
		return newThieves(s, curves, n, dispatch, start).finish()
	case s.Kind == Dynamic && len(curves) > 1:
		return finishQueue(s, curves, n, dispatch, start)
	}
	asked = make([]int64, len(curves))
	return play(s, curves, n, dispatch, start, func(thread int, _ Chunk) { asked[thread]++ }), asked
}

func (c Curve) shared(s Share) float64 {
	sum, reads := 0.0, cursor{curve: c}
	if s.Chunks() <= int64(len(c.at)) {
		for chunk := range s.All() {
			before := reads.work(chunk.Begin)
			sum += reads.work(chunk.End) - before
		}
		return sum
	}
	// Iterations of the share, piece by piece.
	done := int64(0)
	for i := 1; i < len(c.at) && c.at[i-1] < s.End; i++ {
		from, to := c.at[i-1], c.at[i]
		upTo := s.before(min(to, s.End))
		sum += (c.work[i] - c.work[i-1]) * float64(upTo-done) / float64(to-from)
		done = upTo
	}
	return sum
}

// before returns how many iterations of a share are below one.
func (s Share) before(i int64) int64 {
	i = min(i, s.End)
	if i <= s.Begin {
		return 0
	}
	return (i-s.Begin)/s.Step*s.Length + min((i-s.Begin)%s.Step, s.Length)
}

// finishQueue is Finish for a dynamic loop whose chunks are handed out one after another.
//
// Within a piece where all curves are straight, a chunk takes thread t the same time p[t]
// whichever it is, so that the times at which it asks are those of a clock. Up to a moment x
// it asks as often as its clock ticks before x, and so do the others; as long as there are
// chunks for all of them, who gets which need not be known.
func finishQueue(s Schedule, curves []Curve, n int64, dispatch, start []float64) (clocks []float64, asked []int64) {
	clocks, dispatch = begin(curves, n, start), begin(curves, n, dispatch)
	asked = make([]int64, len(clocks))
	reads := make([]cursor, len(curves))
	for t := range curves {
		reads[t].curve = curves[t]
	}
	chunk := min(max(s.Chunk, 1), max(n, 1))
	q := newQueue(clocks)
	look := int64(0) // where the next piece begins
	for at := int64(0); at < n; {
		if at >= look {
			taken, end := stride(clocks, asked, reads, at, n, chunk, dispatch)
			if taken > 0 {
				at += taken * chunk
				q = newQueue(clocks)
				continue
			}
			look = end
		}
		t, end := q[0].thread, at+min(chunk, n-at)
		before := reads[t].work(at)
		clocks[t] += dispatch[t] + reads[t].work(end) - before
		asked[t]++
		q.reorder(clocks[t])
		at = end
	}
	return clocks, asked
}

// stride moves clocks on as far as the pieces that iteration at lies in allow, and returns
// how many chunks that takes, and where the first of the pieces ends. Fewer than four chunks
// for each thread are left to be played.
func stride(clocks []float64, asked []int64, reads []cursor, at, n, chunk int64, dispatch []float64) (taken, end int64) {
	end = n
	for t := range reads {
		end = min(end, reads[t].pieceEnd(at))
	}
	team := int64(len(clocks))
	chunks := (end - at) / chunk
	if chunks <= 4*team {
		return 0, end
	}
	each, rate, first := make([]float64, team), 0.0, math.Inf(1)
	for t := range clocks {
		before := reads[t].work(at)
		each[t] = dispatch[t] + reads[t].work(at+chunk) - before
		rate += 1 / each[t]
		first = min(first, clocks[t])
	}
	// Each thread ticks once more at most than its rate says.
	until := first + float64(chunks-team)/rate
	ticks := make([]int64, team)
	for t, p := range each {
		if clocks[t] >= until {
			continue
		}
		// The tick at which the clock is no longer before the moment, as rounded sums have it.
		k := math.Ceil((until - clocks[t]) / p)
		switch {
		case clocks[t]+(k-1)*p >= until:
			k--
		case clocks[t]+k*p < until:
			k++
		}
		if !(k <= float64(chunks)) {
			return 0, end // p is nothing beside the clock
		}
		ticks[t] = int64(k)
		taken += ticks[t]
	}
	if taken > chunks {
		return 0, end
	}
	for t, k := range ticks {
		clocks[t] += float64(k) * each[t]
		asked[t] += k
	}
	return taken, end
}

// pieceEnd returns where the piece of a curve ends that an iteration begins or is in.
func (k *cursor) pieceEnd(i int64) int64 {
	at := k.curve.at
	found := sort.Search(len(at), func(j int) bool { return at[j] > i })
	if found == len(at) {
		return i
	}
	return at[found]
}

// thieves plays stealing from theft to theft.
type thieves struct {
	*stealing
	reads    []cursor
	dispatch []float64
	clocks   []float64 // of chunk own[t].from
	asked    []int64
	now      turn
}

func newThieves(s Schedule, curves []Curve, n int64, dispatch, start []float64) *thieves {
	g := &thieves{stealing: newStealing(s, n, len(curves)), dispatch: begin(curves, n, dispatch), clocks: begin(curves, n, start), asked: make([]int64, len(curves))}
	for _, c := range curves {
		g.reads = append(g.reads, cursor{curve: c})
	}
	g.settle = g.advance
	return g
}

// after returns when a thread has executed the next k of its chunks.
func (g *thieves) after(thread int, k int64) float64 {
	if k == 0 {
		return g.clocks[thread]
	}
	h := &g.own[thread]
	before := g.reads[thread].work(h.from * g.chunk)
	return g.clocks[thread] + float64(k)*g.dispatch[thread] + g.reads[thread].work(g.bounds(h.from+k-1).End) - before
}

// advance lets a thread take the chunks that it takes before now.
func (g *thieves) advance(thread int) {
	h := &g.own[thread]
	if left := h.to - h.from; left > 0 {
		k := int64(sort.Search(int(left), func(i int) bool { return !turn{g.after(thread, int64(i)), thread}.before(g.now) }))
		g.clocks[thread] = g.after(thread, k)
		h.from += k
		g.asked[thread] += k
	}
}

func (g *thieves) finish() ([]float64, []int64) {
	// A thread's turn is when it comes to the loop, and then whenever it has nothing left.
	over := make([]bool, len(g.own))
	for {
		g.now = turn{math.Inf(1), -1}
		for t := range g.own {
			if over[t] {
				continue
			}
			next := turn{g.after(t, g.own[t].to-g.own[t].from), t}
			if g.now.thread < 0 || next.before(g.now) {
				g.now = next
			}
		}
		t := g.now.thread
		if t < 0 {
			return g.clocks, g.asked
		}
		if h := &g.own[t]; h.come {
			g.asked[t] += h.to - h.from
			g.clocks[t], h.from = g.now.clock, h.to
		} else {
			g.come(t)
		}
		if h := &g.own[t]; h.from >= h.to {
			over[t] = !g.steal(t)
		}
	}
}
