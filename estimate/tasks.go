package estimate

// This file makes rows of tasks. What the profile keeps of a lane with tasks becomes the same
// lane in the table. Work is priced by whose code did it: the section's or the task's; then
// all is scaled, so that the section with all its tasks takes what the paths say on average.

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/profile"
)

// codeOf stands for a task in Analysis.codes.
func codeOf(task int) lane { return lane{-1, task, 0} }

// entriesOfTasks finds the functions that tasks are.
func (a *Analysis) entriesOfTasks() map[int]lane {
	out := map[int]lane{}
	for fn, task := range a.Bundle.Program.TaskEntries() {
		out[fn] = codeOf(task)
	}
	return out
}

// owner is whose work an entry of tasks is: the section that led to it, and the task in it
// that does it, -1 for the section itself.
type owner struct{ region, construct, section, task int }

// pricesIn are prices of work in a section: by kind of processor, task from 1 (0 for the
// section itself), and kind of work.
type pricesIn [][][]float64

// price returns the prices of an owner's work, by kind of processor and of work.
func (m *executionRows) price(of owner) func(kind int) []float64 {
	if len(m.e.Bundle.Program.Tasks) == 0 {
		return func(kind int) []float64 { return m.prices[kind][of.region][of.construct][of.section] }
	}
	all := m.pricesIn(lane{of.region, of.construct, of.section})
	return func(kind int) []float64 { return all[kind][1+of.task] }
}

// pricesIn finds the prices of a section and of the tasks that it makes: those under which
// the blocks of each cost most nearly what the model says, and where no task makes others, one of which all
// executions are kept costs for the work that paths say of its function what they say that it takes, which
// both average what it calls; times what makes all that the
// section did take as long as by the section's own prices, which the paths know. Where a
// section does nothing but its own code, those are the prices.
func (m *executionRows) pricesIn(l lane) pricesIn {
	if p, ok := m.pricesOf[l]; ok {
		return p
	}
	if m.pricesOf == nil {
		m.pricesOf = map[lane]pricesIn{}
	}
	works, times := m.worksIn(l)
	entries, made, nested := map[int]int{}, m.e.Bundle.Program.TaskEntries(), false // functions of tasks; whether some make tasks
	for fn := range made {
		nested = nested || m.e.makes(fn, made)
	}
	for fn, task := range made {
		if _, ok := entries[task]; ok || !m.e.Ran(fn) || nested || math.Abs(times[task]-m.e.calls[fn]) > 0.5 {
			times[task] = 0 // it is several, or not all of it is there
		}
		entries[task] = fn
	}
	var out pricesIn
	for k := range m.e.kinds {
		usual := m.prices[k][l.region][l.construct][l.section]
		codes := [][]float64{usual}
		for range m.e.Bundle.Program.Tasks {
			codes = append(codes, usual)
		}
		if len(works) > 1 {
			want, have := 0.0, 0.0
			for _, task := range slices.Sorted(maps.Keys(works)) {
				work, code := works[task], codeOf(task)
				if task < 0 {
					code = l
				}
				codes[1+task] = m.e.leastSquares(k, m.e.codes[code])
				if fn, ok := entries[task]; ok && times[task] > 0 {
					if took := floats.Dot(m.e.workSerial[fn].levels[0], codes[1+task]); took > 0 {
						floats.Scale(m.e.serial[fn].levels[0][k]/took, codes[1+task])
					}
				}
				for w := range work {
					want, have = want+work[w]*usual[w], have+work[w]*codes[1+task][w]
				}
			}
			for task := range works { // each on its own
				for w := range codes[1+task] {
					if have > 0 {
						codes[1+task][w] *= want / have
					}
				}
			}
		}
		out = append(out, codes)
	}
	m.pricesOf[l] = out
	return out
}

// makes reports whether what a function calls is tasks, which what paths say of it has in it.
func (e *Estimator) makes(fn int, tasks map[int]int) bool {
	seen := map[int]bool{fn: true}
	var leads func(fn int) bool
	leads = func(fn int) bool {
		return e.Bundle.Funcs[fn] != nil && slices.ContainsFunc(e.funcs[fn].calls, func(of []call) bool {
			return slices.ContainsFunc(of, func(c call) bool {
				if _, ok := tasks[c.callee]; ok {
					return true
				}
				old := seen[c.callee]
				seen[c.callee] = true
				return !old && leads(c.callee)
			})
		})
	}
	return leads(fn)
}

// worksIn sums up the work of all executions of a section: of itself, at -1, and of the tasks
// that it led to, with how many executions of these there are; 0 of those that something else is in. What regions inside do is
// left out.
func (m *executionRows) worksIn(l lane) (out map[int][]float64, times map[int]float64) {
	out, times = map[int][]float64{}, map[int]float64{}
	holds := map[int]bool{}
	often := map[[2]int]float64{} // of entries of tasks, and whose code pieces of them are
	add := func(parts []profile.ExecutionPart, task int, times float64) {
		for i := range parts {
			p := &parts[i]
			if out[task] == nil {
				out[task] = make([]float64, len(m.x.Kinds))
			}
			for w, x := range p.Work {
				out[task][w] += times * float64(p.Times) * x
			}
			if p.Entry >= 0 && m.x.Entries[p.Entry].OfTasks {
				often[[2]int{p.Entry, task}] += times * float64(p.Times)
			}
			holds[task] = holds[task] || p.Entry >= 0
		}
	}
	for i := len(m.x.Entries) - 1; i >= 0; i-- { // what holds others stands behind them
		x := &m.x.Entries[i]
		switch {
		case !x.OfTasks && x.Region == l.region && x.Construct == l.construct:
			add(x.Lanes[l.section], -1, float64(x.Count))
		case x.OfTasks:
			for task := -1; task < len(m.e.Bundle.Program.Tasks); task++ {
				n, ok := often[[2]int{i, task}]
				if !ok {
					continue
				}
				code := task
				if own, _ := x.Task(m.e.Bundle.Program); own >= 0 {
					code = own
					times[own] += n
				}
				for _, parts := range x.Lanes {
					add(parts, code, n)
				}
			}
		}
	}
	for task := range times {
		if holds[task] {
			times[task] = 0
		}
	}
	return out, times
}

