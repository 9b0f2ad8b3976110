package estimate

// This file finds what threads of a loop bring in that another has: tables that all read, what code outside of sections wrote, what threads
// wrote that have other parts of an array. A profile knows it of loops whose iterations some numbers of threads share evenly.

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/memory"
)

// takenBy is what so many threads of a loop bring in, in all executions.
type takenBy struct {
	threads int
	uses    caches.Histogram
	// outer is what part of them is the first thread's.
	outer float64
	// kept is, by how far apart the lines were used, what part of the uses with which the loop begins is of lines that the thread has.
	kept map[int64]float64
}

// taken lists it by lane and number of threads, of loops that are shared evenly and use what such loops and code outside of sections left. Of
// others it is nil.
func (m *mover) taken() [][]takenBy {
	if m.madeTaken != nil {
		return m.madeTaken
	}
	d, buffered := m.e.Bundle.Memory, m.e.Platform.Hierarchy.Buffered
	m.madeTaken = make([][]takenBy, len(d.Lanes))
	for i := 0; i < len(d.Taken); {
		lane, threads := d.Taken[i].Lane, d.Taken[i].Threads
		t, all, outer := takenBy{threads: threads, kept: map[int64]float64{}}, 0.0, 0.0
		for ; i < len(d.Taken) && d.Taken[i].Lane == lane && d.Taken[i].Threads == threads; i++ {
			x := &d.Taken[i]
			times := float64(x.Reads)
			if !buffered {
				times += float64(x.Writes)
			}
			t.uses = append(t.uses, caches.Reuse{Lines: x.Lines, Times: times})
			all, outer = all+float64(x.Reads+x.Writes), outer+float64(x.Outer)
			if x.Known > 0 {
				t.kept[x.Lines] = float64(x.Kept) / float64(x.Known)
			}
		}
		t.outer = outer / max(1, all)
		m.madeTaken[lane] = append(m.madeTaken[lane], t)
	}
	for l := range m.madeTaken {
		if m.madeTaken[l] != nil && (!m.sharedEvenly(l) || slices.ContainsFunc(d.Reuse, func(r memory.Reuse) bool {
			return r.First && r.Lane == l && r.From >= 0 && d.Lanes[r.From].Kind == memory.InLoop && !m.sharedEvenly(r.From)
		})) {
			m.madeTaken[l] = nil
		}
	}
	return m.madeTaken
}

// sharedEvenly reports whether threads of a lane's loop have one piece of its iterations each, and equal ones.
func (m *mover) sharedEvenly(l int) bool {
	x := &m.e.Bundle.Memory.Lanes[l]
	if x.Kind != memory.InLoop {
		return false
	}
	of := m.in.loop(x.Region, x.Construct)
	return of != nil && of.Shares == nil && !of.Schedule.Dispatched() && of.Schedule.Chunk == 0
}

// knowsTaken reports whether it is known of what a lane left who of a loop's threads has it.
func (m *mover) knowsTaken(l, other int) bool {
	if l < 0 || m.taken()[l] == nil {
		return false
	}
	switch m.e.Bundle.Memory.Lanes[other].Kind {
	case memory.Serial, memory.InRegion, memory.InLoop:
		return true
	}
	return false
}

// among returns, of lists by number of threads, those next to a number, and how near the latter is.
func among(of []takenBy, threads int) (below, above *takenBy, part float64) {
	k := slices.IndexFunc(of, func(t takenBy) bool { return t.threads >= threads })
	switch {
	case k < 0:
		k = len(of) - 1
		return &of[k], &of[k], 0
	case k == 0 || of[k].threads == threads:
		return &of[k], &of[k], 0
	}
	from, to := of[k-1].threads, of[k].threads
	return &of[k-1], &of[k], float64(threads-from) / float64(to-from)
}

// brought is what all threads of a loop together wait for lines that they bring in, in an execution, by the number of processors; as many times
// more as the one waits that brings in most.
func (m *mover) brought(l int) []table.Crossing {
	if l < 0 || m.taken()[l] == nil || m.x.began[l] == 0 || m.in.divided || m.copies != nil {
		return nil
	}
	out := make([]table.Crossing, len(m.e.kindOf)+1)
	for n := 2; n < len(out); n++ {
		below, above, part := among(m.taken()[l], n)
		for _, x := range []struct {
			of   *takenBy
			part float64
		}{{below, 1 - part}, {above, part}} {
			if c := m.apart(x.of.uses, m.x.began[l]); x.part > 0 && c != nil {
				longest := float64(n) * math.Max(x.of.outer, (1-x.of.outer)/float64(n-1))
				out[n] = out[n].Add(c.Times(x.part * longest))
			}
		}
	}
	return out
}

// kept is what part of the uses as far apart, with which a loop begins, is of lines that the thread has, by the number of processors; nil where nobody knows.
func (m *mover) kept(l int, lines int64) []float64 {
	out := make([]float64, len(m.e.kindOf)+1)
	for n := 2; n < len(out); n++ {
		below, above, part := among(m.taken()[l], n)
		if _, known := below.kept[lines]; !known {
			return nil
		}
		out[n] = (1-part)*below.kept[lines] + part*above.kept[lines]
	}
	return out
}
