package pipeline

import "slices"

// This file executes instructions out of order.

// reorder is a processor that executes what is ready, within a window of instructions that it
// takes in and lets go in the program's order.
type reorder struct {
	m     *Model
	cycle int // that the next instruction is taken in
	slots int // that are taken in it
	// left is when each of the last instructions of the window was let go, n how many there were.
	left []int
	n    int
	end  int       // when the last instruction is let go
	busy [][]uint8 // by unit and cycle: how many are taken
	// fetched is when what the last branch that was taken leads to is there; waiting when those that waited begin.
	fetched int
	waiting []int
}

// reset begins anew, with nothing pending.
func (r *reorder) reset(m *Model) {
	if r.m != m {
		r.m, r.left, r.busy = m, make([]int, m.window), make([][]uint8, len(m.units))
	}
	r.cycle, r.slots, r.n, r.end, r.fetched, r.waiting = 0, 0, 0, 0, 0, r.waiting[:0]
	for i := range r.busy {
		r.busy[i] = r.busy[i][:0]
	}
}

// issue takes an instruction of a class in, of so many parts, whose operands are there at
// ready, and returns when its result is.
func (r *reorder) issue(c *class, parts, ready int) int {
	for range c.count {
		at := r.take()
		ready = r.begin(c, parts, max(ready, r.cycle)) + c.latency
		r.end = max(r.end, ready)
		*at = r.end
	}
	return ready
}

// take takes an instruction in, and returns where to note when it is let go.
func (r *reorder) take() *int {
	if r.slots == r.m.width {
		r.cycle, r.slots = r.cycle+1, 0
	}
	at := &r.left[r.n%len(r.left)]
	if r.n >= len(r.left) && *at > r.cycle {
		r.cycle, r.slots = *at, 0
	}
	r.slots++
	r.n++
	return at
}

// move takes in what puts something into a register, which no unit executes: registers are only renamed.
func (r *reorder) move() {
	at := r.take()
	r.end = max(r.end, r.cycle)
	*at = r.end
}

// beside executes what is a part of the next instruction.
func (r *reorder) beside(c *class, parts, ready int) int {
	ready = r.begin(c, parts, max(ready, r.cycle)) + c.latency
	r.end = max(r.end, ready)
	return ready
}

// begin finds the first cycle from which the units of a class are free for as long as they are occupied.
func (r *reorder) begin(c *class, parts, at int) int {
	waits := r.m.units[c.unit].waits && r.m.waiting > 0
	if waits {
		at = max(at, r.enter())
	}
	occupied := c.occupancy * parts
	for free := 0; free < occupied; {
		if r.full(c.unit, at+free) || c.also >= 0 && r.full(c.also, at+free) {
			at, free = at+free+1, 0
			continue
		}
		free++
	}
	for k := at; k < at+occupied; k++ {
		r.busy[c.unit][k]++
		if c.also >= 0 {
			r.busy[c.also][k]++
		}
	}
	if waits {
		i, _ := slices.BinarySearch(r.waiting, at)
		r.waiting = slices.Insert(r.waiting, i, at)
	}
	return at
}

// full tells whether all of a unit are taken in a cycle.
func (r *reorder) full(unit, cycle int) bool {
	for len(r.busy[unit]) <= cycle {
		r.busy[unit] = append(r.busy[unit], 0)
	}
	return int(r.busy[unit][cycle]) == r.m.units[unit].count
}

// enter returns when there is room to wait, which is given in the program's order: where as many wait as can, once the first of them begins.
func (r *reorder) enter() int {
	if len(r.waiting) < r.m.waiting {
		return 0
	}
	first := r.waiting[0]
	r.waiting = append(r.waiting[:0], r.waiting[1:]...)
	return first
}

// jump goes elsewhere than to what lies behind: some cycles after the last time at the soonest, as far as fetch is ahead.
func (r *reorder) jump() {
	if b := &r.m.branch; b.taken > 0 {
		r.fetched = max(r.fetched+b.taken, r.cycle-b.ahead/r.m.width)
		r.refill(r.fetched)
	}
}

// refill takes nothing in before a cycle.
func (r *reorder) refill(cycle int) {
	r.fetched = max(r.fetched, cycle)
	if cycle > r.cycle {
		r.cycle, r.slots = cycle, 0
	}
}
