package fifo

// This file finds that a network repeats itself, and passes over repetitions. Levels, what is in
// flight, positions in patterns, and how long waits last decide what happens next, but for how
// many iterations are left. States are compared after R. Brent, *An Improved Monte Carlo
// Factorization Algorithm* (BIT 20, 1980), section 2.

import (
	"math"
	"slices"
)

// recurrence is how far the search for a repetition has come.
type recurrence struct {
	phase  phase
	seen   int64 // iterations of all modules that had started at the last comparison
	taken  int   // comparisons since saved was
	power  int
	saved  []int64 // state
	at     int64
	counts []int64
	period int64
	each   []int64 // iterations of modules in a period
}

type phase int

const (
	searching phase = iota
	measuring       // a state has come again; what a period brings is counted in one more
	finished
)

// state is all that decides what happens next.
func (s *simulation) state(out []int64) []int64 {
	out = append(out, s.level...)
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
		if m.inFlight() {
			out = append(out, m.end()-m.step)
		}
		out = append(out, math.MaxInt64)
	}
	return out
}

// counters are all that is added up.
func (s *simulation) counters() (out []*int64) {
	for i := range s.modules {
		a := &s.modules[i].account
		out = append(out, &s.modules[i].issued)
		for _, list := range [][]int64{a.stalled, a.bubbles, a.causes} {
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

// save makes now the state that others are compared with.
func (s *simulation) save(state []int64) {
	r := &s.steady
	r.saved, r.at, r.taken = state, s.now, 0
	r.counts = r.counts[:0]
	for _, c := range s.counters() {
		r.counts = append(r.counts, *c)
	}
}

// repeat looks for a repetition, each time that an iteration has started.
func (s *simulation) repeat() {
	r := &s.steady
	var issued int64
	for i := range s.modules {
		issued += s.modules[i].issued
	}
	if r.phase == finished || issued == r.seen {
		return
	}
	r.seen = issued
	if r.phase == measuring && s.now < r.at+r.period {
		return
	}
	state := s.state(nil)
	r.taken++
	switch same := r.saved != nil && slices.Equal(state, r.saved); {
	case r.phase == measuring:
		r.phase = finished
		if same && s.now == r.at+r.period {
			s.leap()
		}
	case same:
		r.phase, r.period = measuring, s.now-r.at
		s.save(state)
	case r.taken >= r.power:
		r.power = max(1, 2*r.power)
		s.save(state)
	}
}

// leap passes over as many periods as no module comes to its last iteration in. Waits that last
// longer than a period would be charged for what was before the first one.
func (s *simulation) leap() {
	r := &s.steady
	counters := s.counters()
	times := int64(math.MaxInt64)
	at := 0
	for i := range s.modules {
		m := &s.modules[i]
		if m.since >= 0 && s.now-m.since > r.period {
			r.period = 0
			return
		}
		did := m.issued - r.counts[at]
		r.each = append(r.each, did)
		if did > 0 {
			times = min(times, (m.Total()-1-m.issued)/did)
		}
		at += 1 + 2*len(s.FIFOs) + len(m.causes)
	}
	if times <= 0 || times == math.MaxInt64 {
		return
	}
	for i := range s.modules {
		m, shift := &s.modules[i], times*r.each[i]
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
	for k, c := range counters {
		*c += times * (*c - r.counts[k])
	}
	for f := range s.gauges {
		s.gauges[f].see(s.level[f])
	}
	s.now += times * r.period
}
