package table

// This file says what a task takes longer while others are under way: lines that both use, some of which one writes, go back
// and forth.

import "math"

// Beside is what a task takes longer for each cycle of its own while another is under way on another processor.
type Beside struct {
	Longer []Crossing // by how many siblings one was made behind the other, or what led to it; nil where that is nothing
	// Fresh is what it waits for what tasks of the other's place wrote, where all that is with another processor.
	Fresh Crossing
}

// beside returns what a thread takes longer for what it begins, which takes so long by itself, and lets others take longer
// that are under way: as long as both are.
func (s *taskSimulator) beside(at int, own, now float64) (longer float64) {
	all, me := s.v.t.Beside, s.me(at)
	place := s.placeOf(me)
	if all == nil || place < 0 || own == 0 {
		return 0
	}
	fresh, busy := 0.0, 1.0
	p := s.threads[at].processor
	for i := range s.threads {
		o := &s.threads[i]
		if i == at || len(o.frames) == 0 || o.looks || !(o.until > now) || math.IsInf(o.until, 1) {
			continue
		}
		other := s.me(i)
		with := s.placeOf(other)
		if with < 0 {
			continue
		}
		apart, left := s.apart(me, other), o.until-now
		mine, theirs := s.v.t.besides(place, with, apart, o.processor, p), s.v.t.besides(with, place, apart, p, o.processor)
		busy++
		if b := all[place][with]; b != nil {
			fresh += s.v.t.crossing(b.Fresh, o.processor, p)
		}
		both := min(own, left/(1+theirs)) // of its own: it waits meanwhile as well
		longer += both * mine
		if more := both * theirs; more > 0 {
			s.tell(i, Fetch, s.tasks[other].section, o.until, more, 0)
			o.until += more
		}
	}
	return longer + own*fresh/busy
}

// besides is what a task of a place takes longer for each cycle while one of another is under way, so many siblings apart.
func (t *Table) besides(place, with int32, apart uint64, writer, reader int) float64 {
	if b := t.Beside[place][with]; b != nil && apart < uint64(len(b.Longer)) {
		return t.crossing(b.Longer[apart], writer, reader)
	}
	return 0
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
