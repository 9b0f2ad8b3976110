package table

// This file says what a task takes longer while others are under way: lines that both use, some of which one writes, go back
// and forth. What a task does from one event to the next is known to begin beside what is under way then.

// Beside is what a task takes longer for each cycle of its own while another is under way on another processor.
type Beside struct {
	Longer []Crossing // by how many siblings one was made behind the other, or what led to it; nil where that is nothing
	// Fresh is what it waits for what tasks of the other's place wrote, where all that is with another processor.
	Fresh Crossing
}

// beside returns what a thread takes longer for each cycle of what it begins.
func (s *taskSimulator) beside(at int) float64 {
	all := s.v.t.Beside
	me := s.me(at)
	place := s.placeOf(me)
	if all == nil || place < 0 {
		return 0
	}
	longer, fresh, busy := 0.0, 0.0, 1.0
	p := s.threads[at].processor
	for i := range s.threads {
		o := &s.threads[i]
		if i == at || len(o.frames) == 0 || o.looks {
			continue
		}
		other := s.me(i)
		with := s.placeOf(other)
		if with < 0 || all[place][with] == nil {
			continue
		}
		b := all[place][with]
		busy++
		fresh += s.v.t.crossing(b.Fresh, o.processor, p)
		if apart := s.apart(me, other); apart < uint64(len(b.Longer)) {
			longer += s.v.t.crossing(b.Longer[apart], o.processor, p)
		}
	}
	return longer + fresh/busy
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
