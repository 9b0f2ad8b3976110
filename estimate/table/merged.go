package table

// This file makes the rows of a construct one, to tell what averages and largest times
// overlook: which sections are long together.

import (
	"maps"
	"slices"
)

// Averaged returns the table in which each construct is executed one way: with the average
// time of each section, inside others as well.
func (t *Table) Averaged() (*Table, error) { return t.merged(false) }

// Largest returns the table in which each construct is executed one way: with the largest
// times of each section, on each kind of processor, and the most executions inside it.
// Tasks are time of what makes them. What is inside a recursion stays as it is, since it would have no end.
func (t *Table) Largest() (*Table, error) { return t.merged(true) }

func (t *Table) merged(largest bool) (*Table, error) {
	b := NewBuilder(t.Machine, t.regions)
	for range t.sets {
		b.Set(Set{})
	}
	for s, set := range t.sets {
		if t.executions[set.Executions[0]].role != NoTask { // time of what makes them
			b.Fill(s, One(b.Task(Piece, -1, nil, []Part{{Own: t.setAlone[s*t.Kinds : (s+1)*t.Kinds], Set: -1}})))
			continue
		}
		if largest && t.cyclic[s] {
			set.Executions = slices.Clone(set.Executions)
			for i, x := range set.Executions {
				set.Executions[i] = t.merge(b, []int{x}, []float64{1}, false)
			}
			b.Fill(s, set)
			continue
		}
		b.Fill(s, One(t.merge(b, set.Executions, set.Shares, largest)))
	}
	for i := range t.stages {
		if t.stageOf(t.stages[i].region, t.stages[i].construct) < i {
			continue
		}
		rows, shares, all := []int(nil), []float64(nil), 0.0
		for j := i; j < len(t.stages); j++ {
			if u := &t.stages[j]; t.compareStages(i, j) == 0 {
				for row, root := range u.rows {
					rows, shares, all = append(rows, t.Roots[root].Execution), append(shares, u.weight[row]), all+u.weight[row]
				}
			}
		}
		for k := range shares {
			shares[k] /= all
		}
		if all > 0 {
			b.Root(t.merge(b, rows, shares, largest), all)
		}
	}
	return b.Table(t.Base)
}

// merge adds an execution that stands for several of a construct.
func (t *Table) merge(b *Builder, executions []int, shares []float64, largest bool) int {
	add := func(to *float64, x, share float64) {
		if largest {
			*to = max(*to, x)
		} else {
			*to += share * x
		}
	}
	first := &t.executions[executions[0]]
	runs, sections := 0.0, int32(0)
	for i, x := range executions {
		add(&runs, t.executions[x].runs, shares[i])
		sections = max(sections, t.executions[x].lanes)
	}
	lanes := make([][]Part, sections)
	for s := range lanes {
		own, inside, reached := make([]float64, t.Kinds), map[int32]float64{}, false
		asks := 0.0
		for i, x := range executions {
			e := &t.executions[x]
			if int32(s) >= e.lanes {
				continue
			}
			l := t.lanes[e.first+int32(s)]
			sum, times := make([]float64, t.Kinds), map[int32]float64{}
			asked := 0.0
			for at := l.first; at < l.first+l.parts; at++ {
				p := t.parts[at]
				reached = true
				asked += p.asks
				for k := range sum {
					sum[k] += p.times * t.own[int(at)*t.Kinds+k]
				}
				if p.set >= 0 && t.executions[t.sets[p.set].Executions[0]].role != NoTask {
					for k := range sum {
						sum[k] += p.times * t.setAlone[int(p.set)*t.Kinds+k]
					}
				} else if p.set >= 0 {
					times[p.set] += p.times
				}
			}
			for k := range sum {
				add(&own[k], sum[k], shares[i])
			}
			add(&asks, asked, shares[i])
			for set, n := range times {
				all := inside[set]
				add(&all, n, shares[i])
				inside[set] = all
			}
		}
		if !reached {
			continue
		}
		lanes[s] = []Part{{Own: own, Set: -1, Asks: asks}}
		for _, set := range slices.Sorted(maps.Keys(inside)) {
			lanes[s] = append(lanes[s], Part{Own: make([]float64, t.Kinds), Set: int(set), Times: inside[set]})
		}
	}
	return b.add(execution{region: first.region, construct: first.construct, runs: runs, lock: first.lock, acquires: first.acquires, atomic: first.atomic}, lanes)
}
