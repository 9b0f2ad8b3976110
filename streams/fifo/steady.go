package fifo

// This file finds that a network repeats itself, and passes over repetitions. Levels, what is in
// flight, positions in patterns, and how long waits last decide what happens next, but for how
// many iterations are left. States are compared after R. Brent, *An Improved Monte Carlo
// Factorization Algorithm* (BIT 20, 1980), section 2.
//
// A second search of the same kind lets levels differ: where nobody finds a FIFO empty or full,
// it fills or drains by as much in each repetition, until somebody would.

import (
	"math"
	"slices"
)

// recurrence is how far a search for a repetition has come.
type recurrence struct {
	drifts bool // levels may differ
	phase  phase
	taken  int // comparisons since saved was
	power  int
	saved  []int64 // state
	levels []int64
	at     int64
	counts []int64
	period int64
}

type phase int

const (
	searching phase = iota
	measuring       // a state has come again; what a period brings is counted in one more
	finished
)

// repeats is what is known of repetitions.
type repeats struct {
	seen          int64   // iterations of all modules that had started at the last comparison
	state         []int64 // room
	steady, drift recurrence
	spans         []span  // by FIFO
	period        int64   // the first that was found
	each          []int64 // iterations of modules in it
}

// span is how a FIFO was used since the drifting search saved a state.
type span struct {
	refused     bool  // somebody found it too empty or too full
	read        int64 // the fewest tokens that were left to one who found enough
	write       int64 // the most that there were for one who found room, with what he writes
	least, most int64 // level
}

func newSpan() span { return span{read: math.MaxInt64, least: math.MaxInt64} }

// restart looks for a repetition anew.
func (r *recurrence) restart() {
	r.phase, r.saved, r.power, r.taken = searching, r.saved[:0], 0, 0
}

// ended restarts both searches, since a module has come to its end.
func (r *repeats) ended() {
	r.steady.restart()
	r.drift.restart()
}

// current is all but levels that decides what happens next.
func (s *simulation) current(out []int64) []int64 {
	for i := range s.modules {
		m := &s.modules[i]
		if m.done {
			out = append(out, -1)
			continue
		}
		age := int64(-1)
		if m.since >= 0 {
			age = s.now - m.since
		}
		missed := int64(0)
		if m.missed {
			missed = 1
		}
		out = append(out, m.issued%m.period, m.start-m.step, age, missed)
		first := m.issued
		for k := range m.accesses {
			m.dueAt(&m.accesses[k]) // passes over iterations that it is not done in
			first = min(first, m.accesses[k].next)
			out = append(out, m.issued-m.accesses[k].next)
		}
		for j := first; j < m.issued; j++ {
			out = append(out, m.starts[j%int64(len(m.starts))]-m.step)
		}
		if m.underWay() {
			out = append(out, m.end()-m.step)
		}
		out = append(out, math.MaxInt64)
	}
	return out
}

// counters are all that is added up.
func (s *simulation) counters() (out []*int64) {
	for i := range s.modules {
		out = append(out, &s.modules[i].issued)
		for _, list := range s.modules[i].lists() {
			for k := range list {
				out = append(out, &list[k])
			}
		}
	}
	for f := range s.gauges {
		out = append(out, &s.gauges[f].Full, &s.gauges[f].Empty, &s.level[f])
	}
	return out
}

// counted is how many counters are of a module.
func (m *module) counted() int {
	n := 1
	for _, list := range m.lists() {
		n += len(list)
	}
	return n
}

// save makes now the state that others are compared with.
func (s *simulation) save(r *recurrence, state []int64) {
	r.saved, r.levels = append(r.saved[:0], state...), append(r.levels[:0], s.level...)
	r.at, r.taken = s.now, 0
	if r.phase == measuring {
		r.counts = r.counts[:0]
		for _, c := range s.counters() {
			r.counts = append(r.counts, *c)
		}
	}
	if r.drifts {
		for f := range s.spans {
			s.spans[f] = newSpan()
		}
	}
}

