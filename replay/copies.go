package replay

// This file plays what processors copy between memories of their own. A processor whose memory is another than
// the one that met a construct copies in what its lanes read of others before the first of them, and copies out what others
// read of theirs behind the last. What others will read is known only when they do: so an
// execution is scheduled when all that it wrote has been read or written again, or the program has ended.

import (
	"math"
	"slices"
)

// Way is what a copy goes through from one memory to another.
type Way struct {
	Links   []int   // none where they are one
	Latency float64 // cycles of processor 0, before the first byte moves
}

// pieceBytes is what copies are counted in: accesses that repeat others within as many are not told.
const pieceBytes = 16

// lane is a section, or a thread of a loop.
type lane struct{ region, construct, index int }

// laneRun is an execution of a lane.
type laneRun struct {
	of        *copying
	lane      lane
	processor int
	in, out   float64             // bytes
	read      map[uint64]struct{} // pieces, until the streak ends
}

// copying is an execution of a streak, until it is known what others read of it.
type copying struct {
	number  int // in the order in which they begin
	parts   []*laneRun
	threads []*laneRun // of the loop under way
	fresh   int        // pieces that it wrote last and nobody else has read
	ended   bool
	clock   []float64 // by processor: how long it is at its share
	takes   []bool
	forks   bool
	met     int
	least   float64 // that main memory is busy
	owed    *owed
}

// owed is an execution of a region in which streaks are not scheduled yet.
type owed struct {
	region          int
	elapsed, serial float64
	later           float64 // what streaks turned out to take
	left            int     // streaks, and regions in it
	ended           bool
	around          *owed
}

// written is what is known of a piece of memory.
type written struct {
	by    *laneRun // that wrote it last; nil for what is outside of sections, and nobody
	fresh bool     // no other lane has read it since
}

// copies are what processors with memories of their own copy under a mapping.
type copies struct {
	of      *Memory
	pages   map[uint64]*[256]written
	current *laneRun // under way; nil outside of sections and in loops
	loop    *copying
	pending map[*copying]struct{}
	began   int
}

func newCopies(m *Memory) *copies {
	return &copies{of: m, pages: map[uint64]*[256]written{}, pending: map[*copying]struct{}{}}
}

// copiesOf takes note of an access by a part, nil for what is outside of sections.
func (s *Simulator) copiesOf(p *laneRun, word uint64) {
	first := word & (1<<48 - 1) / pieceBytes
	last := (word&(1<<48-1) + word>>48&(1<<14-1)) / pieceBytes
	for at := first; at <= last; at++ {
		page := s.copies.pages[at>>8]
		if page == nil {
			page = new([256]written)
			s.copies.pages[at>>8] = page
		}
		w := &page[at&255]
		other := w.by == nil || p == nil || w.by.lane != p.lane
		if word>>63 != 0 {
			if w.fresh {
				s.stale(w.by.of)
			}
			if w.by, w.fresh = p, p != nil; w.fresh {
				p.of.fresh++
				p.read[at] = struct{}{} // it is there from now on
			}
			continue
		}
		if w.fresh && other {
			w.by.out += pieceBytes
			w.fresh = false
			s.stale(w.by.of)
		}
		if p == nil {
			continue
		}
		if _, here := p.read[at]; !here {
			p.read[at] = struct{}{}
			if other {
				p.in += pieceBytes
			}
		}
	}
}

// stale notes that a piece is read, or overwritten.
func (s *Simulator) stale(c *copying) {
	if c.fresh--; c.fresh == 0 && c.ended {
		s.settle(c)
	}
}

// copier tells the part that makes an access.
func (s *Simulator) copier(loop *frame, thread int) *laneRun {
	if loop == nil {
		return s.copies.current
	}
	c := s.copies.loop
	if c.threads[thread] == nil {
		c.threads[thread] = c.run(lane{loop.region, loop.construct, thread}, s.m.Regions[loop.region].Proc[loop.construct][thread])
	}
	return c.threads[thread]
}

func (c *copying) run(of lane, processor int) *laneRun {
	p := &laneRun{of: c, lane: of, processor: processor, read: map[uint64]struct{}{}}
	c.parts = append(c.parts, p)
	return p
}

// owes makes what a region owes that is met outside of active ones.
func (s *Simulator) owes(region int) *owed {
	o := &owed{region: region}
	for i := len(s.frames) - 2; i >= 0 && o.around == nil; i-- {
		o.around = s.frames[i].owed
	}
	if o.around != nil {
		o.around.left++
	}
	return o
}

