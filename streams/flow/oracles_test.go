package flow_test

// This file holds schedules to the results of the thesis that the package follows (sections
// 4.3, 6.2, 6.3 and 7.6): its programs, walked by hand.

import (
	"math"
	"testing"

	"pathspan/streams"
	"pathspan/streams/flow"
)

// walker executes statements on memory that knows who wrote it.
type walker struct {
	t       *testing.T
	trace   streams.Trace
	written map[[3]int]int32
}

func walk(t *testing.T, statements int) *walker {
	return &walker{t: t, trace: streams.Trace{Statements: make([]streams.Statement, statements)}, written: map[[3]int]int32{}}
}

// at is an element of an array.
func at(array int, index ...int) [3]int {
	e := [3]int{array, 0, 0}
	copy(e[1:], index)
	return e
}

// do executes a statement that reads elements, of which nobody need have written, and writes one
// at most.
func (w *walker) do(statement int, enters bool, reads [][3]int, writes ...[3]int) {
	var from []int32
	var does streams.Does
	for _, e := range reads {
		does |= streams.Reads
		if p, ok := w.written[e]; ok {
			from = append(from, p)
		}
	}
	if enters {
		does |= streams.Enters
	}
	if len(writes) > 0 {
		does |= streams.Writes
	}
	me := int32(w.trace.Len())
	if err := w.trace.Add(statement, does, from...); err != nil {
		w.t.Fatal(err)
	}
	for _, e := range writes {
		w.written[e] = me
	}
}

func elements(list ...[3]int) [][3]int { return list }

type want struct {
	finish  int64
	most    int
	average float64 // truncated to one decimal, as the thesis does; 0: not told
	units   int
}

func hold(t *testing.T, what string, s *flow.Schedule, w want) {
	t.Helper()
	p := s.Parallelism()
	if s.Finish != w.finish || w.most > 0 && p.Most != w.most || w.average > 0 && math.Floor(10*p.Average+1e-9)/10 != w.average || w.units > 0 && s.Units() != w.units {
		t.Errorf("%s: %d cycles, at most %d at once, %.3f on average, %d units; want %+v", what, s.Finish, p.Most, p.Average, s.Units(), w)
	}
}

func TestFilter(t *testing.T) {
	const a, x, y = 0, 1, 2
	w := walk(t, 4)
	for i := range 4 {
		w.do(0, i == 0, nil, at(a, i))
	}
	for i := range 4 {
		w.do(1, i == 0, elements(at(a, i)), at(x, i))
		w.do(2, i == 0, elements(at(a, i)), at(y, i))
	}
	for i := range 4 {
		w.do(3, i == 0, elements(at(x, i), at(y, i)))
	}
	costs := []flow.Cost{{2, 1}, {1, 1}, {1, 2}, {1, 1}}
	absolute := flow.Of(&w.trace, costs, flow.Absolute(&w.trace))
	hold(t, "absolute", absolute, want{14, 3, 1.4, 4})
	hold(t, "unbounded", flow.Of(&w.trace, costs, flow.Unbounded(&w.trace)), want{8, 8, 2.5, 16})
	if p := absolute.Parallelism(); p.Executing != 20 {
		t.Errorf("%d cycles executing, want 20", p.Executing)
	}
}

// TestChannels: a program of a producer, a consumer and a sink, whose tokens are read in order or
// not, once or more often (section 6.2).
func TestChannels(t *testing.T) {
	for _, c := range []struct {
		class    string
		reversed bool
		multiple bool
		finish   int64
	}{{"IOM-", false, false, 19}, {"IOM+", false, true, 29}, {"OOM-", true, false, 23}, {"OOM+", true, true, 33}} {
		const in, a, b, out = 0, 1, 2, 3
		w := walk(t, 3)
		for i := range 5 {
			w.do(0, i == 0, elements(at(in, i)), at(a, i))
		}
		times := func(i int) int {
			if c.multiple {
				return i + 1
			}
			return 1
		}
		for i := range 5 {
			from := i
			if c.reversed {
				from = 4 - i
			}
			for j := range times(i) {
				w.do(1, j == 0, elements(at(a, from)), at(b, i, j))
			}
		}
		for i := range 5 {
			for j := range times(i) {
				w.do(2, j == 0, elements(at(b, i, j)), at(out, i, j))
			}
		}
		s := flow.Of(&w.trace, []flow.Cost{{1, 3}, {1, 3}, {1, 3}}, flow.Absolute(&w.trace))
		hold(t, c.class, s, want{finish: c.finish})
		channels := flow.Channels(&w.trace)
		if len(channels) != 2 || channels[0].Class() != c.class || channels[0].Tokens != 5 || channels[1].Class() != "IOM-" {
			t.Errorf("%s: %+v", c.class, channels)
		}
	}
}

// predictor executes the transformer as statement of(i, j), from 1, sources and sinks as those
// that source and sink name.
func predictor(t *testing.T, statements int, source, transformer, sink func(i, j int) int) *streams.Trace {
	const in, a, out = 0, 1, 2
	w := walk(t, statements)
	for i := range 5 {
		for j := range 5 {
			w.do(source(i, j), j == 0, elements(at(in, i, j)), at(a, i, j))
		}
	}
	for i := 1; i < 5; i++ {
		for j := 1; j < 5; j++ {
			w.do(transformer(i, j), j == 1, elements(at(a, i-1, j), at(a, i, j-1)), at(a, i, j))
		}
	}
	for i := 1; i < 5; i++ {
		for j := 1; j < 5; j++ {
			w.do(sink(i, j), j == 1, elements(at(a, i, j)), at(out, i, j))
		}
	}
	return &w.trace
}

