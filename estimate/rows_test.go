package estimate

import (
	"math"
	"slices"
	"testing"

	"pathspan/estimate/table"
)

// TestRowsOfPaths holds tables of paths against brute force, level by level: they agree
// where no region lies in a section, and never promise more where sections call functions
// with regions, as processors are shared.
func TestRowsOfPaths(t *testing.T) {
	flat, nested := 0, 0
	for seed := range int64(400) {
		e, r := randomEstimator(t, seed)
		for range 3 {
			m := randomMapping(r, e)
			s := newSpace(t, e, m.Serial, PathBased)
			lies, ordered := s.HasGeneral(), slices.ContainsFunc(s.Genes, func(g table.Gene) bool { return g.Kind == table.Order })
			for _, technique := range []Technique{PathBased, AverageTime} {
				rows, err := e.rowsOfPaths(e.settingOf(m), technique == AverageTime)
				if err != nil {
					t.Fatal(err)
				}
				got, err := rows.NewValuer().Value(m)
				if err != nil {
					t.Fatal(err)
				}
				want := estimate(t, e, m, technique)
				levels := (&brute{e: e, m: m, technique: technique}).function(e.Root, m.Serial, false)
				factor := e.factor[e.kindOf[m.Serial]]
				if s := rows.Sequential(e.kindOf[m.Serial]) / factor; !near(s, want.SequentialCycles) {
					t.Fatalf("seed %d: %g sequential cycles, want %g", seed, s, want.SequentialCycles)
				}
				got /= factor
				if math.IsNaN(got) || !lies && !near(got, levels/factor) || lies && !ordered && got < levels/factor*(1-1e-9) {
					t.Fatalf("seed %d, %s, regions in sections %t: %g cycles, level by level %g", seed, technique, lies, got, levels/factor)
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
