package estimate

// This file finds what the end of each path waited for.

import (
	"pathspan/mapping"
	"pathspan/pathprof"
)

// CriticalPath attributes the time of the path-based estimate: for each path, the chain of
// tasks that its end waited for. The times of all shares together are the parallel time.
func (e *Estimator) CriticalPath(m *mapping.Resolved) (*Attribution, error) {
	return e.attribute(m, true)
}

// chain returns the tasks of a path that its end waited for: from the last one back, each
// time the one that ends where the next begins.
func (a *attribution) chain(level int, steps []pathprof.Step, first int) []bool {
	x := a.x
	start, stop := x.schedule(level, steps, x.tpc(level, steps, first))
	ls, preds := &x.state.levels[level], x.hot.levels[level].preds
	before := make([]int32, len(preds)) // by task: the one before it on its processor, or -1
	last := make([]int32, ls.taken)
	for r := range last {
		last[r] = -1
	}
	for _, t := range ls.order {
		before[t], last[ls.resource[t]] = last[ls.resource[t]], t
	}
	on := make([]bool, len(preds))
	for t := int32(len(preds) - 1); t >= 0; {
		on[t] = true
		next := int32(-1)
		if p := before[t]; p >= 0 && stop[p] == start[t] {
			next = p
		}
		for _, p := range preds[t] {
			if next < 0 && stop[p] == start[t] {
				next = p
			}
		}
		t = next
	}
	return on
}
