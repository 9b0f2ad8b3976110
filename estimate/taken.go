package estimate

// This file finds what threads of a loop bring in that another has: tables that all read, what code outside of sections wrote, what threads
// wrote that have other parts of an array. A profile knows it of loops of which each thread has one block of iterations, or chunks by turns, the same each time.

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/memory"
)

// takenBy is what so many threads of a loop bring in, in all executions.
type takenBy struct {
	threads int
	chunks  bool
	// first is of uses with which an execution begins, then of others.
	first, then caches.Histogram
	// outer is what part of them is the first thread's.
	outer float64
	// kept is, by how far apart the lines were used, what part of the uses with which the loop begins is of lines that the thread has.
	kept map[int64]float64
}

// takenWay is how the loop and others are shared out.
type takenWay struct{ chunks, othersChunks bool }

// takenLoop is what is known of a loop, by numbers of threads.
type takenLoop struct {
	chunk  float64 // iterations, of a way by chunks
	by     map[takenWay][]takenBy
	others float64 // what part of the lines that it uses first, of those that loops wrote, is of such as have chunks
	passed []passing
}

// passing is lines that iterations use one behind the other, all so far from when they were used before: how often they are, and how often an iteration uses
// one that the iteration before it used as well, in all executions.
type passing struct {
	lines        int64
	times, again float64
}

// taken lists it by lane, of loops that are shared out so and use what such loops and code outside of sections left. Of others it is nil.
func (m *mover) taken() []*takenLoop {
	if m.madeTaken != nil {
		return m.madeTaken
	}
	d, buffered := m.e.Bundle.Memory, m.e.Platform.Hierarchy.Buffered
	m.madeTaken = make([]*takenLoop, len(d.Lanes))
	for i := 0; i < len(d.Taken); {
		lane, way, threads := d.Taken[i].Lane, d.Taken[i].Way(), d.Taken[i].Threads
		t, all, outer := takenBy{chunks: d.Taken[i].Chunk > 0, threads: threads, kept: map[int64]float64{}}, 0.0, 0.0
		at := takenWay{d.Taken[i].Chunk > 0, d.Taken[i].OthersChunk}
		of := m.madeTaken[lane]
		if of == nil {
			of = &takenLoop{by: map[takenWay][]takenBy{}}
			m.madeTaken[lane] = of
		}
		of.chunk = max(of.chunk, float64(d.Taken[i].Chunk))
		if d.Taken[i].Passed() {
			for ; i < len(d.Taken) && d.Taken[i].Lane == lane && d.Taken[i].Passed(); i++ {
				again := float64(d.Taken[i].Reads)
				if !buffered {
					again += float64(d.Taken[i].Writes)
				}
				of.passed = append(of.passed, passing{d.Taken[i].Lines, float64(d.Taken[i].Known), again})
			}
			continue
		}
		for ; i < len(d.Taken) && d.Taken[i].Lane == lane && d.Taken[i].Way() == way && d.Taken[i].Threads == threads; i++ {
			x := &d.Taken[i]
			times := float64(x.Reads)
			if !buffered {
				times += float64(x.Writes)
			}
			part := min(1, float64(x.Known-x.Kept)/max(1, float64(x.Reads+x.Writes)))
			t.first = append(t.first, caches.Reuse{Lines: x.Lines, Times: times * part})
			t.then = append(t.then, caches.Reuse{Lines: x.Lines, Times: times * (1 - part)})
			all, outer = all+float64(x.Reads+x.Writes), outer+float64(x.Outer)
			if x.Known > 0 {
				t.kept[x.Lines] = float64(x.Kept) / float64(x.Known)
			}
		}
		t.outer = outer / max(1, all)
		of.by[at] = append(of.by[at], t)
	}
	for l, of := range m.madeTaken {
		if of == nil {
			continue
		}
		if !m.sharedOnce(l) || slices.ContainsFunc(d.Reuse, func(r memory.Reuse) bool {
			return r.First && r.Lane == l && r.From >= 0 && d.Lanes[r.From].Kind == memory.InLoop && !(m.sharedOnce(r.From) && m.sameTeam(l, r.From))
		}) {
			m.madeTaken[l] = nil
			continue
		}
		all := 0.0
		for _, r := range d.Reuse {
			if r.First && r.Lane == l && r.From >= 0 && r.From != l && d.Lanes[r.From].Kind == memory.InLoop {
				uses := float64(r.Reads + r.Writes)
				if all += uses; m.hasChunks(r.From) {
					of.others += uses
				}
			}
		}
		of.others /= max(1, all)
	}
	return m.madeTaken
}

