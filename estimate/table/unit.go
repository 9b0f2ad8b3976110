package table

// This file arranges the rows of each construct that is executed outside of all sections
// so that they can be valued fast: a column of times for each section and kind.

// unit is a construct with its rows outside of all sections.
type unit struct {
	region, construct int
	rows              []int // indices into Roots
	weight, runs      []float64
	sections          int
	reached           []bool    // by section: some row has it
	time              []float64 // [(kind*sections+section)*rows+row]: the section with all inside it on one processor
	inside            regionSet // regions reached inside its sections
}

func (u *unit) column(kind, section int) []float64 {
	at := (kind*u.sections + section) * len(u.rows)
	return u.time[at : at+len(u.rows)]
}

// makeUnits gathers the roots by construct, in their order.
func (t *Table) makeUnits() {
	t.unitOf = map[[2]int]int{}
	for i, r := range t.Roots {
		x := &t.executions[r.Execution]
		key := [2]int{int(x.region), int(x.construct)}
		n, ok := t.unitOf[key]
		if !ok {
			n = len(t.units)
			t.unitOf[key] = n
			t.units = append(t.units, unit{region: key[0], construct: key[1], inside: t.newRegionSet()})
		}
		u := &t.units[n]
		u.rows = append(u.rows, i)
		u.weight, u.runs = append(u.weight, r.Weight), append(u.runs, x.runs)
		u.sections = max(u.sections, int(x.lanes))
		u.inside.union(t.reaches[r.Execution])
	}
	for n := range t.units {
		u := &t.units[n]
		u.reached = make([]bool, u.sections)
		u.time = make([]float64, t.Kinds*u.sections*len(u.rows))
		for row, i := range u.rows {
			x := &t.executions[t.Roots[i].Execution]
			for s := range int(x.lanes) {
				l := int(x.first) + s
				u.reached[s] = u.reached[s] || t.lanes[l].parts > 0
				for k := range t.Kinds {
					u.column(k, s)[row] = t.alone[l*t.Kinds+k]
				}
			}
		}
	}
}
