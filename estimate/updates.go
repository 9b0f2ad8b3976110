package estimate

// This file makes rows of atomic updates, in lanes that are no loop's, and leaves them out where the
// platform has no price for a line that comes from another processor: nobody waits for them then.

import (
	"slices"

	"pathspan/estimate/table"
	"pathspan/profile"
)

// executionsToPlay are those of the bundle, with atomic updates where they take time. Else the
// work before them is a part of its own, and constructs with nothing else in them need not be played.
func (e *Estimator) executionsToPlay() *profile.Executions {
	x := e.Bundle.Executions
	if e.Platform.Other.Atomic.Cycles > 0 {
		return x
	}
	m := &executionRows{e: e, x: x}
	update := func(p profile.ExecutionPart) bool { return p.Entry >= 0 && m.updates(p.Entry) }
	var out *profile.Executions
	for i := range x.Entries {
		lanes := x.Entries[i].Lanes
		for s, lane := range lanes {
			if !slices.ContainsFunc(lane, update) {
				continue
			}
			if out == nil {
				copied := *x
				out = &copied
				out.Entries = slices.Clone(x.Entries)
			}
			if &out.Entries[i].Lanes[0] == &lanes[0] {
				out.Entries[i].Lanes = slices.Clone(lanes)
			}
			out.Entries[i].Lanes[s] = withoutUpdates(lane, update, func(p profile.ExecutionPart) bool {
				return x.Entries[i].Loop && p.Entry >= 0 && m.locked(p.Entry) // with what lies ahead of it
			})
		}
	}
	if out == nil {
		return x
	}
	return out
}

func withoutUpdates(lane []profile.ExecutionPart, update, ahead func(p profile.ExecutionPart) bool) []profile.ExecutionPart {
	var out []profile.ExecutionPart
	for _, p := range lane {
		if update(p) {
			work := make([]float64, len(p.Work))
			add(work, p.Work, float64(p.Times))
			p.Entry, p.Times, p.Work = -1, 1, work
		}
		if n := len(out) - 1; n >= 0 && out[n].Entry < 0 && (p.Entry < 0 || ahead(p)) {
			work := slices.Clone(p.Work)
			add(work, out[n].Work, 1/float64(p.Times))
			p.Work, out = work, out[:n]
		}
		out = append(out, p)
	}
	return out
}

// updated is a part that updates a line so often, each time with some work of its own before.
type updated struct {
	key   stretchKey
	own   []float64
	times uint64
}

// updatesIn counts the atomic updates of a lane.
func (m *executionRows) updatesIn(lane []profile.ExecutionPart) uint64 {
	n := uint64(0)
	for _, p := range lane {
		if p.Entry >= 0 && m.updates(p.Entry) {
			n += p.Times
		}
	}
	return n
}

// together returns how many parts at the begin of a lane update a line each, which are others:
// where a lane has many parts, updates of each line in a stretch of it are one.
func (m *executionRows) together(lane []profile.ExecutionPart) int {
	n := 0
	for ; n < len(lane) && lane[n].Entry >= 0 && m.updates(lane[n].Entry); n++ {
		if slices.ContainsFunc(lane[:n], func(p profile.ExecutionPart) bool { return p.Entry == lane[n].Entry }) {
			break
		}
	}
	return n
}

// alternate adds such parts to a lane, in steps in which lines take turns. all is how many updates
// the whole lane has, which are told in so many stretches.
func (m *executionRows) alternate(lane []table.Part, of []updated, all uint64, inside func(entry int) int) []table.Part {
	steps := uint64(1)
	for _, x := range of {
		steps = max(steps, x.times)
	}
	if len(of) == 1 {
		steps = 1
	}
	steps = min(steps, rounds)
	for r := range steps {
		for _, x := range of {
			n := x.times*(r+1)/steps - x.times*r/steps
			most := float64(mostStretches) * float64(n) / float64(all)
			lane = m.takes(lane, x.key, x.own, n, max(1, uint64(most)), inside)
		}
	}
	return lane
}
