package estimate

// This file tests by hand what predecessors change.

import (
	"testing"

	"pathspan/pathprof"
	"pathspan/procmodels"
)

// A loop that is entered from two blocks, with two sections in its body, and is left at
// its bottom. Behind its predecessors the header costs 7 (from b), 11 (from c) and 2
// (from its latch e) instead of 5, the exit x 1 instead of 9.
func TestHeaderOfALoopByPredecessor(t *testing.T) {
	l := parseLiteral(t, `
		func main
		a          3:   -> b c
		b          0:   -> h
		c          0:   -> h
		h          5:   -> r
		r R0(      0:   -> p
		p R0.0.0(  100: -> pe
		pe R0.0.0) 0:   -> q
		q R0.0.1(  80:  -> qe
		qe R0.0.1) 0:   -> e
		e R0)      0:   -> h x
		x          9:`)
	f := l.prog.Funcs[0]
	after := func(block string, cycles map[string]float64) {
		for i := range f.Blocks {
			if c, ok := cycles[f.Blocks[i].Name]; ok {
				b := &l.costs.Blocks[0][f.BlockNamed(block)]
				b.After = append(b.After, procmodels.AfterCost{Pred: i, Cycles: c})
			}
		}
	}
	after("h", map[string]float64{"b": 7, "c": 11, "e": 2})
	after("x", map[string]float64{"e": 1})
	body := "h r p pe q qe e"
	l.run("main", 0, pathprof.EndFunction, "1: a b Lh "+body+" x", "1: a c Lh "+body+" x")
	l.run("main", 1, pathprof.EndIteration, "6: "+body)
	l.trips("main", 1, 4)
	e := l.estimator("", 2)
	// Two runs: the body eight times, the header once from b, once from c, six times
	// from e. In parallel a body takes 100 and the overheads of 60.
	rest := 2*3 + 7 + 11 + 6*2 + 2*1.0
	for _, technique := range []Technique{PathBased, AverageTime} {
		r := estimate(t, e, e.onto(0, 1), technique)
		if !near(r.SequentialCycles, (rest+8*180)/2) || !near(r.ParallelCycles, (rest+8*160)/2) {
			t.Errorf("%s: %v of %v cycles, want %v of %v", r.Technique, r.ParallelCycles, r.SequentialCycles, (rest+8*160)/2, (rest+8*180)/2)
		}
	}
	// The largest times: four iterations from the latch, the last traversal from c.
	r := estimate(t, e, e.onto(0, 1), MaximalTime)
	if want := 3 + 4*(2+160) + 11 + 160 + 1.0; !near(r.ParallelCycles, want) {
		t.Errorf("mt: %v cycles, want %v", r.ParallelCycles, want)
	}
	x, err := e.Explain(e.onto(0, 1), "main", 1)
	if err != nil || !near(x.HTC*2, 6*(2+160)) {
		t.Errorf("the loop is explained as %v, want %v; %v", x.HTC, 6*(2+160)/2, err)
	}
}
