package estimate

// This file makes rows of tasks. What the profile keeps of a lane with tasks becomes the same
// lane in the table; work that a task does is priced as that of the section that led to it,
// so that the section with all its tasks takes what the paths say on average.

import (
	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/pathprof"
)

// owner is whose work an entry of tasks is: the section that led to it.
type owner struct{ region, construct, section int }

// taskKey is an entry of tasks inside of a section, whose works take so many times as long.
type taskKey struct {
	entry  int
	longer float64
	owner
}

// parts are those of a lane that a section does, or a task that it led to.
func (m *executionRows) parts(lane []pathprof.ExecutionPart, longer float64, inside func(entry int) int, of owner) []table.Part {
	out := make([]table.Part, 0, len(lane))
	for i := range lane {
		p := &lane[i]
		part := table.Part{Set: -1, Own: make([]float64, len(m.e.kinds))}
		for k := range part.Own {
			for w, price := range m.prices[k][of.region][of.construct][of.section] {
				part.Own[k] += price * p.Work[w]
			}
			part.Own[k] *= longer
		}
		x := -1
		if p.Entry >= 0 && m.x.Entries[p.Entry].OfTasks {
			x = m.task(p.Entry, longer, inside, of)
		} else if p.Entry >= 0 {
			x = inside(p.Entry)
		}
		if x >= 0 {
			part.Set, part.Times = m.builder.Only(x), float64(p.Times)
		} else {
			for k := range part.Own {
				part.Own[k] *= float64(p.Times)
			}
		}
		out = append(out, part)
	}
	return out
}

// task returns the execution of an entry of tasks, -1 for what is nothing.
func (m *executionRows) task(entry int, longer float64, inside func(entry int) int, of owner) int {
	key := taskKey{entry, longer, of}
	if x, ok := m.tasks[key]; ok {
		return x
	}
	if m.tasks == nil {
		m.tasks = map[taskKey]int{}
	}
	x := m.makeTask(&m.x.Entries[entry], longer, inside, of)
	m.tasks[key] = x
	return x
}

func (m *executionRows) makeTask(x *pathprof.Execution, longer float64, inside func(entry int) int, of owner) int {
	task, form := x.Task(m.e.Bundle.Program)
	if task >= 0 {
		return m.builder.Task(table.Deferred, nil, m.parts(x.Lanes[0], longer, inside, of))
	}
	lane := func(lane int) []table.Part { return m.parts(x.Lanes[lane], longer, inside, of) }
	// held is the lane of the task that an entry holds, where that is kept: else the task is
	// work of the entry.
	held := func(l int) []table.Part {
		if parts := x.Lanes[l]; len(parts) == 1 && parts[0].Entry >= 0 {
			if in := &m.x.Entries[parts[0].Entry]; in.OfTasks && len(in.Lanes) == 1 {
				return m.parts(in.Lanes[0], longer, inside, of)
			}
		}
		return lane(l)
	}
	switch form {
	case ir.Undeferred:
		return m.builder.Task(table.Undeferred, nil, held(0))
	case ir.Dependent:
		waits := m.x.WaitsFor(x, m.e.Bundle.Program)
		if parts := x.Lanes[1]; len(parts) == 1 && parts[0].Entry >= 0 && len(m.x.Entries[parts[0].Entry].Lanes) == 0 {
			return m.builder.Task(table.WaitFor, waits, nil)
		} else if len(parts) == 1 && parts[0].Entry < 0 {
			return m.builder.Task(table.Piece, nil, lane(1)) // it was cut: work of the lane around it
		}
		return m.builder.Task(table.Deferred, waits, held(1))
	case ir.Piece:
		return m.builder.Task(table.Piece, nil, lane(0))
	case ir.Waited:
		return m.builder.Task(table.Wait, nil, nil)
	case ir.GroupBegun:
		return m.builder.Task(table.GroupBegin, nil, nil)
	case ir.GroupEnded:
		return m.builder.Task(table.GroupEnd, nil, nil)
	}
	return -1
}

// taskAlone returns what an entry of tasks takes with all that is inside it on one processor,
// by kind.
func (m *executionRows) taskAlone(entry int, of owner) []float64 {
	key := taskKey{entry, 1, of}
	if known, ok := m.tasksTook[key]; ok {
		return known
	}
	if m.tasksTook == nil {
		m.tasksTook = map[taskKey][]float64{}
	}
	out := make([]float64, len(m.e.kinds))
	for _, lane := range m.x.Entries[entry].Lanes {
		for i := range lane {
			p := &lane[i]
			for k := range out {
				for w, price := range m.prices[k][of.region][of.construct][of.section] {
					out[k] += price * p.Work[w] * float64(p.Times)
				}
			}
			if p.Entry >= 0 && m.x.Entries[p.Entry].OfTasks {
				add(out, m.taskAlone(p.Entry, of), float64(p.Times))
			} else if p.Entry >= 0 {
				add(out, m.alone(p.Entry), float64(p.Times))
			}
		}
	}
	m.tasksTook[key] = out
	return out
}
