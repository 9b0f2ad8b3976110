package openmp

// This file holds the control-flow graph of one function as numbers, for the
// small searches that recognising and extracting sections needs.

import (
	"slices"

	"pathspan/ir/asm"
)

type graph struct {
	f     *asm.Func
	index map[*asm.Block]int
	succs [][]int
	preds [][]int
}

func newGraph(f *asm.Func) *graph {
	g := &graph{f: f, index: make(map[*asm.Block]int, len(f.Blocks)),
		succs: make([][]int, len(f.Blocks)), preds: make([][]int, len(f.Blocks))}
	names := make(map[string]int, len(f.Blocks))
	for i, b := range f.Blocks {
		g.index[b] = i
		names[b.Name()] = i
	}
	for i, b := range f.Blocks {
		for _, s := range b.Succs() {
			if t, ok := names[s]; ok {
				g.succs[i] = append(g.succs[i], t)
				g.preds[t] = append(g.preds[t], i)
			}
		}
	}
	return g
}

// through visits the instructions that control comes to from the start of some blocks, those of a
// block once. It does not pass an instruction for which stops returns true.
func (g *graph) through(from []int, stops func(in *asm.Instr) bool) {
	seen := make([]bool, len(g.f.Blocks))
	work := slices.Clone(from)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if !slices.ContainsFunc(g.f.Blocks[b].Instrs, stops) {
			work = append(work, g.succs[b]...)
		}
	}
}

// reach returns the blocks that can be reached from start, start included, without
// entering stop (-1: none).
func (g *graph) reach(start, stop int) []bool { return reach(g.succs, stop, start) }

// reach marks what can be reached from some blocks, those included, without entering stop.
func reach(next [][]int, stop int, from ...int) []bool {
	seen := make([]bool, len(next))
	var work []int
	mark := func(b int) {
		if b != stop && !seen[b] {
			seen[b] = true
			work = append(work, b)
		}
	}
	for _, b := range from {
		mark(b)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range next[b] {
			mark(n)
		}
	}
	return seen
}
