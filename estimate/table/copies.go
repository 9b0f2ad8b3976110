package table

// This file says what is copied between local memories. A processor that works on another memory than the one that
// met a construct copies what its lanes read of others before it begins with them, and what others read
// of them when it has ended with all of them. Copies that are under way at a time share what they go through.

import (
	"fmt"
	"math"
	"slices"
)

// Links are what copies go through.
type Links struct {
	Rate  []float64 // by link: bytes in a cycle of processor 0
	Route [][]Route // by two processors; without links where both work on one memory
}

// Route is the way between the memories of two processors.
type Route struct {
	Links   []int
	Latency float64 // cycles of processor 0, before the first byte moves
	// Remote is set where nothing is copied, and each access goes this way.
	Remote bool
}

// Copies are what the lanes of an execution have copied, by lane; of Shared transfers all threads
// together have lane 0.
type Copies struct {
	In, Out []float64 // bytes
	// Accesses and Bytes are what crosses where nothing is copied.
	Accesses, Bytes []float64
}

// check reports what no lanes can copy.
func (c *Copies) check(lanes int) error {
	for _, list := range [][]float64{c.In, c.Out, c.Accesses, c.Bytes} {
		if len(list) != lanes || slices.ContainsFunc(list, func(x float64) bool { return !(x >= 0) || math.IsInf(x, 1) }) {
			return fmt.Errorf("%d lanes copy %v", lanes, list)
		}
	}
	return nil
}

// check reports ways that lead nowhere.
func (l *Links) check(processors int) error {
	if slices.ContainsFunc(l.Rate, func(x float64) bool { return !(x > 0) || math.IsInf(x, 1) }) {
		return fmt.Errorf("links of %v bytes in a cycle", l.Rate)
	}
	if len(l.Route) != processors {
		return fmt.Errorf("ways from %d of %d processors", len(l.Route), processors)
	}
	for _, to := range l.Route {
		for _, r := range to {
			if len(to) != processors || !(r.Latency >= 0) || slices.ContainsFunc(r.Links, func(i int) bool { return i < 0 || i >= len(l.Rate) }) {
				return fmt.Errorf("a way of %g cycles through links %v of %d to one of %d processors", r.Latency, r.Links, len(l.Rate), len(to))
			}
		}
	}
	return nil
}

// rate is how fast a way is for who is alone there.
func (l *Links) rate(links []int) float64 {
	r := math.Inf(1)
	for _, i := range links {
		r = min(r, l.Rate[i])
	}
	return r
}

// copied is what one processor copies in an execution, before its lanes or behind them.
type copied struct {
	latency float64
	bytes   float64
	links   []int
	of      [2]int // of what a stage reads: which of Tokens.In, and the memory that it lies in
}

// alone is what it takes where nothing else moves.
func (c *copied) alone(l *Links) float64 {
	if c.links == nil {
		return 0
	}
	return c.latency + c.bytes/l.rate(c.links)
}

// copies returns what a processor copies in and out in an execution that is met on a processor and spread.
func (t *Table) copies(x *Transfers, proc []int, met, p int) (in, out copied) {
	if x == nil || x.Copies == nil {
		return in, out
	}
	way := &t.Links.Route[met][p]
	if len(way.Links) == 0 || way.Remote {
		return in, out
	}
	add := func(c *copied, bytes, parts float64) {
		if bytes > 0 {
			c.latency, c.bytes, c.links = c.latency+way.Latency, c.bytes+bytes/parts, way.Links
		}
	}
	if x.Shared {
		if n, takesPart := distinct(proc, p); takesPart {
			add(&in, x.Copies.In[0], float64(n))
			add(&out, x.Copies.Out[0], float64(n))
		}
		return in, out
	}
	for s := range x.Copies.In {
		if proc[s] == p {
			add(&in, x.Copies.In[s], 1)
			add(&out, x.Copies.Out[s], 1)
		}
	}
	return in, out
}

