package estimate

// This file tests recursive functions.

import (
	"math"
	"strings"
	"testing"

	"pathspan/mapping"
	"pathspan/pathprof"
)

// countdown calls itself d times: one section costs 10, the other 4 and the next call.
func countdown(t *testing.T, d uint64) *literal {
	l := parseLiteral(t, `
		func main
		m         1: @down
		func down
		a         3:        -> r
		r R0(     0:        -> p
		p R0.0.0( 10:       -> pe
		pe R0.0.0) 0:       -> q
		q R0.0.1( 4:        -> again qe
		again     0: @down  -> qe
		qe R0.0.1) 0:       -> e
		e R0)     0:`)
	l.run("main", 0, pathprof.EndFunction, "1: m")
	l.run("down", 0, pathprof.EndFunction, "1: a r p pe q qe e")
	if d > 0 {
		l.run("down", 0, pathprof.EndFunction, strings.Replace("#: a r p pe q again qe e", "#", number(float64(d)), 1))
	}
	return l
}

func TestRecursionInClosedForm(t *testing.T) {
	for _, d := range []uint64{0, 1, 7, 1000} {
		l := countdown(t, d)
		n := float64(d + 1) // invocations
		a, err := Prepare(l.bundle, "")
		if err != nil {
			t.Fatal(err)
		}
		p := equal(2, l.costs)
		p.Platform.Create, p.Platform.Sync = 5, 2
		e, err := a.On(p)
		if err != nil {
			t.Fatal(err)
		}
		r := estimate(t, e, e.onto(1, 0), PathBased)
		// Serially A = 3 + 14 + d/n*A. In parallel each call takes 3, then the larger of
		// 10+7 and 4+7 and, in d of n calls, the next one.
		if want := 1 + 17*n; !near(r.SequentialCycles, want) {
			t.Errorf("depth %d: %v sequential cycles, want %v", d, r.SequentialCycles, want)
		}
		free := 3*(n-1) + 11*(n-1) + 17 // behind the first 3, which are serial
		if want := 1 + 3 + free; !near(byLevels(t, e, e.onto(1, 0), PathBased).ParallelCycles, want) {
			t.Errorf("depth %d: not %v parallel cycles level by level", d, want)
		}
		// Processor 1 runs all sections of 10, one after the other.
		if want := 1 + 3 + max(free, 17*n); !near(r.ParallelCycles, want) {
			t.Errorf("depth %d: %v parallel cycles, want %v", d, r.ParallelCycles, want)
		}
		// A region that no file names is parallel in the first call only, inside which
		// the others are serial.
		m := e.onto(1, 0)
		m.Regions[0].Explicit = false
		r = byLevels(t, e, m, PathBased)
		average := 17 * n // of a call that is serial
		if want := 1 + 3 + ((n-1)*(11+average)+17)/n; !near(r.ParallelCycles, want) {
			t.Errorf("depth %d: %v cycles with nested regions serial, want %v", d, r.ParallelCycles, want)
		}
	}
}

// fib as it runs for one n: both sections call it, in other numbers and depths.
const fib = `
	func main
	m          1: @fib      -> done
	done       0:
	func fib
	a          2:           -> leaf r
	leaf       1:           -> out
	r R0(      0:           -> p
	p R0.0.0(  3:           -> pc
	pc         0: @fib      -> pe
	pe R0.0.0) 0:           -> q
	q R0.0.1(  1:           -> qc
	qc         0: @helper   -> qe
	qe R0.0.1) 0:           -> e
	e R0)      1:           -> out
	out        0:
	func helper
	h          1: @fib      -> hx
	hx         1:`

// fibCalls counts the calls of fib(n) and those of them that call on.
func fibCalls(n int) (all, inner uint64) {
	if n < 2 {
		return 1, 0
	}
	a, b := fibCalls(n - 1)
	c, d := fibCalls(n - 2)
	return a + c + 1, b + d + 1
}

