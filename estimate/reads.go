package estimate

// This file finds what tasks wait for lines that others wrote last: by who wrote them, each as much as tasks of its place do on average.

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/memory"
)

// reads returns by task of the program, and behind the last of sections that make tasks, what they wait. What stages of
// pipelines read is known item by item (tokens).
func (m *mover) reads() []*table.Reads {
	n, madeBy := len(m.e.Bundle.Program.Tasks), m.e.madeBy()
	places := m.placesOf(madeBy)
	out, took, began := make([]*table.Reads, n+1), make([][]float64, n+1), make([]float64, n+1)
	for l, place := range places {
		if place < 0 || m.x.began[l] == 0 {
			continue
		}
		if out[place] == nil {
			out[place], took[place] = &table.Reads{Others: make([]table.Crossing, n+1)}, make([]float64, len(m.seen))
		}
		floats.Add(took[place], m.laneTimes(l))
		began[place] += m.x.began[l]
	}
	uses := m.firstUses()
	for _, pair := range slices.SortedFunc(maps.Keys(uses), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		from, to := places[pair[0]], places[pair[1]]
		switch {
		case from == stage || to == stage:
		case to == outside && from != outside && out[from] != nil:
			out[from].Back = out[from].Back.Add(m.perTime(m.apart(uses[pair], 1), took[from]))
		case to == outside || out[to] == nil:
		default:
			x, c := out[to], m.apart(uses[pair], began[to])
			switch {
			case from == outside:
				x.Met = x.Met.Add(c)
			case made(madeBy, pair[0], pair[1]) && !made(madeBy, pair[1], pair[0]):
				x.Maker = x.Maker.Add(c)
			case kin(madeBy, pair[0], pair[1]):
				x.Kin = x.Kin.Add(c)
			default:
				x.Others[from] = x.Others[from].Add(c)
			}
		}
	}
	for l, place := range places {
		if place >= 0 && out[place] != nil {
			out[place].Stack = out[place].Stack.Add(m.stack(l, m.metWith(madeBy, l, map[int]bool{})))
		}
		if place >= 0 && out[place] != nil && m.share {
			out[place].Crowd = out[place].Crowd.Add(m.perTime(m.crowdOfTasks(l), took[place]))
		}
	}
	return out
}

// What lanes are that are neither tasks nor sections that make some, and stages of pipelines.
const outside, stage = -1, -2

// placesOf returns lanes as table.Machine.Reads has them.
func (m *mover) placesOf(madeBy map[int][]float64) []int {
	d, n := m.e.Bundle.Memory, len(m.e.Bundle.Program.Tasks)
	places := make([]int, len(d.Lanes))
	for l := range d.Lanes {
		places[l] = outside
		if x := &d.Lanes[l]; x.Kind == memory.InTask {
			places[l] = x.Construct
			if pipeline, _ := m.e.Bundle.Program.StageOf(x.Construct); pipeline >= 0 {
				places[l] = stage
			}
		}
	}
	for task, makers := range madeBy {
		if places[task] == stage {
			continue
		}
		for l, times := range makers {
			if _, ok := laneOfSection(&d.Lanes[l]); ok && times > 0 {
				places[l] = n
			}
		}
	}
	return places
}

// made reports whether a lane makes tasks of another.
func made(madeBy map[int][]float64, by, l int) bool { return madeBy[l] != nil && madeBy[l][by] > 0 }

// kin reports whether one lane makes the other, or something makes both.
func kin(madeBy map[int][]float64, a, b int) bool {
	if a == b || made(madeBy, a, b) || made(madeBy, b, a) {
		return true
	}
	for l, times := range madeBy[a] {
		if times > 0 && made(madeBy, l, b) {
			return true
		}
	}
	return false
}

// firstUses are the lines with which executions of lanes begin, by who wrote them last and who uses them, as often as one comes from another
// processor where that which writes is any, and that which reads. Of those that a lane had since they were written, several of
// its executions read what was written once: the first of each processor brings it there.
func (m *mover) firstUses() map[[2]int]caches.Histogram {
	d, buffered := m.e.Bundle.Memory, m.e.Platform.Hierarchy.Buffered
	out, fresh, processors := map[[2]int]caches.Histogram{}, freshOf(d), float64(len(m.e.kindOf))
	for i := range d.Reuse {
		r := &d.Reuse[i]
		if !r.First || r.From < 0 {
			continue
		}
		pair := [2]int{r.From, r.Lane}
		times := waiting(r, buffered)
		began := max(1, m.x.began[r.Lane])
		if r.From == r.Lane {
			times *= 1 - 1/began // nor what it wrote itself before what it led to
		} else if once := fresh.of(pair, r, buffered); once < times {
			readers := min(times/max(once, 1e-9), began)
			times = once * processors * (1 - math.Pow(1-1/processors, readers))
		}
		out[pair] = append(out[pair], caches.Reuse{Lines: r.Lines, Times: times})
	}
	return out
}

// metWith is how often constructs are executed that lead to a lane.
func (m *mover) metWith(madeBy map[int][]float64, l int, seen map[int]bool) (times float64) {
	x := &m.e.Bundle.Memory.Lanes[l]
	switch {
	case seen[l]:
	case x.Kind != memory.InTask:
		times = m.x.began[l]
	default:
		seen[l] = true
		for maker, made := range madeBy[l] {
			if made > 0 {
				times += m.metWith(madeBy, maker, seen)
			}
		}
	}
	seen[l] = true
	return times
}

// crowdOfTasks is what executions of a lane wait longer together where others at work share caches, by their number.
func (m *mover) crowdOfTasks(lane int) table.Crossing {
	kinds := len(m.seen)
	out := make(table.Crossing, len(m.e.kindOf)*kinds)
	for others := 1; others < len(m.e.kindOf); others++ {
		for k, seen := range m.seen {
			out[others*kinds+k] = m.crowded(seen, lane, float64(others+1), float64(others+1)*m.linesOf(lane)) * m.e.factor[k]
		}
	}
	return out
}
