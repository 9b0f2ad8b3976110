package table

// This file plays the rows of a table under a mapping for those who account for what the
// processors do, or draw it.

import (
	"slices"

	"pathspan/mapping"
)

// Played is a row as it runs under a mapping. Its slices are reused by the next one.
type Played struct {
	Execution int
	Weight    float64 // executions per execution of the program
	Span      float64 // makespan, in cycles of processor 0
	Forks     bool    // a section runs on another processor than the serial one
	// Mean is set where the row says only on average what is inside its sections. What that
	// does, and its overheads, are then in Busy and Overhead alone.
	Mean bool
	// Busy is what each processor works, Overhead what it spends on tasks, by processor.
	Busy, Overhead []float64
	// Events are what the processors do, each processor's in order of time. Where a row says
	// only on average what is inside its sections, that counts as the section's work.
	Events []Event
}

// Play visits every row. The error is that of a recursion without an end.
func (v *Valuer) Play(m *mapping.Resolved, visit func(p *Played)) error {
	v.set(m)
	for i := range v.t.stages {
		if err := v.playStage(&v.t.stages[i], visit); err != nil {
			return err
		}
	}
	return nil
}

// playStage visits the rows of a construct.
func (v *Valuer) playStage(u *stage, visit func(p *Played)) error {
	p := &Played{Busy: make([]float64, len(v.t.KindOf)), Overhead: make([]float64, len(v.t.KindOf))}
	watch := func(e Event) {
		if e.Kind == Joining { // which combining goes ahead of
			x := &v.t.executions[e.Execution]
			if c := v.t.combines(x.region, x.construct, e.Processor) * x.runs; c > 0 {
				first := e
				first.Kind, first.End = Combining, min(e.End, e.Start+c)
				e.Start = first.End
				p.Events = append(p.Events, first)
				p.Overhead[e.Processor] += first.End - first.Start
			}
			if e.Start == e.End {
				return
			}
		}
		p.Events = append(p.Events, e)
		switch e.Kind {
		case Work:
			p.Busy[e.Processor] += e.End - e.Start
		case LockWait:
		default:
			p.Overhead[e.Processor] += e.End - e.Start
		}
	}
	flat := v.flat(u)
	for _, root := range u.rows {
		r := v.t.Roots[root]
		p.Execution, p.Weight, p.Forks, p.Events = r.Execution, r.Weight, v.forks(r.Execution), p.Events[:0]
		clear(p.Busy)
		clear(p.Overhead)
		if p.Mean = !flat && !v.t.exact[r.Execution]; !p.Mean {
			v.sim.watch, v.tasks.watch = watch, watch
			var err error
			if v.spreadsTasks(r.Execution) {
				p.Span, err = v.tasks.run(r.Execution)
			} else {
				p.Span, err = v.sim.run(r.Execution)
			}
			if v.sim.watch, v.tasks.watch = nil, nil; err != nil {
				return err
			}
		} else {
			var err error
			if p.Span, err = v.mean.play(r.Execution, p); err != nil {
				return err
			}
		}
		slices.SortStableFunc(p.Events, func(a, b Event) int { return a.Processor - b.Processor })
		visit(p)
	}
	return nil
}

// forks reports whether a section of an execution that is met outside of all sections
// runs on another processor.
func (v *Valuer) forks(execution int) bool {
	x := &v.t.executions[execution]
	if v.spreadsTasks(execution) {
		return true
	}
	proc, _ := v.placed(int(x.region), int(x.construct))
	for s := range x.lanes {
		if v.t.lanes[x.first+s].parts > 0 && proc[s] != v.m.Serial {
			return true
		}
	}
	return false
}
