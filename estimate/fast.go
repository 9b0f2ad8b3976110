package estimate

// This file values candidates of a Space: all at once, or again after one decision.

import (
	"math"

	"pathspan/mapping"
)

// Fast values candidates of a space as Estimate does, but for the order of additions. It allocates nothing per candidate. A Fast is for one
// goroutine.
//
// Every sum is taken anew in a fixed order, never by adding a difference, so that a
// candidate's value is the same to the last bit whatever candidates came before it.
type Fast struct {
	Genes []int32 // the candidate; Set, Move and Undo change it

	s     *Space
	units []unitState
	v     *evaluator // of the general unit
	m     *mapping.Resolved
	whole struct {
		value float64 // cycles without the flat units
		stale bool
	}
	last struct { // what Undo takes back
		gene  int
		value int32
		whole float64
		stale bool
	}
}

// unitState is where the sections of a unit are and what follows.
type unitState struct {
	proc  []int32 // by section: part of Genes
	count []int32 // by processor: its sections
	load  [][]float64
	spare [2][]float64 // columns of load before the last move
	worst []float64    // by row, scratch
	value float64      // cycles of processor 0
	old   struct {
		value    float64
		from, to int32
	}
}

// NewFast returns an evaluator, with everything on the serial processor.
func (s *Space) NewFast() *Fast {
	f := &Fast{s: s, Genes: s.AtRest(), units: make([]unitState, len(s.Units))}
	f.last.gene = -1
	n := len(s.e.Platform.Processors)
	for i := range s.Units {
		u, st, rows := &s.Units[i], &f.units[i], s.tables[i].rows
		if i == s.general {
			continue
		}
		st.proc = f.Genes[u.First : u.First+u.Count]
		st.count = make([]int32, n)
		flat := make([]float64, (n+3)*rows)
		column := func() []float64 {
			c := flat[:rows:rows]
			flat = flat[rows:]
			return c
		}
		for range n {
			st.load = append(st.load, column())
		}
		st.worst, st.spare[0], st.spare[1] = column(), column(), column()
		f.set(i)
	}
	if s.general >= 0 {
		f.v, f.m = newEvaluator(s.e), s.Mapping(f.Genes)
		f.whole.stale = true
	} else {
		f.whole.value = s.base
	}
	return f
}

// sum fills the column of a processor.
func (st *unitState) sum(t *unitTable, kind, p int) {
	load := st.load[p]
	clear(load)
	for s, at := range st.proc {
		if int(at) != p {
			continue
		}
		column := t.column(kind, s)
		column = column[:len(load)]
		for r := range load {
			load[r] += column[r]
		}
	}
}

// Set values another candidate. It must be of the space: as many genes, each below its
// number of values.
func (f *Fast) Set(genes []int32) {
	f.last.gene = -1
	copy(f.Genes, genes)
	for i := range f.units {
		if i != f.s.general {
			f.set(i)
		}
	}
	if f.s.general >= 0 {
		f.rewrite()
	}
}

func (f *Fast) set(i int) {
	st, t := &f.units[i], &f.s.tables[i]
	clear(st.count)
	for _, p := range st.proc {
		st.count[p]++
	}
	for p, n := range st.count {
		if n > 0 {
			st.sum(t, f.s.e.kindOf[p], p)
		}
	}
	f.value(i)
}

// Move changes one gene. Undo takes back the last move.
func (f *Fast) Move(gene int, to int32) {
	from := f.Genes[gene]
	f.last.gene, f.last.value = gene, from
	f.last.whole, f.last.stale = f.whole.value, f.whole.stale
	i := f.s.Genes[gene].Unit
	if i == f.s.general {
		f.Genes[gene] = to
		if from != to {
			f.rewrite()
		}
		return
	}
	st, t := &f.units[i], &f.s.tables[i]
	st.old.value, st.old.from, st.old.to = st.value, from, to
	if from == to {
		return
	}
	f.Genes[gene] = to
	st.count[from]--
	st.count[to]++
	st.load[from], st.spare[0] = st.spare[0], st.load[from]
	st.load[to], st.spare[1] = st.spare[1], st.load[to]
	st.sum(t, f.s.e.kindOf[from], int(from))
	st.sum(t, f.s.e.kindOf[to], int(to))
	f.value(i)
}