func TestRecursionAgainstFixedPoint(t *testing.T) {
	for _, n := range []int{2, 5, 9} {
		all, inner := fibCalls(n)
		l := parseLiteral(t, fib)
		l.run("main", 0, pathprof.EndFunction, "1: m done")
		l.run("fib", 0, pathprof.EndFunction, number(float64(all-inner))+": a leaf out", number(float64(inner))+": a r p pc pe q qc qe e out")
		l.run("helper", 0, pathprof.EndFunction, number(float64(inner))+": h hx")
		e := l.estimator("", 3)
		for _, procs := range [][]int{{0, 1}, {1, 0}, {2, 1}, {1, 1}, {0, 0}} {
			for _, technique := range []Technique{PathBased, PathBasedUnmapped} {
				m := e.onto(procs...)
				got := byLevels(t, e, m, technique)
				if want := fixedPoint(e, m, technique); math.Abs(got.ParallelCycles-want) > 1e-6*want {
					t.Errorf("fib(%d) on %v, %s: %v cycles, by iteration %v", n, procs, got.Technique, got.ParallelCycles, want)
				}
			}
		}
	}
}

// fixedPoint iterates the oracle until its values stay.
func fixedPoint(e *Estimator, m *mapping.Resolved, technique Technique) float64 {
	b := &brute{e: e, m: m, technique: technique, recursive: map[where]float64{}, used: map[where]bool{}}
	b.function(e.Root, m.Serial, false)
	for range 200000 {
		var known []where
		for w := range b.used {
			known = append(known, w)
		}
		next, change := map[where]float64{}, 0.0
		for _, w := range known {
			next[w] = b.level(w.fn, 0, w.proc, w.inside)
			change = math.Max(change, math.Abs(next[w]-b.recursive[w])/math.Max(1, next[w]))
		}
		b.recursive = next
		if len(b.used) == len(known) && change < 1e-13 {
			return b.function(e.Root, m.Serial, false)
		}
	}
	return math.NaN()
}

func TestMaximalTimesOfRecursion(t *testing.T) {
	e := countdown(t, 7).estimator("", 2)
	r := estimate(t, e, e.onto(0, 0), MaximalTime)
	// Each call inside counts with its average, 17*8; the largest call is one more.
	if want := 1 + 17 + 17*8.0; !near(r.SequentialCycles, want) || !near(r.ParallelCycles, want) {
		t.Errorf("%v, want %v", r, want)
	}
}

// Calls that the program's end cut short count as calls, so that recursion has an end.
func TestRecursionThatNeverReturned(t *testing.T) {
	code := `
		func main
		m 1: @ping
		func ping
		p 10: @pong
		func pong
		q 20: @ping`
	l := parseLiteral(t, code)
	l.run("main", 0, pathprof.EndIncomplete, "1: m")
	l.run("ping", 0, pathprof.EndIncomplete, "5: p")
	l.run("pong", 0, pathprof.EndIncomplete, "5: q")
	e := l.estimator("", 1)
	r := estimate(t, e, mapping.Default(e.Platform, l.prog), PathBased)
	if !near(r.SequentialCycles, 1+5*30) || len(e.Notes) != 1 || !strings.Contains(e.Notes[0], "function ping: 1 of its 6 calls left no path") {
		t.Errorf("%v, want 151; notes %q", r.SequentialCycles, e.Notes)
	}
	// Nobody enters the recursion: it is no part of main.
	l = parseLiteral(t, strings.Replace(code, "1: @ping", "1:", 1))
	l.run("main", 0, pathprof.EndFunction, "1: m")
	l.run("ping", 0, pathprof.EndIncomplete, "5: p")
	l.run("pong", 0, pathprof.EndIncomplete, "5: q")
	e = l.estimator("", 1)
	if r := estimate(t, e, mapping.Default(e.Platform, l.prog), PathBased); r.SequentialCycles != 1 {
		t.Errorf("%v, want 1", r.SequentialCycles)
	}
}