// remote returns what a processor waits in an execution for accesses that cross, and adds the bytes that do to what
// each link carries.
func (t *Table) remote(x *Transfers, proc []int, met, p int, carries []float64) (waits float64) {
	if x == nil || x.Copies == nil {
		return 0
	}
	way := &t.Links.Route[met][p]
	if len(way.Links) == 0 || !way.Remote {
		return 0
	}
	add := func(lane int, parts float64) {
		bytes := x.Copies.Bytes[lane] / parts
		waits += x.Copies.Accesses[lane]/parts*way.Latency + bytes/t.Links.rate(way.Links)
		for _, i := range way.Links {
			if carries != nil {
				carries[i] += bytes
			}
		}
	}
	if x.Shared {
		if n, takesPart := distinct(proc, p); takesPart {
			add(0, float64(n))
		}
		return waits
	}
	for s := range x.Copies.In {
		if proc[s] == p {
			add(s, 1)
		}
	}
	return waits
}

// leastRemote is the time that the links need for the accesses that cross in an execution: nobody ends before.
func (t *Table) leastRemote(x *Transfers, proc []int, met int) (least float64) {
	if x.Copies == nil || !t.anyRemote {
		return 0
	}
	carries := make([]float64, len(t.Links.Rate))
	for p := range t.KindOf {
		t.remote(x, proc, met, p, carries)
	}
	for i, bytes := range carries {
		least = max(least, bytes/t.Links.Rate[i])
	}
	return least
}

// sharing is copies under way: each link divides its rate evenly among those that go through it, and each copy
// is as fast as the slowest on its way.
type sharing struct {
	of     *Links
	now    float64
	moving []moving
	users  []int // by link
}

type moving struct {
	processor int
	links     []int
	left      float64 // bytes
}

// reset begins anew, with nothing under way.
func (s *sharing) reset(of *Links) {
	s.of, s.now, s.moving = of, 0, s.moving[:0]
	if len(s.users) != len(of.Rate) {
		s.users = make([]int, len(of.Rate))
	}
	clear(s.users)
}

func (s *sharing) rate(m *moving) float64 {
	r := math.Inf(1)
	for _, i := range m.links {
		r = min(r, s.of.Rate[i]/float64(s.users[i]))
	}
	return r
}

// advance moves bytes until a time.
func (s *sharing) advance(now float64) {
	if now == s.now {
		return
	}
	for i := range s.moving {
		m := &s.moving[i]
		m.left = max(0, m.left-(now-s.now)*s.rate(m))
	}
	s.now = now
}

func (s *sharing) begin(processor int, c *copied, runs, now float64) {
	s.advance(now)
	s.moving = append(s.moving, moving{processor, c.links, c.bytes * runs})
	for _, i := range c.links {
		s.users[i]++
	}
}

// end ends the copy of a processor, at the time that ends told.
func (s *sharing) end(processor int, now float64) {
	s.advance(now)
	at := slices.IndexFunc(s.moving, func(m moving) bool { return m.processor == processor })
	for _, i := range s.moving[at].links {
		s.users[i]--
	}
	s.moving = slices.Delete(s.moving, at, at+1)
}

// ends tells when a copy ends if nothing else begins.
func (s *sharing) ends(m *moving) float64 { return s.now + m.left/s.rate(m) }

// copier plays what processors copy around their lanes in one execution.
type copier struct {
	share sharing
	some  bool // anything is copied
	in    []copied
	out   []copied
	state []copierState
	// What copying took each processor, before its lanes and behind them, in the row played last.
	tookIn, tookOut []float64
}

type copierState struct {
	stage int8
	until float64
	since float64
}

// Stages of a processor in a copier: each lasts until a time but those in which it copies.
const (
	copierIn int8 = iota // from when its tasks are created, for the latency
	copierMovesIn
	copierWorks
	copierMovesOut
	copierEnded
)

