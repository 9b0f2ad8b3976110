package estimate

// This file tells of worksharing loops whose threads compete for processors, as iterations reach regions or the loop
// lies inside of another region: who takes which iterations is then found when rows are played.

import (
	"maps"
	"slices"

	"pathspan/estimate/table"
	"pathspan/mapping/loops"
	"pathspan/profile"
)

// mostInside bounds the chunks of such a loop that are told apart.
const mostInside = 1 << 12

// findCompeting tells, by region and construct, which loops have threads that may compete for processors.
func (m *executionRows) findCompeting() map[[2]int]bool {
	all, out, not := m.x.Entries, map[[2]int]bool{}, map[int]bool{}
	held := make([]bool, len(all)) // inside of an execution of a construct
	var hold func(entry int)
	hold = func(i int) {
		if held[i] {
			return
		}
		held[i] = true
		for _, lane := range all[i].Lanes {
			for _, p := range lane {
				if p.Entry >= 0 {
					hold(p.Entry)
				}
			}
		}
	}
	for i := range all {
		x := &all[i]
		for _, p := range slices.Concat(x.Lanes...) {
			if p.Entry < 0 || m.x.EndsBlock(&p) || m.streak(i) {
				continue
			}
			hold(p.Entry)
			if all[p.Entry].OfTasks { // they are played otherwise
				not[x.Region] = true
			} else if x.Loop && !m.locked(p.Entry) {
				out[[2]int{x.Region, x.Construct}] = true
			}
		}
	}
	for i := range all {
		x := &all[i]
		if !held[i] || !x.Loop {
			continue
		}
		if l := m.in.loop(x.Region, x.Construct); l.Shares == nil && l.Threads > 1 && l.Schedule.Dispatched() {
			out[[2]int{x.Region, x.Construct}] = true
		}
	}
	maps.DeleteFunc(out, func(c [2]int, _ bool) bool {
		return not[c[0]] || m.e.Bundle.Program.Regions[c[0]].Constructs[c[1]].Loop.Ordered
	})
	return out
}

// told returns the iterations of a loop whose threads may compete, in their order; nil of others.
func (m *executionRows) told(x *profile.Execution, longer float64, inside func(entry int) int, l *sharing) *table.Chunks {
	if m.in.divided || !m.competing[[2]int{x.Region, x.Construct}] {
		return nil
	}
	out := &table.Chunks{Runs: true, Shares: l.Shares, Threads: l.Threads, Schedule: l.Schedule}
	if l.Computed && out.Schedule.Kind != loops.Auto {
		out.Schedule.Chunk = x.Chunk()
	}
	for _, r := range m.runsOf(x) {
		out.Begin, out.N = append(out.Begin, r.begin), r.end
		out.Piece = append(out.Piece, m.builder.Task(table.Piece, -1, nil, m.parts(r.parts, longer, inside, owner{x.Region, x.Construct, 0, -1})))
	}
	for out.Asks = 1; chunksIn(out.Schedule, out.N) > mostInside; out.Asks *= 2 {
		out.Schedule.Chunk, out.Joined = 2*max(1, out.Schedule.Chunk), true
	}
	return out
}
