package replay_test

// This file replays the paper's example (Lattuada, Pilato, Ferrandi, Fig. 1, Tables 1
// and 3): the exact figures are those of its equations 13 to 15.

import (
	"context"
	"math"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/testdata/programs"
)

func TestPaperExample(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	c := build(t, tc, []string{"../testdata/fun0/fun0.c"}, "0")
	pl, err := mapping.LoadPlatform("../testdata/fun0/platform.yaml")
	if err != nil {
		t.Fatal(err)
	}
	procs, err := (&estimate.Pricer{Program: c.b.Program}).Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	var cands []candidate
	for _, name := range []string{"solA", "solB"} {
		file, err := mapping.LoadMapping("../testdata/fun0/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		m, err := mapping.Resolve(pl, file, c.b.Program)
		if err != nil {
			t.Fatal(err)
		}
		cands = append(cands, candidate{procs, m})
	}
	want := map[string][2]float64{"a": {2155.5, 2648.5}, "b": {2648.5, 2122}}
	for situation, parallel := range want {
		sims, _, _, err := c.replayed(t, programs.Run{Args: []string{situation}}, "fun_0", cands)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range []string{"SolA", "SolB"} {
			if got := sims[i].Sequential(); math.Abs(got-3123) > 1e-9 {
				t.Errorf("(%s) %s: %g sequential cycles, want 3123", situation, name, got)
			}
			if got := sims[i].Parallel(); math.Abs(got-parallel[i]) > 1e-9 {
				t.Errorf("(%s) %s: %g parallel cycles, want %g", situation, name, got, parallel[i])
			}
			if got := sims[i].Runs(); got != 10 {
				t.Errorf("(%s) %s: %d executions, want 10", situation, name, got)
			}
		}
	}
}
