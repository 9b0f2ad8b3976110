package estimate

// This file holds the times of levels against the estimate and against the explanation.

import (
	"testing"

	"pathspan/mapping"
)

func TestLevelTimesOfRandomPrograms(t *testing.T) {
	checked := 0
	for seed := range int64(150) {
		e, r := randomEstimator(t, seed)
		e.Platform.Other.TeamOfOne.Cycles = 0 // no overhead is a task's
		for range 3 {
			if checkLevelTimes(t, e, randomMapping(r, e)) {
				checked++
			}
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
		}
	}
	if checked < 150 {
		t.Errorf("only %d mappings checked", checked)
	}
}

// checkLevelTimes adds up the root's body, whose paths and tasks cover the whole time.
func checkLevelTimes(t *testing.T, e *Estimator, m *mapping.Resolved) bool {
	t.Helper()
	levels, err := e.LevelTimes(m)
	if err != nil {
		t.Fatal(err)
	}
	if e.hotOf[e.Root] < 0 {
		if len(levels) > 0 {
			t.Errorf("%d levels reach a region that nothing calls", len(levels))
		}
		return false
	}
	root := e.hot[e.hotOf[e.Root]]
	if root.cyclic || root.levels[0].orphans != nil {
		return false // its inner calls are in the times of the outer ones
	}
	want, err := e.levelByLevel(m, PathBased)
	if err != nil {
		t.Fatal(err)
	}
	x, err := e.Explain(m, e.Bundle.Program.Funcs[e.Root].Name, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := &levels[0]
	if l.Function != e.Root || l.Level != 0 || l.Entries != 1 || len(l.Paths) != len(x.Paths) {
		t.Fatalf("the root's body: %+v", l)
	}
	total := 0.0
	for _, p := range l.Paths {
		total += p.Seconds
	}
	if want *= e.second(); !near(total*1e6, want*1e6) {
		t.Errorf("the root's paths take %v s, level by level it is %v s", total, want)
	}
	for task := range l.Tasks {
		cycles := 0.0
		for i, p := range x.Paths {
			cycles += x.TPC[i][task] * float64(p.Count) / x.Entries
		}
		if got := l.Tasks[task].Seconds * e.ClockMHz[m.Serial] * 1e6; !near(got, cycles) {
			t.Errorf("task %d takes %v cycles, %v by explanation", task, got, cycles)
		}
	}
	alone := mapping.OnOne(e.Platform, m.Serial, e.Bundle.Program)
	if levels, err = e.LevelTimes(alone); err != nil {
		t.Fatal(err)
	}
	total = 0
	for _, x := range levels[0].Tasks {
		total += x.Seconds
	}
	if want := estimate(t, e, alone, PathBased).SequentialSeconds; !near(total*1e6, want*1e6) {
		t.Errorf("the root's tasks take %v s, the sequential time is %v s", total, want)
	}
	return true
}
