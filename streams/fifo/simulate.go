package fifo

// This file plays a network on a clock (section 4.4). All modules see FIFOs as they are at the
// begin of a cycle, and then all that moves is moved. Cycles in which nothing moves are passed in
// one step, and so is what repeats (steady.go).

import (
	"errors"
	"math"
)

// mostSteps bounds the cycles that are played one by one.
const mostSteps = 1 << 27

// ErrTooLong is returned where a network does not come to repeat itself.
var ErrTooLong = errors.New("no end and no steady state in 134,217,728 cycles: give modules fewer iterations")

// status is what a module does in a cycle.
type status int

const (
	idle    status = iota // nothing is due; or only an iteration that does not start while others go on
	acts                  // moves tokens, or starts an iteration
	frozen                // something is due and cannot be done
	starves               // an iteration does not start, and none is in flight
)

// module is one under way. Its own clock, of which all times but those in cycles are, stands still
// while it is frozen.
type module struct {
	*Module
	accesses []access // reads, then writes
	step     int64
	issued   int64   // iterations that have started
	start    int64   // when the next is to start
	starts   []int64 // when iterations started, by number modulo their length: of those in flight
	period   int64   // iterations from which on all patterns and runs are the same again
	missed   bool    // the next iteration was to start, and what it reads is not there yet
	missing  int     // FIFO that it found empty

	status   status
	begins   bool  // an iteration starts in this cycle
	due      []int // accesses of this cycle
	blockers []int // accesses that it waits for
	inFlight int   // of those, how many are of iterations that have started
	done     bool
	finish   int64 // cycle in which it is over
	account
}

// access is one of a module under way.
type access struct {
	*Access
	write bool
	next  int64 // the first iteration that it was not done for
}

const never = math.MaxInt64

// unbounded is a depth that no FIFO is ever filled to.
const unbounded = 1 << 62

type simulation struct {
	*Network
	depths     []int64
	now, steps int64 // cycles; those that were played one by one
	modules    []module
	level      []int64
	gauges     []Gauge
	repeats
	lack    []int64 // by FIFO, how much deeper it had to be for some wait to be another; 0: none is due to it
	need    []int64 // by FIFO, the most that it had to hold
	observe func()  // what is told of each step, before anything moves; then none is passed over
}

// run plays a network to its end, or until nothing can move any more, with FIFOs of those depths.
func run(n *Network, depths []int64) (*simulation, error) {
	s := start(n, depths)
	return s, s.play()
}

// play plays what is ready to its end.
func (s *simulation) play() error {
	for {
		if over, err := s.cycle(); over || err != nil {
			s.closeAccounts()
			return err
		}
	}
}

// depths are those of a network.
func (n *Network) depths() []int64 {
	out := make([]int64, len(n.FIFOs))
	for f := range out {
		out[f] = n.FIFOs[f].Depth
	}
	return out
}

// start makes a network ready for its first cycle.
func start(n *Network, depths []int64) *simulation {
	s := &simulation{Network: n, depths: depths, modules: make([]module, len(n.Modules))}
	s.lack, s.need = make([]int64, len(depths)), make([]int64, len(depths))
	s.drift.drifts, s.spans = true, make([]span, len(depths))
	for f := range n.FIFOs {
		s.level = append(s.level, n.FIFOs[f].Initial)
		s.gauges = append(s.gauges, Gauge{Most: n.FIFOs[f].Initial})
	}
	for i := range s.modules {
		m := &s.modules[i]
		m.Module = &n.Modules[i]
		m.start, m.period = m.Pause, 1
		m.starts = make([]int64, m.Latency/m.II+2)
		m.account = newAccount(n)
		for k, list := range [][]Access{m.Reads, m.Writes} {
			for a := range list {
				m.accesses = append(m.accesses, access{Access: &list[a], write: k == 1})
				m.period = common(m.period, int64(max(len(list[a].When), 1)))
			}
		}
		if m.Runs > 1 {
			m.period = common(m.period, m.Iterations)
		}
	}
	return s
}

// longest is more than any run repeats itself in.
const longest = 1 << 60

// common is the least common multiple of two numbers; one that is too large for a repetition to
// be found stays large.
func common(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	if a/x > longest/b {
		return longest
	}
	return a / x * b
}

// cycle plays one, and those behind it in which nothing moves. It says whether all is over.
func (s *simulation) cycle() (over bool, err error) {
	length, moves, running := int64(never), false, false
	for i := range s.modules {
		m := &s.modules[i]
		if m.done {
			continue
		}
		running = true
		s.look(m)
		s.settle(i)
		switch m.status {
		case acts:
			moves = true
		case idle:
			length = min(length, m.event()-m.step)
		}
	}
	if s.observe != nil {
		s.observe()
	}
	switch {
	case !running, !moves && length == never: // the latter is a deadlock
		return true, nil
	case moves:
		length = 1
	}
	if s.steps++; s.steps > mostSteps {
		return true, ErrTooLong
	}
	for f, l := range s.level {
		s.gauges[f].pass(l, s.depths[f], length)
		x := &s.spans[f]
		x.least, x.most = min(x.least, l), max(x.most, l)
	}
	for i := range s.modules {
		if m := &s.modules[i]; !m.done && m.status != frozen {
			s.pass(m, length)
		}
	}
	for f, l := range s.level {
		s.gauges[f].see(l)
	}
	s.now += length
	if s.observe == nil {
		s.repeat()
	}
	return false, nil
}

