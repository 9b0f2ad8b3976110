package table

// This file values candidates of a Space: all at once, or again after one decision.

import (
	"math"
	"slices"

	"pathspan/mapping"
)

// Fast values candidates of a space. It allocates nothing per candidate. A Fast is for one
// goroutine.
//
// Every sum is taken anew in a fixed order, never by adding a difference, so that a
// candidate's value is the same to the last bit whatever candidates came before it. So
// what any Fast of the space has found for a unit need not be found again.
type Fast struct {
	Genes []int32 // the candidate; Set, Move and Undo change it

	s     *Space
	units []unitState
	v     *Valuer           // of general units
	m     *mapping.Resolved // of their genes
	proc  []int             // by lane, scratch: see place
	users []bool            // by processor, scratch
	used  []bool            // by processor, scratch
	loads []float64         // by processor, scratch
	tooks []float64         // by processor, scratch
	copy  copier
	last  struct { // what Undo takes back
		gene  int
		value int32
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
	stale bool         // value is another candidate's
	at    int          // of the candidate in Unit.found
	old   struct {
		value    float64
		stale    bool
		from, to int32
	}
}

// NewFast returns an evaluator, with everything on the serial processor.
func (s *Space) NewFast() *Fast {
	f := &Fast{s: s, Genes: s.AtRest(), units: make([]unitState, len(s.Units)), users: make([]bool, len(s.t.KindOf)), used: make([]bool, len(s.t.KindOf)), loads: make([]float64, len(s.t.KindOf)), tooks: make([]float64, len(s.t.KindOf))}
	n := len(s.t.KindOf)
	for i := range s.Units {
		u, st := &s.Units[i], &f.units[i]
		if u.General || u.Loop {
			continue
		}
		rows := u.Rows
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
	}
	if s.HasGeneral() {
		f.v, f.m = s.t.NewValuer(), s.Mapping(f.Genes)
	}
	f.Set(f.Genes)
	return f
}

// sum fills the column of a processor.
func (f *Fast) sum(i, p int) {
	st, t, kind := &f.units[i], f.s.flat(i), f.s.t.KindOf[p]
	x := f.s.t.transfers(t.region, t.construct)
	load := st.load[p]
	clear(load)
	for s, at := range st.proc {
		if int(at) != p {
			continue
		}
		column := t.column(kind, s)
		column = column[:len(load)]
		if x != nil && x.Nearer != nil {
			share := f.s.t.shorter(x, f.proc, f.s.Serial, t.sections[s])
			for r := range load {
				load[r] += column[r] * share
			}
			continue
		}
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
		u, st := &f.s.Units[i], &f.units[i]
		st.at, st.stale = 0, true
		for g, step := range u.step {
			st.at += int(f.Genes[u.First+g]) * step
		}
		clear(st.count)
		for _, p := range st.proc {
			st.count[p]++
		}
		if u.found == nil && !u.General {
			f.sums(i)
		}
	}
}

// sums fills the columns and the value of a unit.
func (f *Fast) sums(i int) {
	st := &f.units[i]
	if u := &f.s.Units[i]; u.Loop {
		st.stale, st.value = false, f.s.ways[u.First][f.Genes[u.First]].cycles
		return
	}
	f.place(i)
	for p, n := range st.count {
		if n > 0 {
			f.sum(i, p)
		}
	}
	f.value(i)
}

// Move changes one gene. Undo takes back the last move.
func (f *Fast) Move(gene int, to int32) {
	from := f.Genes[gene]
	f.last.gene, f.last.value = gene, from
	i := f.s.Genes[gene].Unit
	u, st := &f.s.Units[i], &f.units[i]
	st.old.value, st.old.stale, st.old.from, st.old.to = st.value, st.stale, from, to
	if from == to {
		return
	}
	f.Genes[gene] = to
	f.count(i, gene, from, to)
	if st.stale = true; u.found != nil || u.General || u.Loop {
		return
	}
	f.place(i)
	st.load[from], st.spare[0] = st.spare[0], st.load[from]
	st.load[to], st.spare[1] = st.spare[1], st.load[to]
	f.sum(i, int(from))
	f.sum(i, int(to))
	f.value(i)
}

// count notes that a gene of a unit has changed.
func (f *Fast) count(i, gene int, from, to int32) {
	u, st := &f.s.Units[i], &f.units[i]
	if u.found != nil {
		st.at += int(to-from) * u.step[gene-u.First]
	}
	if !u.General && !u.Loop {
		st.count[from]--
		st.count[to]++
	}
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
	st := &f.units[i]
	from, to := st.old.from, st.old.to
	st.value, st.stale = st.old.value, st.old.stale
	if from == to {
		return
	}
	f.count(i, gene, to, from)
	if u := &f.s.Units[i]; u.found != nil || u.General || u.Loop {
		return
	}
	st.load[from], st.spare[0] = st.spare[0], st.load[from]
	st.load[to], st.spare[1] = st.spare[1], st.load[to]
}

// place fills where the lanes of a unit's construct are: those of which no row tells stay.
func (f *Fast) place(i int) {
	t := f.s.flat(i)
	x := f.s.t.transfers(t.region, t.construct)
	if x == nil {
		return
	}
	f.proc = f.proc[:0]
	for range max(len(x.In), slices.Max(t.sections)+1) {
		f.proc = append(f.proc, f.s.Serial)
	}
	for place, p := range f.units[i].proc {
		f.proc[t.sections[place]] = int(p)
	}
	x.users(f.proc, f.users)
}

// keepAtLeast raises the times of rows to those for which they keep main memory busy. Those of
// lanes in the order in which Valuer.least adds them up.
func (f *Fast) keepAtLeast(i int, worst []float64) {
	s, st, t := f.s.t, &f.units[i], f.s.flat(i)
	x := s.transfers(t.region, t.construct)
	least := s.leastRemote(x, f.proc, f.s.Serial)
	for r := range worst {
		if worst[r] = max(worst[r], least*t.runs[r]); x.Bus == nil {
			continue
		}
		sum := 0.0
		for place, p := range st.proc {
			kind := s.KindOf[p]
			sum += s.bus(x, t.sections[place], kind) * t.column(kind, place)[r]
		}
		worst[r] = max(worst[r], sum)
	}
}

// copies finds what is copied under the candidate, and reports whether anything is.
func (f *Fast) copies(moved *Transfers, st *unitState) bool {
	if moved == nil || moved.Copies == nil {
		f.copy.some = false
		return false
	}
	f.copy.prepare(f.s.t, moved, f.proc, f.s.Serial)
	for p, n := range st.count {
		f.used[p] = n > 0
	}
	return f.copy.some
}

// copied fills when the last processor has ended in each row in which some copy, and returns what
// copying takes each processor in all executions.
func (f *Fast) copied(st *unitState, t *stage, moved *Transfers, worst []float64) []float64 {
	s := f.s.t
	clear(f.tooks)
	for r := range worst {
		for p, n := range st.count {
			if f.loads[p] = 0; n > 0 {
				f.loads[p] = st.load[p][r] + (s.Create[p]+s.fetch(moved, f.proc, f.s.Serial, p)+s.crowd(moved, f.proc, f.users, p))*t.runs[r]
			}
		}
		f.copy.play(f.used, s.Create, f.loads, t.runs[r])
		for p, n := range st.count {
			if n > 0 {
				worst[r] = max(worst[r], f.loads[p]+s.Sync[p]*t.runs[r])
				f.tooks[p] += t.weight[r] * (f.copy.tookIn[p] + f.copy.tookOut[p])
			}
		}
	}
	return f.tooks
}

// value fills the value of a unit: the sum over rows of the last section's end.
func (f *Fast) value(i int) {
	s, st, t := f.s, &f.units[i], f.s.flat(i)
	spread, alone := s.t.outside(t, s.Serial)
	st.stale = false
	if int(st.count[s.Serial]) == len(st.proc) { // nothing is created
		x := 0.0
		load := st.load[s.Serial]
		for r, w := range t.weight[:len(load)] {
			x += w * load[r]
		}
		st.value = x + alone*t.ran
		return
	}
	worst := st.worst
	clear(worst)
	runs := t.runs[:len(worst)]
	moved := s.t.transfers(t.region, t.construct)
	if moved != nil {
		spread += s.t.fetchBack(moved, f.proc, s.Serial)
	}
	if f.copies(moved, st) {
		f.copied(st, t, moved, worst)
	}
	for p, n := range st.count {
		if n == 0 || f.copy.some {
			continue
		}
		load, extra := st.load[p][:len(worst)], s.extra[p]
		if moved != nil {
			extra += s.t.fetch(moved, f.proc, s.Serial, p) + s.t.crowd(moved, f.proc, f.users, p)
		}
		for r := range worst {
			if x := load[r] + extra*runs[r]; x > worst[r] {
				worst[r] = x
			}
		}
	}
	if moved != nil && (moved.Bus != nil || moved.Copies != nil) {
		f.keepAtLeast(i, worst)
	}
	x := 0.0
	for r, w := range t.weight[:len(worst)] {
		x += w * worst[r]
	}
	st.value = x + spread*t.ran
}

// rewrite writes the genes of a general unit into the mapping.
func (f *Fast) rewrite(unit int) {
	s := f.s
	u := &s.Units[unit]
	for i := u.First; i < u.First+u.Count; i++ {
		if g := &s.Genes[i]; i == u.First || s.Genes[i-1].Region != g.Region {
			f.m.Regions[g.Region].Explicit = true
			s.clear(f.m, g.Region)
		}
		s.write(f.m, i, f.Genes)
		if i == u.First+u.Count-1 || s.Genes[i+1].Region != s.Genes[i].Region {
			if rm := &f.m.Regions[s.Genes[i].Region]; rm.Explicit {
				group(rm)
			}
		}
	}
}

// refresh values a unit that has changed. Candidates under which a recursion has no solution
// take for ever.
func (f *Fast) refresh(unit int) {
	u, st := &f.s.Units[unit], &f.units[unit]
	if u.found != nil {
		if known := u.found[st.at].Load(); known != 0 {
			st.stale, st.value = false, math.Float64frombits(known)
			return
		}
	}
	if u.General {
		f.play(unit)
	} else {
		f.sums(unit)
	}
	if u.found != nil {
		u.found[st.at].Store(math.Float64bits(st.value))
	}
}

// play values a general unit.
func (f *Fast) play(unit int) {
	st := &f.units[unit]
	st.stale, st.value = false, 0
	f.rewrite(unit)
	f.v.set(f.m)
	for _, i := range f.s.parts[unit] {
		x, err := f.v.stage(&f.s.t.stages[i])
		if err != nil {
			x = math.Inf(1)
		}
		st.value += x
	}
}

// Seconds returns the time of one execution of the program.
func (f *Fast) Seconds() float64 {
	x := f.s.t.Base[f.s.t.KindOf[f.s.Serial]]
	for i := range f.units {
		if f.units[i].stale {
			f.refresh(i)
		}
		x += f.units[i].value
	}
	return x * f.s.seconds
}

// UnitSeconds returns what a unit contributes to Seconds.
func (f *Fast) UnitSeconds(unit int) float64 {
	if f.units[unit].stale {
		f.refresh(unit)
	}
	return f.units[unit].value * f.s.seconds
}

// BusySeconds adds the busy time of each processor to out, one entry a processor; for a
// general unit of a recursion without solution they are infinite.
func (f *Fast) BusySeconds(out []float64) {
	out[f.s.Serial] += f.s.BaseSeconds()
	for i := range f.s.Units {
		f.UnitBusySeconds(i, out)
	}
}

// UnitBusySeconds adds what a unit contributes to BusySeconds. It allocates for general
// units only.
func (f *Fast) UnitBusySeconds(unit int, out []float64) {
	s, st := f.s, &f.units[unit]
	if s.Units[unit].General {
		f.rewrite(unit)
		f.v.set(f.m)
		for _, i := range s.parts[unit] {
			if err := f.v.playStage(&s.t.stages[i], func(p *Played) {
				for q := range out {
					out[q] += p.Weight * (p.Busy[q] + p.Overhead[q]) * s.seconds
				}
			}); err != nil {
				for q := range out {
					out[q] = math.Inf(1)
				}
			}
		}
		return
	}
	if u := &s.Units[unit]; u.Loop {
		for p, x := range s.ways[u.First][f.Genes[u.First]].busy {
			out[p] += x * s.seconds
		}
		return
	}
	t := s.flat(unit)
	spread, alone := s.t.outside(t, s.Serial)
	if int(st.count[s.Serial]) == len(st.proc) {
		out[s.Serial] += alone * t.ran * s.seconds
	} else {
		moved := s.t.transfers(t.region, t.construct)
		if moved != nil {
			f.place(unit)
			spread += s.t.fetchBack(moved, f.proc, s.Serial)
		}
		out[s.Serial] += spread * t.ran * s.seconds
		for p, n := range st.count {
			if n > 0 {
				out[p] += (s.extra[p] + s.t.fetch(moved, f.proc, s.Serial, p) + s.t.crowd(moved, f.proc, f.users, p)) * t.ran * s.seconds
			}
		}
		if f.copies(moved, st) {
			if s.Units[unit].found != nil { // whose columns are those of a candidate that was not known yet
				f.sums(unit)
			}
			for p, x := range f.copied(st, t, moved, st.worst) {
				out[p] += x * s.seconds
			}
		}
	}
	for i, p := range st.proc {
		out[p] += t.whole(s.t.KindOf[p], i) * s.seconds
	}
}
