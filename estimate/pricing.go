package estimate

// This file prices an analysed bundle for the processors of one platform.

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
)

// Processors says what a platform's processors cost; slices are by processor.
type Processors struct {
	Platform *mapping.Platform
	// Costs prices the bundle's program. Processors of one model share a pointer.
	Costs []*procmodels.Costs
	// ClockMHz is the clock of each processor, above 0 (see mapping.Processor.Clock).
	ClockMHz []float64
}

// Estimator estimates mappings of one bundle onto one platform. It may be used by
// several goroutines.
type Estimator struct {
	*Analysis
	Processors

	kindOf []int     // by processor: processors of a kind cost and run the same
	kinds  []int     // by kind: its first processor
	factor []float64 // by kind: cycles of processor 0 in one cycle of the kind

	serial  [][][]float64 // [function][level][kind]: value with everything on one processor
	maximal [][][]float64 // the same with maximal times
	hot     []*hotFunc    // functions that reach a region, in the order of Analysis.order
	hotOf   []int         // by function: index into hot, -1 when it reaches none
	pool    sync.Pool     // of *evaluator
	shares  []Defaults    // by kind
}

// On prices the bundle for the processors of a platform.
func (a *Analysis) On(p Processors) (*Estimator, error) {
	n := len(p.Platform.Processors)
	if len(p.Costs) != n || len(p.ClockMHz) != n || n == 0 {
		return nil, fmt.Errorf("estimate: %d costs and %d clocks for %d processors", len(p.Costs), len(p.ClockMHz), n)
	}
	e := &Estimator{Analysis: a, Processors: p}
	for i := range n {
		if !(p.ClockMHz[i] > 0) || math.IsInf(p.ClockMHz[i], 0) {
			return nil, fmt.Errorf("estimate: processor %s has a clock of %g MHz: give one above 0", p.Platform.Processors[i].Name, p.ClockMHz[i])
		}
		if err := p.Costs[i].Check(a.Bundle.Program); err != nil {
			return nil, fmt.Errorf("estimate: processor %s: %w", p.Platform.Processors[i].Name, err)
		}
		kind := slices.IndexFunc(e.kinds, func(k int) bool {
			return p.Costs[k] == p.Costs[i] && p.ClockMHz[k] == p.ClockMHz[i]
		})
		if kind < 0 {
			kind = len(e.kinds)
			e.kinds = append(e.kinds, i)
			e.factor = append(e.factor, p.ClockMHz[0]/p.ClockMHz[i])
		}
		e.kindOf = append(e.kindOf, kind)
	}
	levels := make([][]level, len(a.funcs))
	for _, f := range a.funcs {
		if f != nil {
			levels[f.index] = e.price(f)
		}
	}
	if err := e.solveSerial(levels); err != nil {
		return nil, err
	}
	e.solveMaximal(levels)
	e.findHot(levels)
	for k := range e.kinds {
		e.shares = append(e.shares, e.defaults(k))
	}
	e.pool.New = func() any { return newEvaluator(e) }
	return e, nil
}

// price fills the tables of a function. Values of calls and loops are terms.
func (e *Estimator) price(f *function) []level {
	levels := make([]level, len(f.prof.Levels))
	for i := range levels {
		e.priceLevel(f, i, &levels[i])
	}
	return levels
}

// cost returns the cycles of one execution of a block, in cycles of processor 0.
func (e *Estimator) cost(kind int, fn, block int) float64 {
	return e.Costs[e.kinds[kind]].Blocks[fn][block].Cycles * e.factor[kind]
}

// included reports whether the kind's model has the callee of a call in the block's cycles.
func (e *Estimator) included(kind int, fn, block, instr int) bool {
	in := e.Costs[e.kinds[kind]].Blocks[fn][block].Included
	return len(in) > 0 && slices.Contains(in, instr)
}

