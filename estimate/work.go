package estimate

// This file prices work: what an instruction of each kind takes in a section, so that the
// trees of executions, which count instructions, are told in cycles.

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"pathspan/mapping"
	"pathspan/procmodels"
)

// workPrices holds cycles of processor 0 per unit of work:
// [kind of processor][region][construct][section][kind of work].
type workPrices [][][][][]float64

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
	means, stalls := e.sectionMeans(), e.ownStalls()
	out := make(workPrices, len(e.kinds))
	for k := range e.kinds {
		for r := range e.Bundle.Program.Regions {
			var constructs [][][]float64
			for c := range e.Bundle.Program.Regions[r].Constructs {
				var sections [][]float64
				for s := range e.Bundle.Program.Regions[r].Constructs[c].Sections {
					p := e.leastSquares(k, e.lanes[lane{r, c, s}])
					sum := 0.0
					for i := range p {
						sum += p[i] * e.workMeans[i][r][c][s]
					}
					mean := means[k][r][c][s]
					if own := stalls[lane{r, c, s}]; own != nil {
						mean = max(0, mean+own[k])
					}
					if sum > 0 && mean > 0 {
						for i := range p {
							p[i] *= mean / sum
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

// nearTypical is the share of the diagonal that pulls prices towards typical ones, which
// decide where blocks do not tell kinds apart.
const nearTypical = 1e-3

// leastSquares returns the prices of the kinds of work in some blocks, none below 0, under
// which all executions of the blocks together cost what the model says.
func (e *Estimator) leastSquares(kind int, blocks [][2]int) []float64 {
	x := e.Bundle.Executions
	kinds := len(x.Kinds)
	a, b := mat.NewSymDense(kinds, nil), mat.NewVecDense(kinds, nil)
	cycles, typical := 0.0, 0.0
	counted := make([]float64, kinds)
	for _, at := range blocks {
		n := float64(e.funcs[at[0]].counts[at[1]])
		v := e.vector(at[0], at[1])
		c := e.cost(kind, at[0], at[1], nowhere)
		for i, x := range v {
			if x == 0 {
				continue
			}
			counted[i] += n * float64(x)
			for j := i; j < len(v); j++ {
				a.SetSym(i, j, a.At(i, j)+n*float64(x)*float64(v[j]))
			}
			b.SetVec(i, b.AtVec(i)+n*float64(x)*c)
		}
		cycles += n * c
	}
	for i, n := range counted {
		typical += n * float64(x.Weights[i])
	}
	prices := make([]float64, kinds)
	if typical == 0 { // a cycle for each
		for i := range prices {
			prices[i] = e.factor[kind]
		}
		return prices
	}
	for i := range prices {
		prices[i] = cycles * float64(x.Weights[i]) / typical
		pull := nearTypical * a.At(i, i)
		if pull == 0 { // there are none
			pull = 1
		}
		a.SetSym(i, i, a.At(i, i)+pull)
		b.SetVec(i, b.AtVec(i)+pull*prices[i])
	}
	prices = notBelow(a, b, prices)
	if fitted := floats.Dot(counted, prices); fitted > 0 {
		floats.Scale(cycles/fitted, prices)
	}
	return prices
}

// notBelow solves a system of normal equations with no unknown below 0: those that would be
// are 0, and the rest are solved without them. It returns otherwise where that fails.
func notBelow(a *mat.SymDense, b *mat.VecDense, otherwise []float64) []float64 {
	free := make([]int, b.Len())
	for i := range free {
		free[i] = i
	}
	for len(free) > 0 {
		part, right, x := mat.NewSymDense(len(free), nil), mat.NewVecDense(len(free), nil), mat.NewVecDense(len(free), nil)
		for i, k := range free {
			for j := i; j < len(free); j++ {
				part.SetSym(i, j, a.At(k, free[j]))
			}
			right.SetVec(i, b.AtVec(k))
		}
		var ch mat.Cholesky
		if !ch.Factorize(part) || ch.SolveVecTo(x, right) != nil {
			return otherwise
		}
		left := slices.DeleteFunc(slices.Clone(free), func(k int) bool { return x.AtVec(slices.Index(free, k)) < 0 })
		if len(left) == len(free) {
			out := make([]float64, b.Len())
			for i, k := range free {
				out[k] = x.AtVec(i)
			}
			return out
		}
		free = left
	}
	return otherwise
}

// vector is what a block counts, by kind of work; nil where it counts nothing.
func (a *Analysis) vector(fn, block int) []uint32 {
	x := a.Bundle.Executions
	if x.Vectors[fn] == nil {
		return nil
	}
	return x.Vectors[fn][block]
}

// blocksOfLanes finds the blocks that ran and that sections can run: those between their
// marks, and those of functions that can be called from there. Without some functions, they
// are lanes of their own.
func (a *Analysis) blocksOfLanes(without map[int]lane) map[lane][][2]int {
	direct := map[lane][][2]int{}
	for fn, l := range without {
		if a.funcs[fn] == nil {
			continue
		}
		for b := range a.funcs[fn].fn.Blocks {
			direct[l] = append(direct[l], [2]int{fn, b})
		}
	}
	for fi, f := range a.funcs {
		if f == nil {
			continue
		}
		for b, inside := range opened(f.fn, sectionEdge) {
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
				if _, apart := without[c.callee]; !apart && !called[c.callee] && a.funcs[c.callee] != nil {
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

// knowWork finds the average work of sections by the paths, and the blocks that they can
// run, on first use: neither depends on the platform.
func (a *Analysis) knowWork() error {
	a.once.Do(func() {
		a.lanes = a.blocksOfLanes(nil)
		a.calls = a.callsOf()
		a.codes = a.blocksOfLanes(a.entriesOfTasks())
		var e *Estimator
		if e, a.workErr = a.On(a.kindsAsProcessors()); a.workErr == nil {
			a.workMeans, a.workSerial = e.sectionMeans(), e.serial
		}
		a.knowKept()
		if a.workErr == nil {
			a.byPaths = a.keptByPaths()
		}
	})
	return a.workErr
}

// kindsAsProcessors has a processor for each kind of work, which costs what a block counts.
func (a *Analysis) kindsAsProcessors() Processors {
	n := len(a.Bundle.Executions.Kinds)
	procs := Processors{Platform: mapping.Homogeneous(n, "work")}
	for k := range n {
		one := make([]float64, n)
		one[k] = 1
		procs.Costs, procs.ClockMHz = append(procs.Costs, a.workAsCosts(one)), append(procs.ClockMHz, 1)
	}
	return procs
}

// workAsCosts lets blocks cost what they count, each kind with a weight.
func (a *Analysis) workAsCosts(weights []float64) *procmodels.Costs {
	c := &procmodels.Costs{Model: "work"}
	for fn, f := range a.Bundle.Program.Funcs {
		blocks := make([]procmodels.BlockCost, len(f.Blocks))
		for b := range blocks {
			for k, n := range a.vector(fn, b) {
				blocks[b].Cycles += float64(n) * weights[k]
			}
		}
		c.Blocks = append(c.Blocks, blocks)
	}
	return c
}
