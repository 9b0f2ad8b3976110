package estimate

// This file declares the tables that estimates run on: what each task of a level
// costs when a class of paths is executed.

// costTable holds a cost for each task of each row. Rows are classes of paths, or the one
// sum over all paths. Cell row*tasks+task is a constant for each kind of processor,
// and terms: values of called functions and of loops that depend on the mapping.
type costTable struct {
	rows, tasks int
	base        [][]float64 // [kind][cell], in cycles of processor 0
	first       []int32     // [cell]: its first term; one entry more at the end
	terms       []term
	deps        []int32     // [term]: the same as places in hotLevel.deps
	weight      [][]float64 // [kind][term]
}

// term names what a cost is a multiple of: the value of a function for one call, of a
// level for one entry, or of one partial traversal of a level (see parts).
type term struct {
	fn    int32 // -1 for a level
	level int32
	part  int32 // row of the level's parts, -1 for its entry
}

func functionTerm(fn int) term         { return term{int32(fn), 0, -1} }
func levelTerm(level int) term         { return term{-1, int32(level), -1} }
func partTerm(level int, row int) term { return term{-1, int32(level), int32(row)} }

// ending says in which part of a loop's execution a class of paths occurs: in
// completed iterations, in the last, partial traversal, or in either.
type ending uint8

const (
	inIteration ending = 1 << iota
	inPartial
)

// level is one level of a function with its tables.
type level struct {
	sum   costTable
	class costTable
	count []float64 // by class: executions of its paths
	ends  []ending  // by class
	start []int32   // by class: number of the step its paths start with, dense
	// starts counts the different first steps; more than one where the level is cut.
	starts int
	// runs[class*groups+group]: its paths execute the group.
	runs      []bool
	groups    int
	groupRuns []float64 // by group: executions
	denom     float64
	orphans   []int // levels inside whose total belongs to this level's
	// parts holds the last, partial traversals of a loop that reaches a region, as they
	// occur in paths of outer levels: they are scheduled by the loop's own graph.
	// partSum is the sum over all of them, partCount how many there were.
	parts     costTable
	partSum   costTable
	partCount float64
	partRuns  []bool    // [row*groups+group]
	partGroup []float64 // by group: executions in partial traversals
	// trips is the largest number of completed iterations of one entry.
	trips float64
}

// fold replaces the terms that are folded by their value in the constants.
func (t *costTable) fold(kinds int, folded func(id term) bool, value func(id term, kind int) float64) {
	if t.rows == 0 {
		return
	}
	var terms []term
	weight := make([][]float64, kinds)
	first := make([]int32, 1, len(t.first))
	for cell := range t.rows * t.tasks {
		for i := t.first[cell]; i < t.first[cell+1]; i++ {
			id := t.terms[i]
			if !folded(id) {
				terms = append(terms, id)
				for k := range kinds {
					weight[k] = append(weight[k], t.weight[k][i])
				}
				continue
			}
			for k := range kinds {
				t.base[k][cell] += t.weight[k][i] * value(id, k)
			}
		}
		first = append(first, int32(len(terms)))
	}
	t.terms, t.weight, t.first = terms, weight, first
}

// copy returns a table that shares nothing that fold changes.
func (t *costTable) copy() costTable {
	c := *t
	c.base = make([][]float64, len(t.base))
	for k := range t.base {
		c.base[k] = append([]float64(nil), t.base[k]...)
	}
	return c
}
