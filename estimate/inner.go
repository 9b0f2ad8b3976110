package estimate

// This file finds what lies inside of sections: lanes of regions that they meet, which the section's processor executes alone unless a mapping says otherwise.

import (
	"slices"

	"pathspan/estimate/table"
	"pathspan/memory"
)

// onProcessor is what each section of a construct executes: its lane, and those inside of it, with the part of their executions that are in this one.
type onProcessor [][]part

// executes finds it. Of loops it is their lanes alone: what is inside of these the profile counts as theirs (taken.go).
func (m *mover) executes(inside []int, loop bool) onProcessor {
	lanes, around := m.e.Bundle.Memory.Lanes, m.e.accesses().around
	out := make(onProcessor, len(inside))
	for s, l := range inside {
		if l < 0 || m.x.began[l] == 0 {
			continue
		}
		of := []part{{l, 1}}
		for i := 0; i < len(of) && !loop; i++ {
			for other := range lanes {
				x := &lanes[other]
				inside := x.Kind == memory.InRegion || besides(x.Kind)
				if !inside || x.Region == lanes[l].Region || slices.ContainsFunc(of, func(p part) bool { return p.lane == other }) {
					continue
				}
				if met := around[x.Region][of[i].lane]; met > 0 {
					of = append(of, part{other, of[i].of * met})
				}
			}
		}
		out[s] = of
	}
	return out
}

// section is the section that executes a lane: the given one if it is among those that do, -1 if none is.
func (e onProcessor) section(lane, to int) int {
	has := func(of []part) bool { return slices.ContainsFunc(of, func(p part) bool { return p.lane == lane }) }
	if has(e[to]) {
		return to
	}
	return slices.IndexFunc(e, has)
}

// meets reports whether code of a lane, outside of what lies inside of it, meets a region.
func (m *mover) meets(lane, region int) bool { return m.e.accesses().around[region][lane] > 0 }

// outside reports whether a lane goes on where a region was met, behind it.
func (m *mover) outside(lane, region int) bool {
	return !besides(m.e.Bundle.Memory.Lanes[lane].Kind) || m.meets(lane, region)
}

// inside is what is waited for what a lane inside of a section uses of others, and these of it.
func (m *mover) inside(x part, to, region int, executes onProcessor, at func(lane, to int) int, executions float64) (out []table.Inside) {
	lanes := m.e.Bundle.Memory.Lanes
	in := &lanes[x.lane]
	add := func(list ...table.Between) {
		for _, b := range list {
			y := table.Inside{Between: b, Lane: to, Region: in.Region, Construct: in.Construct, Section: in.Section}
			if in.Kind == memory.InLoop {
				y.Section = -1
			}
			out = append(out, y)
		}
	}
	for other := range lanes {
		from, outside := at(other, to), executes.section(other, to) < 0 && m.outside(other, region)
		if from == to {
			continue
		}
		if from == table.Anywhere && !besides(lanes[other].Kind) { // a task
			from = table.WhereMet
		}
		if c := m.crossing(other, x.lane, x.of, executions); c != nil {
			via, c := m.via(c, [2]int{other, x.lane}, from, to, at)
			if add(via...); c != nil && from == table.Anywhere {
				c = m.spread(c, other)
			}
			if c != nil {
				add(table.Between{From: from, To: to, Via: from, Crossing: c})
			}
		}
		if c := m.crossing(x.lane, other, 1, executions/x.of); c != nil && outside {
			add(table.Between{From: to, To: table.WhereMet, Via: to, Crossing: c})
		}
	}
	return out
}
