package estimate

// This file prices an analysed bundle for the processors of one platform.

import (
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
	// Overheads is what each processor spends on tasks, in its cycles; nil stands for
	// the platform's figures on all of them.
	Overheads []procmodels.Overheads
	// PlayMHz is the clocks by which iterations of loops are given to threads, and by which memory
	// takes its cycles, where those who change clocks want both to stay; nil for ClockMHz.
	PlayMHz []float64

	hardware *hardware   // nil where none is made of loops
	itemBits [][]float64 // Pricer.ItemBits
}

func (p *Processors) defaultOverheads() {
	if p.Overheads == nil {
		all := procmodels.Overheads{Create: p.Platform.Create, Sync: p.Platform.Sync}
		p.Overheads = slices.Repeat([]procmodels.Overheads{all}, len(p.Platform.Processors))
	}
}

// inRange reports clocks and overheads that no processor can have.
func (p *Processors) inRange() error {
	for i, mhz := range p.ClockMHz {
		name := p.Platform.Processors[i].Name
		if !(mhz >= mapping.MinClockMHz && mhz <= mapping.MaxClockMHz) {
			return fmt.Errorf("processor %s has a clock of %g MHz: give one from %g to %g", name, mhz, mapping.MinClockMHz, mapping.MaxClockMHz)
		}
		if err := overheadsInRange(&p.Overheads[i]); err != nil {
			return fmt.Errorf("processor %s: %w", name, err)
		}
	}
	return nil
}

// Estimator estimates mappings of one bundle onto one platform. It may be used by
// several goroutines.
type Estimator struct {
	*Analysis
	Processors
	*priced

	// Charged is Costs with what accesses wait for (memory.go): what all estimates rest on.
	Charged []*procmodels.Costs

	kindOf []int // by processor: processors of a kind cost and run the same
	rows   *rowsOf
	pool   sync.Pool // of *evaluator
}

// priced is what an estimator knows of the kinds of processor, however many there are of
// each. Estimators of platforms with the same kinds share it.
type priced struct {
	kinds  []kind
	factor []float64 // by kind: cycles of processor 0 in one cycle of the kind
	after  bool      // some kind's costs depend on the block before

	serial  []constants // by function: values with everything on one processor
	maximal []constants // the same with maximal times
	hot     []*hotFunc  // functions that reach a region, callees first
	hotOf   []int       // by function: index into hot, -1 when it reaches none
	shares  []Defaults  // by kind
	once    sync.Once   // makes work
	work    workPrices
	dearer  []map[lockedLane]float64 // by kind: see lockPrices
}

// kind is what the processors of a kind have in common.
type kind struct {
	costs *procmodels.Costs
	clock float64 // MHz
}

// constants holds the values of a function with everything on one processor.
type constants struct {
	levels [][]float64   // [level][kind]: per entry
	parts  [][][]float64 // [level][part][kind]; maximal ones have one part for all
}

func newConstants(levels []level, kinds int, onePart bool) constants {
	var c constants
	for l := range levels {
		c.levels = append(c.levels, make([]float64, kinds))
		n := levels[l].parts.rows
		if onePart {
			n = min(n, 1)
		}
		parts := make([][]float64, n)
		for i := range parts {
			parts[i] = make([]float64, kinds)
		}
		c.parts = append(c.parts, parts)
	}
	return c
}

// of returns the value of a level or of one of its parts.
func (c *constants) of(id term, kind int) float64 {
	if id.part < 0 {
		return c.levels[id.level][kind]
	}
	parts := c.parts[id.level]
	return parts[min(int(id.part), len(parts)-1)][kind]
}