// inFlight says whether iterations that have started are not over.
func (m *module) underWay() bool { return m.issued > 0 && m.step < m.end() }

// end is when the last iteration that has started is over.
func (m *module) end() int64 { return m.starts[(m.issued-1)%int64(len(m.starts))] + m.Latency }

// dueAt is when an access is due next, as far as iterations have started.
func (m *module) dueAt(a *access) int64 {
	for a.next < m.issued && !a.in(a.next) {
		a.next++
	}
	if a.next == m.issued {
		return never
	}
	return m.starts[a.next%int64(len(m.starts))] + a.At
}

// event is when an idle module will do something else, while FIFOs stay as they are.
func (m *module) event() int64 {
	at := int64(never)
	for k := range m.accesses {
		at = min(at, m.dueAt(&m.accesses[k]))
	}
	if m.issued < m.Total() && !m.missed {
		return min(at, m.start)
	}
	return min(at, m.end())
}

// look finds what a module does in this cycle. What iterations in flight cannot do freezes it,
// before it looks at the next one.
func (s *simulation) look(m *module) {
	m.due, m.blockers, m.begins = m.due[:0], m.blockers[:0], false
	for k := range m.accesses {
		if m.dueAt(&m.accesses[k]) == m.step {
			s.attempt(m, k)
		}
	}
	m.inFlight = len(m.blockers)
	attempt := m.issued < m.Total() && m.step == m.start
	if len(m.blockers) == 0 && m.Flush && (attempt || m.missed) {
		s.poll(m)
		if m.missed {
			if !m.underWay() {
				m.status = starves
				return
			}
			attempt = false
			m.blockers = m.blockers[:0]
		}
	}
	if attempt {
		for k := range m.accesses {
			if a := &m.accesses[k]; a.At == 0 && a.in(m.issued) {
				s.attempt(m, k)
			}
		}
	}
	m.begins = attempt
	switch {
	case len(m.blockers) > 0:
		m.status = frozen
	case attempt || len(m.due) > 0:
		m.status = acts
	default:
		m.status = idle
	}
}

// attempt finds whether an access can be done.
func (s *simulation) attempt(m *module, k int) {
	if a := &m.accesses[k]; s.possible(a.Access, a.write) {
		m.due = append(m.due, k)
	} else {
		m.blockers = append(m.blockers, k)
	}
}

// possible says whether there are tokens to read, or places to write them to.
func (s *simulation) possible(a *Access, write bool) bool {
	level, x := s.level[a.FIFO], &s.spans[a.FIFO]
	switch {
	case write && level+a.Tokens <= s.depths[a.FIFO]:
		x.write = max(x.write, level+a.Tokens)
		s.need[a.FIFO] = max(s.need[a.FIFO], level+a.Tokens)
	case !write && level >= a.Tokens:
		x.read = min(x.read, level-a.Tokens)
	default:
		x.refused = true
		return false
	}
	return true
}

// poll finds whether what the next iteration reads first is there.
func (s *simulation) poll(m *module) {
	m.missed = false
	for k := range m.Reads {
		if a := &m.Reads[k]; a.At == 0 && a.in(m.issued) && !s.possible(a, false) {
			if !m.missed {
				m.missing = a.FIFO
			}
			m.missed = true
			m.blockers = append(m.blockers, k)
		}
	}
}

// pass lets a module that is not frozen do what it does in so many cycles.
func (s *simulation) pass(m *module, length int64) {
	if m.status == acts {
		for _, k := range m.due {
			a := &m.accesses[k]
			if a.write {
				s.level[a.FIFO] += a.Tokens
			} else {
				s.level[a.FIFO] -= a.Tokens
			}
			a.next++
		}
	}
	if m.begins {
		m.starts[m.issued%int64(len(m.starts))] = m.step
		m.issued++
		m.start = m.step + m.II
		if m.issued%m.Iterations == 0 {
			m.start = m.step + m.Latency + m.Pause
		}
	}
	if m.missed && m.start < m.step+length { // it tried, in vain
		n := (m.step + length - m.start + m.II - 1) / m.II
		if m.status != starves {
			m.bubbles[m.missing] += n
		}
		m.start += n * m.II
	}
	m.step += length
	if m.issued == m.Total() && m.step == m.end() {
		m.done, m.finish = true, s.now+length
		s.ended()
	}
}

// over says whether all modules have come to their end.
func (s *simulation) over() bool {
	for i := range s.modules {
		if !s.modules[i].done {
			return false
		}
	}
	return true
}
