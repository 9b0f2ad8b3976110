package profile

// This file asks what would be if fewer tasks were made: final ones from a depth on, small ones
// where they are made, or several as one.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
)

// TaskCutOff says which tasks a program would not make.
type TaskCutOff struct {
	// Final is the depth from which tasks are final: what they make runs where it is made, and
	// waits for nothing. A task that a section makes is of depth 1, as is one that a section of
	// a region inside of a task makes. 0 is none.
	Final int
	// Grain is how many tasks of a place that are made one after the other are one, as where a
	// taskloop has so many times the grain size; below 2, each is its own.
	Grain int
	// Least is how many instructions a task with all that it makes must execute, on average
	// over those of its entry, so that it is not run where it is made.
	Least float64
}

// WithTaskCutOff returns the bundle as if its tasks were cut off. Only executions know tasks.
// Where some wait for elder siblings, the depth alone counts among these siblings. It reports false
// where the bundle keeps no tasks.
func (b *Bundle) WithTaskCutOff(c TaskCutOff) (*Bundle, bool) {
	x := b.Executions
	if x == nil || !slices.ContainsFunc(x.Entries, func(e Execution) bool { return e.OfTasks }) {
		return b, false
	}
	if c.Final == 0 {
		c.Final = math.MaxInt
	}
	f := &cutOff{TaskCutOff: c, p: b.Program, from: x, became: map[[2]int]int{}, undeferred: map[int]int{}, joined: map[string]int{}}
	f.measure()
	roots := map[int]uint64{}
	for _, r := range x.Roots {
		roots[f.put(r.Entry, 0, false)] += r.Count
	}
	trees := make([]tree, len(f.entries)) // for their counts
	for i := range f.entries {
		trees[i].roots = roots[i]
		for _, lane := range f.entries[i].Lanes {
			var parts []treePart
			for _, p := range lane {
				parts = append(parts, treePart{child: p.Entry, times: p.Times})
			}
			trees[i].lanes = append(trees[i].lanes, parts)
		}
	}
	countTrees(trees)
	to := *x
	to.Entries, to.Roots = nil, nil
	number := make([]int, len(f.entries))
	for i, e := range f.entries {
		if e.Count = trees[i].count; e.Count == 0 { // it is a part of others now
			continue
		}
		number[i] = len(to.Entries)
		for _, lane := range e.Lanes {
			for k := range lane {
				if lane[k].Entry >= 0 {
					lane[k].Entry = number[lane[k].Entry]
				}
			}
		}
		to.Entries = append(to.Entries, e)
		if roots[i] > 0 {
			to.Roots = append(to.Roots, ExecutionRoot{number[i], roots[i]})
		}
	}
	out := *b
	out.Executions = &to
	return &out, true
}

type cutOff struct {
	TaskCutOff
	p          *ir.Program
	from       *Executions
	entries    []Execution
	became     map[[2]int]int // by entry and tasks around it
	undeferred map[int]int    // by new entry of a task: the entry that executes it at once
	joined     map[string]int // entries of several tasks, by what they are made of
	work       []float64      // by entry: instructions, with all that is inside
	waits      []bool         // by entry: in a lane of its own something waits for elder siblings
}

// measure finds what entries do. Those inside of others come first.
func (f *cutOff) measure() {
	f.work, f.waits = make([]float64, len(f.from.Entries)), make([]bool, len(f.from.Entries))
	for i := range f.from.Entries {
		for _, lane := range f.from.Entries[i].Lanes {
			for _, p := range lane {
				n := 0.0
				for _, x := range p.Work {
					n += x
				}
				if p.Entry >= 0 {
					n += f.work[p.Entry]
					if in := &f.from.Entries[p.Entry]; in.OfTasks {
						_, form := in.Task(f.p)
						f.waits[i] = f.waits[i] || form == ir.Dependent || form == ir.Piece && f.waits[p.Entry]
					}
				}
				f.work[i] += n * float64(p.Times)
			}
		}
	}
}

// put returns what an entry became with so many tasks around it, of which the last is final
// where they are as many as the depth.
func (f *cutOff) put(i, around int, waits bool) int {
	key := [2]int{2 * i, around}
	if waits {
		key[0]++
	}
	if n, ok := f.became[key]; ok {
		return n
	}
	e := f.from.Entries[i]
	task, form := e.Task(f.p)
	if !e.OfTasks {
		around = 0
	} else if task >= 0 && f.Final < math.MaxInt {
		around = min(around+1, f.Final)
	}
	switch {
	case !e.OfTasks || task >= 0:
		waits = f.waits[i]
	case form == ir.Undeferred || form == ir.Dependent: // what they hold is told of already
		waits = true
	}
	lanes := make([][]ExecutionPart, len(e.Lanes))
	for l, lane := range e.Lanes {
		j := joiner{cutOff: f, grain: uint64(max(f.Grain, 1))}
		if waits {
			j.grain = 1
		}
		for _, p := range lane {
			j.add(f.part(p, around, waits))
		}
		j.flush()
		lanes[l] = j.out
	}
	e.Lanes = lanes
	n := f.add(e)
	f.became[key] = n
	return n
}

