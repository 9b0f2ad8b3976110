package estimate

// This file tests what models are asked beside costs.

import (
	stdcontext "context"
	"math"
	"strings"
	"testing"

	"pathspan/mapping"
	"pathspan/procmodels"
)

// overheadModel costs nothing and knows its overheads.
type overheadModel struct{ over *procmodels.Overheads }

func init() {
	procmodels.RegisterScheme("overheads", func(rest, _ string) (procmodels.Model, error) {
		return overheadModel{map[string]*procmodels.Overheads{"none": nil, "big": {Create: 400, Sync: 120}, "small": {Create: 4}, "wrong": {Sync: math.NaN()}}[rest]}, nil
	})
}

func (m overheadModel) Describe() procmodels.Description {
	return procmodels.Description{Name: "m", Overheads: m.over, ClockMHz: 25}
}

func (m overheadModel) Costs(_ stdcontext.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	c := &procmodels.Costs{Model: "m"}
	for _, f := range s.Program.Funcs {
		c.Blocks = append(c.Blocks, make([]procmodels.BlockCost, len(f.Blocks)))
	}
	return c, nil
}

// The platform's own figures go before the models', those before the defaults, each
// figure for itself.
func TestOverheadsOfModels(t *testing.T) {
	l := twoSections(t)
	pl := mapping.Homogeneous(3, "")
	for i, m := range []string{"big", "none", "small"} {
		pl.Processors[i].Model = "overheads:" + m
	}
	pricer := &Pricer{Program: l.prog}
	check := func(want ...procmodels.Overheads) {
		t.Helper()
		p, err := pricer.Processors(t.Context(), pl)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if p.Overheads[i] != want[i] {
				t.Errorf("processor %d: overheads %v, want %v", i, p.Overheads[i], want[i])
			}
		}
		a, err := Prepare(l.bundle, "")
		if err != nil {
			t.Fatal(err)
		}
		e, err := a.On(p)
		if err != nil {
			t.Fatal(err)
		}
		// Both sections cost nothing: what is left is the larger overhead.
		for _, procs := range [][]int{{0, 1}, {1, 2}, {2, 0}} {
			over := max(p.Overheads[procs[0]].Create+p.Overheads[procs[0]].Sync, p.Overheads[procs[1]].Create+p.Overheads[procs[1]].Sync)
			if r := estimate(t, e, e.onto(procs...), PathBased); r.ParallelCycles != over {
				t.Errorf("on %v: %v cycles, want %v", procs, r.ParallelCycles, over)
			}
		}
	}
	defaults := procmodels.Overheads{Create: mapping.DefaultCreate, Sync: mapping.DefaultSync}
	check(procmodels.Overheads{Create: 400, Sync: 120}, defaults, procmodels.Overheads{Create: 4})
	pl.Create, pl.CreateDefaulted = 7, false
	check(procmodels.Overheads{Create: 7, Sync: 120}, procmodels.Overheads{Create: 7, Sync: 10}, procmodels.Overheads{Create: 7})
	pl.SyncDefaulted = false
	check(procmodels.Overheads{Create: 7, Sync: 10}, procmodels.Overheads{Create: 7, Sync: 10}, procmodels.Overheads{Create: 7, Sync: 10})
	if len(pricer.Models) != 3 {
		t.Errorf("%d models asked, want each once", len(pricer.Models))
	}
	pl.Processors[1].Model = "overheads:wrong"
	if _, err := pricer.Processors(t.Context(), pl); err == nil || !strings.Contains(err.Error(), "processor cpu1: model overheads:wrong answers wrongly: overheads of 0 and NaN cycles") {
		t.Errorf("error %v", err)
	}
}
