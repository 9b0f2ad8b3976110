package table

// This file values a mapping: the time of the program under it.

import "pathspan/mapping"

// Valuer values mappings of one table. It is for one goroutine.
type Valuer struct {
	t      *Table
	m      *mapping.Resolved
	named  RegionSet // regions that the mapping names
	load   []float64 // by processor
	used   []bool    // by processor
	fetch  []float64 // by processor: see fetch
	copier copier
	users  []bool // by processor: scratch of fetches
	sim    simulator
	tasks  taskSimulator
	linked [][]linked // streaks, by region and first construct; nil where there are none
	mean   expectation
	free   expectation // without overheads
}

// NewValuer returns a valuer.
func (t *Table) NewValuer() *Valuer {
	n := len(t.KindOf)
	v := &Valuer{t: t, named: t.newRegionSet(), load: make([]float64, n), used: make([]bool, n), fetch: make([]float64, n), users: make([]bool, n)}
	v.sim.v, v.tasks.v, v.mean.v, v.free.v = v, v, v, v
	v.free.free = true
	for _, constructs := range t.Streaks {
		v.linked = append(v.linked, make([]linked, len(constructs)))
	}
	return v
}

func (v *Valuer) set(m *mapping.Resolved) {
	v.m = m
	clear(v.named)
	for r := range m.Regions {
		if m.Regions[r].Explicit {
			v.named.Add(r)
		}
	}
	v.mean.stale, v.free.stale = true, true
	v.tasks.waits = v.t.waitsUnder(m)
	for _, constructs := range v.linked {
		for c := range constructs {
			constructs[c].proc, constructs[c].order = constructs[c].proc[:0], constructs[c].order[:0]
		}
	}
}

// Value returns the time of one execution of the program in cycles of processor 0. The
// mapping must be for as many processors as the table. The error is that of a recursion without an end.
func (v *Valuer) Value(m *mapping.Resolved) (float64, error) {
	v.set(m)
	total := v.t.Base[v.t.KindOf[m.Serial]]
	for i := range v.t.stages {
		x, err := v.stage(&v.t.stages[i])
		if err != nil {
			return 0, err
		}
		total += x
	}
	return total, nil
}

// Sequential returns the time of one execution of the program with everything on one
// processor of a kind, in cycles of processor 0.
func (t *Table) Sequential(kind int) float64 {
	total := t.Base[kind]
	for i := range t.stages {
		u := &t.stages[i]
		for place := range u.sections {
			for row, x := range u.column(kind, place) {
				total += u.weight[row] * x
			}
		}
	}
	return total
}

// stage returns what a construct adds to the time of the program.
func (v *Valuer) stage(u *stage) (float64, error) {
	if v.flat(u) {
		return v.flatStage(u), nil
	}
	total := 0.0
	for row, i := range u.rows {
		x, err := v.Row(v.t.Roots[i].Execution)
		if err != nil {
			return 0, err
		}
		total += u.weight[row] * x
	}
	return total, nil
}

// flat reports whether all that is inside the sections of a construct stays on their
// processors: a region inside an active one stays unless the mapping names it. Who waits for
// locks does not.
func (v *Valuer) flat(u *stage) bool {
	if u.tasks && len(v.team(u.region)) > 1 {
		return false
	}
	return !u.locks && (!u.inside.Any() || v.active(u.region, v.m.Serial) && !u.inside.Intersects(v.named))
}

// active reports whether a region that is met on a processor runs on another one as well.
func (v *Valuer) active(region, fork int) bool {
	if v.t.makesIn.has(region) && len(v.team(region)) > 1 {
		return true
	}
	for _, construct := range v.m.Regions[region].Proc {
		for _, p := range construct {
			if p != fork {
				return true
			}
		}
	}
	return false
}

// flatStage adds up, over the rows, the time of the processor that ends last. Products are
// rounded before they are added, so that the page's script computes the same everywhere.
func (v *Valuer) flatStage(u *stage) float64 {
	t, forks := v.t, v.place(u)
	spread, alone := t.outside(u, v.m.Serial)
	spread += v.prepareFetches(u)
	total := 0.0
	for row, w := range u.weight {
		v.loads(u, row, forks)
		longest := 0.0
		for p, x := range v.load {
			if forks && v.used[p] {
				x += float64((t.Create[p] + t.Sync[p] + v.fetch[p]) * u.runs[row])
			}
			longest = max(longest, x)
		}
		if forks && v.copier.some {
			longest = v.copiedRow(v.used, v.load, v.fetch, u.runs[row])
		}
		if forks {
			longest = max(longest, v.least(int32(t.Roots[u.rows[row]].Execution)))
			longest += float64(spread * u.runs[row])
		} else {
			longest += float64(alone * u.runs[row])
		}
		total += float64(w * longest)
	}
	return total
}

// team lists the processors that execute the tasks that are made in a region.
func (v *Valuer) team(region int) []int { return v.m.Regions[region].Team }

// spreadsTasks reports whether the sections of an execution make tasks that several
// processors execute.
func (v *Valuer) spreadsTasks(x int) bool {
	return v.t.makes[x] && len(v.team(int(v.t.executions[x].region))) > 1
}

// byChunks reports whether threads of loops in a row that is played compete for processors.
func (v *Valuer) byChunks(x int) bool {
	return v.t.exact[x] && v.t.reaches[x].Intersects(v.named) && !v.spreadsTasks(x)
}

// reachesTasks reports whether several processors may execute tasks of a region that is met inside of an
// execution, which no other runs beside.
func (v *Valuer) reachesTasks(x int) bool {
	for r := range v.m.Regions {
		if v.t.makesIn.has(r) && v.t.reaches[x].has(r) && len(v.team(r)) > 1 {
			return !v.active(int(v.t.executions[x].region), v.m.Serial)
		}
	}
	return false
}

// place fills which processors a construct uses, and reports whether it forks.
func (v *Valuer) place(u *stage) (forks bool) {
	proc, _ := v.placed(u.region, u.construct)
	clear(v.used)
	for _, s := range u.sections {
		v.used[proc[s]] = true
		forks = forks || proc[s] != v.m.Serial
	}
	return forks
}

// loads fills what each processor has to do in a row of a construct, with what chunks cost
// that it asks for where others take part.
func (v *Valuer) loads(u *stage, row int, forks bool) {
	proc, _ := v.placed(u.region, u.construct)
	clear(v.load)
	x := v.t.transfers(u.region, u.construct)
	for place, s := range u.sections {
		own := u.column(v.t.KindOf[proc[s]], place)[row]
		if forks && x != nil && x.Nearer != nil {
			own *= v.t.shorter(x, proc, v.m.Serial, s)
		}
		v.load[proc[s]] += own
		if forks && u.asks != nil {
			v.load[proc[s]] += float64(u.asks[place*len(u.rows)+row] * v.t.Dispatch[proc[s]])
		}
		if forks && u.waits != nil {
			v.load[proc[s]] += u.waits[place*len(u.rows)+row]
		}
	}
}

// Row returns the makespan of an execution that the serial processor meets outside of all
// sections, in cycles of processor 0.
func (v *Valuer) Row(x int) (float64, error) {
	if v.t.exact[x] && v.spreadsTasks(x) {
		return v.tasks.run(x)
	}
	if v.t.exact[x] {
		return v.sim.run(x)
	}
	return v.mean.value(x)
}
