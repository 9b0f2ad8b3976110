package estimate

// This file turns executed paths into rows of tables.

import (
	"encoding/binary"
	"math"
	"slices"

	"pathspan/pathprof"
)

// rowBuilder collects the cells of one row.
type rowBuilder struct {
	base  [][]float64 // [task][kind]
	terms [][]term    // [task], each term once
	w     [][][]float64
	runs  []bool // by group
}

func newRow(tasks, kinds, groups int) *rowBuilder {
	r := &rowBuilder{base: make([][]float64, tasks), terms: make([][]term, tasks), w: make([][][]float64, tasks), runs: make([]bool, groups)}
	for t := range r.base {
		r.base[t] = make([]float64, kinds)
	}
	return r
}

func (r *rowBuilder) reset() {
	clear(r.runs)
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

// addTo adds the row, times a count, to another.
func (r *rowBuilder) addTo(sum *rowBuilder, count float64) {
	for t := range r.base {
		for k, c := range r.base[t] {
			sum.base[t][k] += c * count
		}
		for i, id := range r.terms[t] {
			w := make([]float64, len(r.w[t][i]))
			for k := range w {
				w[k] = r.w[t][i][k] * count
			}
			sum.add(t, id, w)
		}
	}
}

func (r *rowBuilder) appendTo(t *costTable, kinds int) {
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

// key identifies rows that cost the same whatever the mapping.
func (r *rowBuilder) key(start int32, ends ending) string {
	key := binary.LittleEndian.AppendUint32(nil, uint32(start))
	key = append(key, byte(ends))
	for _, x := range r.runs {
		if x {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	for t := range r.base {
		for _, c := range r.base[t] {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(c))
		}
		key = binary.LittleEndian.AppendUint32(key, uint32(len(r.terms[t])))
		for i, id := range r.terms[t] {
			for _, x := range []int32{id.fn, id.level, id.part} {
				key = binary.LittleEndian.AppendUint32(key, uint32(x))
			}
			for _, w := range r.w[t][i] {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(w))
			}
		}
	}
	return string(key)
}

// funcPricer prices the levels of one function.
type funcPricer struct {
	e      *Estimator
	f      *function
	levels []level
	begins []map[int][]int // [level]: groups by the block that begins them
	parts  []partIndex
	weight []float64
	ones   []float64
}

// partIndex finds the partial traversals of a level.
type partIndex struct {
	rows  map[string]int
	count []float64
	inner [][]term // parts of inner loops in each
	build []*rowBuilder
}

func (p *funcPricer) newRow(i int) *rowBuilder {
	g := p.f.graphs.Levels[i]
	return newRow(len(g.Tasks), len(p.e.kinds), len(g.Groups))
}

// fill adds the steps of a path of level i, taken count times and entered from the
// block first, to a row, and returns the partial traversals in it that have rows of
// their own.
func (p *funcPricer) fill(row *rowBuilder, i int, steps []pathprof.Step, first int, count float64) []term {
	inside := p.f.walk(i, steps, first, func(t, b, from int) {
		p.addBlock(row, t, b, from)
		for _, g := range p.begins[i][b] {
			row.runs[g] = true
		}
	}, func(t, loop int) { row.add(t, levelTerm(loop+1), p.ones) })
	var parts []term
	for k := range inside {
		in := &inside[k]
		in.first = p.e.known(p.f.index, in.steps[0], in.first)
		id := p.part(in, count)
		parts = append(parts, id)
		row.add(p.f.graphs.LoopTask(i, in.loop), id, p.ones)
	}
	return parts
}

func (p *funcPricer) addBlock(row *rowBuilder, t, b, from int) {
	for k := range p.e.kinds {
		row.base[t][k] += p.e.cost(k, p.f.index, b, from)
	}
	for _, c := range p.f.calls[b] {
		for k := range p.e.kinds {
			p.weight[k] = c.share
			if p.e.included(k, p.f.index, b, c.instr) {
				p.weight[k] = 0
			}
		}
		if slices.Max(p.weight) > 0 {
			row.add(t, functionTerm(c.callee), p.weight)
		}
	}
}

// part counts a partial traversal and returns its term.
func (p *funcPricer) part(tr *traversal, count float64) term {
	i, key := tr.loop+1, binary.AppendVarint(nil, int64(tr.first))
	for _, s := range tr.steps {
		key = binary.AppendVarint(key, int64(s))
	}
	x := &p.parts[i]
	if row, ok := x.rows[string(key)]; ok {
		p.again(i, row, count)
		return partTerm(i, row)
	}
	if x.rows == nil {
		x.rows = map[string]int{}
	}
	row := p.newRow(i)
	inner := p.fill(row, i, tr.steps, tr.first, count)
	n := len(x.count)
	x.rows[string(key)] = n
	x.count, x.inner, x.build = append(x.count, count), append(x.inner, inner), append(x.build, row)
	return partTerm(i, n)
}

// again counts a known partial traversal, and those in it.
func (p *funcPricer) again(i, row int, count float64) {
	p.parts[i].count[row] += count
	for _, t := range p.parts[i].inner[row] {
		p.again(int(t.level), int(t.part), count)
	}
}

// finishParts stores the partial traversals of a level in its tables.
func (p *funcPricer) finishParts(i int) {
	l, x := &p.levels[i], &p.parts[i]
	if len(x.count) == 0 {
		return
	}
	sum := p.newRow(i)
	l.partGroup = make([]float64, l.groups)
	for n, row := range x.build {
		row.appendTo(&l.parts, len(p.e.kinds))
		row.addTo(sum, x.count[n])
		l.partCount += x.count[n]
		l.partRuns = append(l.partRuns, row.runs...)
		for g, yes := range row.runs {
			if yes {
				l.partGroup[g] += x.count[n]
			}
		}
	}
	sum.appendTo(&l.partSum, len(p.e.kinds))
}
