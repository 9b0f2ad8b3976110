package table

// This file says what tasks wait for lines that others wrote or used, as tasks are played: where who wrote them ran, as far as that is
// known, and how many others are at work that share a cache.

import (
	"fmt"
	"math"
	"slices"
)

// Reads is what tasks of a place wait longer, or sections that make tasks: each when it begins, but for Back and Crowd, which are for each cycle of
// their own.
type Reads struct {
	// Met is for what was written where the construct was met.
	Met Crossing
	// Stack is for lines of a stack of its own, which a thread waits for when it begins its first task of the place.
	Stack Crossing
	// Maker is for what was written by what made these, which is no task like them.
	Maker Crossing
	// Kin is for what was written by others that their maker made, or by tasks that these make. It lies where their maker was executed
	// so far, and what that led to.
	Kin Crossing
	// Others is for what tasks of other places wrote, by task of the program. It lies where these were executed so far.
	Others []Crossing
	// Back is what the processor that met the construct waits behind it for what these wrote.
	Back Crossing
	// Crowd is for lines that others at work push out of a cache that is shared, by their number in the place of the class.
	Crowd Crossing
}

// ranOn is how many cycles were spent, by thread.
type ranOn []float64

// reads returns what a thread waits for each cycle of what a task begins, beside so many others that share a cache with it, and notes where that is.
func (s *taskSimulator) reads(at int, me int32, own float64, near int) (longer float64) {
	all := s.v.t.Reads
	if all == nil {
		return 0
	}
	place := len(all) - 1
	for i := me; i >= 0; i = s.tasks[i].parent {
		if p := s.placeOf(i); p >= 0 {
			place = int(p)
			break
		}
	}
	x, p := &s.tasks[me], s.threads[at].processor
	r := all[place]
	if r != nil && !x.waited {
		x.waited = true
		longer = s.v.t.crossing(r.Met, s.v.m.Serial, p) + s.fromKin(r, me, p)
		for task, c := range r.Others {
			if c != nil {
				longer += s.from(c, s.ran[task], p)
			}
		}
		longer /= own
	}
	if r != nil {
		if s.ran[place][at] == 0 {
			longer += s.v.t.crossing(r.Stack, s.v.m.Serial, p) / own
		}
		longer += r.Crowd.at(near*s.v.t.Kinds + s.v.t.KindOf[p])
	}
	s.ran[place].add(at, own)
	x.own.add(at, own)
	return longer
}

// forgetReads begins with so many threads, of which none has spent anything.
func (s *taskSimulator) forgetReads(threads int) {
	s.none = slices.Grow(s.none[:0], threads)[:threads]
	clear(s.none)
	if s.ran == nil {
		s.ran = make([]ranOn, len(s.v.t.Reads))
	}
	for i := range s.ran {
		s.ran[i] = append(s.ran[i][:0], s.none...)
	}
}

// fromKin is what a task waits for what its maker wrote, and what that led to.
func (s *taskSimulator) fromKin(r *Reads, me int32, p int) float64 {
	x := &s.tasks[me]
	if x.parent < 0 {
		return s.amongst(r.Kin, x.under, nil, p)
	}
	maker := &s.tasks[x.parent]
	own := maker.own
	if maker.parent < 0 { // what sections write is Maker
		own = nil
	}
	return s.from(r.Maker, maker.own, p) + s.amongst(r.Kin, maker.under, own, p)
}

// from is what is waited for lines that were written where so much was executed.
func (s *taskSimulator) from(c Crossing, on ranOn, p int) (waits float64) {
	if c == nil {
		return 0
	}
	sum := 0.0
	for i, cycles := range on {
		waits += cycles * s.v.t.crossing(c, s.threads[i].processor, p)
		sum += cycles
	}
	if sum == 0 {
		return 0
	}
	return waits / sum
}

// amongst is what is waited for lines that were written and are read where so much was executed, and so much more: by any of these that is not on the
// same thread, as likely as two of them are not. So all wait alike, whichever thread they are on.
func (s *taskSimulator) amongst(c Crossing, on, more ranOn, p int) (waits float64) {
	if c == nil {
		return 0
	}
	sum, squares, here := 0.0, 0.0, 0.0
	for i, cycles := range on {
		if more != nil {
			cycles += more[i]
		}
		sum += cycles
		squares += cycles * cycles
		if q := s.threads[i].processor; q == p {
			here = cycles
		} else {
			waits += cycles * s.v.t.crossing(c, q, p)
		}
	}
	if sum == here {
		return 0
	}
	return waits / (sum - here) * (1 - squares/(sum*sum))
}

func (r ranOn) add(thread int, cycles float64) {
	if r != nil {
		r[thread] += cycles
	}
}

// ledTo adds what a task and all that it led to spent to what its maker led to.
func (s *taskSimulator) ledTo(i int32) {
	x := &s.tasks[i]
	if s.v.t.Reads == nil || x.parent < 0 {
		return
	}
	p := &s.tasks[x.parent]
	for k := range x.own {
		p.under[k] += x.own[k] + x.under[k]
	}
}

// readBack is what the processor that met the construct waits for what was written in it.
func (s *taskSimulator) readBack() (waits float64) {
	for place, r := range s.v.t.Reads {
		if r == nil {
			continue
		}
		for i, cycles := range s.ran[place] {
			waits += cycles * s.v.t.crossing(r.Back, s.threads[i].processor, s.v.m.Serial)
		}
	}
	return waits
}

// checkReads reports what no tasks can wait.
func (t *Table) checkReads() error {
	for _, r := range t.Reads {
		if r == nil {
			continue
		}
		for _, c := range append(r.Others[:len(r.Others):len(r.Others)], r.Met, r.Stack, r.Maker, r.Kin, r.Back, r.Crowd) {
			for _, cycles := range c {
				if !(cycles >= 0) || math.IsInf(cycles, 1) {
					return fmt.Errorf("a task waits %g cycles longer for each", cycles)
				}
			}
		}
	}
	return nil
}
