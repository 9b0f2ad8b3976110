package estimate

// This file says how much of an estimate rests on default costs, and what it leaves out.

import (
	"cmp"
	"maps"
	"slices"

	"pathspan/ir"
)

// Defaults says how much of the sequential time rests on default costs.
type Defaults struct {
	Share   float64 // of the cycles
	Reasons []Reason
}

// Reason is one kind of default.
type Reason struct {
	Reason string  `json:"reason"`
	Share  float64 `json:"share"` // of the sequential cycles
	Count  float64 `json:"count"` // executions of the instructions or lines concerned
	// At is the line of the source where most of the share lies, of so many Places, where models say so.
	At     string `json:"at,omitempty"`
	Places int    `json:"places,omitempty"`
}

// Defaults returns the defaults on a processor, those with the largest share first.
// They are weighted by how often blocks ran, over the functions that the root reaches;
// what a block costs behind its predecessor is not known here (BlockCost.After).
func (e *Estimator) Defaults(processor int) Defaults { return e.shares[e.kindOf[processor]] }

func (e *Estimator) defaults(kind int) Defaults {
	costs := e.kinds[kind].costs
	cycles, count := make([]float64, len(costs.Reasons)), make([]float64, len(costs.Reasons))
	at := make([]map[ir.Loc]float64, len(costs.Reasons))
	total := 0.0
	for _, f := range e.funcs {
		if f == nil || !e.reached[f.index] {
			continue
		}
		for b, n := range f.counts {
			if n == 0 {
				continue
			}
			bc := &costs.Blocks[f.index][b]
			total += float64(n) * bc.Cycles
			for _, d := range bc.Defaults {
				cycles[d.Reason] += float64(n) * d.Cycles
				count[d.Reason] += float64(n) * float64(d.Count)
				if d.Loc.Line > 0 && d.Loc.File >= 0 {
					if at[d.Reason] == nil {
						at[d.Reason] = make(map[ir.Loc]float64)
					}
					at[d.Reason][ir.Loc{File: d.Loc.File, Line: d.Loc.Line}] += float64(n) * d.Cycles
				}
			}
		}
	}
	var d Defaults
	for i, r := range costs.Reasons {
		if count[i] == 0 && cycles[i] == 0 {
			continue
		}
		share := 0.0
		if total > 0 {
			share = cycles[i] / total
		}
		d.Share += share
		why := Reason{Reason: r, Share: share, Count: count[i], Places: len(at[i])}
		if why.Places > 0 {
			why.At = e.Bundle.Program.UserString(slices.MinFunc(slices.Collect(maps.Keys(at[i])), func(a, b ir.Loc) int {
				return cmp.Or(cmp.Compare(at[i][b], at[i][a]), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
			}))
		}
		d.Reasons = append(d.Reasons, why)
	}
	slices.SortStableFunc(d.Reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(b.Count, a.Count))
	})
	return d
}

// Unattributed is a function that ran outside of all calls of the program: a global
// constructor, a handler registered with atexit, a thread. Estimates leave it out.
type Unattributed struct {
	Function    string  `json:"function"`
	Invocations float64 `json:"invocations"`
	Cycles      float64 `json:"-"`     // all of them together, callees included, on the given processor
	Share       float64 `json:"share"` // of these cycles and those of the root's executions
}

// Unattributed lists the functions that estimates leave out, in program order.
func (e *Estimator) Unattributed(processor int) []Unattributed {
	k := e.kindOf[processor]
	root := e.funcs[e.Root]
	total := e.serial[e.Root].levels[0][k] * root.denom[0]
	var all []Unattributed
	for i, n := range e.outside {
		if n > 0 {
			cycles := n * e.serial[i].levels[0][k]
			total += cycles
			all = append(all, Unattributed{Function: e.funcs[i].fn.Shown(), Invocations: n, Cycles: cycles / e.factor[k]})
		}
	}
	for i := range all {
		if total > 0 {
			all[i].Share = all[i].Cycles * e.factor[k] / total
		}
	}
	return all
}