// sharedOnce reports whether threads of a lane's loop have the same iterations each time: a block each, or chunks by turns.
func (m *mover) sharedOnce(l int) bool {
	x := &m.e.Bundle.Memory.Lanes[l]
	if x.Kind != memory.InLoop {
		return false
	}
	of := m.in.loop(x.Region, x.Construct)
	return of != nil && of.Shares == nil && !of.Schedule.Dispatched()
}

// sameTeam reports whether threads of two lanes' loops are on the same processors, one by one.
func (m *mover) sameTeam(l, other int) bool {
	a, b := &m.e.Bundle.Memory.Lanes[l], &m.e.Bundle.Memory.Lanes[other]
	return slices.Equal(m.in.loop(a.Region, a.Construct).processors, m.in.loop(b.Region, b.Construct).processors)
}

// hasChunks reports whether threads of a lane's loop have chunks, and not a block each.
func (m *mover) hasChunks(l int) bool {
	x := &m.e.Bundle.Memory.Lanes[l]
	of := m.in.loop(x.Region, x.Construct)
	for _, n := range m.e.iterationsOf(x.Region, x.Construct) {
		if !of.inBlocks(n.n, len(of.processors)) && float64(of.Schedule.Chunk) < n.n/float64(len(of.processors)) {
			return true
		}
	}
	return false
}

// knowsTaken reports whether it is known of what a lane left who of a loop's threads has it.
func (m *mover) knowsTaken(l, other int) bool {
	if l < 0 || m.taken()[l] == nil {
		return false
	}
	switch m.e.Bundle.Memory.Lanes[other].Kind {
	case memory.Serial, memory.InRegion, memory.InLoop:
		return true
	}
	return false
}

// chunked is how near so many threads of a loop are to the chunks of which is known, from blocks: of lines with which executions begin, which threads of other
// loops have as well, and of those that lie at the ends of what a thread has by itself, of which there are the fewer the longer its pieces are.
func (m *mover) chunked(lane, threads int) (first, then float64) {
	x := &m.e.Bundle.Memory.Lanes[lane]
	l, all := m.in.loop(x.Region, x.Construct), 0.0
	for _, of := range m.e.iterationsOf(x.Region, x.Construct) {
		all += of.all
		block, least := of.n/float64(threads), m.taken()[lane].chunk
		chunk := max(float64(l.Schedule.Chunk), least)
		if l.inBlocks(of.n, threads) || chunk >= block || least == 0 {
			continue
		}
		first += of.all
		then += of.all * (1/chunk - 1/block) / (1/least - 1/block)
	}
	return first / max(1, all), then / max(1, all)
}

// among returns, of lists by number of threads, those next to a number, and how near it is to the second.
func among(of []takenBy, threads int) (below, above *takenBy, part float64) {
	k := slices.IndexFunc(of, func(t takenBy) bool { return t.threads >= threads })
	switch {
	case k < 0:
		k = len(of) - 1
		return &of[k], &of[k], 0
	case k == 0 || of[k].threads == threads:
		return &of[k], &of[k], 0
	}
	from, to := of[k-1].threads, of[k].threads
	return &of[k-1], &of[k], float64(threads-from) / float64(to-from)
}

// eachTaken calls a function with what is known of so many threads, and how much of it counts: of uses with which executions begin, and of others.
func (m *mover) eachTaken(lane, threads int, each func(of *takenBy, first, then float64)) {
	t := m.taken()[lane]
	first, then := m.chunked(lane, threads)
	for _, way := range []takenWay{{}, {false, true}, {true, false}, {true, true}} {
		of, part, firstPart, thenPart := t.by[way], 1-t.others, 1-first, 1-then
		if way.othersChunks {
			part = t.others
		}
		if way.chunks {
			firstPart, thenPart = first, then
		}
		if len(of) == 0 || part*(firstPart+thenPart) == 0 {
			continue
		}
		below, above, near := among(of, threads)
		each(below, (1-near)*part*firstPart, (1-near)*part*thenPart)
		if near > 0 {
			each(above, near*part*firstPart, near*part*thenPart)
		}
	}
}

