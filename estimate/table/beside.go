package table

// This file says what a task takes longer while others are under way: lines that both use, some of which one writes, go back
// and forth.

import (
	"fmt"
	"math"
)

// Beside is what a task takes longer for each cycle of its own while another is under way on another processor.
type Beside struct {
	Longer []Crossing // by how many siblings one was made behind the other, or what led to it; nil where that is nothing
	Most   Crossing   // what it takes longer at most, beside all
}

// beside returns what a thread takes longer for what it begins, which takes so long by itself, and lets others take longer
// that are under way: as long as both are. Each use of a line is lost to one other. What it reads of what others wrote comes on top.
func (s *taskSimulator) beside(at int, own, now float64) (longer float64) {
	all, me, t := s.v.t.Beside, s.me(at), &s.threads[at]
	t.slowed = 0
	if all == nil && s.v.t.Reads == nil || own == 0 {
		return 0
	}
	place, near := s.placeOf(me), 0
	for i := range s.threads {
		o := &s.threads[i]
		if i == at || len(o.frames) == 0 || o.looks || !(o.until > now) || math.IsInf(o.until, 1) {
			continue
		}
		if s.v.t.Near != nil && s.v.t.Near[o.processor][t.processor] {
			near++
		}
		other := s.me(i)
		with := s.placeOf(other)
		if all == nil || place < 0 || with < 0 {
			continue
		}
		apart, both := s.apart(me, other), min(own, (o.until-now)/(1+o.slowed))
		longer += both * t.slower(s.v.t, all[place][with], apart, o.processor)
		if more := both * o.slower(s.v.t, all[with][place], apart, t.processor); more > 0 {
			s.tell(i, Fetch, s.tasks[other].section, o.until, more, 0)
			o.until += more
		}
	}
	return longer + own*s.reads(at, me, own, near)
}

// slower is what a thread takes longer for each cycle while another processor executes a task so many siblings apart.
func (t *thread) slower(of *Table, b *Beside, apart uint64, other int) float64 {
	if b == nil || apart >= uint64(len(b.Longer)) {
		return 0
	}
	more := max(0, min(of.crossing(b.Longer[apart], other, t.processor), of.crossing(b.Most, other, t.processor)-t.slowed))
	t.slowed += more
	return more
}

// placeOf is the place of the program that makes a task, -1 where that is not known.
func (s *taskSimulator) placeOf(i int32) int32 {
	if x := s.tasks[i].execution; x >= 0 && s.v.t.executions[x].role == Deferred {
		return s.v.t.executions[x].task
	}
	return -1
}

// apart tells by how many siblings a task was made behind another, or what led to them by what led to both.
func (s *taskSimulator) apart(i, k int32) uint64 {
	for i != k {
		a, b := &s.tasks[i], &s.tasks[k]
		switch {
		case a.parent == b.parent:
			return max(a.nth, b.nth) - min(a.nth, b.nth)
		case a.level > b.level:
			i = a.parent
		case b.level > a.level:
			k = b.parent
		default:
			i, k = a.parent, b.parent
		}
		if i < 0 || k < 0 {
			break
		}
	}
	return 0
}

// checkBeside reports what no tasks can take longer.
func (t *Table) checkBeside() error {
	for _, of := range t.Beside {
		for _, b := range of {
			if b == nil {
				continue
			}
			for _, c := range append(b.Longer[:len(b.Longer):len(b.Longer)], b.Most) {
				for _, cycles := range c {
					if !(cycles >= 0) || math.IsInf(cycles, 1) {
						return fmt.Errorf("a task takes %g cycles longer for each", cycles)
					}
				}
			}
		}
	}
	return nil
}
