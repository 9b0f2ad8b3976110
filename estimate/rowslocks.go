package estimate

// This file makes rows of what is done under locks: stretches of lanes that only one
// processor is in at a time. Who waits for whom is found when rows are played.

import (
	"slices"

	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping/loops"
	"pathspan/profile"
)

// mostStretches bounds how often a lane takes locks in a row that is played. Beyond, several
// stretches in a row are one, with the work between them before it: what is done under the
// lock is as much, and waited for in fewer steps.
const mostStretches = 4096

// laneOf is a section, or the iterations of a loop.
type laneOf struct{ region, construct, section int }

// stretchKey is an entry of work under a lock in a lane, whose works take so many times as
// long; times of them stand together.
type stretchKey struct {
	entry  int
	in     laneOf
	longer float64
	times  uint64
}

// locked reports whether an entry is work under a lock.
func (m *executionRows) locked(entry int) bool {
	return m.x.Entries[entry].Region == m.e.Bundle.Program.LockRegion()
}

// updates reports whether an entry is an atomic update of a line.
func (m *executionRows) updates(entry int) bool {
	return m.locked(entry) && m.e.Bundle.Program.Locks[m.x.Entries[entry].Construct/ir.LocksOfOne].Atomic()
}

// priced returns what a part's own work takes, by kind of processor: once, where something is
// executed behind it.
func (m *executionRows) priced(p *profile.ExecutionPart, in laneOf, longer float64) []float64 {
	out := make([]float64, len(m.e.kinds))
	for k := range out {
		for w, price := range m.prices[k][in.region][in.construct][in.section] {
			out[k] += price * p.Work[w]
		}
		out[k] *= longer
	}
	return out
}

// dearer makes prices of a lane those of what is done in it under a lock.
func (m *executionRows) dearer(own []float64, entry int, in laneOf) {
	lock := m.x.Entries[entry].Construct / ir.LocksOfOne
	for k := range own {
		if by, ok := m.e.dearer[k][lockedLane{lane(in), lock}]; ok {
			own[k] *= by
		}
	}
}

// dearness is by how much a stretch is dearer than the prices of its lane, by kind.
func (m *executionRows) dearness(entry int, in laneOf, longer float64) []float64 {
	out := make([]float64, len(m.e.kinds))
	for i := range m.x.Entries[entry].Lanes[0] {
		p := &m.x.Entries[entry].Lanes[0][i]
		at := m.priced(p, in, longer)
		add(out, at, -float64(p.Times))
		m.dearer(at, entry, in)
		add(out, at, float64(p.Times))
	}
	return out
}

func (m *executionRows) set(key stretchKey, inside func(entry int) int) int {
	if s, ok := m.under[key]; ok {
		return s
	}
	x := &m.x.Entries[key.entry]
	if m.updates(key.entry) {
		s := m.builder.Only(m.builder.Updates(x.Construct, float64(key.times)))
		m.under[key], m.stretch[s] = s, key
		return s
	}
	var lane []table.Part
	for range key.times {
		for i := range x.Lanes[0] {
			p := &x.Lanes[0][i]
			part := table.Part{Set: -1, Own: m.priced(p, key.in, key.longer)}
			m.dearer(part.Own, key.entry, key.in)
			switch {
			case p.Entry < 0:
				for k := range part.Own {
					part.Own[k] *= float64(p.Times)
				}
			case m.locked(p.Entry):
				part.Set, part.Times = m.set(stretchKey{p.Entry, key.in, key.longer, 1}, inside), float64(p.Times)
			case m.x.Entries[p.Entry].OfTasks: // which run where they are made
				add(part.Own, m.taskAlone(p.Entry, owner{key.in.region, key.in.construct, key.in.section, -1}), key.longer)
				for k := range part.Own {
					part.Own[k] *= float64(p.Times)
				}
			default:
				part.Set, part.Times = m.builder.Only(inside(p.Entry)), float64(p.Times)
			}
			if n := len(lane) - 1; n >= 0 && part.Set < 0 && lane[n].Set < 0 {
				add(lane[n].Own, part.Own, 1)
				continue
			}
			lane = append(lane, part)
		}
	}
	s := m.builder.Only(m.builder.Stretch(x.Construct, float64(key.times), lane))
	m.under[key], m.stretch[s] = s, key
	return s
}

// takes adds to a lane that a lock is taken so often, each time with some work before; at
// most so many times.
func (m *executionRows) takes(lane []table.Part, key stretchKey, own []float64, times uint64, most uint64, inside func(entry int) int) []table.Part {
	groups := min(times, most)
	if groups == 0 {
		return lane
	}
	// Groups are as equal as they can be: small ones would wait for large ones.
	small, extras := times/groups, times%groups
	for _, g := range [][2]uint64{{small, groups - extras}, {small + 1, extras}} {
		if g[1] == 0 {
			continue
		}
		key.times = g[0]
		before := make([]float64, len(own))
		add(before, own, float64(g[0]))
		lane = append(lane, table.Part{Own: before, Set: m.set(key, inside), Times: float64(g[1])})
	}
	return lane
}

