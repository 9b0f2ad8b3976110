package document

// This file finds functions whose executions overlap: those that call themselves, and those
// that sections call, so that some may run at the same time.

import (
	"slices"

	"pathspan/estimate"
	"pathspan/ir/flow"
)

// overlaps says of functions, by index, in which way their executions overlap.
type overlaps struct{ recursive, inSections []bool }

func newOverlaps(e *estimate.Estimator) overlaps {
	funcs := e.Bundle.Program.Funcs
	out := overlaps{make([]bool, len(funcs)), make([]bool, len(funcs))}
	calls := make([][]int, len(funcs)) // by function: those that it may call
	var sections []int                 // called in one
	targets := map[[3]int][]int{}      // of indirect calls, by function, block and instruction
	for _, t := range e.Bundle.Targets {
		if t.Target >= 0 {
			at := [3]int{t.Func, t.Block, t.Instr}
			targets[at] = append(targets[at], t.Target)
		}
	}
	for i, f := range funcs {
		parallel := parallelBlocks(e, i)
		for k, blk := range f.Blocks {
			for n := range blk.Instrs {
				if c := blk.Instrs[n].Call; c != nil {
					callees := slices.Clone(c.FuncArgs)
					if c.Callee >= 0 {
						callees = append(callees, c.Callee)
					}
					callees = append(callees, targets[[3]int{i, k, n}]...)
					calls[i] = append(calls[i], callees...)
					if parallel[k] {
						sections = append(sections, callees...)
					}
				}
			}
		}
	}
	reached := func(from []int) []bool {
		return flow.Reached(len(funcs), from, func(f int, visit func(int)) {
			for _, callee := range calls[f] {
				visit(callee)
			}
		})
	}
	out.inSections = reached(sections)
	for i := range funcs {
		out.recursive[i] = holdsRegion(e.Graphs[i]) && reached(calls[i])[i] // others are not shown
	}
	return out
}

// parallelBlocks tells which blocks of a function lie in sections.
func parallelBlocks(e *estimate.Estimator, fn int) map[int]bool {
	in := map[int]bool{}
	g := e.Graphs[fn]
	if g == nil {
		return in
	}
	for _, l := range g.Levels {
		for i := range l.Groups {
			for _, s := range l.Groups[i].Sections {
				for _, t := range s.Tasks {
					blocks := l.Tasks[t].Blocks
					if loop := l.Tasks[t].Loop; loop >= 0 {
						blocks = g.CFG.Loops[loop].Blocks
					}
					for _, b := range blocks {
						in[b] = true
					}
				}
			}
		}
	}
	return in
}
