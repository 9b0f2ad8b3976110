package estimate

// This file finds how long each processor is busy under a mapping. Busy times are sums
// over tasks, where times are maxima, so that averages over paths are exact without
// schedules.

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"pathspan/mapping"
)

// Busy returns the seconds that each processor is busy in one execution of the root
// function under a mapping, overheads included: averages over all paths. A processor that
// waits for a join is not busy.
func (e *Estimator) Busy(m *mapping.Resolved) ([]float64, error) {
	if err := e.fits(m); err != nil {
		return nil, err
	}
	b := &busy{v: newEvaluator(e), known: map[instance][]float64{}}
	b.v.reset(m, PathBased)
	var out []float64
	if h := e.hotOf[e.Root]; h < 0 {
		out = b.alone(e.serial[e.Root].levels[0], 0)
	} else {
		out = slices.Clone(b.hot(h, 0))
	}
	if b.failed {
		return nil, errors.New("estimate: the busy times of a recursive function have no solution under this mapping")
	}
	for p := range out {
		out[p] /= e.ClockMHz[0] * 1e6
	}
	return out, nil
}

// busy sums the busy times of functions, in cycles of processor 0, by processor.
type busy struct {
	v      *evaluator
	known  map[instance][]float64
	rounds []instance // those of the recursion that is being solved
	places int        // behind the processors, one for each of them
	failed bool
}

func (b *busy) none() []float64 { return make([]float64, len(b.v.e.Platform.Processors)+b.places) }

// alone returns the times of what stays on the processor of a context.
func (b *busy) alone(byKind []float64, c context) []float64 {
	out := b.none()
	out[b.v.processor(c)] = byKind[b.v.kind(c)]
	return out
}

// hot returns the times of a call of a function in a context.
func (b *busy) hot(h int, c context) []float64 {
	e, at := b.v.e, instance{h, c}
	if c > 0 && !e.funcs[e.hot[h].fn].reaches.intersects(b.v.explicit) {
		return b.alone(e.serial[e.hot[h].fn].levels[0], c)
	}
	if x, ok := b.known[at]; ok {
		return x
	}
	if !e.hot[h].cyclic {
		x := b.function(h, c)
		if b.rounds == nil { // else it may rest on values that are not settled
			b.known[at] = x
		}
		return x
	}
	b.known[at] = b.none()
	outermost := b.rounds == nil
	b.rounds = append(b.rounds, at)
	if outermost {
		b.settle()
		b.rounds = nil
	}
	return b.known[at]
}

// settle solves a recursion. The times of each of its instances are a constant and a sum
// of multiples of those of the others, the same multiples for all processors: they are
// found by giving each instance a place of its own behind the processors.
func (b *busy) settle() {
	for i := 0; i < len(b.rounds); i++ { // which grows as instances lead to others
		b.function(b.rounds[i].hot, b.rounds[i].context)
	}
	n, processors := len(b.rounds), len(b.v.e.Platform.Processors)
	b.places = n
	for i, at := range b.rounds {
		x := b.none()
		x[processors+i] = 1
		b.known[at] = x
	}
	c, o := mat.NewDense(n, n, nil), mat.NewDense(n, processors, nil)
	for i, at := range b.rounds {
		x := b.function(at.hot, at.context)
		o.SetRow(i, x[:processors])
		for k, w := range x[processors:] {
			c.Set(i, k, -w)
		}
		c.Set(i, i, 1+c.At(i, i))
	}
	b.places = 0
	var lu mat.LU
	lu.Factorize(c)
	var solved mat.Dense
	if err := lu.SolveTo(&solved, false, o); err != nil || lu.Cond() > singular || !plausible(solved.RawMatrix().Data) {
		b.failed = true
		return
	}
	for i, at := range b.rounds {
		b.known[at] = slices.Clone(solved.RawRowView(i))
	}
}

