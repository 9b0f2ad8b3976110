package estimate

// This file makes rows of streaks: constructs from one to the next of which threads go on
// without waiting (nowait). A thread's lanes in all of them follow each other, and it takes
// chunks of a loop from when it comes there.

import (
	"slices"

	"pathspan/estimate/table"
	"pathspan/profile"
)

// mostRepeated bounds how often the same construct is shared among threads anew where a streak
// comes to it again and again; beyond, several times are taken to go alike.
const mostRepeated = 64

func (m *executionRows) streak(entry int) bool {
	return m.x.Entries[entry].Region == m.e.Bundle.Program.StreakRegion()
}

// constructOf tells of which construct an entry's rows are: of a streak, the one that it came to first.
func (m *executionRows) constructOf(entry int) (region, construct int, ok bool) {
	x := &m.x.Entries[entry]
	if !m.streak(entry) {
		return x.Region, x.Construct, true
	}
	for _, p := range x.Lanes[0] {
		if p.Entry >= 0 {
			return m.constructOf(p.Entry)
		}
	}
	return 0, 0, false // all that it held is work
}

// work is what a part does of its own, with what a streak holds that is kept as work alone.
func (m *executionRows) work(p *profile.ExecutionPart) []float64 {
	if p.Entry < 0 || !m.streak(p.Entry) {
		return p.Work
	}
	out := slices.Clone(p.Work)
	for _, of := range m.x.Entries[p.Entry].Lanes[0] {
		add(out, of.Work, float64(of.Times))
	}
	return out
}

// make adds the execution of an entry to the builder: of a construct, or of a streak.
func (m *executionRows) make(i int, longer float64, inside func(entry int) int) int {
	region, construct, ok := m.constructOf(i)
	if !ok {
		return m.builder.Execution(0, 0, 0, nil)
	}
	r := &m.e.Bundle.Program.Regions[region]
	first, n := r.Together(construct)
	byConstruct, clock, chunks := make([][][]table.Part, n), make([]float64, len(m.e.kindOf)), make([]*table.Chunks, n)
	each := func(entry int, times float64) {
		before := slices.Clone(clock)
		at := m.x.Entries[entry].Construct - first
		of := &byConstruct[at]
		lanes, in := m.lanes(entry, longer, inside, clock)
		if chunks[at] = in; len(*of) > 0 { // it is come to again: chunks stay where they are
			chunks[at] = nil
		}
		for s, parts := range lanes {
			if len(*of) <= s {
				*of = append(*of, nil)
			}
			for _, p := range parts {
				p.Asks *= times
				if p.Times *= times; p.Set < 0 {
					own := p.Own
					p.Own = make([]float64, len(own))
					add(p.Own, own, times)
				}
				(*of)[s] = append((*of)[s], p)
			}
		}
		for p := range clock {
			clock[p] = before[p] + times*(clock[p]-before[p])
		}
	}
	if m.streak(i) {
		for _, p := range m.x.Entries[i].Lanes[0] {
			for g, groups := uint64(0), min(p.Times, mostRepeated); p.Entry >= 0 && g < groups; g++ {
				each(p.Entry, float64(p.Times*(g+1)/groups-p.Times*g/groups))
			}
		}
	} else {
		each(i, 1)
	}
	var lanes [][]table.Part
	var played []table.Chunks
	for c, of := range byConstruct {
		if chunks[c] != nil {
			chunks[c].Lane = len(lanes)
			played = append(played, *chunks[c])
		}
		lanes = append(lanes, of...)
		for k := len(of); k < len(r.Constructs[first+c].Sections); k++ {
			lanes = append(lanes, nil)
		}
	}
	return m.builder.Execution(region, first, 1, lanes, played...)
}

// lanes are those of an entry of a construct. clock is how long each processor has been at the
// streak around it when it comes there, and then when it goes on, in cycles of processor 0, as
// far as that says who takes which chunks of loops; those of one that makes tasks are returned.
func (m *executionRows) lanes(entry int, longer float64, inside func(entry int) int, clock []float64) ([][]table.Part, *table.Chunks) {
	x := &m.x.Entries[entry]
	if l := m.in.loop(x.Region, x.Construct); l != nil {
		if x = m.withoutWaits(x); m.makesTasks(x) {
			return m.taskLoop(x, longer, inside, l, clock)
		}
		return m.loop(x, longer, inside, l, clock), m.told(x, longer, inside, l)
	}
	lanes := make([][]table.Part, len(x.Lanes))
	proc := m.in.proc[x.Region][x.Construct]
	for s, parts := range x.Lanes {
		lanes[s] = m.parts(parts, longer, inside, owner{x.Region, x.Construct, s, -1})
		if proc != nil {
			takes := make([]float64, len(m.e.kinds))
			m.addLane(takes, x, s)
			clock[proc[s]] += takes[m.e.kindOf[proc[s]]] * longer
		}
	}
	return lanes, nil
}
