package estimate

// This file finds where functions and levels that reach a region are executed under a
// mapping, and how often.

import (
	"errors"

	"gonum.org/v1/gonum/mat"
)

// executed is a hot function in one context.
type executed struct {
	instance
	runs float64 // calls per execution of the root
	// For one call of it: entries by level, partial traversals by level and row, calls.
	levels []float64
	parts  [][]float64
	calls  []calledTimes
}

// calledTimes is a hot function that is called, and how often.
type calledTimes struct {
	callee instance
	times  float64
}

// executed returns what the root executes under the evaluator's mapping, callers before
// their callees.
func (v *evaluator) executed() ([]executed, error) {
	e := v.e
	root := e.hotOf[e.Root]
	if root < 0 {
		return nil, nil
	}
	runs := map[instance]float64{{root, 0}: 1}
	var out []executed
	for end := len(e.hot); end > 0; { // the functions of a recursion at once
		first := end - 1
		for first > 0 && e.scc[e.hot[first-1].fn] == e.scc[e.hot[end-1].fn] {
			first--
		}
		var round []executed
		for h := end - 1; h >= first; h-- {
			for c := range len(e.Platform.Processors) + 1 {
				if at := (instance{h, context(c)}); runs[at] > 0 {
					round = append(round, executed{instance: at, runs: runs[at]})
				}
			}
		}
		known := map[instance]int{}
		for i := range round {
			known[round[i].instance] = i
		}
		for i := 0; i < len(round); i++ { // which grows by those that only the recursion calls
			x := &round[i]
			v.follow(x)
			for _, call := range round[i].calls {
				if h := call.callee.hot; h >= first && h < end {
					if _, ok := known[call.callee]; !ok {
						known[call.callee] = len(round)
						round = append(round, executed{instance: call.callee})
					}
				}
			}
		}
		if err := v.failure(); err != nil {
			return nil, err
		}
		if err := settleCalls(round, known); err != nil {
			return nil, err
		}
		for i := range round {
			for _, call := range round[i].calls {
				if _, inside := known[call.callee]; !inside {
					runs[call.callee] += round[i].runs * call.times
				}
			}
		}
		out = append(out, round...)
		end = first
	}
	return out, nil
}

// settleCalls adds the calls of functions of a recursion among each other: with x for the
// calls and C for those per call, x = C'x + the calls from outside.
func settleCalls(round []executed, known map[instance]int) error {
	n := len(round)
	if n == 0 {
		return nil
	}
	among, recursive := mat.NewDense(n, n, nil), false
	from := mat.NewVecDense(n, nil)
	for i := range round {
		among.Set(i, i, among.At(i, i)+1)
		from.SetVec(i, round[i].runs)
		for _, call := range round[i].calls {
			if j, ok := known[call.callee]; ok {
				among.Set(j, i, among.At(j, i)-call.times)
				recursive = true
			}
		}
	}
	if !recursive {
		return nil
	}
	solved, err := solveCalls(among, from)
	if err != nil {
		return err
	}
	for i := range round {
		round[i].runs = solved.AtVec(i)
	}
	return nil
}

// solveCalls solves a system of calls. It has no solution where the profile's averages say
// that each call leads to another.
func solveCalls(among *mat.Dense, from *mat.VecDense) (*mat.VecDense, error) {
	var lu mat.LU
	lu.Factorize(among)
	solved := mat.NewVecDense(from.Len(), nil)
	if err := lu.SolveVecTo(solved, false, from); err != nil || lu.Cond() > singular || !plausible(solved.RawVector().Data) {
		return nil, errors.New("estimate: how often a recursive function is called has no solution: each call leads to another on average; profile a run that ends by returning from main")
	}
	return solved, nil
}

// follow evaluates a function in its context and finds the entries of its levels and its
// calls, for one call of it.
func (v *evaluator) follow(x *executed) {
	h := v.e.hot[x.hot]
	if v.of(h.fn, x.context); v.err != nil {
		return
	}
	v.function(x.hot, x.context)
	s := &v.funcs[x.hot]
	x.levels, x.calls = make([]float64, len(h.levels)), nil
	x.levels[0] = 1
	x.parts = make([][]float64, len(h.levels))
	for l := range x.parts {
		x.parts[l] = make([]float64, h.levels[l].parts.rows)
	}
	called := map[instance]int{}
	for l := range h.levels { // outer levels have lower numbers
		hl, ls := &h.levels[l], &s.levels[l]
		if !hl.on {
			continue
		}
		stays := v.stays(hl, ls)
		row := func(t *costTable, r int, w float64) {
			for task := range t.tasks {
				c := ls.context
				if !stays {
					c = ls.tasks[task]
				}
				cell, kind := r*t.tasks+task, v.kind(c)
				for n := t.first[cell]; n < t.first[cell+1]; n++ {
					times := w * t.weight[kind][n]
					switch d := hl.deps[t.deps[n]]; {
					case times == 0:
					case d.hot >= 0:
						at := instance{int(d.hot), c}
						if _, ok := called[at]; !ok {
							called[at] = len(x.calls)
							x.calls = append(x.calls, calledTimes{callee: at})
						}
						x.calls[called[at]].times += times
					case d.part < 0:
						x.levels[d.level] += times
					default:
						x.parts[d.level][d.part] += times
					}
				}
			}
		}
		each := x.levels[l] / hl.denom
		row(&hl.sum, 0, each)
		for r, w := range x.parts[l] {
			row(&hl.parts, r, w)
		}
		for _, o := range hl.orphans {
			x.levels[o] += each
		}
	}
}
