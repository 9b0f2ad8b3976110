package pipeline

// This file issues instructions in order.

import "slices"

// use is a result that an instruction waits for.
type use struct {
	from    int  // number of the instruction that computes it, as it was issued
	address bool // it is what a load or store accesses
	addend  bool // it is what a multiplication adds its product to
}

// scoreboard is the state of a pipeline between instructions.
type scoreboard struct {
	m     *Model
	now   int     // the cycle that the next instruction may issue in
	slots int     // that are taken in it
	free  [][]int // of each unit of its kind, when it takes another
	done  []result
	// Fetch runs ahead of issue, if the file says so: the cycle that the next instruction may issue
	// in for all that fetch knows, what is taken of it, and when earlier ones issued.
	fetching, fetched int
	issued            []int
	// What slow instructions go by, by class: when one of it issued last, or one that is slow behind it,
	// and when one was slow; and the class of the last instruction.
	begun, slowed []int
	last          int
}

type result struct {
	class int
	at    int // when it was issued
	extra int // cycles above its class's latency
	// through are the results that it stands for, where it is no instruction.
	through []use
}

func newScoreboard(m *Model) *scoreboard {
	s := &scoreboard{m: m, free: make([][]int, len(m.units)), begun: make([]int, len(m.classes)), slowed: make([]int, len(m.classes)), last: -1}
	for i := range s.begun {
		s.begun[i], s.slowed[i] = -2*longest, -2*longest
	}
	for i, u := range m.units {
		s.free[i] = make([]int, u.count)
	}
	return s
}

// issue issues an instruction of a class, once its operands are ready, a unit is free and
// there is place; of parts, such as elements of a vector, one behind the other on the unit.
// Others may wait for it in turn. The result, of the last, gets the number.
func (s *scoreboard) issue(number, class, parts int, uses []use, then ...int) {
	c := &s.m.classes[class]
	if c.unit < 0 { // no instruction: its result is its operands'
		s.done[number] = result{class: class, through: slices.Clone(uses)}
		return
	}
	ready := 0
	for _, u := range uses {
		ready = max(ready, s.ready(u, class))
	}
	at := s.place(class, parts, ready)
	for range c.count - 1 {
		at = s.place(class, parts, at+c.until(class))
	}
	for _, next := range then {
		until := c.until(next)
		class, c = next, &s.m.classes[next]
		at = s.place(class, parts, at+until)
	}
	s.done[number] = result{class: class, at: at, extra: c.occupancy * (parts - 1)}
}

// spend issues instructions of a class whose results are none of LLVM's.
func (s *scoreboard) spend(class, count int) {
	for range count {
		s.place(class, 1, 0)
	}
}

// place finds the cycle that an instruction issues in.
func (s *scoreboard) place(class, parts, ready int) int {
	c := &s.m.classes[class]
	ready = max(ready, s.fetch())
	if c.slow != nil {
		ready = s.slow(class, ready)
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
	if s.begun[class] = at; c.slow != nil && at-s.begun[c.slow.behind] <= c.slow.within {
		s.begun[c.slow.behind], s.slowed[class] = at, at
	}
	s.last = class
	if s.slots++; c.alone || c.last {
		s.slots = s.m.width
	}
	if s.m.branch.ahead > 0 {
		s.issued = append(s.issued, at)
	}
	return at
}

// slow returns when an instruction is ready of a class that may be slow.
func (s *scoreboard) slow(class, ready int) int {
	how := s.m.classes[class].slow
	switch {
	case max(ready, s.now)-s.begun[how.behind] > how.within:
		return ready
	case s.last == class:
		return max(ready, s.slowed[class]+how.every)
	}
	return max(ready, s.slowed[class]+how.others)
}

// fetch returns the first cycle that the next instruction is there to issue in.
func (s *scoreboard) fetch() int {
	ahead := s.m.branch.ahead
	if ahead == 0 {
		return 0
	}
	if s.fetched == s.m.width {
		s.fetching, s.fetched = s.fetching+1, 0
	}
	if n := len(s.issued); n >= ahead && s.issued[n-ahead] > s.fetching {
		s.fetching, s.fetched = s.issued[n-ahead], 0
	}
	s.fetched++
	return s.fetching
}

// jump has fetch go on elsewhere.
func (s *scoreboard) jump() {
	s.fetching, s.fetched = s.fetching+1+s.m.branch.taken, 0
}

// refill has fetch start again: it is no more ahead.
func (s *scoreboard) refill() {
	s.fetching, s.fetched = s.now, 0
}

// ready returns when a user of the class can have a result.
func (s *scoreboard) ready(u use, user int) int {
	r := &s.done[u.from]
	c := &s.m.classes[r.class]
	if c.unit < 0 {
		ready := 0
		for _, from := range r.through {
			ready = max(ready, s.ready(use{from.from, u.address, u.addend}, user))
		}
		return ready
	}
	latency := c.until(user)
	if u.address && c.toAddress >= 0 {
		latency = c.toAddress
	} else if u.addend && c.toAddend >= 0 {
		latency = c.toAddend
	}
	return r.at + r.extra + latency
}

// until is the latency to users of a class.
func (c *class) until(user int) int {
	if to, ok := c.to[user]; ok {
		return to
	}
	return c.latency
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
	s.refill()
	for i := range s.done {
		s.done[i] = result{class: s.done[i].class, at: s.now - longest}
	}
	for _, units := range s.free {
		for i := range units {
			units[i] = min(units[i], s.now)
		}
	}
}
