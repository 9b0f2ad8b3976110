package averaged

// This file finds which functions and loops always cost the same.

import (
	"pathspan/pathprof"
	"pathspan/validate/ledger"
)

// findKinds decides by function whether its calls cost the same each time: it takes one
// path, its loops always make the same trips, and so do those that it calls.
func (w *Walk) findKinds() {
	order := w.e.CalleesFirst()
	for _, f := range order {
		vary := w.varies(f, 0)
		for b := range w.e.Bundle.Program.Funcs[f].Blocks {
			w.e.Calls(f, b, func(_, callee int, _ float64) { vary = vary || w.kinds[callee] != "" })
		}
		switch {
		case w.e.Recursive(f):
			w.kinds[f] = ledger.Recursion
		case vary:
			w.kinds[f] = ledger.Callee
		}
	}
	for _, f := range order {
		if w.kinds[f] != "" && w.e.ReachesRegion(f) {
			w.kinds[f] = ledger.Nested
		}
	}
}

// Differ reports whether calls of a function may differ in what they cost.
func (w *Walk) Differ(fn int) bool {
	return w.kinds[fn] != "" && w.e.Bundle.Funcs[fn].Invocations() > 1
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
