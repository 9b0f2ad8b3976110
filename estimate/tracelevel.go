package estimate

// This file traces the value of one level: what evaluator.go computes, as values of a
// builder.

// tracedLevel is a level in a context, planned.
type tracedLevel[Q any] struct {
	x    *tracer[Q]
	f    *hotFunc
	hl   *hotLevel
	ls   *levelState
	deps []Q
}

// resolve finds the values that a level's tasks depend on.
func (l *tracedLevel[Q]) resolve(values []Q, parts [][]Q) {
	v := l.x.v
	for _, d := range l.hl.deps {
		switch {
		case d.hot >= 0 && v.technique == MaximalTime && l.f.cyclic && v.e.scc[v.e.hot[d.hot].fn] == v.e.scc[l.f.fn]:
			if l.x.average == nil {
				l.x.average = newTracer(v.e, v.m, PathBased, l.x.b)
			}
			l.deps = append(l.deps, l.x.average.hot(int(d.hot), l.ls.tasks[d.task]))
		case d.hot >= 0:
			l.deps = append(l.deps, l.x.hot(int(d.hot), l.ls.tasks[d.task]))
		case d.part >= 0:
			l.deps = append(l.deps, parts[d.level][d.part])
		default:
			l.deps = append(l.deps, values[d.level])
		}
	}
}

// value is the level's value per entry.
func (l *tracedLevel[Q]) value(index int, values []Q) Q {
	v, hl, ls := l.x.v, l.hl, l.ls
	each := 1 / hl.denom
	var total Q
	switch {
	case v.technique == MaximalTime:
		total, each = l.worst(), 1
	case v.technique == AverageTime:
		total = l.longest(&hl.sum, hl.groupRuns)
	default:
		total = l.paths()
	}
	sum := []Weighted[Q]{{each, total}}
	for _, o := range hl.orphans {
		if l.f.levels[o].on {
			sum = append(sum, Weighted[Q]{each, values[o]})
			continue
		}
		at := ls.tasks[v.e.Graphs[l.f.fn].LoopTask(index, o-1)]
		sum = append(sum, Weighted[Q]{each, l.x.serial(v.e.constants(v.technique)[l.f.fn].levels[o][v.kind(at)], at)})
	}
	return l.x.b.Sum(sum)
}

// partials fills the values of a level's partial traversals.
func (l *tracedLevel[Q]) partials(out []Q) {
	hl := l.hl
	if len(out) == 0 {
		return
	}
	var one Q
	switch l.x.v.technique {
	case MaximalTime:
		one = l.schedule(l.worstPart())
	case AverageTime:
		one = l.x.b.Sum([]Weighted[Q]{{1 / hl.partCount, l.longest(&hl.partSum, hl.partGroup)}})
	default:
		for r := range out {
			out[r] = l.x.b.Share(l.schedule(l.row(&hl.parts, r, hl.partRuns)))
		}
		return
	}
	one = l.x.b.Share(one)
	for r := range out {
		out[r] = one
	}
}

// cells holds the time of each task on one row of a table.
func (l *tracedLevel[Q]) cells(t *costTable, r int) []Q {
	out := make([]Q, t.tasks)
	for task := range out {
		cell, kind := r*t.tasks+task, int(l.ls.kinds[task])
		base := l.x.serial(t.base[kind][cell], l.ls.tasks[task])
		if t.first[cell] == t.first[cell+1] {
			out[task] = base
			continue
		}
		sum := []Weighted[Q]{{1, base}}
		for n := t.first[cell]; n < t.first[cell+1]; n++ {
			sum = append(sum, Weighted[Q]{t.weight[kind][n], l.deps[t.deps[n]]})
		}
		out[task] = l.x.b.Sum(sum)
	}
	return out
}

// cost is an overhead as a value.
func (l *tracedLevel[Q]) cost(o *overhead) Q {
	if o.sync {
		return l.x.b.Sync(int(o.processor))
	}
	return l.x.b.Create(int(o.processor))
}

