package pathprof

// This file tells executions without what is inside them: classes of executions of a
// construct, with the work of each section as a whole, in cycles under given prices.

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"pathspan/ir"
)

// ConstructClasses are the executions of one construct that ran to their end, in classes.
type ConstructClasses struct {
	Region, Construct int
	// Nested executions had another region active around them, in the same function or
	// in one that calls it.
	Nested  bool
	Classes []ExecutionClass // by descending count, then by work
}

// ExecutionClass is a number of executions whose sections did about the same work.
type ExecutionClass struct {
	Count uint64
	// Work is the average of each section, in cycles. What functions and regions inside
	// it do is in it.
	Work []float64
}

// KindPrices tells what an instruction of each kind costs on average in the code of a
// section.
type KindPrices func(region, construct, section int) []float64

// KindPrices prices kinds where blocks cost what cycles tells: by the least squares over all
// blocks that may run in a section, each as often as it ran.
func (b *Bundle) KindPrices(cycles func(fn, block int) float64) KindPrices {
	if b.Executions.legacy() {
		return func(int, int, int) []float64 { return []float64{1} }
	}
	counts := make([][]uint64, len(b.Funcs))
	for fn, f := range b.Funcs {
		if f != nil {
			counts[fn] = f.BlockCounts(len(b.Program.Funcs[fn].Blocks))
		}
	}
	lanes := b.blocksOfSections()
	known := map[ir.Mark][]float64{}
	return func(region, construct, section int) []float64 {
		lane := ir.Mark{Region: region, Construct: construct, Section: section}
		if known[lane] == nil {
			known[lane] = b.leastSquares(lanes[lane], counts, cycles)
		}
		return known[lane]
	}
}

// leastSquares fits prices to blocks, given by function and block.
func (b *Bundle) leastSquares(blocks [][2]int, counts [][]uint64, cycles func(fn, block int) float64) []float64 {
	x := b.Executions
	n := len(x.Kinds)
	square, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	trace, all, instructions := 0.0, 0.0, 0.0
	counted := make([]float64, n) // by kind
	for _, at := range blocks {
		if counts[at[0]] == nil || x.Vectors[at[0]] == nil {
			continue
		}
		w, cost := float64(counts[at[0]][at[1]]), cycles(at[0], at[1])
		all += w * cost
		v := x.Vectors[at[0]][at[1]]
		for j, a := range v {
			right.SetVec(j, right.AtVec(j)+w*float64(a)*cost)
			for k := j; k < n; k++ {
				square.SetSym(j, k, square.At(j, k)+w*float64(a)*float64(v[k]))
			}
			trace += w * float64(a) * float64(a)
			instructions += w * float64(a)
			counted[j] += w * float64(a)
		}
	}
	if trace == 0 {
		return make([]float64, n)
	}
	ridge := 1e-6 * trace / float64(n)
	for i := range n { // kinds that did not run, or always together, tend to the average
		square.SetSym(i, i, square.At(i, i)+ridge)
		right.SetVec(i, right.AtVec(i)+ridge*all/instructions)
	}
	var factors mat.Cholesky
	prices := mat.NewVecDense(n, nil)
	if factors.Factorize(square) {
		factors.SolveVecTo(prices, right)
	}
	out, fitted := prices.RawVector().Data, 0.0
	for k, price := range out {
		fitted += price * counted[k]
	}
	if fitted > 0 { // so that all blocks together cost what they do
		for k := range out {
			out[k] *= all / fitted
		}
	}
	return out
}

