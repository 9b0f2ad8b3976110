package estimate

// This file finds how often everything that reaches a region is executed, inside
// sections and outside, through loops, calls and recursion.

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// visits holds how often each hot function is called, each of its levels entered and
// each of its partial traversals taken, in one execution of the root.
type visits struct {
	fn    []float64     // by hot function
	level [][]float64   // [hot function][level]
	parts [][][]float64 // [hot function][level][part]
}

// visits counts with everything on processors of one kind: which calls a model has in
// its blocks differs from kind to kind.
func (e *Estimator) visits(kind int) (*visits, error) {
	n := len(e.hot)
	x := &visits{fn: make([]float64, n)}
	calls := make([][]float64, n) // [caller][callee]: per call of the caller
	for i, h := range e.hot {
		calls[i] = make([]float64, n)
		x.level = append(x.level, make([]float64, len(h.levels)))
		x.parts = append(x.parts, make([][]float64, len(h.levels)))
		for l := range h.levels {
			x.parts[i][l] = make([]float64, h.levels[l].parts.rows)
		}
		x.level[i][0] = 1
		for l := range h.levels { // outer levels have lower numbers
			hl := &h.levels[l]
			if !hl.on {
				continue
			}
			each := x.level[i][l] / hl.denom
			x.follow(i, hl, &hl.sum, 0, kind, each, calls[i])
			for row, w := range x.parts[i][l] {
				x.follow(i, hl, &hl.parts, row, kind, w, calls[i])
			}
			for _, o := range hl.orphans {
				x.level[i][o] += each
			}
		}
	}
	if root := e.hotOf[e.Root]; root >= 0 {
		x.fn[root] = 1
	}
	for end := n; end > 0; { // callers first, the functions of a recursion at once
		first := end - 1
		for first > 0 && e.scc[e.hot[first-1].fn] == e.scc[e.hot[end-1].fn] {
			first--
		}
		if err := x.component(calls, first, end); err != nil {
			return nil, err
		}
		end = first
	}
	for i := range x.level {
		for l := range x.level[i] {
			x.level[i][l] *= x.fn[i]
			for row := range x.parts[i][l] {
				x.parts[i][l][row] *= x.fn[i]
			}
		}
	}
	return x, nil
}

// follow adds what the tasks of a row depend on, executed w times.
func (x *visits) follow(h int, hl *hotLevel, t *table, row, kind int, w float64, calls []float64) {
	if w == 0 {
		return
	}
	for n := t.first[row*t.tasks]; n < t.first[(row+1)*t.tasks]; n++ {
		times := w * t.weight[kind][n]
		switch d := hl.deps[t.deps[n]]; {
		case d.hot >= 0:
			calls[d.hot] += times
		case d.part < 0:
			x.level[h][d.level] += times
		default:
			x.parts[h][d.level][d.part] += times
		}
	}
}

// component settles the functions first to end-1, whose callers outside of them are
// settled, and hands their calls on. With x for calls and C for the calls among them per
// call, x = C'x + those from outside.
func (x *visits) component(calls [][]float64, first, end int) error {
	n := end - first
	if slices.Max(x.fn[first:end]) == 0 {
		return nil
	}
	recursive := n > 1 || calls[first][first] > 0
	if recursive {
		c, from := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
		for i := range n {
			from.SetVec(i, x.fn[first+i])
			for j := range n {
				c.Set(j, i, -calls[first+i][first+j])
			}
		}
		for i := range n {
			c.Set(i, i, 1+c.At(i, i))
		}
		var lu mat.LU
		lu.Factorize(c)
		solved := mat.NewVecDense(n, x.fn[first:end])
		if err := lu.SolveVecTo(solved, false, from); err != nil || lu.Cond() > singular || !plausible(x.fn[first:end]) {
			return errEndless
		}
	}
	for i := first; i < end; i++ {
		for j, w := range calls[i] {
			if j < first || j >= end {
				x.fn[j] += x.fn[i] * w
			}
		}
	}
	return nil
}