// copiesFrom notes that a section begins, or a loop, of a region that is met outside of active ones.
func (s *Simulator) copiesFrom(region *frame, construct, index int, loop bool) {
	u := &region.under
	if u.copying == nil {
		s.copies.began++
		u.copying = &copying{number: s.copies.began, owed: region.owed}
		region.owed.left++
		s.copies.pending[u.copying] = struct{}{}
	}
	if loop {
		u.copying.threads = make([]*laneRun, len(s.m.Regions[region.region].Proc[construct]))
		s.copies.loop = u.copying
		return
	}
	s.copies.current = u.copying.run(lane{region.region, construct, index}, s.m.Regions[region.region].Proc[construct][index])
}

// copiesUntil notes that a streak has ended on the processor that met it.
func (s *Simulator) copiesUntil(u *streak, met int) {
	c := u.copying
	c.clock, c.takes, c.forks, c.met = slices.Clone(u.clock), slices.Clone(u.takes), u.forks, met
	c.least = u.far * s.caches.of.Occupied
	for _, p := range c.parts {
		p.read = nil
	}
	c.ended, c.threads, u.copying = true, nil, nil
	if c.fresh == 0 {
		s.settle(c)
	}
}

// settle schedules an execution of which all is known.
func (s *Simulator) settle(c *copying) {
	delete(s.copies.pending, c)
	takes := max(c.least, s.playCopies(c))
	s.parallel += takes
	c.owed.later += takes
	s.pay(c.owed)
}

// pay notes that a streak of a region is scheduled, or a region in it.
func (s *Simulator) pay(o *owed) {
	o.left--
	s.paid(o)
}

func (s *Simulator) paid(o *owed) {
	if !o.ended || o.left > 0 {
		return
	}
	s.regions[o.region].add((o.elapsed+o.later)*s.perRef, o.serial*s.perRef)
	if o.around != nil {
		o.around.later += o.later
		s.pay(o.around)
	}
}

// settleAll schedules what is left when the program has ended: nobody reads what nobody has read. Those
// that began first come first, so that sums are the same each time.
func (s *Simulator) settleAll() {
	if s.copies == nil {
		return
	}
	var all []*copying
	for c := range s.copies.pending {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b *copying) int { return a.number - b.number })
	for _, c := range all {
		s.settle(c)
	}
	s.copies.pages = map[uint64]*[256]written{}
}

// transfer is what a processor copies at one end of its share, and where it is with that.
type transfer struct {
	latency, bytes float64
	links          []int
}

func (t *transfer) add(w *Way, bytes float64) {
	if bytes > 0 && len(w.Links) > 0 {
		t.latency, t.bytes, t.links = t.latency+w.Latency, t.bytes+bytes, w.Links
	}
}

// step is one thing that a processor does: a time, or bytes to move.
type step struct {
	time, bytes float64
	links       []int
}

// playCopies returns how long an execution takes. Each processor creates, waits for the latency of its copies
// in, moves their bytes, does its share, and the same for its copies out; links divide their rate evenly among the copies that
// go through them, and a copy is as fast as the slowest of its links.
func (s *Simulator) playCopies(c *copying) (longest float64) {
	steps := make([][]step, len(c.clock))
	for p := range steps {
		if !c.takes[p] {
			continue
		}
		create, sync := 0.0, 0.0
		if c.forks {
			create, sync = s.create[p], s.sync[p]
		}
		var in, out transfer
		for _, x := range c.parts {
			if x.processor == p {
				in.add(&s.copies.of.Ways[c.met][p], x.in)
				out.add(&s.copies.of.Ways[p][c.met], x.out)
			}
		}
		steps[p] = []step{{time: create + in.latency}, {bytes: in.bytes, links: in.links}, {time: c.clock[p] + out.latency}, {bytes: out.bytes, links: out.links}, {time: sync}}
	}
	users := make([]float64, len(s.copies.of.Links))
	for now := 0.0; ; {
		clear(users)
		for _, todo := range steps {
			if len(todo) > 0 {
				for _, l := range todo[0].links {
					users[l]++
				}
			}
		}
		rate := func(x *step) float64 {
			slowest := math.Inf(1)
			for _, l := range x.links {
				slowest = min(slowest, s.copies.of.Links[l]/users[l])
			}
			return slowest
		}
		left := func(x *step) float64 {
			if len(x.links) > 0 {
				return x.bytes / rate(x)
			}
			return x.time
		}
		next, until := -1, math.Inf(1)
		for p := range steps {
			if len(steps[p]) > 0 && left(&steps[p][0]) < until {
				next, until = p, left(&steps[p][0])
			}
		}
		if next < 0 {
			return now
		}
		for p := range steps {
			if len(steps[p]) == 0 || p == next {
				continue
			}
			if x := &steps[p][0]; len(x.links) > 0 {
				x.bytes = max(0, x.bytes-until*rate(x))
			} else {
				x.time = max(0, x.time-until)
			}
		}
		steps[next] = steps[next][1:]
		now += until
	}
}
