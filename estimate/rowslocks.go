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

// balance takes from the work before a stretch what the stretch is dearer than the lane, so
// that the lane costs what it did.
func (m *executionRows) balance(own []float64, entry int, in laneOf, longer float64) {
	for i := range m.x.Entries[entry].Lanes[0] {
		p := &m.x.Entries[entry].Lanes[0][i]
		at := m.priced(p, in, longer)
		under := slices.Clone(at)
		m.dearer(under, entry, in)
		for k := range own {
			own[k] = max(0, own[k]+(at[k]-under[k])*float64(p.Times))
		}
	}
}

// set returns the set of a stretch.
func (m *executionRows) set(key stretchKey, inside func(entry int) int) int {
	if s, ok := m.under[key]; ok {
		return s
	}
	x := &m.x.Entries[key.entry]
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

// mostPieces is how many pieces of a loop each lane has where its iterations take locks.
const mostPieces = 512

// lockedLoop is the iterations of a loop that take locks.
type lockedLoop struct {
	m      *executionRows
	b      *blocks
	own    []loops.Curve // by kind
	sets   []int
	often  []loops.Curve // by set
	inside func(entry int) int
}

func (m *executionRows) lockedLoop(b *blocks, own []loops.Curve, sets []int, inside func(entry int) int) *lockedLoop {
	d := &lockedLoop{m: m, b: b, own: own, sets: sets, inside: inside}
	for _, s := range sets {
		d.often = append(d.often, b.curve(b.inside[s]))
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
	for _, set := range d.sets {
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
	next, out, free := s.Taking(d.b.n, l.Threads), make([][]loops.Chunk, l.Threads), map[int]float64{}
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
				x.lane = d.piece([]loops.Chunk{c}, mostStretches)
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
			took := m.aloneIn(key.entry, key.in)[x.kind]*key.longer + m.e.Platform.Other.Lock.Cycles*m.e.factor[x.kind]
			x.clock = max(x.clock, free[lock]) + took*float64(key.times)*x.pace
			free[lock] = x.clock
		}
		if p.Times--; p.Times < 1 {
			x.lane = x.lane[1:]
		}
		x.worked = false
	}
}

// alternating returns the lane of a thread that executes some chunks: their work, and what is
// done under locks evenly spread over it, piece by piece.
func (d *lockedLoop) alternating(chunks []loops.Chunk) []table.Part {
	var lane []table.Part
	pieces := min(len(chunks), mostPieces)
	if pieces == 1 { // a long chunk is as many pieces as it can be
		c := chunks[0]
		chunks, pieces = nil, int(min(c.Len(), mostPieces))
		for i := range int64(pieces) {
			chunks = append(chunks, loops.Chunk{Begin: c.Begin + c.Len()*i/int64(pieces), End: c.Begin + c.Len()*(i+1)/int64(pieces)})
		}
	}
	for i := range pieces {
		lane = append(lane, d.piece(chunks[len(chunks)*i/pieces:len(chunks)*(i+1)/pieces], uint64(mostStretches/pieces))...)
	}
	return lane
}

// piece returns the lane of some chunks, in which each lock is taken so often at most.
func (d *lockedLoop) piece(chunks []loops.Chunk, most uint64) []table.Part {
	var lane []table.Part
	own := make([]float64, len(d.own))
	for k := range own {
		own[k] = worked(d.own[k], chunks)
	}
	times, total, largest := make([]uint64, len(d.sets)), 0.0, uint64(0)
	for i, s := range d.sets {
		n := executed(d.often[i], chunks)
		if _, lock := d.m.stretch[s]; !lock {
			if n > 0 {
				lane = append(lane, table.Part{Own: make([]float64, len(own)), Set: s, Times: n})
			}
			continue
		}
		times[i] = uint64(n)
		total += n
		largest = max(largest, times[i])
	}
	if total == 0 {
		return append(lane, table.Part{Own: own, Set: -1, Times: 1})
	}
	steps := min(rounds, largest, most)
	for r := range steps {
		for i, s := range d.sets {
			n := times[i]*(r+1)/steps - times[i]*r/steps
			if n == 0 {
				continue
			}
			before := make([]float64, len(own))
			add(before, own, 1/total)
			lane = d.m.takes(lane, d.m.stretch[s], before, n, max(1, most/steps), d.inside)
		}
	}
	return lane
}
