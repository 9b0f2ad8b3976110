package estimate

// This file declares the tables that estimates run on: what each task of a level
// costs when a class of paths is executed.

// table holds a cost for each task of each row. Rows are classes of paths, or the one
// sum over all paths. Cell row*tasks+task is a constant for each kind of processor,
// and terms: values of called functions and of loops that depend on the mapping.
type table struct {
	rows, tasks int
	base        [][]float64 // [kind][cell], in cycles of processor 0
	first       []int32     // [cell]: its first term; one entry more at the end
	terms       []term
	weight      [][]float64 // [kind][term]
}

// term names what a cost is a multiple of: the value of a function (id >= 0) for one
// call, or of level -id for one entry.
type term int32

func levelTerm(level int) term { return term(-level) }

func (t term) function() bool { return t >= 0 }
func (t term) level() int     { return int(-t) }

// Function 0 and level 0 would share a name; no path enters level 0.

// ending says in which part of a loop's execution a class of paths occurs: in
// completed iterations, in the last, partial traversal, or in either.
type ending uint8

const (
	inIteration ending = 1 << iota
	inPartial
)

// level is one level of a function with its tables.
type level struct {
	sum   table
	class table
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
	// trips is the largest number of completed iterations of one entry.
	trips float64
}

// rowBuilder collects the cells of one row.
type rowBuilder struct {
	base  [][]float64 // [task][kind]
	terms [][]term    // [task], each term once
	w     [][][]float64
}

func newRow(tasks, kinds int) *rowBuilder {
	r := &rowBuilder{base: make([][]float64, tasks), terms: make([][]term, tasks), w: make([][][]float64, tasks)}
	for t := range r.base {
		r.base[t] = make([]float64, kinds)
	}
	return r
}

func (r *rowBuilder) reset() {
	for t := range r.base {
		clear(r.base[t])
		r.terms[t], r.w[t] = r.terms[t][:0], r.w[t][:0]
	}
}

// add adds weight[kind] times a term to a task.
func (r *rowBuilder) add(task int, id term, weight []float64) {
	for i, have := range r.terms[task] {
		if have == id {
			for k := range weight {
				r.w[task][i][k] += weight[k]
			}
			return
		}
	}
	r.terms[task] = append(r.terms[task], id)
	r.w[task] = append(r.w[task], append([]float64(nil), weight...))
}

// appendTo adds the row to a table.
func (r *rowBuilder) appendTo(t *table, kinds int) {
	if t.base == nil {
		t.tasks = len(r.base)
		t.base, t.weight = make([][]float64, kinds), make([][]float64, kinds)
		t.first = []int32{0}
	}
	t.rows++
	for task := range r.base {
		for k := range kinds {
			t.base[k] = append(t.base[k], r.base[task][k])
		}
		for i, id := range r.terms[task] {
			t.terms = append(t.terms, id)
			for k := range kinds {
				t.weight[k] = append(t.weight[k], r.w[task][i][k])
			}
		}
		t.first = append(t.first, int32(len(t.terms)))
	}
}

// fold replaces the terms of which value returns true by their value in the constants.
func (t *table) fold(kinds int, value func(id term, kind int) (float64, bool)) {
	if t.rows == 0 {
		return
	}
	var terms []term
	weight := make([][]float64, kinds)
	first := make([]int32, 1, len(t.first))
	for cell := range t.rows * t.tasks {
		for i := t.first[cell]; i < t.first[cell+1]; i++ {
			id := t.terms[i]
			if _, known := value(id, 0); !known {
				terms = append(terms, id)
				for k := range kinds {
					weight[k] = append(weight[k], t.weight[k][i])
				}
				continue
			}
			for k := range kinds {
				v, _ := value(id, k)
				t.base[k][cell] += t.weight[k][i] * v
			}
		}
		first = append(first, int32(len(terms)))
	}
	t.terms, t.weight, t.first = terms, weight, first
}

// copy returns a table that shares nothing that fold changes.
func (t *table) copy() table {
	c := *t
	c.base = make([][]float64, len(t.base))
	for k := range t.base {
		c.base[k] = append([]float64(nil), t.base[k]...)
	}
	return c
}