// Undo takes back the last Move; a second call does nothing.
func (f *Fast) Undo() {
	gene := f.last.gene
	if gene < 0 {
		return
	}
	f.last.gene = -1
	i := f.s.Genes[gene].Unit
	f.Genes[gene] = f.last.value
	if i == f.s.general {
		f.rewrite()
		f.whole.value, f.whole.stale = f.last.whole, f.last.stale
		return
	}
	st := &f.units[i]
	from, to := st.old.from, st.old.to
	st.value = st.old.value
	if from == to {
		return
	}
	st.count[from]++
	st.count[to]--
	st.load[from], st.spare[0] = st.spare[0], st.load[from]
	st.load[to], st.spare[1] = st.spare[1], st.load[to]
}

// value fills the value of a unit: the sum over paths of the last section's end.
func (f *Fast) value(i int) {
	s, st, t := f.s, &f.units[i], &f.s.tables[i]
	if int(st.count[s.Serial]) == len(st.proc) { // nothing is created
		x := 0.0
		load := st.load[s.Serial]
		for r, w := range t.weight[:len(load)] {
			x += w * load[r]
		}
		st.value = x
		return
	}
	worst := st.worst
	clear(worst)
	runs := t.runs[:len(worst)]
	for p, n := range st.count {
		if n == 0 {
			continue
		}
		load, extra := st.load[p][:len(worst)], s.extra[p]
		for r := range worst {
			if x := load[r] + extra*runs[r]; x > worst[r] {
				worst[r] = x
			}
		}
	}
	x := 0.0
	for r, w := range t.weight[:len(worst)] {
		x += w * worst[r]
	}
	st.value = x
}

// rewrite writes the genes of the general unit into its mapping.
func (f *Fast) rewrite() {
	s := f.s
	u := &s.Units[s.general]
	for i := u.First; i < u.First+u.Count; i++ {
		if g := &s.Genes[i]; i == u.First || s.Genes[i-1].Region != g.Region {
			f.m.Regions[g.Region].Explicit = true
			s.clear(&f.m.Regions[g.Region])
		}
		s.write(f.m, i, f.Genes)
		if i == u.First+u.Count-1 || s.Genes[i+1].Region != s.Genes[i].Region {
			if rm := &f.m.Regions[s.Genes[i].Region]; rm.Explicit {
				group(rm)
			}
		}
	}
	f.whole.stale = true
}

// refresh evaluates the general unit if it changed. Candidates under which a recursion
// has no solution take for ever.
func (f *Fast) refresh() {
	if !f.whole.stale {
		return
	}
	f.whole.stale = false
	x, err := f.s.e.parallel(f.v, f.m, f.s.technique)
	if f.whole.value = x - f.s.atRest; err != nil {
		f.whole.value = math.Inf(1)
	}
}

// Seconds returns the time of one execution of the root function.
func (f *Fast) Seconds() float64 { return f.cycles() * f.s.seconds }

// UnitSeconds returns what a unit contributes to Seconds, and for the general one what is
// outside of the others.
func (f *Fast) UnitSeconds(unit int) float64 {
	if unit == f.s.general {
		f.refresh()
		return f.whole.value * f.s.seconds
	}
	return f.units[unit].value * f.s.seconds
}

func (f *Fast) cycles() float64 {
	f.refresh()
	x := f.whole.value
	for i := range f.units {
		x += f.units[i].value
	}
	return x
}

// BaseSeconds is the time outside of all units, 0 when it counts in the general unit.
func (s *Space) BaseSeconds() float64 {
	if s.general >= 0 {
		return 0
	}
	return s.base * s.seconds
}
