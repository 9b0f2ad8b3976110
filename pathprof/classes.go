package pathprof

// This file tells executions without what is inside them: classes of executions of a
// construct, with the work of each section as a whole, in cycles under given prices.

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
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

// KindPrices returns what an instruction of each kind costs on average in the code that a
// profile's executions count, where blocks cost what cycles tells: the least squares over
// all blocks, each as often as it ran.
func (b *Bundle) KindPrices(cycles func(fn, block int) float64) []float64 {
	x := b.Executions
	n := len(x.Kinds)
	if x.legacy() {
		return []float64{1}
	}
	square, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	trace := 0.0
	for fn, blocks := range x.Vectors {
		if blocks == nil || b.Funcs[fn] == nil {
			continue
		}
		counts := b.Funcs[fn].BlockCounts(len(blocks))
		for i, v := range blocks {
			w := float64(counts[i])
			if w == 0 {
				continue
			}
			for j, a := range v {
				right.SetVec(j, right.AtVec(j)+w*float64(a)*cycles(fn, i))
				for k := j; k < n; k++ {
					square.SetSym(j, k, square.At(j, k)+w*float64(a)*float64(v[k]))
				}
				trace += w * float64(a) * float64(a)
			}
		}
	}
	if trace == 0 {
		return make([]float64, n)
	}
	for i := range n { // kinds that did not run, or always together
		square.SetSym(i, i, square.At(i, i)+1e-9*trace)
	}
	var factors mat.Cholesky
	prices := mat.NewVecDense(n, nil)
	if factors.Factorize(square) {
		factors.SolveVecTo(prices, right)
	}
	return prices.RawVector().Data
}

// Classes prices executions: those with no other around them, and those inside others.
// Entries whose sections do about the same work, to a 32nd, are one class.
func (x *Executions) Classes(prices []float64) []ConstructClasses {
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
		for _, lane := range e.Lanes {
			work := 0.0
			for _, p := range lane {
				once := 0.0
				for k, w := range p.Work {
					once += w * prices[k]
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