// taskKey is an entry of tasks inside of a section, whose works take so many times as long.
type taskKey struct {
	entry  int
	longer float64
	owner
}

// parts are those of a lane that a section does, or a task that it led to.
func (m *executionRows) parts(lane []profile.ExecutionPart, longer float64, inside func(entry int) int, of owner) []table.Part {
	out := make([]table.Part, 0, len(lane))
	price, in := m.price(of), laneOf{of.region, of.construct, of.section}
	ownOf := func(p *profile.ExecutionPart) []float64 {
		own, work := make([]float64, len(m.e.kinds)), m.work(p)
		for k := range own {
			for w, x := range price(k) {
				own[k] += x * work[w]
			}
			own[k] *= longer
		}
		return own
	}
	updates := m.updatesIn(lane)
	for i := 0; i < len(lane); i++ {
		p := &lane[i]
		if n := m.together(lane[i:]); n > 0 {
			var of []updated
			for j := range lane[i : i+n] {
				p := &lane[i+j]
				of = append(of, updated{stretchKey{p.Entry, in, longer, 1}, ownOf(p), p.Times})
			}
			out = m.alternate(out, of, updates, inside)
			i += n - 1
			continue
		}
		part := table.Part{Set: -1, Own: ownOf(p)}
		if p.Entry >= 0 && m.locked(p.Entry) {
			for k, dearer := range m.dearness(p.Entry, in, longer) { // so that the lane costs what it did
				part.Own[k] = max(0, part.Own[k]-dearer)
			}
			out = m.takes(out, stretchKey{p.Entry, in, longer, 1}, part.Own, p.Times, mostStretches, inside)
			continue
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

func (m *executionRows) makeTask(x *profile.Execution, longer float64, inside func(entry int) int, of owner) int {
	task, form := x.Task(m.e.Bundle.Program)
	if task >= 0 {
		of.task = task
		return m.builder.Task(table.Deferred, task, nil, m.parts(x.Lanes[0], longer, inside, of))
	}
	lane := func(lane int) []table.Part { return m.parts(x.Lanes[lane], longer, inside, of) }
	// held is the lane of the task that an entry holds, where that is kept: else the task is
	// work of the entry.
	held := func(l int) []table.Part {
		if parts := x.Lanes[l]; len(parts) == 1 && parts[0].Entry >= 0 {
			if in := &m.x.Entries[parts[0].Entry]; in.OfTasks && len(in.Lanes) == 1 {
				of := of
				if of.task, _ = in.Task(m.e.Bundle.Program); of.task < 0 {
					return lane(l)
				}
				return m.parts(in.Lanes[0], longer, inside, of)
			}
		}
		return lane(l)
	}
	switch form {
	case ir.Undeferred:
		return m.builder.Task(table.Undeferred, -1, nil, held(0))
	case ir.Dependent:
		waits := m.x.WaitsFor(x, m.e.Bundle.Program)
		if parts := x.Lanes[1]; len(parts) == 1 && parts[0].Entry >= 0 && len(m.x.Entries[parts[0].Entry].Lanes) == 0 {
			return m.builder.Task(table.WaitFor, -1, waits, nil)
		} else if len(parts) == 1 && parts[0].Entry < 0 {
			return m.builder.Task(table.Piece, -1, nil, lane(1)) // it was cut: work of the lane around it
		}
		return m.builder.Task(table.Deferred, m.heldTask(x.Lanes[1]), waits, held(1))
	case ir.Piece:
		return m.builder.Task(table.Piece, -1, nil, lane(0))
	case ir.Waited:
		return m.builder.Task(table.Wait, -1, nil, nil)
	case ir.GroupBegun:
		return m.builder.Task(table.GroupBegin, -1, nil, nil)
	case ir.GroupEnded:
		return m.builder.Task(table.GroupEnd, -1, nil, nil)
	}
	return -1
}

// heldTask tells which task of the program a lane holds that holds one, else -1.
func (m *executionRows) heldTask(lane []profile.ExecutionPart) int {
	if len(lane) == 1 && lane[0].Entry >= 0 && m.x.Entries[lane[0].Entry].OfTasks {
		task, _ := m.x.Entries[lane[0].Entry].Task(m.e.Bundle.Program)
		return task
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
	if task, _ := m.x.Entries[entry].Task(m.e.Bundle.Program); task >= 0 {
		of.task = task
	}
	price := m.price(of)
	for _, lane := range m.x.Entries[entry].Lanes {
		for i := range lane {
			p := &lane[i]
			for k := range out {
				for w, x := range price(k) {
					out[k] += x * p.Work[w] * float64(p.Times)
				}
			}
			if p.Entry >= 0 && m.x.Entries[p.Entry].OfTasks {
				add(out, m.taskAlone(p.Entry, of), float64(p.Times))
			} else if p.Entry >= 0 {
				add(out, m.aloneIn(p.Entry, laneOf{of.region, of.construct, of.section}), float64(p.Times))
			}
		}
	}
	m.tasksTook[key] = out
	return out
}
