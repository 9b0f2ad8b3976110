package pipeline

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
}

// reset begins anew, with nothing pending.
func (r *reorder) reset(m *Model) {
	if r.m != m {
		r.m, r.left, r.busy = m, make([]int, m.window), make([][]uint8, len(m.units))
	}
	r.cycle, r.slots, r.n, r.end = 0, 0, 0, 0
	for i := range r.busy {
		r.busy[i] = r.busy[i][:0]
	}
}

// issue takes an instruction of a class in, of so many parts, whose operands are there at
// ready, and returns when its result is.
func (r *reorder) issue(c *class, parts, ready int) int {
	for range c.count {
		if r.slots == r.m.width {
			r.cycle, r.slots = r.cycle+1, 0
		}
		at := &r.left[r.n%len(r.left)]
		if r.n >= len(r.left) && *at > r.cycle {
			r.cycle, r.slots = *at, 0
		}
		r.slots++
		r.n++
		ready = r.begin(c, parts, max(ready, r.cycle)) + c.latency
		r.end = max(r.end, ready)
		*at = r.end
	}
	return ready
}

// beside executes what is a part of the next instruction.
func (r *reorder) beside(c *class, parts, ready int) int {
	ready = r.begin(c, parts, max(ready, r.cycle)) + c.latency
	r.end = max(r.end, ready)
	return ready
}

// begin finds the first cycle from which a unit is free for as long as it is occupied.
func (r *reorder) begin(c *class, parts, at int) int {
	occupied, units := c.occupancy*parts, uint8(r.m.units[c.unit].count)
	busy := r.busy[c.unit]
	for free := 0; free < occupied; {
		for len(busy) <= at+free {
			busy = append(busy, 0)
		}
		if busy[at+free] == units {
			at, free = at+free+1, 0
			continue
		}
		free++
	}
	for k := at; k < at+occupied; k++ {
		busy[k]++
	}
	r.busy[c.unit] = busy
	return at
}

// refill takes nothing in before a cycle.
func (r *reorder) refill(cycle int) {
	if cycle > r.cycle {
		r.cycle, r.slots = cycle, 0
	}
}