func (e *Estimator) priceLevel(f *function, i int, l *level) {
	prof, graph := &f.prof.Levels[i], f.graphs.Levels[i]
	kinds := len(e.kinds)
	tasks := len(graph.Tasks)
	l.groups = len(graph.Groups)
	l.groupRuns = make([]float64, l.groups)
	l.denom, l.orphans = f.denom[i], f.orphans[i]
	l.trips = trips(f, i)
	begins := map[int]int{} // groups by the block that begins them
	for g := range graph.Groups {
		begins[graph.Groups[g].Begin] = g
	}
	row, sum := newRow(tasks, kinds), newRow(tasks, kinds)
	weight := make([]float64, kinds)
	ones := slices.Repeat([]float64{1}, kinds)
	known := map[string]int{}
	starts := map[pathprof.Step]int32{}
	runs := make([]bool, l.groups)
	for j := range prof.Paths {
		p := &prof.Paths[j]
		if p.Count == 0 {
			continue
		}
		row.reset()
		clear(runs)
		for _, s := range p.Steps {
			t := f.taskOf(i, s)
			if inner := s.Loop(); inner >= 0 {
				row.add(t, levelTerm(inner+1), ones)
				continue
			}
			b := int(s)
			if g, ok := begins[b]; ok {
				e.markRuns(graph.Groups[g].Begin, f, i, runs)
			}
			for k := range kinds {
				row.base[t][k] += e.cost(k, f.index, b)
			}
			for _, c := range f.calls[b] {
				for k := range kinds {
					weight[k] = c.share
					if e.included(k, f.index, b, c.instr) {
						weight[k] = 0
					}
				}
				if slices.Max(weight) > 0 {
					row.add(t, term(c.callee), weight)
				}
			}
		}
		start, ok := starts[p.Steps[0]]
		if !ok {
			start = int32(len(starts))
			starts[p.Steps[0]] = start
		}
		ends := endingOf(i, p.End)
		count := float64(p.Count)
		row.addTo(sum, count)
		for g := range runs {
			if runs[g] {
				l.groupRuns[g] += count
			}
		}
		key := row.key(start, ends, runs)
		if c, ok := known[key]; ok {
			l.count[c] += count
			continue
		}
		known[key] = len(l.count)
		l.count = append(l.count, count)
		l.ends = append(l.ends, ends)
		l.start = append(l.start, start)
		l.runs = append(l.runs, runs...)
		row.appendTo(&l.class, kinds)
	}
	l.starts = len(starts)
	sum.appendTo(&l.sum, kinds)
}

// markRuns marks the groups that begin in a block.
func (e *Estimator) markRuns(block int, f *function, level int, runs []bool) {
	for g := range f.graphs.Levels[level].Groups {
		if f.graphs.Levels[level].Groups[g].Begin == block {
			runs[g] = true
		}
	}
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

// key identifies rows that cost the same whatever the mapping.
func (r *rowBuilder) key(start int32, ends ending, runs []bool) string {
	key := binary.LittleEndian.AppendUint32(nil, uint32(start))
	key = append(key, byte(ends))
	for _, x := range runs {
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
			key = binary.LittleEndian.AppendUint32(key, uint32(id))
			for _, w := range r.w[t][i] {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(w))
			}
		}
	}
	return string(key)
}

func endingOf(level int, end pathprof.SinkKind) ending {
	switch {
	case level == 0 || end == pathprof.EndIteration:
		return inIteration
	case end == pathprof.EndCut:
		return inIteration | inPartial
	}
	return inPartial // left the loop, or under way when the program ended
}

// trips returns the largest number of completed iterations of one entry of a level;
// where it was not recorded, the average rounded up.
func trips(f *function, level int) float64 {
	p := &f.prof.Levels[level]
	switch {
	case level == 0:
		return 1
	case p.MaxKnown:
		return float64(p.MaxTrips)
	}
	return math.Ceil(float64(p.Iterations()) / f.denom[level])
}
