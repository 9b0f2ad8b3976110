package flow

// This file reads figures of schedules: degrees of parallelism, utilisation, profiles over time.

import (
	"math"
	"slices"

	"pathspan/streams"
)

// Parallelism is how much is executed at once; reading and writing do not count.
type Parallelism struct {
	Executing int64   // cycles of all executions together
	Average   float64 // of them that execute in a cycle until the program ends
	Most      int     // of them that execute in one cycle
}

// Parallelism measures a schedule.
func (s *Schedule) Parallelism() Parallelism {
	var p Parallelism
	for i := range s.Start {
		p.Executing += s.cost(i).Latency
	}
	if s.Finish > 0 {
		p.Average = float64(p.Executing) / float64(s.Finish)
	}
	for _, at := range s.Profile(Executing, -1) {
		p.Most = max(p.Most, at.Active)
	}
	return p
}

// Stage is what an execution does at a time.
type Stage int

const (
	Reading Stage = iota
	Executing
	Writing
)

// Step says how many executions are in a stage from a cycle on.
type Step struct {
	At     int64
	Active int
}

// Profile says how many executions of a statement, -1 for all, are in a stage: cycles in which
// that changes, ascending, the last with 0.
func (s *Schedule) Profile(stage Stage, statement int) []Step {
	var begins, ends []int64
	for i, at := range s.Start {
		of, does := s.Trace.Of(i), s.Trace.Does(i)
		if statement >= 0 && of != statement {
			continue
		}
		from, to := at, at+s.cost(i).Latency
		switch stage {
		case Reading:
			if does&streams.Reads == 0 {
				continue
			}
			from, to = at-ReadLatency, at
		case Writing:
			if does&streams.Writes == 0 {
				continue
			}
			from, to = to, to+WriteLatency
		}
		begins, ends = append(begins, from), append(ends, to)
	}
	slices.Sort(begins)
	slices.Sort(ends)
	var out []Step
	for b, e, active := 0, 0, 0; e < len(ends); {
		at := ends[e]
		if b < len(begins) {
			at = min(at, begins[b])
		}
		before := active
		for ; b < len(begins) && begins[b] == at; b++ {
			active++
		}
		for ; e < len(ends) && ends[e] == at; e++ {
			active--
		}
		if active != before {
			out = append(out, Step{at, active})
		}
	}
	return out
}

// Use is what a statement does in a schedule.
type Use struct {
	Executions  int
	Units       int
	First, Last int64   // when its first and its last execution start
	Utilisation float64 // share of what its units could have started, each from its own first to its last; of executions that
	// differ the share of this time, with the last itself, that they keep their units busy
	Least, Latency, Most int64   // of its executions: the mean is rounded up
	Every                float64 // cycles from the start of one to the next, 0 for a single one
}

// Uses measures statements. Those of which nothing was executed have zeros.
func (s *Schedule) Uses() []Use {
	out := make([]Use, len(s.Costs))
	type span struct{ first, last, busy, end int64 }
	spans := make([][]span, len(s.Costs)) // by statement and unit
	for i := range out {
		out[i].First, out[i].Least = math.MaxInt64, math.MaxInt64
	}
	for i, at := range s.Start {
		of, unit := s.Trace.Of(i), int(s.Unit[i])
		u := &out[of]
		u.Executions++
		u.Units = max(u.Units, unit+1)
		for len(spans[of]) <= unit {
			spans[of] = append(spans[of], span{first: math.MaxInt64, last: -1})
		}
		c := s.cost(i)
		u.Least, u.Latency, u.Most = min(u.Least, c.Latency), u.Latency+c.Latency, max(u.Most, c.Latency)
		own := &spans[of][unit]
		own.first, own.last = min(own.first, at), max(own.last, at)
		own.busy, own.end = own.busy+c.Interval, max(own.end, at+c.Interval)
		u.First, u.Last = min(u.First, at), max(u.Last, at)
	}
	for i := range out {
		u := &out[i]
		if u.Executions == 0 {
			*u = Use{}
			continue
		}
		n := int64(u.Executions)
		u.Latency = (u.Latency + n - 1) / n
		var slots, used float64
		for _, own := range spans[i] {
			switch {
			case own.last < 0:
			case u.Least < u.Most:
				used, slots = used+float64(own.busy), slots+float64(own.end-own.first)
			default:
				slots += float64((own.last-own.first)/s.Costs[i].Interval + 1)
			}
		}
		if u.Least == u.Most {
			used = float64(u.Executions)
		}
		u.Utilisation = used / slots
		if u.Executions > 1 {
			u.Every = float64(u.Last-u.First) / float64(u.Executions-1)
		}
	}
	return out
}