// charge adds the overheads of the groups, as often as they run.
func (l *tracedLevel[Q]) charge(times []Q, runs func(group int32) float64) {
	for i := range l.ls.overhead {
		o := &l.ls.overhead[i]
		if n := runs(o.group); n > 0 {
			times[o.task] = l.x.b.Sum([]Weighted[Q]{{1, times[o.task]}, {n, l.cost(o)}})
		}
	}
}

// row holds the times of a row with overheads.
func (l *tracedLevel[Q]) row(t *costTable, r int, runs []bool) []Q {
	times := l.cells(t, r)
	l.charge(times, func(g int32) float64 {
		if runs[r*l.hl.groups+int(g)] {
			return 1
		}
		return 0
	})
	return times
}

// schedule returns the end of the Exit task.
func (l *tracedLevel[Q]) schedule(times []Q) Q {
	stop, available := make([]Q, len(times)), make([]Q, l.ls.taken)
	var before []Q
	for _, t := range l.ls.order {
		r := l.ls.resource[t]
		before = append(before[:0], available[r])
		for _, p := range l.hl.preds[t] {
			before = append(before, stop[p])
		}
		start := l.x.b.Max(before)
		stop[t] = l.x.b.Sum([]Weighted[Q]{{1, start}, {1, times[t]}})
		available[r] = stop[t]
	}
	return stop[len(l.hl.preds)-1]
}

// paths sums the times of all paths of a level.
func (l *tracedLevel[Q]) paths() Q {
	var sum []Weighted[Q]
	if !l.ls.parallel {
		for _, q := range l.cells(&l.hl.sum, 0) {
			sum = append(sum, Weighted[Q]{1, q})
		}
		return l.x.b.Sum(sum)
	}
	for c, count := range l.hl.count {
		sum = append(sum, Weighted[Q]{count, l.schedule(l.row(&l.hl.class, c, l.hl.runs))})
	}
	return l.x.b.Sum(sum)
}

// longest schedules a sum over paths.
func (l *tracedLevel[Q]) longest(sum *costTable, runs []float64) Q {
	times := l.cells(sum, 0)
	l.charge(times, func(g int32) float64 { return runs[g] })
	return l.schedule(times)
}

// worst schedules the largest times of each part of an execution.
func (l *tracedLevel[Q]) worst() Q {
	var sum []Weighted[Q]
	for _, half := range halves {
		n := l.hl.passes(half)
		if n == 0 {
			continue
		}
		tasks := l.hl.maximum.tasks
		pieces := make([][][]Q, l.hl.starts) // [start][task]: times on its paths
		for c := range l.hl.count {
			if l.hl.ends[c]&half == 0 {
				continue
			}
			start := l.hl.start[c]
			if pieces[start] == nil {
				pieces[start] = make([][]Q, tasks)
			}
			for task, q := range l.row(&l.hl.maximum, c, l.hl.runs) {
				pieces[start][task] = append(pieces[start][task], q)
			}
		}
		times := make([]Q, tasks)
		for task := range times {
			var all []Weighted[Q]
			for _, p := range pieces {
				if p != nil {
					all = append(all, Weighted[Q]{1, l.x.b.Max(p[task])})
				}
			}
			times[task] = l.x.b.Sum(all)
		}
		sum = append(sum, Weighted[Q]{n, l.schedule(times)})
	}
	return l.x.b.Sum(sum)
}

// worstPart holds the largest times of the partial traversals.
func (l *tracedLevel[Q]) worstPart() []Q {
	t := &l.hl.maximumPart
	all := make([][]Q, t.tasks)
	for r := range t.rows {
		for task, q := range l.row(t, r, l.hl.partRuns) {
			all[task] = append(all[task], q)
		}
	}
	times := make([]Q, t.tasks)
	for task := range times {
		times[task] = l.x.b.Max(all[task])
	}
	return times
}
