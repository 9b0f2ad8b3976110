package pathprof

// This file keeps how the work of sections went together, execution by execution: what
// paths lose where loops and calls inside sections vary.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"pathspan/ir"
	"pathspan/ir/probe"
)

// Executions are those of one sections construct that ran to their end, in classes.
type Executions struct {
	Region, Construct int
	// Nested executions had another region active around them, in the same function or
	// in one that calls it.
	Nested  bool
	Classes []ExecutionClass // by descending count, then by work
}

// ExecutionClass is a number of executions whose sections did about the same work.
type ExecutionClass struct {
	Count uint64
	// Work is the average of each section, in reference cycles. What functions and
	// regions inside it do is in it.
	Work []float64
}

// ReferenceScale is how many units of the meter are a reference cycle.
const ReferenceScale = 8

// WorkMeters plans the meter of the work of sections. cycles tells the reference
// cycles of a block. It is nil for a program without sections, and for one that
// starts threads, where one meter would count for all.
func WorkMeters(p *ir.Program, threads bool, cycles func(fn, block int) float64) *probe.Meters {
	inside := insideSections(p)
	if inside == nil || threads {
		return nil
	}
	m := &probe.Meters{Count: 1, Root: -1}
	leaving := findDepartures(p, threads)
	for fi, f := range p.Funcs {
		mf := probe.MeteredFunc{Index: fi, AtOnce: leaving.resumes && len(leaving.of(f).publish) > 0}
		for bi := range f.Blocks {
			if !inside[fi][bi] {
				continue
			}
			if units := uint64(math.Round(cycles(fi, bi) * ReferenceScale)); units > 0 {
				mf.Blocks = append(mf.Blocks, probe.MeteredBlock{Block: bi, Add: []uint64{units}})
			}
		}
		m.Funcs = append(m.Funcs, mf)
	}
	return m
}

// insideSections tells which blocks may run inside a section: those between its marks
// and those of functions that can be called from there. Nil when there is none.
func insideSections(p *ir.Program) [][]bool {
	var work []int // functions that run inside as a whole
	whole := make([]bool, len(p.Funcs))
	enter := func(fn int) {
		if !whole[fn] {
			whole[fn] = true
			work = append(work, fn)
		}
	}
	calls := func(b *ir.Block) {
		for i := range b.Instrs {
			c := b.Instrs[i].Call
			if c == nil {
				continue
			}
			if c.Callee >= 0 {
				enter(c.Callee)
			}
			for _, fn := range c.FuncArgs {
				enter(fn)
			}
			if c.Indirect {
				for fn := range p.Funcs {
					enter(fn)
				}
			}
		}
	}
	inside := make([][]bool, len(p.Funcs))
	any := false
	for fi, f := range p.Funcs {
		inside[fi] = insideRegions(f)
		for bi, yes := range inside[fi] {
			if yes {
				any = true
				calls(f.Blocks[bi])
			}
		}
	}
	if !any {
		return nil
	}
	for len(work) > 0 {
		fn := work[len(work)-1]
		work = work[:len(work)-1]
		for bi, b := range p.Funcs[fn].Blocks {
			inside[fn][bi] = true
			calls(b)
		}
	}
	return inside
}

// executions turns the raw classes into those of the program's constructs.
func (in *Instrumentation) executions(raw *rawProfile) ([]Executions, error) {
	var out []Executions
	for _, c := range raw.classes {
		if c.region >= uint64(len(in.Program.Regions)) || c.construct >= uint64(len(in.Program.Regions[c.region].Constructs)) || c.count == 0 {
			return nil, fmt.Errorf("the raw profile is corrupt: an execution of construct %d of region %d", c.construct, c.region)
		}
		if len(c.work) != len(in.Program.Regions[c.region].Constructs[c.construct].Sections) {
			continue // more sections than are kept
		}
		class := ExecutionClass{Count: c.count}
		for _, w := range c.work {
			class.Work = append(class.Work, float64(w)/ReferenceScale/float64(c.count))
		}
		out = addClass(out, Executions{Region: int(c.region), Construct: int(c.construct), Nested: c.nested != 0}, class)
	}
	sortExecutions(out)
	return out, nil
}

