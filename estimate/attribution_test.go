package estimate

// This file tests that attributed cycles add up to what estimates say.

import (
	"testing"

	"pathspan/mapping"
)

// sums returns the attributed cycles of each processor, in its own.
func (a *Attribution) sums(processors int) []float64 {
	out := make([]float64, processors)
	for _, s := range a.Blocks {
		out[s.Processor] += s.Executions * s.Cycles
	}
	for _, s := range a.Forks {
		out[s.Processor] += s.Executions * (s.Create + s.Sync)
	}
	return out
}

func attribute(t testing.TB, e *Estimator, m *mapping.Resolved) *Attribution {
	t.Helper()
	a, err := e.Attribute(m, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAttributionOfTheWorkedExample(t *testing.T) {
	e := fun0Literal(t, 'a').estimator("fun_0", 2)
	a := attribute(t, e, e.onto(0, 1, 0)) // SolB
	// Section 2, 1061 cycles, is alone on the second processor; overheads of 60 on both.
	sums := a.sums(2)
	if !near(sums[0], 3123-1061+60) || !near(sums[1], 1061+60) {
		t.Errorf("busy %v, want 2122 and 1121", sums)
	}
	for _, f := range a.Forks {
		if f.Executions != 1 || f.Create != 50 || f.Sync != 10 {
			t.Errorf("fork %+v, want once create 50, sync 10", f)
		}
	}
	for _, s := range a.Blocks {
		name := e.Bundle.Program.Funcs[a.Bodies[s.Body].Func].Blocks[s.Block].Name
		switch {
		case name == "5" && (s.Processor != 1 || s.Section != 1 || s.Executions != 11):
			t.Errorf("block 5: %+v, want 11 executions in section 1 on processor 1", s)
		case name == "13.4" && (s.Processor != 0 || s.Section != -1 || s.Executions != 1):
			t.Errorf("block 13.4: %+v, want once outside on processor 0", s)
		}
	}
}

// A function that is called from one place knows it.
func TestAttributionKnowsSingleCallers(t *testing.T) {
	e := nestedLiteral(t).estimator("", 2)
	m := mapping.Default(e.Platform, e.Bundle.Program)
	a := attribute(t, e, m)
	for _, b := range a.Bodies {
		name := e.Bundle.Program.Funcs[b.Func].Name
		if name == "main" && (b.Caller != -1 || b.Calls != 1) || name == "f" && (b.Caller != 0 || b.Calls != 1) {
			t.Errorf("%s: %+v", name, b)
		}
	}
	for _, s := range a.Blocks { // f: in section 1 of the region in main, or outside
		if b := a.Bodies[s.Body]; b.Caller == 0 && s.Region < 0 && s.Processor != m.Serial {
			t.Errorf("%+v of %+v: calls from a section are not told from those outside", s, b)
		}
	}
	if len(a.Bodies) != 3 {
		t.Errorf("%d bodies, want main, f in a section and f outside", len(a.Bodies))
	}
}

func TestAttributionAddsUp(t *testing.T) {
	for seed := range int64(300) {
		e, r := randomEstimator(t, seed)
		e.Platform.Other.TeamOfOne.Cycles = 0 // one processor spends it as well
		checkAttribution(t, e, randomMapping(r, e))
	}
	for _, d := range []uint64{0, 1, 7} {
		e := countdown(t, d).estimator("", 2)
		checkAttribution(t, e, e.onto(1, 0))
	}
}

func checkAttribution(t *testing.T, e *Estimator, m *mapping.Resolved) {
	t.Helper()
	busy, err := e.Busy(m, PathBased)
	if err != nil {
		t.Fatal(err)
	}
	for p, got := range attribute(t, e, m).sums(len(busy)) {
		if want := busy[p] * e.ClockMHz[p] * 1e6; !near(got, want) {
			t.Fatalf("processor %d: %v cycles, busy for %v", p, got, want)
		}
	}
	alone := mapping.OnOne(e.Platform, m.Serial, e.Bundle.Program)
	want := estimate(t, e, alone, PathBased).SequentialCycles
	if got := attribute(t, e, alone).sums(len(busy))[m.Serial]; !near(got, want) {
		t.Fatalf("alone: %v cycles, want %v", got, want)
	}
}