// prepare finds what is copied in a construct's executions.
func (c *copier) prepare(t *Table, x *Transfers, proc []int, met int) {
	if c.some = false; x == nil || x.Copies == nil {
		return
	}
	n := len(t.KindOf)
	if c.in == nil {
		c.in, c.out, c.state = make([]copied, n), make([]copied, n), make([]copierState, n)
		c.tookIn, c.tookOut = make([]float64, n), make([]float64, n)
	}
	c.share.of = t.Links
	for p := range n {
		c.in[p], c.out[p] = t.copies(x, proc, met, p)
		c.some = c.some || c.in[p].links != nil || c.out[p].links != nil
	}
}

// play adds to what each processor that is used takes behind the creation of its tasks, create, what its copies take,
// in an execution that bears so much of the overheads. load is then all of it but synchronising.
func (c *copier) play(used []bool, create, load []float64, runs float64) {
	c.share.reset(c.share.of)
	left := 0
	for p := range c.state {
		c.state[p] = copierState{stage: copierEnded}
		if c.tookIn[p], c.tookOut[p] = 0, 0; used[p] {
			s := &c.state[p]
			s.since = create[p] * runs
			s.until = s.since + c.in[p].latency*runs
			s.stage = copierIn
			left++
		}
	}
	for left > 0 {
		at, now := -1, math.Inf(1)
		for p := range c.state {
			if s := &c.state[p]; s.stage != copierEnded && s.until < now {
				at, now = p, s.until
			}
		}
		s := &c.state[at]
		switch s.stage {
		case copierIn:
			s.stage = copierMovesIn
			if c.in[at].links != nil && runs > 0 {
				c.share.begin(at, &c.in[at], runs, now)
				c.retime()
			}
		case copierMovesIn:
			if c.in[at].links != nil && runs > 0 {
				c.share.end(at, now)
				c.retime()
			}
			c.tookIn[at] = now - s.since
			s.stage = copierWorks
			s.until = now + load[at] - create[at]*runs
			s.since = s.until
			s.until += c.out[at].latency * runs
		case copierWorks:
			s.stage = copierMovesOut
			if c.out[at].links != nil && runs > 0 {
				c.share.begin(at, &c.out[at], runs, now)
				c.retime()
			}
		case copierMovesOut:
			if c.out[at].links != nil && runs > 0 {
				c.share.end(at, now)
				c.retime()
			}
			c.tookOut[at] = now - s.since
			s.stage = copierEnded
			load[at] = now
			left--
		}
	}
}

// retime tells those who copy when they will have ended.
func (c *copier) retime() {
	for i := range c.share.moving {
		m := &c.share.moving[i]
		c.state[m.processor].until = c.share.ends(m)
	}
}

// copiedRow returns when the last processor has ended of those that are used, given what their lanes take and what they
// wait for before these. load is then all that each takes.
func (v *Valuer) copiedRow(used []bool, load, fetch []float64, runs float64) (longest float64) {
	t := v.t
	for p, takesPart := range used {
		if takesPart {
			load[p] += (t.Create[p] + fetch[p]) * runs
		}
	}
	v.copier.play(used, t.Create, load, runs)
	for p, takesPart := range used {
		if takesPart {
			load[p] += t.Sync[p] * runs
			longest = max(longest, load[p])
		}
	}
	return longest
}

// copiesIn finds what is copied in an execution that is met on a processor and spread, and what each processor waits
// for besides; it reports false where nothing is copied.
func (v *Valuer) copiesIn(e *execution, met int) (fetch []float64, some bool) {
	x := v.t.transfers(int(e.region), int(e.construct))
	if x == nil || x.Copies == nil {
		return nil, false
	}
	proc, _ := v.placed(int(e.region), int(e.construct))
	if v.copier.prepare(v.t, x, proc, met); !v.copier.some {
		return nil, false
	}
	for p := range v.t.KindOf {
		before, crowd, _ := v.fetches(e.region, e.construct, met, p)
		fetch = append(fetch, before+crowd)
	}
	return fetch, true
}
