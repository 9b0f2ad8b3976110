package estimate

// This file finds out which block calls which function how often, and which functions
// run outside of all calls.

import (
	"slices"

	"pathspan/ir/flow"
)

// registers lists external functions that keep the address of a function for later,
// or run it in a thread: what they are given is not executed at the call.
var registers = []string{
	"atexit", "on_exit", "at_quick_exit", "__cxa_atexit", "__cxa_thread_atexit", "__cxa_at_quick_exit",
	"pthread_create", "pthread_atfork", "thrd_create", "tss_create", "pthread_key_create",
	"signal", "bsd_signal", "sigaction", "sigset", "set_terminate", "__cxa_throw",
}

// findCalls fills calls of all functions and outside, and returns how often calls
// reach each function.
//
// A direct call is one call per execution of its block. An indirect call reaches its
// profiled targets by their shares. Functions passed to an external function
// (callbacks) are called by it: invocations that no direct or indirect call accounts
// for are spread evenly over the executions of the calls that pass the function.
func (a *Analysis) findCalls() []float64 {
	n := len(a.funcs)
	accounted := make([]float64, n)
	passed := make([]float64, n) // executions of calls that pass the function
	targets := a.targets()
	for _, f := range a.funcs {
		if f == nil {
			continue
		}
		f.calls = make([][]call, len(f.fn.Blocks))
		for bi, b := range f.fn.Blocks {
			runs := float64(f.counts[bi])
			for i := range b.Instrs {
				c := b.Instrs[i].Call
				if c == nil {
					continue
				}
				if c.Callee >= 0 {
					f.calls[bi] = append(f.calls[bi], call{i, c.Callee, 1})
					accounted[c.Callee] += runs
				}
				for _, t := range targets[site{f.index, bi, i}] {
					f.calls[bi] = append(f.calls[bi], call{i, t.callee, t.share})
					accounted[t.callee] += t.count
				}
				if c.Callee < 0 && !c.Indirect && len(c.FuncArgs) > 0 && !slices.Contains(registers, c.Name) {
					for _, g := range c.FuncArgs {
						passed[g] += runs
					}
				}
			}
		}
	}
	a.outside = make([]float64, n)
	rate := make([]float64, n) // calls of a callback per execution of a call that passes it
	for g, f := range a.funcs {
		if f == nil {
			continue
		}
		rest := float64(f.prof.Invocations()) - accounted[g]
		switch {
		case rest <= 0 || g == a.Root:
		case passed[g] > 0:
			rate[g] = rest / passed[g]
			accounted[g] += rest
		default:
			a.outside[g] = rest
		}
	}
	a.spread(rate)
	return accounted
}

// spread adds the calls of callbacks.
func (a *Analysis) spread(rate []float64) {
	for _, f := range a.funcs {
		if f == nil {
			continue
		}
		for bi, b := range f.fn.Blocks {
			for i := range b.Instrs {
				c := b.Instrs[i].Call
				if c == nil || c.Callee >= 0 || c.Indirect || len(c.FuncArgs) == 0 || slices.Contains(registers, c.Name) {
					continue
				}
				for _, g := range c.FuncArgs {
					if rate[g] > 0 {
						f.calls[bi] = append(f.calls[bi], call{i, g, rate[g]})
					}
				}
			}
		}
		for bi := range f.calls { // functions that never ran cost nothing
			f.calls[bi] = slices.DeleteFunc(f.calls[bi], func(c call) bool { return a.funcs[c.callee] == nil })
		}
	}
}

type site struct{ fn, block, instr int }

type target struct {
	callee int
	share  float64
	count  float64
}

// targets returns the functions that each indirect call reached.
func (a *Analysis) targets() map[site][]target {
	total := map[site]float64{}
	for _, t := range a.Bundle.Targets {
		total[site{t.Func, t.Block, t.Instr}] += float64(t.Count)
	}
	at := map[site][]target{}
	for _, t := range a.Bundle.Targets {
		s := site{t.Func, t.Block, t.Instr}
		if t.Target >= 0 && t.Count > 0 {
			at[s] = append(at[s], target{t.Target, float64(t.Count) / total[s], float64(t.Count)})
		}
	}
	return at
}

// findComponents orders the functions that ran so that callees come first, and finds
// which are recursive and which the root reaches.
func (a *Analysis) findComponents() {
	self := make([]bool, len(a.funcs))
	callees := make([][]int, len(a.funcs))
	for _, f := range a.funcs {
		if f == nil {
			continue
		}
		for bi := range f.calls {
			for _, c := range f.calls[bi] {
				if f.counts[bi] == 0 {
					continue
				}
				if c.callee == f.index {
					self[f.index] = true
				} else if !slices.Contains(callees[f.index], c.callee) {
					callees[f.index] = append(callees[f.index], c.callee)
				}
			}
		}
	}
	called := func(f int, visit func(int)) {
		for _, c := range callees[f] {
			visit(c)
		}
	}
	a.scc = make([]int, len(a.funcs))
	for _, fns := range flow.Components(len(a.funcs), called) {
		if a.funcs[fns[0]] == nil {
			a.scc[fns[0]] = -1
			continue
		}
		for _, fn := range fns {
			a.scc[fn] = len(a.components)
		}
		a.cyclic = append(a.cyclic, len(fns) > 1 || self[fns[0]])
		a.components = append(a.components, fns)
	}
	a.reached = flow.Reached(len(a.funcs), []int{a.Root}, called)
}

// CalleesFirst lists the functions that ran, those that others call before them.
func (a *Analysis) CalleesFirst() []int { return slices.Concat(a.components...) }

// Components lists the same by recursion: functions that lead to each other are together.
func (a *Analysis) Components() [][]int { return a.components }

// Recursive reports whether a function that ran leads to calls of itself.
func (a *Analysis) Recursive(fn int) bool { return a.cyclic[a.scc[fn]] }

// ReachesRegion reports whether a function that ran, or one that it calls, holds a region.
func (a *Analysis) ReachesRegion(fn int) bool { return a.funcs[fn].reaches.Any() }

// Count is how often a block of a function that ran was executed.
func (a *Analysis) Count(fn, block int) uint64 { return a.funcs[fn].counts[block] }

// Calls visits the calls that a block made of functions of the program, directly or through
// pointers, with how many there were. What external functions call is not among them.
func (a *Analysis) Calls(fn, block int, visit func(instr, callee int, count float64)) {
	f := a.funcs[fn]
	if f.counts[block] == 0 {
		return
	}
	for _, c := range f.calls[block] {
		if in := f.fn.Blocks[block].Instrs[c.instr].Call; in.Callee >= 0 || in.Indirect {
			visit(c.instr, c.callee, c.share*float64(f.counts[block]))
		}
	}
}
