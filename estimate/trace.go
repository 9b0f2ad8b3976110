package estimate

// This file hands an estimate over as a computation: the same plans and tables, with
// times that are not numbers but values of whoever records them.

import (
	"fmt"

	"pathspan/mapping"
)

// Builder makes the values of a traced estimate. The zero Q is no time at all. All values
// are times of 0 or more, but for the result of the whole.
type Builder[Q any] interface {
	// Cycles is the time of n cycles of a processor.
	Cycles(n float64, processor int) Q
	// Create and Sync are the times of a processor's overheads.
	Create(processor int) Q
	Sync(processor int) Q
	// Sum adds up values times their weights.
	Sum(parts []Weighted[Q]) Q
	// Max is the largest value.
	Max(values []Q) Q
	// Share announces that a value is used many times.
	Share(value Q) Q
	// Classes is the sum over classes of the largest load. In a class, a lane is loaded
	// with its fixed time as often as the class counts, and with each of its works.
	Classes(count []float64, fixed []Q, works []Work[Q]) Q
	// Unknown begins, or adds to, a system of equations; Solve ends it, in which
	// unknown i is the value i. The unknowns are its least solution from then on; name
	// is what has none if it has none.
	Unknown() Q
	Solve(name string, unknowns, values []Q)
}

// Weighted is a value times a weight.
type Weighted[Q any] struct {
	Weight float64
	Value  Q
}

// Work loads a lane with Units of Time in each class; units are whole numbers where they
// can be.
type Work[Q any] struct {
	Lane  int
	Time  Q
	Units []float64
}

// Trace estimates a mapping as Estimate does, but with the values of a builder, and
// returns the sequential and the parallel time. All that depends on the mapping alone is
// decided, all that depends on overheads and clocks is asked of the builder: the builder
// may let them vary. The estimator's own overheads do not count, and its clocks must all
// be 1 MHz, so that its tables hold each processor's cycles.
func Trace[Q any](e *Estimator, m *mapping.Resolved, t Technique, b Builder[Q]) (sequential, parallel Q, err error) {
	if err := e.fits(m); err != nil {
		return sequential, parallel, err
	}
	for p, clock := range e.ClockMHz {
		if clock != 1 {
			return sequential, parallel, fmt.Errorf("estimate: a trace of processor %s at %g MHz: want 1 MHz", e.Platform.Processors[p].Name, clock)
		}
	}
	x := newTracer(e, m, t, b)
	parallel = x.of(e.Root, 0)
	sequential = b.Cycles(x.v.e.constants(x.v.technique)[e.Root].levels[0][e.kindOf[m.Serial]], m.Serial)
	return sequential, parallel, err
}

// tracer traces one technique. It lets an evaluator make the plans.
type tracer[Q any] struct {
	b       Builder[Q]
	v       *evaluator
	known   map[instance]Q
	system  *tracedSystem[Q] // the one being traced
	average *tracer[Q]       // path-based values of the same mapping, for maximal times
}

// tracedSystem is a recursion: its unknowns so far.
type tracedSystem[Q any] struct {
	component int
	unknowns  []instance
	values    []Q
}

func newTracer[Q any](e *Estimator, m *mapping.Resolved, t Technique, b Builder[Q]) *tracer[Q] {
	x := &tracer[Q]{b: b, v: newEvaluator(e), known: map[instance]Q{}}
	x.v.reset(m, t)
	return x
}

// serial is a number of cycles of the processor of a context.
func (x *tracer[Q]) serial(cycles float64, c context) Q {
	return x.b.Cycles(cycles, x.v.processor(c))
}

// of traces the value of a function in a context, per call.
func (x *tracer[Q]) of(fn int, c context) Q {
	if h := x.v.e.hotOf[fn]; h >= 0 {
		return x.hot(h, c)
	}
	return x.serial(x.v.e.constants(x.v.technique)[fn].levels[0][x.v.kind(c)], c)
}

func (x *tracer[Q]) hot(h int, c context) Q {
	f := x.v.e.hot[h]
	if c > 0 && !x.v.e.funcs[f.fn].reaches.intersects(x.v.explicit) {
		return x.serial(x.v.e.constants(x.v.technique)[f.fn].levels[0][x.v.kind(c)], c)
	}
	at := instance{h, c}
	if q, ok := x.known[at]; ok {
		return q
	}
	if f.cyclic && x.v.technique != MaximalTime {
		return x.recursive(at)
	}
	q := x.b.Share(x.function(at))
	x.known[at] = q
	return q
}

// recursive traces the equations of a component, or is one of its unknowns.
func (x *tracer[Q]) recursive(at instance) Q {
	f := x.v.e.hot[at.hot]
	s, outer := x.system, x.system
	if s == nil || s.component != x.v.e.scc[f.fn] {
		s = &tracedSystem[Q]{component: x.v.e.scc[f.fn]}
		x.system = s
		defer func() { x.system = outer }()
	}
	q := x.b.Unknown()
	x.known[at] = q
	s.unknowns, s.values = append(s.unknowns, at), append(s.values, q)
	if s == outer {
		return q // its equation comes when those before it are done
	}
	var equations []Q
	for i := 0; i < len(s.unknowns); i++ { // more may be found
		equations = append(equations, x.function(s.unknowns[i]))
	}
	x.b.Solve(x.v.e.funcs[f.fn].fn.Name, s.values, equations)
	return q
}

// function traces a hot function in a context, its levels from the inside out.
func (x *tracer[Q]) function(at instance) Q {
	f, s := x.v.e.hot[at.hot], &x.v.funcs[at.hot]
	x.v.planLevels(f, s, at.context)
	values, parts := make([]Q, len(f.levels)), make([][]Q, len(f.levels))
	for i := len(f.levels) - 1; i >= 0; i-- {
		hl, ls := &f.levels[i], &s.levels[i]
		if !hl.on {
			continue
		}
		parts[i] = make([]Q, hl.parts.rows)
		if x.v.stays(hl, ls) {
			c, kind := &x.v.e.constants(x.v.technique)[f.fn], x.v.kind(ls.context)
			values[i] = x.serial(c.levels[i][kind], ls.context)
			for k := range parts[i] {
				parts[i][k] = x.serial(c.of(partTerm(i, k), kind), ls.context)
			}
			continue
		}
		l := &tracedLevel[Q]{x: x, f: f, hl: hl, ls: ls}
		l.resolve(values, parts)
		values[i] = x.b.Share(l.value(i, values))
		l.partials(parts[i])
	}
	return values[0]
}