func all(n int) []flow.Cost {
	out := make([]flow.Cost, n)
	for i := range out {
		out[i] = flow.Cost{Interval: 1, Latency: 3}
	}
	return out
}

func TestPredictor(t *testing.T) {
	one := func(n int) func(i, j int) int { return func(int, int) int { return n } }
	base := predictor(t, 3, one(0), one(1), one(2))
	absolute := flow.Of(base, all(3), flow.Absolute(base))
	hold(t, "absolute", absolute, want{83, 5, 2.0, 3})
	hold(t, "unbounded", flow.Of(base, all(3), flow.Unbounded(base)), want{45, 25, 3.8, 57})
	for i, want := range []float64{1, 0.25, 0.25} { // table 6.1
		if u := absolute.Uses()[i]; math.Abs(u.Utilisation-want) > 0.015 {
			t.Errorf("statement %d: utilisation %.3f, want %.2f", i, u.Utilisation, want)
		}
	}
	inner := func(first int) func(i, j int) int { return func(_, j int) int { return first + j - 1 } }
	outer := func(first int) func(i, j int) int { return func(i, _ int) int { return first + i - 1 } }
	both := func(first int) func(i, j int) int { return func(i, j int) int { return first + 4*(i-1) + j - 1 } }
	every := func(first int) func(i, j int) int { return func(i, j int) int { return first + 5*i + j } }
	for _, c := range []struct {
		name       string
		statements int
		trace      func(n int) *streams.Trace
		finish     int64
	}{
		{"C.1", 6, func(n int) *streams.Trace { return predictor(t, n, one(0), inner(1), one(5)) }, 50},
		{"C.2", 6, func(n int) *streams.Trace { return predictor(t, n, one(0), outer(1), one(5)) }, 50},
		{"C.3", 18, func(n int) *streams.Trace { return predictor(t, n, one(0), both(1), one(17)) }, 50},
		{"C.4", 33, func(n int) *streams.Trace { return predictor(t, n, one(0), both(1), both(17)) }, 50},
		{"C.5", 42, func(n int) *streams.Trace { return predictor(t, n, every(0), both(25), one(41)) }, 45},
		{"C.6", 57, func(n int) *streams.Trace { return predictor(t, n, every(0), both(25), both(41)) }, 45},
	} {
		trace := c.trace(c.statements)
		hold(t, c.name, flow.Of(trace, all(c.statements), flow.Absolute(trace)), want{finish: c.finish})
	}
	// What the variants write out, units of one statement do as well.
	unfolded := flow.Absolute(base)
	unfolded[1] = flow.Placing{Units: 4, How: flow.Unfolded}
	four := flow.Of(base, all(3), unfolded)
	hold(t, "unfolded", four, want{finish: 50, units: 6})
	for i, want := range []float64{1, 0.25, 0.516} { // table 6.2, and the text behind it
		if u := four.Uses()[i]; math.Abs(u.Utilisation-want) > 0.001 {
			t.Errorf("unfolded, statement %d: utilisation %.3f, want %.3f", i, u.Utilisation, want)
		}
	}
}

// atax is PolyBench's of 32 by 32: y = A'(Ax), by elements.
func atax(t *testing.T) *streams.Trace {
	const in, A, x, tmp, y, out, n = 0, 1, 2, 3, 4, 5, 32
	w := walk(t, 6)
	for i := range n {
		for j := range n {
			w.do(0, j == 0, elements(at(in, i, j)), at(A, i, j))
		}
	}
	for i := range n {
		w.do(1, i == 0, nil, at(y, i))
	}
	for i := range n {
		w.do(2, i == 0, nil, at(tmp, i))
		for j := range n {
			w.do(3, j == 0, elements(at(tmp, i), at(A, i, j), at(x, j)), at(tmp, i))
		}
		for j := range n {
			w.do(4, j == 0, elements(at(y, j), at(A, i, j), at(tmp, i)), at(y, j))
		}
	}
	for i := range n {
		w.do(5, i == 0, elements(at(y, i)), at(out, i))
	}
	return &w.trace
}

func TestAtax(t *testing.T) {
	trace := atax(t)
	absolute := flow.Of(trace, all(6), flow.Absolute(trace))
	hold(t, "absolute", absolute, want{5042, 10, 1.8, 6})
	if p := absolute.Parallelism(); p.Executing != 9504 {
		t.Errorf("%d cycles executing, want 9504", p.Executing)
	}
	hold(t, "unbounded", flow.Of(trace, all(6), flow.Unbounded(trace)), want{330, 1088, 28.8, 3168})
	// All but input and output are changed.
	for _, c := range []struct {
		how flow.Placing
		want
	}{
		{flow.Placing{Units: 2, How: flow.Cut}, want{2562, 16, 0, 10}},
		{flow.Placing{Units: 32, How: flow.Unfolded}, want{1198, 66, 7.9, 130}},
	} {
		p := flow.Absolute(trace)
		for i := 1; i < 5; i++ {
			p[i] = c.how
		}
		hold(t, "what if", flow.Of(trace, all(6), p), c.want)
	}
}
