package table

// This file arranges the rows of each construct that is executed outside of all sections
// so that they can be valued fast: a column of times for each section and kind.

// unit is a construct with its rows outside of all sections.
type unit struct {
	region, construct int
	rows              []int // indices into Roots
	weight, runs      []float64
	sections          []int     // that are reached
	time              []float64 // [(kind*sections+place)*rows+row]: the section with all inside it on one processor
	inside            regionSet // regions reached inside its sections
}

func (u *unit) column(kind, place int) []float64 {
	at := (kind*len(u.sections) + place) * len(u.rows)
	return u.time[at : at+len(u.rows)]
}

// makeUnits gathers the roots by construct, in their order.
func (t *Table) makeUnits() {
	unitOf := map[[2]int]int{}
	for i, r := range t.Roots {
		x := &t.executions[r.Execution]
		key := [2]int{int(x.region), int(x.construct)}
		n, ok := unitOf[key]
		if !ok {
			n = len(t.units)
			unitOf[key] = n
			t.units = append(t.units, unit{region: key[0], construct: key[1], inside: t.newRegionSet()})
		}
		u := &t.units[n]
		u.rows = append(u.rows, i)
		u.weight, u.runs = append(u.weight, r.Weight), append(u.runs, x.runs)
		u.inside.union(t.reaches[r.Execution])
	}
	for n := range t.units {
		u := &t.units[n]
		for s := range t.executions[t.Roots[u.rows[0]].Execution].lanes {
			for _, i := range u.rows {
				x := &t.executions[t.Roots[i].Execution]
				if t.lanes[x.first+s].parts > 0 {
					u.sections = append(u.sections, int(s))
					break
				}
			}
		}
		u.time = make([]float64, t.Kinds*len(u.sections)*len(u.rows))
		for row, i := range u.rows {
			x := &t.executions[t.Roots[i].Execution]
			for place, s := range u.sections {
				for k := range t.Kinds {
					u.column(k, place)[row] = t.alone[(int(x.first)+s)*t.Kinds+k]
				}
			}
		}
	}
}
