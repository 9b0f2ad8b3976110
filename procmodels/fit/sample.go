package fit

// This file counts the features that a measured program, or a part of it, executed.

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"pathspan/procmodels"
	"pathspan/procmodels/fitted"
	"pathspan/profile"
)

// Sample is something measured.
type Sample struct {
	Name   string
	Cycles float64 // measured, above 0
	Weight float64 // of its squared relative error, above 0; 1 is usual
	Group  string  // samples of a group are left out together
	// Counter counts the features executed under a scheme.
	Counter Counter
}

// Counter says how often each feature was executed.
type Counter interface {
	Counts(context.Context, fitted.Scheme) (map[string]float64, error)
}

// Executions holds how often each block of a program was executed on account of a
// sample. It is a Counter.
type Executions struct {
	bundle *profile.Bundle
	share  []float64 // of each function's executions that belong to the sample
}

// Machine is the kind of processor that the program was compiled for.
func (e *Executions) Machine() string { return e.bundle.Program.Machine() }

// Whole counts all of a run.
func Whole(b *profile.Bundle) *Executions {
	e := &Executions{b, make([]float64, len(b.Program.Funcs))}
	for i := range e.share {
		e.share[i] = 1
	}
	return e
}

// Part counts the executions of one function and of what it calls, directly or not: all
// that happens from its entry to its return. A function that others call as well counts
// with the share of its executions that came from the part, at its average cost.
// Functions that only a library calls back are not in it.
func Part(b *profile.Bundle, function string) (*Executions, error) {
	root := -1
	for i, f := range b.Program.Funcs {
		if f.Name == function || f.Source == function && b.Program.Func(function) == nil {
			if root >= 0 {
				return nil, fmt.Errorf("function %q names several; give its linker name, as in %s", function, f.Name)
			}
			root = i
		}
	}
	if root < 0 {
		return nil, fmt.Errorf("the program has no function %q; pathspan inspect lists them", function)
	}
	if b.Funcs[root] == nil || b.Funcs[root].Invocations() == 0 {
		return nil, fmt.Errorf("function %q was never executed", function)
	}
	calls := callCounts(b)
	// Executions of g for the part: n[g] = sum over callers h of n[h] * calls(h, g) /
	// executions(h). All executions of the root belong to it, calls of it from below
	// included.
	var ran []int // functions executed
	for i, f := range b.Funcs {
		if f != nil && f.Invocations() > 0 {
			ran = append(ran, i)
		}
	}
	n := len(ran)
	a, rhs := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for i, g := range ran {
		a.Set(i, i, 1)
		if g == root {
			rhs.SetVec(i, float64(b.Funcs[root].Invocations()))
			continue
		}
		for j, h := range ran {
			if c := calls[h][g]; c > 0 {
				a.Set(i, j, a.At(i, j)-c/float64(b.Funcs[h].Invocations()))
			}
		}
	}
	var x mat.VecDense
	if err := x.SolveVec(a, rhs); err != nil {
		return nil, fmt.Errorf("function %q: how often it calls the others cannot be told apart; measure the whole program", function)
	}
	e := &Executions{b, make([]float64, len(b.Program.Funcs))}
	for i, g := range ran {
		e.share[g] = min(1, max(0, x.AtVec(i)/float64(b.Funcs[g].Invocations())))
	}
	return e, nil
}

// callCounts counts the calls from each function to each.
func callCounts(b *profile.Bundle) []map[int]float64 {
	calls := make([]map[int]float64, len(b.Funcs))
	for fi, f := range b.Funcs {
		calls[fi] = map[int]float64{}
		if f == nil {
			continue
		}
		fn := b.Program.Funcs[fi]
		for bi, n := range f.BlockCounts(len(fn.Blocks)) {
			for i := range fn.Blocks[bi].Instrs {
				if c := fn.Blocks[bi].Instrs[i].Call; c != nil && c.Callee >= 0 {
					calls[fi][c.Callee] += float64(n)
				}
			}
		}
	}
	for _, t := range b.Targets {
		if t.Target >= 0 {
			calls[t.Func][t.Target] += float64(t.Count)
		}
	}
	return calls
}

// Counts implements Counter.
func (e *Executions) Counts(ctx context.Context, s fitted.Scheme) (map[string]float64, error) {
	subject := &procmodels.Subject{Program: e.bundle.Program}
	if s.Machine != nil {
		subject.Module, subject.Run = e.bundle.Module, e.bundle
	}
	blocks, err := s.Program(ctx, subject)
	if err != nil {
		return nil, err
	}
	total := map[string]float64{}
	for fi, f := range e.bundle.Funcs {
		if f == nil || e.share[fi] == 0 {
			continue
		}
		for bi, n := range f.BlockCounts(len(e.bundle.Program.Funcs[fi].Blocks)) {
			for _, ft := range blocks[fi][bi].List {
				if n > 0 {
					total[ft.Name] += ft.Count * float64(n) * e.share[fi]
				}
			}
		}
	}
	return total, nil
}
