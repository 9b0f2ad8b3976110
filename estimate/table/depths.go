package table

// This file has stages of pipelines wait for each other as buffers of other depths than the plan's have them do: by
// which elder tasks they wait for (ir.Pipeline.Waits), everything else being as it was recorded.

import (
	"slices"

	"pathspan/ir"
	"pathspan/mapping"
)

// waitsUnder lists by task of the program for which elder siblings stages wait under a mapping, where that is not what
// rows say; nil where all of it is.
func (t *Table) waitsUnder(m *mapping.Resolved) (waits map[int32][]uint64) {
	for i, d := range m.Depths {
		if d == nil || i >= len(t.Pipelines) {
			continue
		}
		if waits == nil {
			waits = map[int32][]uint64{}
		}
		x := &t.Pipelines[i]
		for k := range x.Stages {
			waits[int32(x.Stages[k].Task)] = x.Waits(k, d)
		}
	}
	return waits
}

// deepest are the waits of stages whose buffers a search may deepen, with the most places that it tries: no candidate
// has more of a chain of stages.
func (s *Space) deepest() map[int32][]uint64 {
	m := &mapping.Resolved{Depths: make([][]int, len(s.depths))}
	for i, of := range s.depths {
		for _, list := range of {
			m.Depths[i] = append(m.Depths[i], slices.Max(list))
		}
	}
	return s.t.waitsUnder(m)
}

// chains are the longest chains of tasks on their fastest processors, for one goroutine; with the depths that are tried.
// What is met inside sections was bounded with the plan's depths, and then counts as nothing.
func (s *Space) chains() spans {
	own := s.t.fastest
	own.known = map[int]chain{}
	if s.depths != nil {
		own.waits, own.set = s.deepest(), func(int) float64 { return 0 }
	}
	return own
}

// leastWith is the longest chain and the work of an execution that the serial processor meets.
func (s *Space) leastWith(chains *spans, execution int) (critical, work float64) {
	t := s.t
	if t.makes[execution] {
		return t.leastOfTasks(chains, execution)
	}
	critical, work = t.least(execution)
	if s.depths != nil && slices.Contains(t.makes, true) {
		critical = 0
	}
	return critical, work
}

// addDepths adds the genes of buffers whose stages all run in a unit.
func (s *Space) addDepths(stages []int, unit int) {
	tasks := s.t.deferredIn(stages)
	for i := range s.depths {
		x := &s.prog.Pipelines[i]
		if s.depths[i] == nil || slices.ContainsFunc(x.Stages, func(st ir.Stage) bool { return !slices.Contains(tasks, st.Task) }) {
			continue
		}
		for k := range s.depths[i] {
			s.Genes = append(s.Genes, Gene{Kind: Depth, Region: s.Genes[len(s.Genes)-1].Region, Pipeline: i, Buffer: k, Unit: unit, Values: len(s.depths[i][k]), Name: "buffer behind " + s.prog.Tasks[x.Stages[k].Task].Name})
		}
	}
}

// Depth is how many items a buffer holds with a value of its gene.
func (s *Space) Depth(gene int, value int32) int {
	return s.depths[s.Genes[gene].Pipeline][s.Genes[gene].Buffer][value]
}

// planned is the value of the plan's depth, else of the nearest to it.
func (s *Space) planned(gene int) (best int32) {
	g := &s.Genes[gene]
	of := func(v int32) int {
		return max(s.Depth(gene, v)-s.prog.Pipelines[g.Pipeline].Depths[g.Buffer], s.prog.Pipelines[g.Pipeline].Depths[g.Buffer]-s.Depth(gene, v))
	}
	for v := range int32(g.Values) {
		if of(v) < of(best) {
			best = v
		}
	}
	return best
}