// brought is what all threads of a loop together wait for lines that they bring in, in an execution, by the number of processors; as many times
// more as the one waits that brings in most. Of threads that take chunks by turns the one that brings in fewer loses more meanwhile (turns), which counts for all.
func (m *mover) brought(l int) []table.Crossing {
	if l < 0 || m.taken()[l] == nil || m.x.began[l] == 0 || m.in.divided || m.copies != nil {
		return nil
	}
	out := make([]table.Crossing, len(m.e.kindOf)+1)
	for n := 2; n < len(out); n++ {
		out[n] = m.passedOn(l, n)
		m.eachTaken(l, n, func(of *takenBy, first, then float64) {
			longest := 1.0
			if !of.chunks {
				longest = float64(n) * math.Max(of.outer, (1-of.outer)/float64(n-1))
			}
			for _, x := range []struct {
				uses caches.Histogram
				part float64
			}{{of.first, first}, {of.then, then}} {
				if c := m.apart(x.uses, m.x.began[l]); x.part > 0 && c != nil {
					out[n] = out[n].Add(c.Times(x.part * longest))
				}
			}
		})
	}
	return out
}

// passedOn is what threads of a loop, so many, together wait in an execution as it passes through arrays chunk by chunk, which it has passed through before: a line
// that several iterations use one behind the other is brought in by each thread that has one of them, from the cache which it shares with the chunk before, or from
// its own where it used the line so lately.
func (m *mover) passedOn(l, threads int) (out table.Crossing) {
	for _, p := range m.taken()[l].passed {
		times := p.times * m.joining(l, threads, p)
		c := m.apart(caches.Histogram{{Lines: 1, Times: times}}, m.x.began[l])
		for k := range c {
			seen := m.seen[k%len(m.seen)]
			own := seen.StallOf(caches.Histogram{{Lines: p.lines, Times: times}}, m.e.accesses().conflicts(seen.Buffered)[l])
			c[k] = min(c[k], own/m.x.began[l]*m.e.factor[k%len(m.seen)])
		}
		if c != nil {
			out = out.Add(c)
		}
	}
	return out
}

// joining is how many of a loop's threads, so many, have a line beside the first, which takes chunks by turns. Iterations that are told of together use a line
// all, if those behind them do.
func (m *mover) joining(l, threads int, p passing) (more float64) {
	x, told, all := &m.e.Bundle.Memory.Lanes[l], m.taken()[l].chunk, 0.0
	of, again := m.in.loop(x.Region, x.Construct), p.again/max(1, p.times)
	for _, i := range m.e.iterationsOf(x.Region, x.Construct) {
		all += i.all
		chunk := max(float64(of.Schedule.Chunk), 1)
		if told > 0 && !of.inBlocks(i.n, threads) && max(chunk, told) < i.n/float64(threads) {
			more += i.all * min(float64(threads-1), again*told/max(chunk, told)+min(1, again)*max(0, told/chunk-1))
		}
	}
	return more / max(1, all)
}

// each is how many of a loop's threads have a line on average, by the number of processors, of those that it passes through; nil where each is one's.
func (m *mover) each(l int) []float64 {
	var all passing
	for _, p := range m.taken()[l].passed {
		all.times, all.again = all.times+p.times, all.again+p.again
	}
	if all.again == 0 {
		return nil
	}
	out := make([]float64, len(m.e.kindOf)+1)
	for n := 2; n < len(out); n++ {
		out[n] = 1 + m.joining(l, n, all)
	}
	return out
}

// kept is what part of the uses as far apart, with which a loop begins, is of lines that the thread has, by the number of processors; nil where nobody knows.
func (m *mover) kept(l int, lines int64) []float64 {
	out := make([]float64, len(m.e.kindOf)+1)
	for n := 2; n < len(out); n++ {
		sum := 0.0
		m.eachTaken(l, n, func(of *takenBy, first, _ float64) {
			if part, known := of.kept[lines]; known {
				out[n], sum = out[n]+first*part, sum+first
			}
		})
		if sum == 0 {
			return nil
		}
		out[n] /= sum
	}
	return out
}