// repeat looks for a repetition, each time that an iteration has started.
func (s *simulation) repeat() {
	var issued int64
	for i := range s.modules {
		issued += s.modules[i].issued
	}
	if issued == s.seen {
		return
	}
	s.seen = issued
	s.state = s.current(s.state[:0])
	if now := s.now; s.steady.phase != finished {
		if s.compare(&s.steady); s.now > now {
			s.drift.restart()
			return
		}
	}
	s.compare(&s.drift)
}

// compare goes a step in a search.
func (s *simulation) compare(r *recurrence) {
	if r.phase == measuring && s.now < r.at+r.period {
		return
	}
	r.taken++
	same := len(r.saved) > 0 && slices.Equal(s.state, r.saved) && (r.drifts && s.drifting() > 0 || slices.Equal(s.level, r.levels))
	switch {
	case r.phase == measuring && r.drifts:
		now, power := s.now, r.power
		if same && s.now == r.at+r.period && s.steady.phase != measuring { // whose period ends at its time
			s.leap(r)
		}
		if r.restart(); s.now == now {
			r.power = 2 * power // it is not tried again and again in vain
		}
	case r.phase == measuring:
		r.phase = finished
		if same && s.now == r.at+r.period {
			s.leap(r)
		}
	case same:
		r.phase, r.period = measuring, s.now-r.at
		s.save(r, s.state)
	case r.taken >= r.power:
		r.power = max(1, 2*r.power)
		s.save(r, s.state)
	}
}

// drifting is how many repetitions of what was since the drifting search saved a state there can
// be until levels make a difference, to what is done or to what is counted.
func (s *simulation) drifting() int64 {
	times := int64(math.MaxInt64)
	for f := range s.spans {
		x := &s.spans[f]
		switch by := s.level[f] - s.drift.levels[f]; {
		case by == 0:
		case x.refused || x.least == 0 || x.most >= s.depths[f]:
			return 0
		case by < 0:
			times = min(times, min(x.read, x.least-1)/-by)
		default:
			times = min(times, min(s.depths[f]-x.write, s.depths[f]-1-x.most)/by)
		}
	}
	return times
}

// leap passes over as many periods as no module comes to its last iteration in, and levels allow.
// Waits that last longer than a period would be charged for what was before the first one.
func (s *simulation) leap(r *recurrence) {
	counters := s.counters()
	times := int64(math.MaxInt64)
	if r.drifts {
		times = s.drifting()
	}
	var each []int64
	at := 0
	for i := range s.modules {
		m := &s.modules[i]
		if m.since >= 0 && s.now-m.since > r.period {
			return
		}
		did := m.issued - r.counts[at]
		each = append(each, did)
		if did > 0 {
			times = min(times, (m.Total()-1-m.issued)/did)
		}
		at += m.counted()
	}
	if s.period == 0 && slices.Equal(s.level, r.levels) {
		s.period, s.each = r.period, each
	}
	if times <= 0 || times == math.MaxInt64 {
		return
	}
	for i := range s.modules {
		m, shift := &s.modules[i], times*each[i]
		size := int64(len(m.starts))
		old := slices.Clone(m.starts)
		for j := max(0, m.issued-size); j < m.issued; j++ {
			m.starts[(j+shift)%size] = old[j%size]
		}
		for k := range m.accesses {
			m.accesses[k].next += shift
		}
		if m.since >= 0 {
			m.since += times * r.period
		}
		for w := range m.waits {
			m.waits[w].from += times * r.period
			m.waits[w].to += times * r.period
		}
	}
	for f, level := range s.level {
		if by := level - r.levels[f]; by > 0 {
			s.gauges[f].see(s.spans[f].most + times*by)
			s.need[f] = max(s.need[f], s.spans[f].write+times*by)
		}
	}
	for k, c := range counters {
		*c += times * (*c - r.counts[k])
	}
	for f := range s.gauges {
		s.gauges[f].see(s.level[f])
	}
	s.now += times * r.period
}