// function sums a function's levels, inner ones first.
func (b *busy) function(h int, c context) []float64 {
	// Calls reuse the evaluator's schedules, so this one's are kept aside.
	f := b.v.e.hot[h]
	levels := make([]levelBusy, len(f.levels))
	levels[0].context = c
	for i := range f.levels {
		hl, l := &f.levels[i], &levels[i]
		if !hl.on {
			continue
		}
		l.serial = l.context > 0 && !hl.regions.intersects(b.v.explicit)
		if !l.serial {
			ls := &b.v.funcs[h].levels[i]
			ls.context = l.context
			b.v.plan(hl, ls)
			l.tasks, l.overhead = slices.Clone(ls.tasks), slices.Clone(ls.overhead)
		}
		for _, in := range hl.inner {
			levels[in.level].context = l.context
			if !l.serial {
				levels[in.level].context = l.tasks[in.task]
			}
		}
	}
	for i := len(f.levels) - 1; i >= 0; i-- {
		if f.levels[i].on {
			b.level(f, levels, i)
		}
	}
	return levels[0].value
}

// levelBusy is one level of a function in a context.
type levelBusy struct {
	context  context
	serial   bool // everything stays on the context's processor
	tasks    []context
	overhead []overhead
	value    []float64
	parts    [][]float64
}

func (b *busy) level(f *hotFunc, levels []levelBusy, i int) {
	hl, l := &f.levels[i], &levels[i]
	constants := &b.v.e.serial[f.fn]
	if l.serial {
		l.value = b.alone(constants.levels[i], l.context)
		for r := range hl.parts.rows {
			l.parts = append(l.parts, b.alone(constants.parts[i][r], l.context))
		}
		return
	}
	l.value = b.row(f, levels, hl, l, &hl.sum, 0)
	for _, o := range l.overhead {
		l.value[b.v.processor(l.tasks[o.task])] += o.cycles * hl.groupRuns[o.group]
	}
	for _, o := range hl.orphans {
		if f.levels[o].on {
			add(l.value, levels[o].value, 1)
		} else {
			c := l.tasks[b.v.e.Graphs[f.fn].LoopTask(i, o-1)]
			add(l.value, b.alone(constants.levels[o], c), 1)
		}
	}
	for p := range l.value {
		l.value[p] /= hl.denom
	}
	for r := range hl.parts.rows {
		x := b.row(f, levels, hl, l, &hl.parts, r)
		for _, o := range l.overhead {
			if hl.partRuns[r*hl.groups+int(o.group)] {
				x[b.v.processor(l.tasks[o.task])] += o.cycles
			}
		}
		l.parts = append(l.parts, x)
	}
}

// row sums a row of a table.
func (b *busy) row(f *hotFunc, levels []levelBusy, hl *hotLevel, l *levelBusy, t *costTable, row int) []float64 {
	out := b.none()
	for task := range t.tasks {
		cell := row*t.tasks + task
		c := l.tasks[task]
		kind := b.v.kind(c)
		out[b.v.processor(c)] += t.base[kind][cell]
		for n := t.first[cell]; n < t.first[cell+1]; n++ {
			switch x := hl.deps[t.deps[n]]; {
			case x.hot >= 0:
				add(out, b.hot(int(x.hot), c), t.weight[kind][n])
			case x.part < 0:
				add(out, levels[x.level].value, t.weight[kind][n])
			default:
				add(out, levels[x.level].parts[x.part], t.weight[kind][n])
			}
		}
	}
	return out
}

func add(to, x []float64, w float64) {
	for i := range x { // values from outside a recursion have no places behind
		to[i] += x[i] * w
	}
}

// BusySeconds adds the busy time of each processor to out, one entry a processor; for a
// general unit of a recursion without solution they are infinite.
func (f *Fast) BusySeconds(out []float64) {
	s := f.s
	if s.general < 0 {
		out[s.Serial] += s.base * s.seconds
	}
	for i := range s.Units {
		f.UnitBusySeconds(i, out)
	}
}

// UnitBusySeconds adds what a unit contributes to BusySeconds. It allocates for the
// general unit only.
func (f *Fast) UnitBusySeconds(unit int, out []float64) {
	s := f.s
	if unit == s.general {
		f.refresh()
		x, err := s.e.Busy(f.m)
		for p := range out {
			if err != nil {
				out[p] = math.Inf(1)
			} else {
				out[p] += x[p]
			}
		}
		out[s.Serial] -= s.atRest * s.seconds
		return
	}
	st, t := &f.units[unit], &s.tables[unit]
	forks := int(st.count[s.Serial]) != len(st.proc)
	for p, n := range st.count {
		if n == 0 {
			continue
		}
		x := 0.0
		for r, w := range t.weight {
			x += w * st.load[p][r]
			if forks {
				x += w * s.extra[p] * t.runs[r]
			}
		}
		out[p] += x * s.seconds
	}
}
