package account

// This file finds what the end of each row waited for, and which blocks that time is
// spent in.

import (
	"sort"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// CriticalPath attributes the time of an estimate: for each row, the chain of events that
// its end waited for. The times of all shares together are the parallel time. The paths
// tell which blocks the time of a section is spent in; the rows do not.
func CriticalPath(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique) (*estimate.Attribution, error) {
	s := newSpent()
	err := e.Play(m, t, func(rows *table.Table, p *table.Played) {
		for i := range p.Events { // what is not critical tells sections apart all the same
			s.add(rows, &p.Events[i], 0)
		}
		critical(p, func(ev *table.Event, weight float64) { s.add(rows, ev, weight) })
	})
	if err != nil {
		return nil, err
	}
	return s.attribution(e, m, t)
}

// critical visits the events that the end of a row waited for, from the last one back:
// each time one that ends where the next begins, on the same processor if there is one.
// Every event begins when another one ends or at the fork, to the last bit; who waited for a
// lock begins when another releases it. Threads that wait for their turn do so in one go for
// several iterations: nobody ends just then, and the wait is an event like others. weight is how
// often the event's time is spent; where a row says only on average what is inside it, it
// may take longer than its events: as long as what they give its busiest processor to do.
func critical(p *table.Played, visit func(ev *table.Event, weight float64)) {
	first := map[int]int{} // by processor: index of its first event; events lie by processor
	var processors []int
	end := 0.0
	for i := range p.Events {
		if q := p.Events[i].Processor; i == 0 || q != p.Events[i-1].Processor {
			first[q] = i
			processors = append(processors, q)
		}
		end = max(end, p.Events[i].End)
	}
	if end == 0 {
		return
	}
	weight := p.Weight * p.Span / end
	at := -1 // processor
	for now := end; now > 0; {
		next, turn := -1, -1
		for k, q := range processors {
			beyond := len(p.Events)
			if k+1 < len(processors) {
				beyond = first[processors[k+1]]
			}
			all := p.Events[first[q]:beyond]
			for i := sort.Search(len(all), func(i int) bool { return all[i].End > now }) - 1; i >= 0 && all[i].End == now; i-- {
				if all[i].Kind == table.LockWait {
					if all[i].Section >= 0 && all[i].Start < now {
						turn = first[q] + i
					}
				} else if all[i].Start < now { // steps too short for a clock that has come far take none
					if next < 0 || q == at {
						next = first[q] + i
					}
					break
				}
			}
		}
		if next < 0 {
			next = turn
		}
		if next < 0 {
			return // no such row is played
		}
		ev := &p.Events[next]
		visit(ev, weight)
		at, now = ev.Processor, ev.Start
	}
}
