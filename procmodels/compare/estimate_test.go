package compare_test

import (
	"context"
	"math"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/procmodels/compare"
	"pathspan/profile"
)

// Totals are what estimate finds for the sequential program, which adds up callees along
// the calls instead of executions: for a program that runs nothing outside main.
func TestTotalsAreThoseOfEstimate(t *testing.T) {
	b, err := profile.ReadFile("../../cmd/pathspan/testdata/fun0a.pspan")
	if err != nil {
		t.Fatal(err)
	}
	a, err := estimate.Prepare(b, "main")
	if err != nil {
		t.Fatal(err)
	}
	pricer := &estimate.Pricer{Program: b.Program, Module: b.Module}
	var models []compare.Candidate
	var want []float64
	for _, ref := range []string{"generic", "arm922t", "../../testdata/fun0/table1.yaml"} { // the last includes calls
		m, err := procmodels.Open(ref, "")
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, compare.Candidate{Ref: ref, Model: m})
		pl := mapping.Homogeneous(1, ref)
		procs, err := pricer.Processors(context.Background(), pl)
		if err != nil {
			t.Fatal(err)
		}
		e, err := a.On(procs)
		if err != nil {
			t.Fatal(err)
		}
		resolved, err := mapping.Resolve(pl, nil, b.Program)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Estimate(resolved, estimate.PathBased)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, r.SequentialCycles)
	}
	for _, part := range [][]int{{0, 1}, {0, 1, 2}} { // by instruction, and spread evenly
		var some []compare.Candidate
		for _, i := range part {
			some = append(some, models[i])
		}
		c, err := compare.Run(context.Background(), b, some)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range c.Models {
			if math.Abs(m.Cycles-want[i]) > 1e-9*want[i] {
				t.Errorf("%s: %g cycles, estimate says %g", m.Model, m.Cycles, want[i])
			}
		}
		for _, p := range c.Pairs {
			for what, rows := range map[string][]compare.Row{"lines": p.Lines, "opcodes": p.Opcodes} {
				first := 0.0
				for _, r := range rows {
					first += r.FirstCycles
				}
				if len(rows) == 0 && what == "opcodes" && !p.ByInstruction {
					continue
				}
				if math.Abs(first-c.Models[0].Cycles) > 1e-9*first || len(rows) == 0 {
					t.Errorf("%s against %s: %s add up to %g of %g cycles", p.Other, p.First, what, first, c.Models[0].Cycles)
				}
			}
		}
	}
}