// rounds is in how many steps the stretches of several locks alternate in a piece.
const rounds = 16

// mostPieces is how many iterations each lane of a loop tells apart that take locks; where it has
// more, it is so many pieces.
const mostPieces, fewPieces = 2048, 512

// Atomic updates are played faster, and wait for less.
const mostUpdating, fewUpdating = 4096, 2048

// lockedLoop is the iterations of a loop that take locks.
type lockedLoop struct {
	m      *executionRows
	b      *blocks
	own    []loops.Curve   // by kind
	often  []loops.Curve   // by set
	ahead  [][]loops.Curve // by lock, then kind
	seen   []bool          // by set, none
	inside func(entry int) int
}

func (m *executionRows) lockedLoop(b *blocks, own []loops.Curve, inside func(entry int) int) *lockedLoop {
	d := &lockedLoop{m: m, b: b, own: own, often: b.often(), seen: make([]bool, len(b.sets)), inside: inside}
	for _, lock := range b.locks {
		d.ahead = append(d.ahead, b.curves(ahead, lock, len(own)))
	}
	return d
}

// mostPlayed bounds the chunks of a loop whose threads are played with their waiting.
const mostPlayed = 1 << 16

// taken says which chunks each thread executes, where that depends on how long it waits for
// locks: who comes first has a lock first, and who is done first the next chunk. It returns nil
// where it does not, where regions are in the iterations, or where chunks are too many.
func (d *lockedLoop) taken(l *sharing, s loops.Schedule, clock []float64) [][]loops.Chunk {
	m := d.m
	if !s.Dispatched() || l.Shares != nil || l.Threads < 2 || s.Chunks(d.b.n, l.Threads) > mostPlayed {
		return nil
	}
	for _, set := range d.b.sets {
		if _, lock := m.stretch[set]; !lock {
			return nil
		}
	}
	type thread struct {
		clock, pace float64
		kind        int
		lane        []table.Part
		worked      bool // the own time of the first part of the lane is spent
		over        bool
	}
	clocks, dispatch := d.b.starts(m, l, clock)
	threads := make([]thread, l.Threads)
	for t, p := range l.processors {
		threads[t] = thread{clock: clocks[t] * m.e.pace(p), pace: m.e.pace(p), kind: m.e.kindOf[p]}
	}
	length := (d.b.n + mostPlayed - 1) / mostPlayed
	next, out, free := s.Taking(d.b.n, l.Threads), make([][]loops.Chunk, l.Threads), map[int]float64{}
	lines := map[int]*table.Line{} // that are updated atomically
	for {
		first := -1
		for t := range threads {
			if !threads[t].over && (first < 0 || threads[t].clock < threads[first].clock) {
				first = t
			}
		}
		if first < 0 {
			return out
		}
		x := &threads[first]
		if len(x.lane) == 0 {
			c, more := next(first)
			if x.over = !more; more {
				out[first] = append(out[first], c)
				for _, one := range cut(out[first][len(out[first])-1:], length) {
					x.lane = append(x.lane, d.piece(one, mostStretches)...)
				}
				x.clock += dispatch[first] * x.pace
			}
			continue
		}
		p := &x.lane[0]
		if !x.worked {
			x.clock, x.worked = x.clock+p.Own[x.kind]*x.pace, true
			continue
		}
		if p.Set >= 0 {
			key := m.stretch[p.Set]
			lock := m.x.Entries[key.entry].Construct
			if m.updates(key.entry) {
				if lines[lock] == nil {
					lines[lock] = &table.Line{}
				}
				waits, comes := lines[lock].Update(first, x.clock, float64(key.times), m.e.Platform.Other.Atomic.Cycles*m.e.factor[x.kind]*x.pace)
				x.clock += waits + comes
			} else {
				took := m.aloneIn(key.entry, key.in)[x.kind]*key.longer + m.e.Platform.Other.Lock.Cycles*m.e.factor[x.kind]
				x.clock = max(x.clock, free[lock]) + took*float64(key.times)*x.pace
				free[lock] = x.clock
			}
		}
		if p.Times--; p.Times < 1 {
			x.lane = x.lane[1:]
		}
		x.worked = false
	}
}

