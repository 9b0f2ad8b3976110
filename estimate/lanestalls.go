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
	makers := e.makers()
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
			if m.lanes[l] == 0 {
				continue
			}
			longer := (seen.StallOf(m.waiting(seen.Buffered)[l], m.conflicts(seen.Buffered)[l]) - spread[l]) * e.factor[k]
			leading := makers[d.Lanes[l].Construct]
			if to, ok := laneOfSection(&d.Lanes[l]); ok {
				leading = map[lane]float64{to: 1}
			} else if d.Lanes[l].Kind != memory.InTask {
				continue
			}
			for to, share := range leading {
				n := began[e.laneOf(of, to)]
				if n == 0 {
					continue
				}
				if out[to] == nil {
					out[to] = make([]float64, len(e.kinds))
				}
				out[to][k] += share * longer / n
			}
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

// makers tells by task which sections lead to it, by what their code calls and by other tasks, and what part
// of its executions each does.
func (a *Analysis) makers() map[int]map[lane]float64 {
	from, out := a.madeBy(), map[int]map[lane]float64{}
	for task := range from {
		out[a.Bundle.Memory.Lanes[task].Construct] = a.leadTo(task, from)
	}
	return out
}

// madeBy tells by task's lane how many of its executions each lane made.
func (a *Analysis) madeBy() map[int][]float64 {
	m, d := a.accesses(), a.Bundle.Memory
	begins := map[ir.Mark]int{}
	for l := range d.Lanes {
		begins[markOf(&d.Lanes[l])] = l
	}
	from := map[int][]float64{}
	for fi, f := range a.funcs {
		if f == nil {
			continue
		}
		var inside [][]int
		for b, block := range f.fn.Blocks {
			if block.TaskMark == nil || block.TaskMark.Kind != ir.TaskBegin || f.counts[b] == 0 {
				continue
			}
			task, ok := begins[ir.Mark{Kind: ir.TaskBegin, Construct: block.TaskMark.Construct}]
			if !ok {
				continue
			}
			if inside == nil {
				inside = opened(f.fn, func(b *ir.Block) (int, bool, bool) { return laneEdge(b, begins) })
			}
			if from[task] == nil {
				from[task] = make([]float64, len(d.Lanes))
			}
			around := inside[b]
			if n := len(around); n > 0 && around[n-1] == task {
				around = around[:n-1]
			}
			if n := len(around); n > 0 {
				from[task][around[n-1]] += float64(f.counts[b])
				continue
			}
			for l, share := range m.shares[fi] {
				from[task][l] += share * float64(f.counts[b])
			}
		}
	}
	return from
}

// leadTo follows a task back to the sections, over tasks that made it.
func (a *Analysis) leadTo(task int, from map[int][]float64) map[lane]float64 {
	const (
		sweeps = 1000
		least  = 1e-9
	)
	out := map[lane]float64{}
	at := make([]float64, len(a.Bundle.Memory.Lanes)) // what is not followed to its end
	at[task] = 1
	for range sweeps {
		next, left := make([]float64, len(at)), 0.0
		for l, share := range at {
			made, sum := from[l], 0.0
			for k, x := range made {
				if k != l { // a task that makes its like was made by something else in the end
					sum += x
				}
			}
			if share == 0 || sum == 0 {
				continue
			}
			for k, x := range made {
				if x == 0 || k == l {
					continue
				}
				part := share * x / sum
				if to, ok := laneOfSection(&a.Bundle.Memory.Lanes[k]); ok {
					out[to] += part
				} else {
					next[k] += part
					left += part
				}
			}
		}
		if at = next; left < least {
			break
		}
	}
	return out
}

// laneOfSection is the section, or loop, that a recorded lane is.
func laneOfSection(l *memory.Lane) (lane, bool) {
	switch l.Kind {
	case memory.InSection, memory.InLoop, memory.InSingle:
		return lane{l.Region, l.Construct, max(0, l.Section)}, true
	}
	return lane{}, false
}
