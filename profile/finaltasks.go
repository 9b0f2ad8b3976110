package profile

// This file asks what would be if tasks were final from a depth on.

import (
	"slices"

	"pathspan/ir"
)

// WithFinalTasks returns the bundle as if all tasks so deep were final: what they make runs
// where it is made, and waits for nothing. A task that a section makes is of depth 1, as is
// one that a section of a region inside of a task makes. Only executions know tasks. It
// reports false where the bundle keeps none.
func (b *Bundle) WithFinalTasks(depth int) (*Bundle, bool) {
	x := b.Executions
	if x == nil || !slices.ContainsFunc(x.Entries, func(e Execution) bool { return e.OfTasks }) {
		return b, false
	}
	f := &finalTasks{p: b.Program, from: x, depth: depth, became: map[[2]int]int{}, undeferred: map[int]int{}}
	roots := map[int]uint64{}
	for _, r := range x.Roots {
		roots[f.put(r.Entry, 0)] += r.Count
	}
	to := *x
	to.Entries, to.Roots = f.entries, nil
	trees := make([]tree, len(f.entries)) // for their counts
	for i := range f.entries {
		trees[i].roots = roots[i]
		if roots[i] > 0 {
			to.Roots = append(to.Roots, ExecutionRoot{i, roots[i]})
		}
		for _, lane := range f.entries[i].Lanes {
			var parts []treePart
			for _, p := range lane {
				parts = append(parts, treePart{child: p.Entry, times: p.Times})
			}
			trees[i].lanes = append(trees[i].lanes, parts)
		}
	}
	countTrees(trees)
	for i := range trees {
		to.Entries[i].Count = trees[i].count
	}
	out := *b
	out.Executions = &to
	return &out, true
}

type finalTasks struct {
	p          *ir.Program
	from       *Executions
	depth      int
	entries    []Execution
	became     map[[2]int]int // by entry and tasks around it
	undeferred map[int]int    // by new entry of a task: the entry that executes it at once
}

// put returns what an entry became with so many tasks around it, of which the last is final
// where they are as many as the depth.
func (f *finalTasks) put(i, around int) int {
	key := [2]int{i, around}
	if n, ok := f.became[key]; ok {
		return n
	}
	e := f.from.Entries[i]
	if task, _ := e.Task(f.p); !e.OfTasks {
		around = 0
	} else if task >= 0 {
		around = min(around+1, f.depth)
	}
	lanes := make([][]ExecutionPart, len(e.Lanes))
	for l, lane := range e.Lanes {
		for _, p := range lane {
			lanes[l] = append(lanes[l], f.part(p, around))
		}
	}
	e.Lanes = lanes
	n := f.add(e)
	f.became[key] = n
	return n
}

func (f *finalTasks) add(e Execution) int {
	f.entries = append(f.entries, e)
	return len(f.entries) - 1
}

// part is what a part became.
func (f *finalTasks) part(p ExecutionPart, around int) ExecutionPart {
	if p.Entry < 0 {
		return p
	}
	in := &f.from.Entries[p.Entry]
	task, form := in.Task(f.p)
	if !in.OfTasks || around < f.depth || form == ir.Undeferred || form == ir.Piece {
		p.Entry = f.put(p.Entry, around)
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
		p.Entry = f.atOnce(f.put(held, around))
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
func (f *finalTasks) atOnce(task int) int {
	n, ok := f.undeferred[task]
	if !ok {
		none := make([]float64, len(f.from.Kinds))
		n = f.add(Execution{Region: len(f.p.Regions), Construct: len(f.p.Tasks) + int(ir.Undeferred), OfTasks: true,
			Lanes: [][]ExecutionPart{{{Work: none, Entry: task, Times: 1}}}})
		f.undeferred[task] = n
	}
	return n
}
