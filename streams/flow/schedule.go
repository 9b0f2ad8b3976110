package flow

// This file finds when executions start.

import (
	"math"
	"slices"

	"pathspan/streams"
)

// Cycles that reading and writing take; between them an execution executes.
const (
	ReadLatency  = 1
	WriteLatency = 1
)

// Cost is what a statement takes: an execution may start Interval cycles behind another on the
// same unit, and ends Latency cycles behind its start. Both are 1 at least.
type Cost struct {
	Interval, Latency int64
}

// MostCycles bounds both. A trace of the largest size then ends before 2^63.
const MostCycles = 1 << 38

// How says which unit of a statement an execution goes to.
type How int

const (
	// Shared gives it to the unit that is free first, the lowest of several.
	Shared How = iota
	// Unfolded gives iteration i of the innermost loop to unit i modulo their number
	// (modulo unfolding, section 5.6.1.1).
	Unfolded
	// Cut gives each unit a like share of the iterations of the innermost loop, one behind the
	// other (plane cutting, section 5.6.1.2).
	Cut
)

// Placing says on how many units a statement is executed, 0 for one for each execution.
type Placing struct {
	Units int
	How   How
}

// Absolute has a unit for each statement, Unbounded one for each execution.
func Absolute(t *streams.Trace) []Placing {
	return slices.Repeat([]Placing{{Units: 1}}, len(t.Statements))
}

// Unbounded has a unit for each execution.
func Unbounded(t *streams.Trace) []Placing { return make([]Placing, len(t.Statements)) }

// Schedule says when executions start, in cycles from the start of the program.
type Schedule struct {
	Trace  *streams.Trace
	Costs  []Cost  // by statement
	Took   []int64 // by execution, see Each; nil where none is known
	Start  []int64
	Unit   []int32 // of its statement that an execution ran on
	Finish int64   // the end of the last that executes or writes
}

// Of schedules a trace. Costs and placings are by statement.
func Of(t *streams.Trace, costs []Cost, placings []Placing) *Schedule {
	return Each(t, costs, nil, placings)
}

// Each is the same where cycles of single executions are known, from 1: the unit takes the next behind them. Others have 0 and
// the cost of their statement.
func Each(t *streams.Trace, costs []Cost, took []int64, placings []Placing) *Schedule {
	s := &Schedule{Trace: t, Costs: costs, Took: took, Start: make([]int64, t.Len()), Unit: make([]int32, t.Len())}
	sides := iterations(t, placings)
	free := make([][]int64, len(placings)) // by statement and unit: when it takes the next
	for i, p := range placings {
		free[i] = make([]int64, p.Units)
	}
	next := make([]int32, len(placings)) // unit of those that are as many as executions
	for i := range t.Len() {
		of := t.Of(i)
		at := s.ready(i)
		units := free[of]
		if len(units) == 0 {
			s.Unit[i] = next[of]
			next[of]++
		} else {
			u := slices.Index(units, slices.Min(units))
			if sides != nil && placings[of].How != Shared {
				u = int(sides[i])
			}
			at = max(at, units[u])
			units[u] = at + s.cost(i).Interval
			s.Unit[i] = int32(u)
		}
		s.Start[i] = at
		s.Finish = max(s.Finish, s.end(i))
	}
	return s
}

// cost is what an execution takes.
func (s *Schedule) cost(i int) Cost {
	if s.Took != nil && s.Took[i] > 0 {
		return Cost{s.Took[i], s.Took[i]}
	}
	return s.Costs[s.Trace.Of(i)]
}

// ready is when an execution may start by what it reads.
func (s *Schedule) ready(i int) int64 {
	var at int64
	for _, p := range s.Trace.Producers(i) {
		at = max(at, s.Start[p]+s.cost(int(p)).Latency+WriteLatency)
	}
	if s.Trace.Does(i)&streams.Reads != 0 {
		at += ReadLatency
	}
	return at
}

// end is when an execution has executed, and written if it does.
func (s *Schedule) end(i int) int64 {
	end := s.Start[i] + s.cost(i).Latency
	if s.Trace.Does(i)&streams.Writes != 0 {
		end += WriteLatency
	}
	return end
}

// iterations finds the units of executions whose iteration decides; nil where none does.
func iterations(t *streams.Trace, placings []Placing) []int32 {
	if !slices.ContainsFunc(placings, func(p Placing) bool { return p.Units > 0 && p.How != Shared }) {
		return nil
	}
	out := make([]int32, t.Len())
	runs := make([][]int, len(placings)) // by statement: executions since its loop was entered
	place := func(of int) {
		p, run := placings[of], runs[of]
		for k, i := range run {
			if p.How == Unfolded {
				out[i] = int32(k % p.Units)
			} else {
				out[i] = int32(k * p.Units / len(run))
			}
		}
		runs[of] = run[:0]
	}
	for i := range t.Len() {
		of := t.Of(i)
		if p := placings[of]; p.Units == 0 || p.How == Shared {
			continue
		}
		if t.Does(i)&streams.Enters != 0 {
			place(of)
		}
		runs[of] = append(runs[of], i)
	}
	for of := range runs {
		if len(runs[of]) > 0 {
			place(of)
		}
	}
	return out
}

// Units is how many units executed something, of all statements together.
func (s *Schedule) Units() int {
	most := make([]int32, len(s.Costs))
	for i, u := range s.Unit {
		of := s.Trace.Of(i)
		most[of] = max(most[of], u+1)
	}
	n := 0
	for _, m := range most {
		n += int(m)
	}
	return n
}

// rounded is a number of cycles of a processor model as that of a process: one at least.
func rounded(cycles float64) int64 {
	return int64(min(max(math.Ceil(cycles-1e-9), 1), MostCycles))
}

// Sequential is the cost of a statement that takes so many cycles of a processor: the next
// starts when it is over.
func Sequential(cycles float64) Cost { return Cost{rounded(cycles), rounded(cycles)} }