func (f *cutOff) add(e Execution) int {
	f.entries = append(f.entries, e)
	return len(f.entries) - 1
}

// of makes an entry of a form, or a task, with one lane.
func (f *cutOff) of(construct int, lane ...ExecutionPart) int {
	return f.add(Execution{Region: len(f.p.Regions), Construct: construct, OfTasks: true, Lanes: [][]ExecutionPart{lane}})
}

// nothing is no work.
func (f *cutOff) nothing() []float64 { return make([]float64, len(f.from.Kinds)) }

// joiner makes a lane of which tasks of a place that follow each other are one.
type joiner struct {
	*cutOff
	grain  uint64
	out    []ExecutionPart
	task   int // of those that wait to be joined
	n      uint64
	before []float64       // what their maker does before each, together
	pieces []ExecutionPart // their lanes
}

func (j *joiner) add(p ExecutionPart) {
	task := -1
	if p.Entry >= 0 && j.entries[p.Entry].OfTasks {
		task, _ = j.entries[p.Entry].Task(j.p)
	}
	if task < 0 || j.grain == 1 {
		j.flush()
		j.out = append(j.out, p)
		return
	}
	if task != j.task {
		j.flush()
	}
	j.task = task
	for left := p.Times; left > 0; {
		if all := left / j.grain; j.n == 0 && all > 0 {
			j.take(p, j.grain)
			j.end(all)
			left -= all * j.grain
			continue
		}
		n := min(left, j.grain-j.n)
		j.take(p, n)
		if left -= n; j.n == j.grain {
			j.end(1)
		}
	}
}

// take adds so many tasks of a part to those that are joined.
func (j *joiner) take(p ExecutionPart, n uint64) {
	if j.n == 0 {
		j.before = j.nothing()
	}
	for k := range j.before {
		j.before[k] += p.Work[k] * float64(n)
	}
	j.n += n
	j.pieces = append(j.pieces, ExecutionPart{Work: j.nothing(), Entry: p.Entry, Times: n})
}

// end makes one task of those that are joined, so many times.
func (j *joiner) end(times uint64) {
	task := j.pieces[0].Entry
	if j.n > 1 {
		key := ""
		for _, p := range j.pieces {
			key += fmt.Sprintln(p.Entry, p.Times)
		}
		known, ok := j.joined[key]
		if !ok {
			lane := slices.Clone(j.pieces)
			for i := range lane {
				lane[i].Entry = j.of(len(j.p.Tasks)+int(ir.Piece), slices.Clone(j.entries[lane[i].Entry].Lanes[0])...)
			}
			known = j.of(j.task, lane...)
			j.joined[key] = known
		}
		task = known
	}
	j.out = append(j.out, ExecutionPart{Work: j.before, Entry: task, Times: times})
	j.n, j.pieces = 0, nil
}

func (j *joiner) flush() {
	if j.n > 0 {
		j.end(1)
	}
}

// part is what a part became.
func (f *cutOff) part(p ExecutionPart, around int, waits bool) ExecutionPart {
	if p.Entry < 0 {
		return p
	}
	in := &f.from.Entries[p.Entry]
	task, form := in.Task(f.p)
	if in.OfTasks && task >= 0 && !waits && f.work[p.Entry] < f.Least && around < f.Final {
		p.Entry = f.atOnce(f.put(p.Entry, around, waits))
		return p
	}
	if !in.OfTasks || around < f.Final || form == ir.Undeferred || form == ir.Piece {
		p.Entry = f.put(p.Entry, around, waits)
		return p
	}
	held := p.Entry
	if form == ir.Dependent {
		if lane := in.Lanes[1]; len(lane) == 1 && lane[0].Entry >= 0 && f.from.Entries[lane[0].Entry].OfTasks {
			held = lane[0].Entry
			task, _ = f.from.Entries[held].Task(f.p)
		}
	}
	if task >= 0 {
		p.Entry = f.atOnce(f.put(held, around, waits))
		return p
	}
	// There is nothing to wait for.
	p.Work = slices.Clone(p.Work)
	for k := range p.Work {
		p.Work[k] *= float64(p.Times)
		if form == ir.Dependent { // a task that was cut
			for _, q := range in.Lanes[1] {
				p.Work[k] += q.Work[k] * float64(q.Times) * float64(p.Times)
			}
		}
	}
	p.Entry, p.Times = -1, 1
	return p
}

// atOnce returns the entry that executes a task at once.
func (f *cutOff) atOnce(task int) int {
	n, ok := f.undeferred[task]
	if !ok {
		n = f.of(len(f.p.Tasks)+int(ir.Undeferred), ExecutionPart{Work: f.nothing(), Entry: task, Times: 1})
		f.undeferred[task] = n
	}
	return n
}
