package estimate

// This file prices work: what an instruction of each kind takes in a section, so that the
// trees of executions, which count instructions, are told in cycles.

import (
	stdcontext "context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// workPrices holds cycles of processor 0 per unit of work:
// [kind of processor][region][construct][section][kind of work].
type workPrices [][][][][]float64

// lane names a section.
type lane struct{ region, construct, section int }

// price finds, for each section and kind of processor, the prices under which the blocks
// that the section can run cost most nearly what the model says: by least squares, each
// block by how often it was executed. Prices are then scaled so that a section's average
// work, by the paths, costs its average time by the paths. So what a model knows of single
// blocks, of predecessors and of calls is in the average, and prices say how executions
// differ from it.
func (e *Estimator) workPrices() workPrices {
	e.priced.once.Do(func() {
		e.work = e.priceWork()
		e.dearer = e.lockPrices()
	})
	return e.work
}

func (e *Estimator) priceWork() workPrices {
	x := e.Bundle.Executions
	means := e.sectionMeans()
	out := make(workPrices, len(e.kinds))
	for k := range e.kinds {
		for r := range e.Bundle.Program.Regions {
			var constructs [][][]float64
			for c := range e.Bundle.Program.Regions[r].Constructs {
				var sections [][]float64
				for s := range e.Bundle.Program.Regions[r].Constructs[c].Sections {
					p := e.leastSquares(k, e.lanes[lane{r, c, s}], len(x.Kinds))
					sum := 0.0
					for i := range p {
						sum += p[i] * e.workMeans[i][r][c][s]
					}
					if sum > 0 && means[k][r][c][s] > 0 {
						for i := range p {
							p[i] *= means[k][r][c][s] / sum
						}
					}
					sections = append(sections, p)
				}
				constructs = append(constructs, sections)
			}
			out[k] = append(out[k], constructs)
		}
	}
	return out
}

// nearUniform is the share of the diagonal that pulls prices towards one price for all
// kinds, where blocks do not tell kinds apart.
const nearUniform = 1e-6

// leastSquares returns the prices of so many kinds of work in some blocks.
func (e *Estimator) leastSquares(kind int, blocks [][2]int, kinds int) []float64 {
	prices := make([]float64, kinds)
	a, b := mat.NewSymDense(kinds, nil), mat.NewVecDense(kinds, nil)
	cycles, work := 0.0, 0.0
	for _, at := range blocks {
		n := float64(e.funcs[at[0]].counts[at[1]])
		v := e.vector(at[0], at[1])
		c := e.cost(kind, at[0], at[1], nowhere)
		for i, x := range v {
			if x == 0 {
				continue
			}
			work += n * float64(x)
			for j := i; j < len(v); j++ {
				a.SetSym(i, j, a.At(i, j)+n*float64(x)*float64(v[j]))
			}
			b.SetVec(i, b.AtVec(i)+n*float64(x)*c)
		}
		cycles += n * c
	}
	if work == 0 { // a cycle for each
		for i := range prices {
			prices[i] = e.factor[kind]
		}
		return prices
	}
	uniform, pull := cycles/work, nearUniform*mat.Trace(a)/float64(kinds)
	for i := range prices {
		a.SetSym(i, i, a.At(i, i)+pull)
		b.SetVec(i, b.AtVec(i)+pull*uniform)
		prices[i] = uniform
	}
	var ch mat.Cholesky
	x := mat.NewVecDense(kinds, nil)
	if ch.Factorize(a) && ch.SolveVecTo(x, b) == nil {
		for i := range prices {
			prices[i] = max(0, x.AtVec(i))
		}
	}
	return prices
}

// vector is what a block counts, by kind of work; nil where it counts nothing.
func (a *Analysis) vector(fn, block int) []uint32 {
	x := a.Bundle.Executions
	if x.Vectors == nil || x.Vectors[fn] == nil {
		return nil
	}
	return x.Vectors[fn][block]
}

// blocksOfLanes finds the blocks that ran and that sections can run: those between their
// marks, and those of functions that can be called from there.
func (a *Analysis) blocksOfLanes() map[lane][][2]int {
	direct := map[lane][][2]int{}
	for fi, f := range a.funcs {
		if f == nil {
			continue
		}
		for b, inside := range sectionsAround(f.fn) {
			for _, l := range inside {
				direct[l] = append(direct[l], [2]int{fi, b})
			}
		}
	}
	out := map[lane][][2]int{}
	for l, blocks := range direct {
		called := make([]bool, len(a.funcs))
		var work []int
		visit := func(fn, b int) {
			f := a.funcs[fn]
			if f.counts[b] == 0 {
				return
			}
			out[l] = append(out[l], [2]int{fn, b})
			for _, c := range f.calls[b] {
				if !called[c.callee] && a.funcs[c.callee] != nil {
					called[c.callee] = true
					work = append(work, c.callee)
				}
			}
		}
		for _, at := range blocks {
			visit(at[0], at[1])
		}
		for len(work) > 0 {
			fn := work[0]
			work = work[1:]
			for b := range a.funcs[fn].fn.Blocks {
				visit(fn, b)
			}
		}
	}
	return out
}

// sectionsAround returns, by block, the sections of the function that it lies in.
func sectionsAround(f *ir.Func) [][]lane {
	around := make([][]lane, len(f.Blocks))
	seen := make([]bool, len(f.Blocks))
	type state struct {
		block  int
		inside []lane
	}
	stack := []state{{0, nil}}
	seen[0] = true
	for len(stack) > 0 {
		x := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		inside := x.inside
		if m := f.Blocks[x.block].Mark; m != nil {
			switch {
			case m.Kind == ir.SectionBegin:
				inside = append(inside[:len(inside):len(inside)], lane{m.Region, m.Construct, m.Section})
			case m.Kind == ir.SectionEnd && len(inside) > 0:
				inside = inside[:len(inside)-1]
			}
		}
		around[x.block] = inside
		for _, next := range f.Blocks[x.block].Succs {
			if !seen[next] {
				seen[next] = true
				stack = append(stack, state{next, inside})
			}
		}
	}
	return around
}

// knowWork finds the average work of sections by the paths, and the blocks that they can
// run, on first use: neither depends on the platform.
func (a *Analysis) knowWork() error {
	a.once.Do(func() {
		a.lanes = a.blocksOfLanes()
		procs, err := a.kindsAsProcessors()
		if err == nil {
			var e *Estimator
			if e, err = a.On(procs); err == nil {
				a.workMeans = e.sectionMeans()
			}
		}
		a.knowKept()
		if a.workErr = err; err == nil {
			a.byPaths = a.keptByPaths()
		}
	})
	return a.workErr
}

// kindsAsProcessors has a processor for each kind of work, which costs what a block counts.
func (a *Analysis) kindsAsProcessors() (Processors, error) {
	n := len(a.Bundle.Executions.Kinds)
	procs := Processors{Platform: mapping.Homogeneous(n, "work")}
	for k := range n {
		one := make([]float64, n)
		one[k] = 1
		c := a.workAsCosts(one)
		if c == nil {
			return procs, errors.New("estimate: the model generic, with which executions of this bundle were counted, cannot price it")
		}
		procs.Costs, procs.ClockMHz = append(procs.Costs, c), append(procs.ClockMHz, 1)
	}
	return procs, nil
}

// workAsCosts lets blocks cost what they count, each kind with a weight, nil for 1. Bundles
// of earlier versions count what the model generic says; nil where it says nothing.
func (a *Analysis) workAsCosts(weights []float64) *procmodels.Costs {
	x := a.Bundle.Executions
	if x.Vectors == nil {
		pricer := &Pricer{Program: a.Bundle.Program}
		procs, err := pricer.Processors(stdcontext.Background(), mapping.Homogeneous(1, referenceModel))
		if err != nil {
			return nil
		}
		return procs.Costs[0]
	}
	c := &procmodels.Costs{Model: "work"}
	for fn, f := range a.Bundle.Program.Funcs {
		blocks := make([]procmodels.BlockCost, len(f.Blocks))
		for b := range blocks {
			for k, n := range a.vector(fn, b) {
				if weights == nil {
					blocks[b].Cycles += float64(n)
				} else {
					blocks[b].Cycles += float64(n) * weights[k]
				}
			}
		}
		c.Blocks = append(c.Blocks, blocks)
	}
	return c
}

// referenceModel is what work in bundles of earlier versions was counted with.
const referenceModel = "generic"