func addClass(list []Executions, of Executions, class ExecutionClass) []Executions {
	i := slices.IndexFunc(list, func(x Executions) bool { return compareExecutions(x, of) == 0 })
	if i < 0 {
		i = len(list)
		list = append(list, Executions{Region: of.Region, Construct: of.Construct, Nested: of.Nested})
	}
	list[i].Classes = append(list[i].Classes, class)
	return list
}

func compareExecutions(a, b Executions) int {
	order := cmp.Or(cmp.Compare(a.Region, b.Region), cmp.Compare(a.Construct, b.Construct))
	switch {
	case order != 0 || a.Nested == b.Nested:
		return order
	case b.Nested:
		return -1
	}
	return 1
}

// sortExecutions gives the one order of equal content, and joins equal classes.
func sortExecutions(list []Executions) {
	slices.SortFunc(list, compareExecutions)
	for i := range list {
		c := list[i].Classes
		slices.SortFunc(c, func(a, b ExecutionClass) int { return slices.Compare(a.Work, b.Work) })
		joined := c[:0]
		for _, x := range c {
			if n := len(joined); n > 0 && slices.Equal(joined[n-1].Work, x.Work) {
				joined[n-1].Count = addSat(joined[n-1].Count, x.Count)
				continue
			}
			joined = append(joined, x)
		}
		slices.SortStableFunc(joined, func(a, b ExecutionClass) int { return cmp.Compare(b.Count, a.Count) })
		list[i].Classes = joined
	}
}

// mergeExecutions adds up those of several runs.
func mergeExecutions(bundles []*Bundle) []Executions {
	var out []Executions
	for _, b := range bundles {
		for _, x := range b.Executions {
			for _, c := range x.Classes {
				out = addClass(out, x, c)
			}
		}
	}
	if len(bundles) > 1 {
		for i := range out {
			out[i].Classes = condense(out[i].Classes)
		}
	}
	sortExecutions(out)
	return out
}

// The bounds of the run-time library (runtime/executions.c), by which merging goes too:
// classes of a construct, and cells to a factor of two of the grid that they lie in.
const (
	mostClasses = 4096
	finestGrid  = 32
)

// condense joins classes whose sections lie in the same cells of the finest grid that
// leaves few enough; where none does, it joins all. The result does not depend on the
// order of the classes. That of merging step by step can be finer than that of merging at
// once: what an earlier step joined is one class, which leaves more room.
func condense(classes []ExecutionClass) []ExecutionClass {
	slices.SortFunc(classes, func(a, b ExecutionClass) int {
		return cmp.Or(slices.Compare(a.Work, b.Work), cmp.Compare(a.Count, b.Count))
	})
	for grid := uint64(finestGrid); grid > 0; grid /= 2 {
		if joined := joinCells(classes, func(work float64) uint64 { return cell(uint64(work*ReferenceScale), grid) }); len(joined) <= mostClasses {
			return joined
		}
	}
	return joinCells(classes, func(float64) uint64 { return 0 })
}

// cell numbers the cells of a logarithmic grid, as the library does: so many to a factor
// of two, linear within.
func cell(x, grid uint64) uint64 {
	if x < grid {
		return x
	}
	e := uint64(bits.Len64(x) - 1)
	hi, lo := bits.Mul64(x-1<<e, grid)
	return grid + e*grid + (hi<<(64-e) | lo>>e)
}

// joinCells joins classes of the same cells. An average over them is in the same cell.
func joinCells(classes []ExecutionClass, cell func(work float64) uint64) []ExecutionClass {
	var out []ExecutionClass
	at := map[string]int{}
	var key []byte
	for _, c := range classes {
		key = key[:0]
		for _, w := range c.Work {
			key = binary.LittleEndian.AppendUint64(key, cell(w))
		}
		i, ok := at[string(key)]
		if !ok {
			at[string(key)] = len(out)
			out = append(out, ExecutionClass{c.Count, slices.Clone(c.Work)})
			continue
		}
		to := &out[i]
		to.Count = addSat(to.Count, c.Count)
		for k, w := range c.Work {
			to.Work[k] += (w - to.Work[k]) * (float64(c.Count) / float64(to.Count))
		}
	}
	return out
}
