package table

// This file says what lies around an execution on the processor that meets it: what forking
// and joining its region costs, or executing it alone.

// around returns what an execution of a construct costs the processor that meets it where
// others take part: before its tasks are created, and when all have ended.
func (t *Table) around(region, construct int32, p int) (before, after float64) {
	e := t.edges(region, construct)
	if e.Fork {
		before = t.Fork[p]
	}
	switch {
	case e.Join:
		after = t.Join[p]
	case e.Barrier:
		after = t.Barrier[p]
	}
	return before, after + t.combines(region, construct, p)
}

// combines returns what of that is combining what the threads reduced.
func (t *Table) combines(region, construct int32, p int) float64 {
	return float64(t.edges(region, construct).Reductions) * t.Reduction[p]
}

// single returns what an execution of a construct costs the processor that meets it where no
// other takes part: a team of one, told of the first construct of a region.
func (t *Table) single(region, construct int32, p int) float64 {
	if t.edges(region, construct).Fork {
		return t.TeamOfOne[p]
	}
	return 0
}

func (t *Table) edges(region, construct int32) Edges {
	if t.Edges == nil {
		return Edges{Fork: true, Join: true}
	}
	return t.Edges[region][construct]
}

// outside returns what a stage's executions cost the serial processor beside their sections,
// for each that bears overheads: where it is spread, and where it is not.
func (t *Table) outside(u *stage, serial int) (spread, alone float64) {
	before, after := t.around(int32(u.region), int32(u.construct), serial)
	return before + after, t.single(int32(u.region), int32(u.construct), serial)
}
