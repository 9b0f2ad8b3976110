package averaged

// This file finds which functions and loops always cost the same.

import (
	"slices"

	"pathspan/htg"
	"pathspan/pathprof"
	"pathspan/validate/ledger"
)

// findKinds decides by function whether its calls cost the same each time: it takes one
// path, its loops always make the same trips, and so do those that it calls.
func (w *Walk) findKinds() {
	n := len(w.counts)
	callees := make([][]int, n)
	for f := range n {
		if w.counts[f] == nil {
			continue
		}
		for b, runs := range w.counts[f] {
			if runs > 0 {
				w.calls(f, b, func(_, callee int, count float64) {
					if count > 0 && !slices.Contains(callees[f], callee) {
						callees[f] = append(callees[f], callee)
					}
				})
			}
		}
		w.reaches[f] = slices.ContainsFunc(w.e.Graphs[f].Levels, func(g *htg.Graph) bool { return len(g.Groups) > 0 })
		if w.varies(f, 0) {
			w.kinds[f] = ledger.Callee
		}
	}
	for changed := true; changed; {
		changed = false
		for f := range n {
			for _, c := range callees[f] {
				if w.reaches[c] && !w.reaches[f] {
					w.reaches[f], changed = true, true
				}
				if w.kinds[c] != "" && w.kinds[f] == "" {
					w.kinds[f], changed = ledger.Callee, true
				}
			}
		}
	}
	for f := range n {
		if reachable(callees, f)[f] {
			w.kinds[f] = ledger.Recursion
		}
	}
	for f := range n {
		if w.reaches[f] && w.kinds[f] != "" {
			w.kinds[f] = ledger.Nested
		}
	}
}

// reachable tells which functions f calls, directly or not.
func reachable(callees [][]int, f int) []bool {
	seen := make([]bool, len(callees))
	stack := slices.Clone(callees[f])
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !seen[c] {
			seen[c] = true
			stack = append(stack, callees[c]...)
		}
	}
	return seen
}

// varies reports whether entries of a level may differ in what they cost, calls aside:
// level 0 took more than one path, a loop made different numbers of trips or took more
// than one path, or a loop inside does.
func (w *Walk) varies(fn, level int) bool {
	prof := w.e.Bundle.Funcs[fn]
	l := &prof.Levels[level]
	if len(l.Paths) == 0 && level > 0 {
		return false
	}
	paths := 0
	for i := range l.Paths {
		if level == 0 || l.Paths[i].End == pathprof.EndIteration {
			paths++
		}
	}
	if paths > 1 {
		return true
	}
	if level > 0 {
		entries := prof.EntriesOf()[level-1]
		if !l.MaxKnown || entries*l.MaxTrips != l.Iterations() {
			return true
		}
	}
	for i, loop := range w.e.Graphs[fn].CFG.Loops {
		if loop.Parent == level-1 && w.varies(fn, i+1) {
			return true
		}
	}
	return false
}
