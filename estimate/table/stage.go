package table

// This file arranges the rows of each construct that is executed outside of all sections
// so that they can be valued fast: a column of times for each section and kind.

import "slices"

// stage is a construct with its rows outside of all sections that reach the same sections:
// where the program left the construct amid them, the others are not reached, and processors
// that have none bear no overhead.
type stage struct {
	region, construct int
	rows              []int // indices into Roots
	weight, runs      []float64
	sections          []int     // that are reached
	time              []float64 // [(kind*sections+place)*rows+row]: the section with all inside it on one processor
	least             []float64 // the same where as much as can be of what is between uses of lines is elsewhere (Transfers.Nearer)
	asks              []float64 // [place*rows+row]: chunks of a loop; nil where there are none
	waits             []float64 // [place*rows+row]: what its threads wait for their turn; nil where they do not
	all               []float64 // [kind*sections+place]: of all executions, the sum of time
	ran               float64   // executions that bear overheads
	inside            RegionSet // regions reached inside its sections
	tasks             bool      // its sections make tasks
	locks             bool      // work under locks is in its sections
}

func (u *stage) column(kind, place int) []float64 { return u.of(u.time, kind, place) }

// atLeast is the column that no mapping is below.
func (u *stage) atLeast(kind, place int) []float64 { return u.of(u.least, kind, place) }

func (u *stage) of(times []float64, kind, place int) []float64 {
	at := (kind*len(u.sections) + place) * len(u.rows)
	return times[at : at+len(u.rows)]
}

// whole is the time of a section in all executions, for one execution of the program.
func (u *stage) whole(kind, place int) float64 { return u.all[kind*len(u.sections)+place] }

// wholeAtLeast is the same that no mapping is below.
func (u *stage) wholeAtLeast(kind, place int) float64 {
	sum := 0.0
	for row, x := range u.atLeast(kind, place) {
		sum += u.weight[row] * x
	}
	return sum
}

// makeStages gathers the roots by construct and sections reached, in their order.
func (t *Table) makeStages() {
	for i, r := range t.Roots {
		x := &t.executions[r.Execution]
		sections := t.reachedBy(x)
		n := slices.IndexFunc(t.stages, func(u stage) bool {
			return u.region == int(x.region) && u.construct == int(x.construct) && slices.Equal(u.sections, sections)
		})
		if n < 0 {
			n = len(t.stages)
			t.stages = append(t.stages, stage{region: int(x.region), construct: int(x.construct), sections: sections, inside: t.newRegionSet()})
		}
		u := &t.stages[n]
		u.rows = append(u.rows, i)
		u.weight, u.runs = append(u.weight, r.Weight), append(u.runs, x.runs)
		u.inside.Union(t.reaches[r.Execution])
		u.tasks = u.tasks || t.makes[r.Execution]
		t.eachPart(r.Execution, func(_ int, p part) { u.locks = u.locks || p.set >= 0 && t.setLocks[p.set] })
	}
	for n := range t.stages {
		u := &t.stages[n]
		u.time = make([]float64, t.Kinds*len(u.sections)*len(u.rows))
		for row, i := range u.rows {
			x := &t.executions[t.Roots[i].Execution]
			for place, s := range u.sections {
				for k := range t.Kinds {
					u.column(k, place)[row] = t.alone[(int(x.first)+s)*t.Kinds+k]
				}
			}
		}
		t.findLeastTimes(u)
		u.asks = t.gather(u, func(p *part) float64 { return p.asks })
		u.waits = t.gather(u, func(p *part) float64 { return p.waits })
		u.all = make([]float64, t.Kinds*len(u.sections))
		for i := range u.all {
			for row, x := range u.column(i/len(u.sections), i%len(u.sections)) {
				u.all[i] += u.weight[row] * x
			}
		}
		for row, w := range u.weight {
			u.ran += w * u.runs[row]
		}
	}
}

// findLeastTimes fills the least that sections take.
func (t *Table) findLeastTimes(u *stage) {
	u.least = u.time
	x := t.transfers(u.region, u.construct)
	if x == nil || x.Nearer == nil {
		return
	}
	u.least = slices.Clone(u.time)
	for k := range t.Kinds {
		for place, s := range u.sections {
			share := t.shortest(x, s, k)
			for row := range u.atLeast(k, place) {
				u.atLeast(k, place)[row] *= share
			}
		}
	}
}

// reachedBy lists the sections that an execution reaches.
func (t *Table) reachedBy(x *execution) []int {
	var sections []int
	for s := range x.lanes {
		if t.lanes[x.first+s].parts > 0 {
			sections = append(sections, int(s))
		}
	}
	return sections
}

// gather sums up a figure of the parts of sections, nil where there is none.
func (t *Table) gather(u *stage, figure func(p *part) float64) (out []float64) {
	for row, i := range u.rows {
		x := &t.executions[t.Roots[i].Execution]
		for place, s := range u.sections {
			l := t.lanes[x.first+int32(s)]
			for k := l.first; k < l.first+l.parts; k++ {
				if y := figure(&t.parts[k]); y > 0 {
					if out == nil {
						out = make([]float64, len(u.sections)*len(u.rows))
					}
					out[place*len(u.rows)+row] += y
				}
			}
		}
	}
	return out
}

// work is the time of all sections in all executions.
func (u *stage) work(kind int) float64 {
	sum := 0.0
	for place := range u.sections {
		sum += u.whole(kind, place)
	}
	return sum
}
