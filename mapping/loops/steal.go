package loops

// This file plays libomp's stealing, which is how nonmonotonic dynamic loops find threads
// for their chunks.

// stealing is the state of a loop under kmp_sch_static_steal (kmp_dispatch.cpp, in
// __kmp_dispatch_init_algorithm and __kmp_dispatch_next_algorithm). Chunks are equal but for
// the last. Each thread begins with a share of them, as Share splits iterations. When
// that is done it turns to the threads after it, from the one it last had to do with, and
// takes a quarter of what one of them has left, or one chunk where seven or fewer are left,
// from the end. The share of a thread that has not come to the loop yet is taken whole.
type stealing struct {
	n, chunk int64
	chunks   int64
	own      []hoard
	settle   func(thread int) // brings a hoard to the present, where it is behind
}

// hoard is the chunks that a thread may take.
type hoard struct {
	from, to int64
	state    state
	victim   int
	come     bool // to the loop
}

type state int

// A hoard is waiting until its thread comes, then ready to be stolen from. It is closed
// when its thread finds it empty, and opened by what the thread steals, but for a single
// chunk, which is executed at once.
const (
	waiting state = iota
	ready
	closed
)

func newStealing(s Schedule, n int64, threads int) *stealing {
	chunk := max(s.Chunk, 1)
	return &stealing{n: n, chunk: chunk, chunks: chunksOf(n, chunk), own: make([]hoard, threads), settle: func(int) {}}
}

// share returns the chunks that are a thread's in advance.
func (g *stealing) share(thread int) (from, to int64) {
	s := Schedule{}.Share(g.chunks, len(g.own), thread)
	return s.Begin, s.End
}

func (g *stealing) bounds(k int64) Chunk {
	begin := k * g.chunk
	return Chunk{begin, begin + min(g.chunk, g.n-begin)}
}

// come opens the share of a thread that comes to the loop, unless it was stolen.
func (g *stealing) come(thread int) {
	h := &g.own[thread]
	if h.come {
		return
	}
	h.come, h.victim = true, (thread+1)%len(g.own)
	if h.state == waiting {
		h.from, h.to = g.share(thread)
		h.state = ready
	}
}

// next returns the chunk that a thread takes now, and false when it finds none.
func (g *stealing) next(thread int) (Chunk, bool) {
	g.come(thread)
	h := &g.own[thread]
	if h.from >= h.to && !g.steal(thread) {
		return Chunk{}, false
	}
	h.from++
	return g.bounds(h.from - 1), true
}

// steal moves chunks of others to a thread that has none. A thread gives up after as many
// attempts as there are others.
func (g *stealing) steal(thread int) bool {
	h := &g.own[thread]
	h.state = closed
	for range len(g.own) - 1 {
		victim := h.victim
		last := (victim + len(g.own) - 1) % len(g.own)
		for (victim == thread || g.own[victim].state == closed) && victim != last {
			victim = (victim + 1) % len(g.own)
		}
		v := &g.own[victim]
		if v.state == ready {
			g.settle(victim)
		}
		switch {
		case victim == thread || v.state == closed:
			continue
		case v.state == waiting:
			v.state = closed
			h.from, h.to = g.share(victim)
			h.victim = (victim + 1) % len(g.own)
		case v.from >= v.to:
			h.victim = (victim + 1) % len(g.own)
			continue
		default:
			end, part := v.to, int64(1)
			if left := v.to - v.from; left > 7 {
				part = left / 4
			}
			v.to -= part
			h.from, h.to, h.victim = v.to, end, victim
		}
		if h.to-h.from > 1 {
			h.state = ready
		}
		return true
	}
	return false
}