// blocksOfSections lists the blocks that may run in each section: between its marks, and
// those of functions that may be called from there.
func (b *Bundle) blocksOfSections() map[ir.Mark][][2]int {
	out := map[ir.Mark][][2]int{}
	called := map[ir.Mark][]int{}
	note := func(lane ir.Mark, fn, block int) {
		out[lane] = append(out[lane], [2]int{fn, block})
		for _, in := range b.Program.Funcs[fn].Blocks[block].Instrs {
			if c := in.Call; c != nil {
				if c.Callee >= 0 {
					called[lane] = append(called[lane], c.Callee)
				}
				called[lane] = append(called[lane], c.FuncArgs...)
				for _, t := range b.Targets {
					if c.Indirect && t.Func == fn && t.Block == block && t.Target >= 0 {
						called[lane] = append(called[lane], t.Target)
					}
				}
			}
		}
	}
	for fn, f := range b.Program.Funcs {
		around := make([][]ir.Mark, len(f.Blocks)) // sections that a block is in
		seen := make([]bool, len(f.Blocks))
		seen[0] = true
		for work := []int{0}; len(work) > 0; {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			if m := f.Blocks[at].Mark; m != nil && m.Kind == ir.SectionBegin {
				around[at] = append(slices.Clone(around[at]), ir.Mark{Region: m.Region, Construct: m.Construct, Section: m.Section})
			} else if m != nil && m.Kind == ir.SectionEnd && len(around[at]) > 0 {
				around[at] = around[at][:len(around[at])-1]
			}
			for _, lane := range around[at] {
				note(lane, fn, at)
			}
			for _, s := range f.Blocks[at].Succs {
				if !seen[s] {
					seen[s], around[s] = true, around[at]
					work = append(work, s)
				}
			}
		}
	}
	for lane := range called {
		got := map[int]bool{}
		for i := 0; i < len(called[lane]); i++ {
			fn := called[lane][i]
			if got[fn] {
				continue
			}
			got[fn] = true
			for block := range b.Program.Funcs[fn].Blocks {
				note(lane, fn, block)
			}
		}
	}
	return out
}

// Classes prices executions: those with no other around them, and those inside others.
// Entries whose sections do about the same work, to a 32nd, are one class.
func (x *Executions) Classes(prices KindPrices) []ConstructClasses {
	whole := make([][]float64, len(x.Entries)) // by section
	var out []ConstructClasses
	add := func(e *Execution, nested bool, count uint64, work []float64) {
		if count == 0 {
			return
		}
		i := slices.IndexFunc(out, func(c ConstructClasses) bool {
			return c.Region == e.Region && c.Construct == e.Construct && c.Nested == nested
		})
		if i < 0 {
			i = len(out)
			out = append(out, ConstructClasses{Region: e.Region, Construct: e.Construct, Nested: nested})
		}
		out[i].Classes = append(out[i].Classes, ExecutionClass{count, slices.Clone(work)})
	}
	roots := make([]uint64, len(x.Entries))
	for _, r := range x.Roots {
		roots[r.Entry] = r.Count
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		for s, lane := range e.Lanes {
			work := 0.0
			price := prices(e.Region, e.Construct, s)
			for _, p := range lane {
				once := 0.0
				for k, w := range p.Work {
					once += w * price[k]
				}
				if p.Entry >= 0 {
					for _, w := range whole[p.Entry] {
						once += w
					}
				}
				work += once * float64(p.Times)
			}
			whole[i] = append(whole[i], max(0, work))
		}
		add(e, false, roots[i], whole[i])
		add(e, true, e.Count-min(e.Count, roots[i]), whole[i])
	}
	order := func(nested bool) int {
		if nested {
			return 1
		}
		return 0
	}
	slices.SortFunc(out, func(a, b ConstructClasses) int {
		return cmp.Or(cmp.Compare(a.Region, b.Region), cmp.Compare(a.Construct, b.Construct), cmp.Compare(order(a.Nested), order(b.Nested)))
	})
	for i := range out {
		out[i].Classes = joinClasses(out[i].Classes)
		slices.SortFunc(out[i].Classes, func(a, b ExecutionClass) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), slices.Compare(a.Work, b.Work))
		})
	}
	return out
}

// joinClasses joins classes of the same cells of the finest grid. Their mean is exact.
func joinClasses(classes []ExecutionClass) []ExecutionClass {
	var out []ExecutionClass
	at := map[string]int{}
	var key []byte
	for _, c := range classes {
		key = key[:0]
		for _, w := range c.Work {
			key = binary.LittleEndian.AppendUint64(key, cell(uint64(w*referenceScale), finestGrid))
		}
		i, known := at[string(key)]
		if !known {
			at[string(key)] = len(out)
			out = append(out, c)
			continue
		}
		to := &out[i]
		to.Count = addSat(to.Count, c.Count)
		for k, w := range c.Work {
			to.Work[k] += (w - to.Work[k]) * (float64(c.Count) / float64(to.Count))
		}
	}
	for _, c := range out { // to the unit that works were told in, which is less to write
		for k, w := range c.Work {
			units := float64(c.Count) * referenceScale
			c.Work[k] = math.Round(w*units) / units
		}
	}
	return out
}
