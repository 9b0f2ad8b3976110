package estimate

import (
	"math"
	"slices"
	"testing"
)

// TestRowsOfPaths holds tables of paths against the evaluator, level by level: they agree
// where no region lies in a section, and never promise more where sections call functions
// with regions, as processors are shared.
func TestRowsOfPaths(t *testing.T) {
	flat, nested := 0, 0
	for seed := range int64(400) {
		e, r := randomEstimator(t, seed)
		for range 3 {
			m := randomMapping(r, e)
			apart := e.decompose(m.Serial)
			for _, technique := range []Technique{PathBased, AverageTime} {
				rows, err := e.rowsOfPaths(m.Serial, technique == AverageTime)
				if err != nil {
					t.Fatal(err)
				}
				got, err := rows.NewValuer().Value(m)
				if err != nil {
					t.Fatal(err)
				}
				want := estimate(t, e, m, technique)
				factor := e.factor[e.kindOf[m.Serial]]
				if s := rows.Sequential(e.kindOf[m.Serial]) / factor; !near(s, want.SequentialCycles) {
					t.Fatalf("seed %d: %g sequential cycles, want %g", seed, s, want.SequentialCycles)
				}
				lies, ordered := false, false
				for i := range apart.flat {
					lies = lies || !apart.flat[i]
					ordered = ordered || slices.Contains(apart.ordered[i], true)
				}
				got /= factor
				if math.IsNaN(got) || !lies && !near(got, want.ParallelCycles) || lies && !ordered && got < want.ParallelCycles*(1-1e-9) {
					t.Fatalf("seed %d, %s, regions in sections %t: %g cycles, level by level %g", seed, technique, lies, got, want.ParallelCycles)
				}
				if lies {
					nested++
				} else {
					flat++
				}
			}
		}
	}
	if flat < 300 || nested < 300 {
		t.Errorf("only %d programs with and %d without regions in sections", nested, flat)
	}
}
