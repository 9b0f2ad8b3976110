package estimate

// This file prices random programs for random processors.

import (
	"math/rand"
	"testing"

	"pathspan/procmodels"
)

// randomEstimator prices a random program, of functions with loops, regions and calls,
// for up to four processors of two kinds. The random numbers that follow are the caller's.
func randomEstimator(t testing.TB, seed int64) (*Estimator, *rand.Rand) {
	t.Helper()
	l := randomLiteral(t, seed, false, 3)
	a, err := Prepare(l.bundle, "f0")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(seed))
	return onRandom(t, a, l, seed, r, unequal(r, 1+r.Intn(4), l.costs)), r
}

// onRandom prices a random program for processors that get overheads, and models that
// know predecessors where the seed is even.
func onRandom(t testing.TB, a *Analysis, l *literal, seed int64, r *rand.Rand, procs Processors) *Estimator {
	t.Helper()
	if seed%2 == 0 {
		knowPredecessors(r, l, procs)
	}
	for range procs.Costs {
		procs.Overheads = append(procs.Overheads, procmodels.Overheads{Create: float64(r.Intn(60)), Sync: float64(r.Intn(20))})
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
