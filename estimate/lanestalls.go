package estimate

// This file tells lanes apart that call the same function and find more or less of what it uses in caches. Blocks have one cost, so that of
// what they wait each lane has its part (memory.go); executions are known by lane, and wait what the lane does.

import (
	"pathspan/ir"
	"pathspan/memory"
)

// ownStalls returns what executions of each section, or loop, wait longer than their blocks say, on average, in cycles of
// processor 0: by kind of processor. What tasks wait counts for the section whose code makes them.
func (e *Estimator) ownStalls() map[lane][]float64 {
	if !e.KnowsMemory() {
		return nil
	}
	m, d := e.accesses(), e.Bundle.Memory
	makes := e.makersOfTasks()
	began := make([]float64, len(d.Lanes))
	for _, s := range d.Spans {
		began[s.Lane] += float64(s.Times)
	}
	of := map[memory.Lane]int{}
	for l := range d.Lanes {
		of[d.Lanes[l]] = l
	}
	out := map[lane][]float64{}
	for k := range e.kinds {
		seen := e.seen(e.first(k))
		charged := e.kinds[k].costs
		spread := make([]float64, len(d.Lanes))
		for fi, f := range e.funcs {
			if f == nil {
				continue
			}
			for b, n := range f.counts {
				stall := float64(n) * (charged.Blocks[fi][b].Cycles - e.Costs[e.first(k)].Blocks[fi][b].Cycles)
				if l := m.lane[fi][b]; l >= 0 {
					spread[l] += stall
					continue
				}
				for l, share := range m.shares[fi] {
					spread[l] += share * stall
				}
			}
		}
		for l := range d.Lanes {
			var to lane
			switch x := &d.Lanes[l]; x.Kind {
			case memory.InSection, memory.InLoop, memory.InSingle:
				to = lane{x.Region, x.Construct, max(0, x.Section)}
			case memory.InTask:
				maker, ok := makes[x.Construct]
				if !ok {
					continue
				}
				to = maker
			default:
				continue
			}
			n := began[l]
			if d.Lanes[l].Kind == memory.InTask {
				n = began[e.laneOf(of, to)]
			}
			if n == 0 || m.lanes[l] == 0 {
				continue
			}
			if out[to] == nil {
				out[to] = make([]float64, len(e.kinds))
			}
			out[to][k] += (seen.StallOf(m.waiting(seen.Buffered)[l], m.conflicts(seen.Buffered)[l]) - spread[l]) / n * e.factor[k]
		}
	}
	return out
}

// first is a processor of a kind.
func (e *Estimator) first(kind int) int {
	for p, k := range e.kindOf {
		if k == kind {
			return p
		}
	}
	return 0
}

// laneOf is the recorded lane of a section.
func (e *Estimator) laneOf(of map[memory.Lane]int, l lane) int {
	for _, kind := range []memory.LaneKind{memory.InSection, memory.InLoop, memory.InSingle} {
		if at, ok := of[memory.Lane{Kind: kind, Region: l.region, Construct: l.construct, Section: l.section}]; ok {
			return at
		}
	}
	return 0
}

// makersOfTasks finds the sections whose code makes tasks itself.
func (a *Analysis) makersOfTasks() map[int]lane {
	out := map[int]lane{}
	for _, f := range a.funcs {
		if f == nil {
			continue
		}
		for b, inside := range opened(f.fn, sectionEdge) {
			if mark := f.fn.Blocks[b].TaskMark; mark != nil && mark.Kind == ir.TaskBegin && len(inside) > 0 {
				out[mark.Construct] = inside[len(inside)-1]
			}
		}
	}
	return out
}
