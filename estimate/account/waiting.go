package account

// This file charges the time in which processors wait to what they wait for.

import (
	"sort"

	"pathspan/estimate/table"
)

// wait goes back from the end of a row along what it waited for, which leaves no time out.
// What the processors could have done meanwhile is charged to the section with which a
// processor's share of an execution ends. It is serial where that runs what stays on one
// processor.
func (b *booking) wait(rows *table.Table, p *table.Played) {
	w := newWatch(p, b)
	critical(p, func(e *table.Event, _ float64) {
		if w.run != nil && (e.Processor != w.run[0].Processor || e.Execution != w.run[0].Execution) {
			w.flush(rows)
		}
		w.run = append(w.run, e)
	})
	w.flush(rows)
}

// watch is a row being gone through.
type watch struct {
	b     *booking
	p     *table.Played
	waits []*table.Event // for locks; they are none of the row's events
	first []int          // by processor, and one more: index of its first event
	spent []float64      // by event: time of those before on its processor
	run   []*table.Event // of one execution on one processor, latest first
}

func newWatch(p *table.Played, b *booking) *watch {
	w := &watch{b: b, first: make([]int, len(b.speed)+1), spent: make([]float64, len(p.Events))}
	busy := *p
	busy.Events = nil
	for i := range p.Events {
		if e := &p.Events[i]; e.Kind == table.LockWait {
			w.waits = append(w.waits, e)
		} else {
			busy.Events = append(busy.Events, *e)
		}
	}
	p = &busy
	w.p = p
	for i := range p.Events {
		q := p.Events[i].Processor
		w.first[q+1] = i + 1
		if i > 0 && p.Events[i-1].Processor == q {
			w.spent[i] = w.spent[i-1] + p.Events[i-1].End - p.Events[i-1].Start
		}
	}
	for q := range b.speed {
		w.first[q+1] = max(w.first[q+1], w.first[q])
	}
	return w
}

// ended returns the place behind the events of a processor that end by t.
func (w *watch) ended(q int, t float64) int {
	from := w.first[q]
	return from + sort.Search(w.first[q+1]-from, func(i int) bool { return w.p.Events[from+i].End > t })
}

// busy returns how long a processor has worked by t.
func (w *watch) busy(q int, t float64) float64 {
	i := w.ended(q, t)
	switch {
	case i < w.first[q+1]:
		return w.spent[i] + max(0, t-w.p.Events[i].Start)
	case i > w.first[q]:
		return w.spent[i-1] + w.p.Events[i-1].End - w.p.Events[i-1].Start
	}
	return 0
}

// flush books what the processors could have done during a run of events, which is latest
// first.
func (w *watch) flush(rows *table.Table) {
	section := -1
	for _, e := range w.run {
		if e.Kind == table.Work {
			section = e.Section
			break
		}
	}
	for _, e := range w.run {
		idle := 0.0
		for q, speed := range w.b.speed {
			if speed > 0 {
				idle += speed * (e.End - e.Start - (w.busy(q, e.End) - w.busy(q, e.Start)))
			}
		}
		for _, x := range w.waits {
			if lost := min(e.End, x.End) - max(e.Start, x.Start); lost > 0 {
				lost *= w.b.speed[x.Processor]
				w.b.book(Waiting, lockAt(x.Lock), w.p.Weight*lost)
				idle -= lost
			}
		}
		if idle <= 1e-12*w.b.ideal*w.p.Span {
			continue
		}
		if e.Kind == table.Fetch || e.Kind == table.Contend { // which all wait for
			w.b.book(overheadOf(e.Kind), place(rows, e.Execution, -1), w.p.Weight*idle)
			continue
		}
		kept := 0.0
		if e.Kept > 0 {
			kept = idle * min(1, e.Kept/(e.End-e.Start))
		}
		w.b.lost(rows, w.p, e, section, kept, idle-kept)
	}
	w.run = nil
}

// lost books idle time: kept is that beside what stays on one processor.
func (b *booking) lost(rows *table.Table, p *table.Played, e *table.Event, section int, kept, rest float64) {
	switch {
	case kept > 0 && e.Single:
		b.book(Single, place(rows, e.Execution, -1), p.Weight*kept)
	case kept > 0:
		b.book(NestedSerial, place(rows, e.Execution, e.Section), p.Weight*kept)
	}
	if rest > 0 {
		b.book(Imbalance, place(rows, e.Execution, section), p.Weight*rest)
	}
}

// waitOnAverage charges the waiting in a row of which nobody knows when what is inside its
// sections runs: to the section that ends last.
func (b *booking) waitOnAverage(rows *table.Table, p *table.Played) {
	idle := b.ideal * p.Span
	for q, speed := range b.speed {
		idle -= speed * (p.Busy[q] + p.Overhead[q])
	}
	var last *table.Event
	for i := range p.Events {
		if e := &p.Events[i]; e.Kind == table.Work && (last == nil || e.End > last.End) {
			last = e
		}
	}
	if last == nil || idle <= 1e-12*b.ideal*p.Span {
		return
	}
	all, kept := 0.0, 0.0
	for i := range p.Events {
		if e := &p.Events[i]; e.Kind == table.Work && e.Processor == last.Processor {
			all, kept = all+e.End-e.Start, kept+e.Kept
		}
	}
	if last.Single {
		kept *= b.ideal - 1
	} else {
		kept *= idle / all
	}
	kept = min(kept, idle)
	b.lost(rows, p, last, last.Section, kept, idle-kept)
}