// On prices the bundle for the processors of a platform.
func (a *Analysis) On(p Processors) (*Estimator, error) {
	n := len(p.Platform.Processors)
	if len(p.Costs) != n || len(p.ClockMHz) != n || n == 0 {
		return nil, fmt.Errorf("estimate: %d costs and %d clocks for %d processors", len(p.Costs), len(p.ClockMHz), n)
	}
	p.defaultOverheads()
	if len(p.Overheads) != n {
		return nil, fmt.Errorf("estimate: overheads of %d processors for %d", len(p.Overheads), n)
	}
	if err := p.inRange(); err != nil {
		return nil, fmt.Errorf("estimate: %w", err)
	}
	e := &Estimator{Analysis: a, Processors: p, priced: &priced{}, rows: &rowsOf{}, Charged: a.charged(&p)}
	for i := range n {
		if !slices.Contains(p.Costs[:i], p.Costs[i]) {
			if err := p.Costs[i].Check(a.Bundle.Program); err != nil {
				return nil, fmt.Errorf("estimate: processor %s: %w", p.Platform.Processors[i].Name, err)
			}
		}
		at := slices.Index(e.kinds, kind{e.Charged[i], p.ClockMHz[i]})
		if at < 0 {
			at = len(e.kinds)
			e.kinds = append(e.kinds, kind{e.Charged[i], p.ClockMHz[i]})
			e.factor = append(e.factor, p.ClockMHz[0]/p.ClockMHz[i])
			e.after = e.after || knowsAfter(e.Charged[i])
		}
		e.kindOf = append(e.kindOf, at)
	}
	if err := e.regionsApart(); err != nil {
		return nil, err
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

// regionsApart refuses models that count a call in its caller which leads to a parallel
// region: its sections would have no time of their own.
func (e *Estimator) regionsApart() error {
	prog := e.Bundle.Program
	for k := range e.kinds {
		c := e.kinds[k].costs
		for fn, blocks := range c.Blocks {
			for b := range blocks {
				for _, i := range blocks[b].Included {
					in := &prog.Funcs[fn].Blocks[b].Instrs[i]
					callee := in.Call.Callee
					if callee >= 0 && e.funcs[callee] != nil && e.funcs[callee].reaches.Any() {
						return fmt.Errorf("model %s counts the call of %s at %s in its caller, but parallel regions are in it: give the lines of %s their own costs",
							c.Model, prog.Funcs[callee].Source, prog.LocString(in.Loc), prog.Funcs[callee].Source)
					}
				}
			}
		}
	}
	return nil
}

// price fills the tables of a function, outer levels first, as their paths hold the
// partial traversals of inner loops. Values of calls and loops are terms.
func (e *Estimator) price(f *function) []level {
	n := len(f.prof.Levels)
	p := &funcPricer{
		e: e, f: f, levels: make([]level, n), begins: make([]map[int][]int, n), parts: make([]partIndex, n),
		weight: make([]float64, len(e.kinds)), ones: slices.Repeat([]float64{1}, len(e.kinds)),
	}
	for i := range n {
		p.begins[i] = map[int][]int{}
		for g := range f.graphs.Levels[i].Groups {
			b := f.graphs.Levels[i].Groups[g].Begin
			p.begins[i][b] = append(p.begins[i][b], g)
		}
	}
	for i := range n {
		p.level(i)
	}
	for i := range n {
		p.finishParts(i)
	}
	return p.levels
}

// cost returns the cycles of one execution of a block that is entered from the block
// from, or nowhere, in cycles of processor 0.
func (e *Estimator) cost(kind int, fn, block, from int) float64 {
	b := &e.kinds[kind].costs.Blocks[fn][block]
	cycles := b.Cycles
	for i := range b.After {
		if b.After[i].Pred == from {
			cycles = b.After[i].Cycles
		}
	}
	return cycles * e.factor[kind]
}

// known returns from when some kind's model knows what step s costs behind it, else
// nowhere, so that equal traversals share a row.
func (e *Estimator) known(fn int, s pathprof.Step, from int) int {
	if s < 0 || from < 0 {
		return nowhere
	}
	for _, k := range e.kinds {
		for _, a := range k.costs.Blocks[fn][s].After {
			if a.Pred == from {
				return from
			}
		}
	}
	return nowhere
}

// knowsAfter reports whether a table of costs depends on predecessors anywhere.
func knowsAfter(c *procmodels.Costs) bool {
	for _, blocks := range c.Blocks {
		for b := range blocks {
			if len(blocks[b].After) > 0 {
				return true
			}
		}
	}
	return false
}

// included reports whether the kind's model has the callee of a call in the block's cycles.
func (e *Estimator) included(kind int, fn, block, instr int) bool {
	in := e.kinds[kind].costs.Blocks[fn][block].Included
	return len(in) > 0 && slices.Contains(in, instr)
}

// level fills the tables of the paths of level i.
func (p *funcPricer) level(i int) {
	f, l := p.f, &p.levels[i]
	kinds := len(p.e.kinds)
	l.groups = len(f.graphs.Levels[i].Groups)
	l.groupRuns = make([]float64, l.groups)
	l.denom, l.orphans, l.trips = f.denom[i], f.orphans[i], trips(f, i)
	row, sum := p.newRow(i), p.newRow(i)
	known := map[string]int{}
	starts := map[pathprof.Step]int32{}
	for j := range f.prof.Levels[i].Paths {
		path := &f.prof.Levels[i].Paths[j]
		if path.Count == 0 {
			continue
		}
		count := float64(path.Count)
		row.reset()
		p.fill(row, i, path.Steps, f.before(i, path), count)
		start, ok := starts[path.Steps[0]]
		if !ok {
			start = int32(len(starts))
			starts[path.Steps[0]] = start
		}
		ends := endingOf(i, path.End)
		row.addTo(sum, count)
		for g, yes := range row.runs {
			if yes {
				l.groupRuns[g] += count
			}
		}
		key := row.key(start, ends)
		if c, ok := known[key]; ok {
			l.count[c] += count
			continue
		}
		known[key] = len(l.count)
		l.count = append(l.count, count)
		l.ends = append(l.ends, ends)
		l.start = append(l.start, start)
		l.runs = append(l.runs, row.runs...)
		row.appendTo(&l.class, kinds)
	}
	l.starts = len(starts)
	sum.appendTo(&l.sum, kinds)
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

// trips returns the largest number of completed iterations of one entry of a level. It is
// no less than the average, as it seems to be where an entry that never ended was not
// recorded; the average is all there is where trips were not counted.
func trips(f *function, level int) float64 {
	if level == 0 {
		return 1
	}
	p := &f.prof.Levels[level]
	least := math.Ceil(float64(p.Iterations()) / f.denom[level])
	if p.MaxKnown {
		return math.Max(float64(p.MaxTrips), least)
	}
	return least
}
