package estimate

// This file holds estimates against package pathwise, which computes them another way.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/estimate/pathwise"
	"pathspan/mapping"
	"pathspan/pathprof"
)

// second prepares the subject of an estimator for package pathwise.
func second(t testing.TB, e *Estimator) *pathwise.Program {
	t.Helper()
	p, err := pathwise.New(pathwise.Subject{Bundle: e.Bundle, Root: e.Root, Costs: e.Costs, ClockMHz: e.ClockMHz, Overheads: e.Overheads})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// verified estimates a mapping in both ways.
func verified(t testing.TB, p *pathwise.Program, e *Estimator, m *mapping.Resolved, technique Technique) Result {
	t.Helper()
	r, err := e.Estimate(m, technique)
	if err != nil {
		t.Fatal(err)
	}
	second, err := pathwise.ParseTechnique(technique.String())
	if err != nil {
		return r // not recomputed path by path: replay is what it is held against
	}
	byLevels := r.ParallelCycles
	if technique != AverageTime { // which rows alone tell
		x, err := e.levelByLevel(m, technique)
		if err != nil {
			t.Fatal(err)
		}
		byLevels = x / e.factor[e.kindOf[m.Serial]]
	}
	if newSpace(t, e, m.Serial, PathBased).HasGeneral() {
		return r // regions in sections compete for processors, which paths do not tell
	}
	f, err := p.Estimate(m, second)
	if err == nil {
		err = f.Compare(r.SequentialCycles, byLevels)
	}
	if err != nil {
		t.Fatalf("%s: %v", technique, err)
	}
	if !near(byLevels, r.ParallelCycles) {
		t.Fatalf("%s: %v cycles by rows, %v level by level", technique, r.ParallelCycles, byLevels)
	}
	return r
}

// byLevels estimates a mapping as the paper does, level by level, where nested regions
// find all processors free.
func byLevels(t testing.TB, e *Estimator, m *mapping.Resolved, technique Technique) Result {
	t.Helper()
	r := estimate(t, e, m, technique)
	x, err := e.levelByLevel(m, technique)
	if err != nil {
		t.Fatal(err)
	}
	r.ParallelCycles = x / e.factor[e.kindOf[m.Serial]]
	r.Speedup = r.SequentialCycles / r.ParallelCycles
	return r
}

func TestSecondEstimateOfRandomPrograms(t *testing.T) {
	mapped := 0
	for seed := range int64(400) {
		e, r := randomEstimator(t, seed)
		p := second(t, e)
		for range 3 {
			m := randomMapping(r, e)
			for _, technique := range Techniques() {
				t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
					if res := verified(t, p, e, m, technique); !near(res.Speedup, 1) {
						mapped++
					}
				})
			}
		}
	}
	if mapped < 1000 {
		t.Errorf("only %d estimates in which the mapping matters", mapped)
	}
}

// Functions that call each other behind their regions, and one that sections call.
func TestSecondEstimateOfRecursion(t *testing.T) {
	l := parseLiteral(t, `
		func main
		m         1: @even
		func even
		a         3:        -> r
		r R0(     0:        -> p
		p R0.0.0( 10: @leaf -> pe
		pe R0.0.0) 0:       -> q
		q R0.0.1( 4:        -> qe
		qe R0.0.1) 0:       -> e
		e R0)     0:        -> again end
		again     2: @odd   -> end
		end       1:
		func odd
		o         5:        -> more last
		more      7: @even  -> last
		last      0:
		func leaf
		x         6:        -> y z
		y         1: @leaf  -> z
		z         0:`)
	l.run("main", 0, pathprof.EndFunction, "1: m")
	l.run("even", 0, pathprof.EndFunction, "9: a r p pe q qe e again end", "1: a r p pe q qe e end")
	l.run("odd", 0, pathprof.EndFunction, "9: o more last")
	l.run("leaf", 0, pathprof.EndFunction, "30: x y z", "10: x z")
	e := l.estimator("", 2)
	for _, technique := range []Technique{PathBased, PathBasedUnmapped, AverageTime, MaximalTime} {
		r := verified(t, second(t, e), e, e.onto(0, 1), technique)
		// Ten times 3, 10+27 beside 4, and 1; nine times 2, 5 and 7; each leaf takes 6, three in four 1 more.
		if want := 1 + 10*(3+10+27+4+1) + 9*(2+5+7.0); technique != MaximalTime && !near(r.SequentialCycles, want) {
			t.Errorf("%s: %v sequential cycles, want %v", technique, r.SequentialCycles, want)
		}
		if near(r.Speedup, 1) {
			t.Errorf("%s: the mapping does not matter", technique)
		}
	}
}

// A difference is one line with both figures.
func TestSecondEstimateDiffers(t *testing.T) {
	e := fun0Literal(t, 'a').estimator("fun_0", 2)
	m := e.onto(0, 0, 1)
	f, err := second(t, e).Estimate(m, pathwise.PathBased)
	if err != nil {
		t.Fatal(err)
	}
	if !near(f.SequentialCycles, 3123) || !near(f.ParallelCycles, 2155.5) {
		t.Errorf("%v, want 2155.5 of 3123", f)
	}
	err = f.Compare(3123, 2155.5*(1+2e-9))
	if err == nil || !strings.Contains(err.Error(), "parallel cycles are 2155.500004") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	if err := f.Compare(3123*(1-1e-10), 2155.5); err != nil {
		t.Error(err)
	}
}