// alternating returns the lane of a thread that executes some chunks: their work, and what is
// done under locks, piece by piece.
func (d *lockedLoop) alternating(chunks []loops.Chunk, asks bool) []table.Part {
	lane, n := []table.Part{}, int64(0)
	for _, c := range chunks {
		n += c.Len()
	}
	most, pieces := d.most()
	if n <= most {
		pieces = most
	}
	joined := (len(chunks) + int(pieces) - 1) / int(pieces) // chunks of a piece
	for i := 0; i < len(chunks); i += joined {
		of := chunks[i:min(i+joined, len(chunks))]
		if asks {
			lane = append(lane, table.Part{Set: -1, Own: make([]float64, len(d.own)), Asks: float64(len(of))})
		}
		for _, one := range cut(of, (n+pieces-1)/pieces) {
			lane = append(lane, d.piece(one, max(1, mostStretches/uint64(pieces)))...)
		}
	}
	if len(lane) == 0 {
		return []table.Part{{Set: -1, Own: make([]float64, len(d.own))}}
	}
	return lane
}

// most is how many iterations of a lane are told apart at most, and into how many pieces more are cut.
func (d *lockedLoop) most() (all, pieces int64) {
	for _, s := range d.b.sets {
		if key, lock := d.m.stretch[s]; !lock || !d.m.updates(key.entry) {
			return mostPieces, fewPieces
		}
	}
	return mostUpdating, fewUpdating
}

// cut cuts a chunk into pieces of so many iterations; several chunks are one piece.
func cut(chunks []loops.Chunk, length int64) [][]loops.Chunk {
	if len(chunks) > 1 {
		return [][]loops.Chunk{chunks}
	}
	var out [][]loops.Chunk
	for at := chunks[0].Begin; at < chunks[0].End; at += length {
		out = append(out, []loops.Chunk{{Begin: at, End: min(at+length, chunks[0].End)}})
	}
	return out
}

// setsIn lists the sets of which some executions may be in some chunks.
func (d *lockedLoop) setsIn(chunks []loops.Chunk) []int {
	var sets []int
	for _, c := range chunks {
		from, _ := slices.BinarySearch(d.b.at, c.Begin+1)
		for i := from; i < len(d.b.at) && d.b.at[i-1] < c.End; i++ {
			for _, x := range d.b.inside[i] {
				if s, _ := slices.BinarySearch(d.b.sets, x.set); !d.seen[s] {
					d.seen[s] = true
					sets = append(sets, s)
				}
			}
		}
	}
	for _, s := range sets {
		d.seen[s] = false
	}
	slices.Sort(sets)
	return sets
}

// piece returns the lane of some chunks, in which each lock is taken so often at most. In an
// iteration they are taken in their order, each with what lies ahead of it, and the rest is behind.
func (d *lockedLoop) piece(chunks []loops.Chunk, most uint64) []table.Part {
	type taken struct {
		lock  int // of b.locks
		key   stretchKey
		times uint64
	}
	var lane []table.Part
	var all []taken
	byLock, total, largest := make([]uint64, len(d.b.locks)), uint64(0), uint64(0)
	for _, i := range d.setsIn(chunks) {
		s, n := d.b.sets[i], executed(d.often[i], chunks)
		key, lock := d.m.stretch[s]
		switch {
		case n == 0:
		case !lock:
			lane = append(lane, table.Part{Own: make([]float64, len(d.own)), Set: s, Times: n})
		default:
			of := slices.Index(d.b.locks, d.m.x.Entries[key.entry].Construct)
			all = append(all, taken{of, key, uint64(n)})
			byLock[of], total, largest = byLock[of]+uint64(n), total+uint64(n), max(largest, uint64(n))
		}
	}
	slices.SortStableFunc(all, func(p, q taken) int { return p.lock - q.lock })
	behind, before := make([]float64, len(d.own)), make([][]float64, len(d.b.locks)) // each time
	for k := range behind {
		behind[k] = worked(d.own[k], chunks)
	}
	for l, n := range byLock {
		if before[l] = make([]float64, len(d.own)); n == 0 {
			continue
		}
		for k := range d.own {
			x := min(worked(d.ahead[l][k], chunks), behind[k])
			before[l][k] = x / float64(n)
			behind[k] -= x
		}
	}
	if total == 0 {
		return append(lane, table.Part{Own: behind, Set: -1})
	}
	// What is behind is so each time that the first lock is taken anew.
	first := all[0].lock
	for k := range behind {
		behind[k] /= float64(byLock[first])
	}
	again := slices.Clone(before[first])
	add(again, behind, 1)
	steps := min(rounds, largest, most)
	several := byLock[first] > steps // are one: all alike
	begun := several
	for r := range steps {
		for _, x := range all {
			n := x.times*(r+1)/steps - x.times*r/steps
			own := before[x.lock]
			if x.lock == first && n > 0 {
				if !begun {
					lane, n = d.m.takes(lane, x.key, own, 1, 1, d.inside), n-1
				}
				own, begun = again, true
			}
			lane = d.m.takes(lane, x.key, own, n, max(1, most/steps), d.inside)
		}
	}
	if several {
		return lane
	}
	return append(lane, table.Part{Own: behind, Set: -1})
}
