package fifo

// This file says on whose account modules stand still (section 5.3.3). A wait is charged to what
// is there last of all that is waited for, the first in the file's order where several are: the
// others cost nothing. It is caused by the module on the other side of that FIFO while that one
// works, and by what causes its own waits while it waits as well.
//
// The monitors of the paper pass causes on from one module to the next, a cycle later each, and
// take any of several FIFOs; here it is known when the wait is over.

// account is what a module waited for.
type account struct {
	since   int64     // the cycle in which it began to wait; -1: it does not
	frozen  bool      // else it starves
	charged int       // access
	held    int       // access that alone would hold it; -1: none does
	heldBy  int64     // by how many tokens the FIFO would have to be deeper
	heldOld bool      // it is of an iteration that has started
	waits   []segment // on whose account, ascending, as far back as it can matter
	longest int       // of waits, before old ones are dropped

	stalled []int64 // cycles, by FIFO
	bubbles []int64 // times that an iteration did not start while others went on, by FIFO
	causes  []int64 // cycles, by module; the last are those of a deadlock
	after   *afterwards
}

// lists are all that is added up.
func (a *account) lists() [][]int64 {
	out := [][]int64{a.stalled, a.bubbles, a.causes}
	if a.after != nil {
		out = append(out, a.after.causes...)
	}
	return out
}

// segment is cycles in which a module waited.
type segment struct {
	from, to int64
	cause    int
}

func newAccount(n *Network) account {
	return account{since: -1, held: -1, longest: 64, stalled: make([]int64, len(n.FIFOs)), bubbles: make([]int64, len(n.FIFOs)), causes: make([]int64, len(n.Modules)+1)}
}

// settle begins and ends waits of a module, now that its status is known.
func (s *simulation) settle(i int) {
	m := &s.modules[i]
	waits := m.status == frozen || m.status == starves
	if m.since >= 0 && !(waits && m.frozen == (m.status == frozen)) {
		s.charge(i)
	}
	if waits {
		if m.since < 0 {
			m.since, m.frozen = s.now, m.status == frozen
		}
		m.charged = m.blockers[0]
	}
	if m.status == frozen {
		s.hold(m)
	}
}

// holders are accesses of which each alone holds a module that waits. Of a pipeline that flushes
// they are those of iterations that have started, where there are such: without those, what the
// next one finds missing would not hold it.
func (m *module) holders() []int {
	if m.heldOld {
		return m.blockers[:m.inFlight]
	}
	return m.blockers
}

// hold finds one access that holds a frozen module, whatever else does. Reads come first, as no
// depth ends their waits.
func (s *simulation) hold(m *module) {
	old := m.Flush && m.inFlight > 0
	if m.heldOld && !old {
		s.release(m)
	}
	m.heldOld = old
	list := m.holders()
	m.held = list[0]
	for _, k := range list {
		if !m.accesses[k].write {
			m.held = k
			break
		}
	}
	a := &m.accesses[m.held]
	m.heldBy = s.level[a.FIFO] + a.Tokens - s.depths[a.FIFO]
}

// release notes by how much a FIFO would have to be deeper for a wait to be shorter. What held a
// module in the last cycle of a wait did so in all, and never by less.
func (s *simulation) release(m *module) {
	if m.held >= 0 && m.accesses[m.held].write {
		if f := m.accesses[m.held].FIFO; s.lack[f] == 0 || m.heldBy < s.lack[f] {
			s.lack[f] = m.heldBy
		}
	}
	m.held, m.heldOld = -1, false
}

// charge ends a wait. Who ended it did so in the cycle before, so that waits of its own were over.
func (s *simulation) charge(i int) {
	m := &s.modules[i]
	s.release(m)
	other := s.opposite(&m.accesses[m.charged])
	m.stalled[m.accesses[m.charged].FIFO] += s.now - m.since
	at := m.since
	for _, w := range s.modules[other].waits {
		if w.to > at && w.from < s.now {
			m.wait(at, w.from, other)
			m.wait(max(at, w.from), min(w.to, s.now), w.cause)
			at = w.to
		}
	}
	m.wait(at, s.now, other)
	m.since = -1
	s.forget(m)
}

// opposite is the module on the other side of what an access is to.
func (s *simulation) opposite(a *access) int {
	if a.write {
		return s.FIFOs[a.FIFO].Reader
	}
	return s.FIFOs[a.FIFO].Writer
}

func (m *module) wait(from, to int64, cause int) {
	if from >= to {
		return
	}
	m.causes[cause] += to - from
	m.after.add(from, to, cause)
	if last := len(m.waits) - 1; last >= 0 && m.waits[last].to == from && m.waits[last].cause == cause {
		m.waits[last].to = to
		return
	}
	m.waits = append(m.waits, segment{from, to, cause})
}

// forget drops waits of a module that were over before any began that lasts.
func (s *simulation) forget(m *module) {
	if len(m.waits) < m.longest {
		return
	}
	oldest := s.now
	for i := range s.modules {
		if since := s.modules[i].since; since >= 0 {
			oldest = min(oldest, since)
		}
	}
	kept := m.waits[:0]
	for _, w := range m.waits {
		if w.to > oldest {
			kept = append(kept, w)
		}
	}
	m.waits = kept
	m.longest = max(64, 2*len(kept))
}

// closeAccounts charges waits that nothing ended.
func (s *simulation) closeAccounts() {
	for i := range s.modules {
		if m := &s.modules[i]; m.since >= 0 {
			s.release(m)
			m.stalled[m.accesses[m.charged].FIFO] += s.now - m.since
			m.causes[len(s.modules)] += s.now - m.since
			m.since = -1
		}
	}
}

// afterwards is on whose account the module that ends last waits once others have ended.
type afterwards struct {
	ends   []int64   // of modules
	causes [][]int64 // by module that has ended, by cause
}

func (a *afterwards) add(from, to int64, cause int) {
	if a == nil {
		return
	}
	for i, end := range a.ends {
		if to > end {
			a.causes[i][cause] += to - max(from, end)
		}
	}
}

// Gauge is what was seen of the level of a FIFO.
type Gauge struct {
	Most        int64 // tokens
	Full, Empty int64 // cycles
}

func (g *Gauge) pass(level, depth, cycles int64) {
	if level >= depth {
		g.Full += cycles
	}
	if level == 0 {
		g.Empty += cycles
	}
}

func (g *Gauge) see(level int64) {
	g.Most = max(g.Most, level)
}
