package table

// This file knows streaks: constructs from one to the next of which threads go on without
// waiting (nowait). They are one construct here, of the first one's number: its lanes are the
// sections of all of them, construct by construct, so that a processor does its share of each
// in order and waits behind the last.

import "pathspan/mapping"

// Split tells which construct and section a lane of an execution of a construct is.
func (t *Table) Split(region, construct, lane int) (of, section int) {
	for i, n := range t.streak(region, construct) {
		if lane < n {
			return construct + i, lane
		}
		lane -= n
	}
	return construct, lane
}

// streak tells how many sections the constructs of a streak have, nil for a construct that is
// by itself.
func (t *Table) streak(region, construct int) []int {
	if t.Streaks == nil {
		return nil
	}
	return t.Streaks[region][construct]
}

// Placed tells the processor of each lane of a construct's executions under a mapping, and in
// which order processors begin with them. They must not be changed.
func (t *Table) Placed(rm *mapping.RegionMap, region, construct int) (proc, order []int) {
	streak := t.streak(region, construct)
	if streak == nil {
		return rm.Proc[construct], rm.Order[construct]
	}
	return link(rm, construct, len(streak), nil, nil)
}

// link appends where the sections of constructs are, and their order.
func link(rm *mapping.RegionMap, construct, n int, proc, order []int) (allProc, allOrder []int) {
	for c := construct; c < construct+n; c++ {
		for _, s := range rm.Order[c] {
			order = append(order, len(proc)+s)
		}
		proc = append(proc, rm.Proc[c]...)
	}
	return proc, order
}

// linked is a streak under the valuer's mapping.
type linked struct{ proc, order []int }

// placed is Table.Placed under the valuer's mapping.
func (v *Valuer) placed(region, construct int) (proc, order []int) {
	streak := v.t.streak(region, construct)
	rm := &v.m.Regions[region]
	if streak == nil {
		return rm.Proc[construct], rm.Order[construct]
	}
	x := &v.linked[region][construct]
	if len(x.proc) == 0 {
		x.proc, x.order = link(rm, construct, len(streak), x.proc, x.order)
	}
	return x.proc, x.order
}
