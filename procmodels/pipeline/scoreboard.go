package pipeline

// This file issues instructions in order.

// use is a result that an instruction waits for.
type use struct {
	from    int  // number of the instruction that computes it, as issue returned it
	address bool // it is what a load or store accesses
}

// scoreboard is the state of a pipeline between instructions.
type scoreboard struct {
	m     *Model
	now   int     // the cycle that the next instruction may issue in
	slots int     // that are taken in it
	free  [][]int // of each unit of its kind, when it takes another
	done  []result
}

type result struct {
	class int
	at    int // when it was issued
	extra int // cycles above its class's latency
}

func newScoreboard(m *Model) *scoreboard {
	s := &scoreboard{m: m, free: make([][]int, len(m.units))}
	for i, u := range m.units {
		s.free[i] = make([]int, u.count)
	}
	return s
}

// issue issues an instruction of a class, once its operands are ready, a unit is free and
// there is place; of parts, such as elements of a vector, one behind the other on the unit.
// It returns the number of its result.
func (s *scoreboard) issue(class, parts int, uses []use) int {
	c := &s.m.classes[class]
	ready := 0
	for _, u := range uses {
		ready = max(ready, s.ready(u, class))
	}
	if c.unit < 0 { // no instruction: its result is its operands'
		s.done = append(s.done, result{class, ready, 0})
		return len(s.done) - 1
	}
	units := s.free[c.unit]
	first := 0
	for i := range units {
		if units[i] < units[first] {
			first = i
		}
	}
	if at := max(ready, units[first]); at > s.now {
		s.now, s.slots = at, 0
	}
	if s.slots == s.m.width || c.alone && s.slots > 0 {
		s.now, s.slots = s.now+1, 0
		// The unit that is free first now is still: time only went on.
	}
	at := s.now
	units[first] = at + c.occupancy*parts
	if s.slots++; c.alone {
		s.slots = s.m.width
	}
	s.done = append(s.done, result{class, at, c.occupancy * (parts - 1)})
	return len(s.done) - 1
}

// ready returns when a user of the class can have a result.
func (s *scoreboard) ready(u use, user int) int {
	r := &s.done[u.from]
	c := &s.m.classes[r.class]
	latency := c.latency
	if to, ok := c.to[user]; ok {
		latency = to
	}
	if u.address && c.toAddress >= 0 {
		latency = c.toAddress
	}
	return r.at + r.extra + latency
}

// finish ends the cycle, and returns the number of the next.
func (s *scoreboard) finish() int {
	if s.slots > 0 {
		s.now, s.slots = s.now+1, 0
	}
	return s.now
}

// drain ends the cycle; behind it nothing is pending.
func (s *scoreboard) drain() {
	s.finish()
	for i := range s.done {
		s.done[i] = result{s.done[i].class, s.now - longest, 0}
	}
	for _, units := range s.free {
		for i := range units {
			units[i] = min(units[i], s.now)
		}
	}
}
