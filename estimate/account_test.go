package estimate_test

// This file holds timelines and critical paths of random programs, by paths, by their
// averages and by executions inside one another, against the estimate.

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/mapping"
)

func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// eachRandomAccount visits random programs under random mappings by each technique that
// has rows. exact says that rows say exactly what is executed inside them.
func eachRandomAccount(t *testing.T, visit func(e *estimate.Estimator, m *mapping.Resolved, technique estimate.Technique, exact bool)) {
	for seed := range int64(200) {
		for i, program := range []func(testing.TB, int64) (*estimate.Analysis, estimate.Processors, []*mapping.Resolved){estimate.RandomCase, estimate.RandomTrees} {
			a, procs, mappings := program(t, seed)
			e, err := a.On(procs)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range mappings {
				for _, technique := range []estimate.Technique{estimate.PathBased, estimate.AverageTime, estimate.ExecutionBased} {
					visit(e, m, technique, i == 1 && technique == estimate.ExecutionBased)
					if t.Failed() {
						t.Fatalf("seed %d, %s", seed, technique)
					}
				}
			}
		}
	}
}

func TestTimelinesOfRandomPrograms(t *testing.T) {
	lines, inside, helped := 0, 0, 0
	eachRandomAccount(t, func(e *estimate.Estimator, m *mapping.Resolved, technique estimate.Technique, exact bool) {
		all, err := account.Timelines(e, m, technique, 0)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := account.Timelines(e, m, technique, 0); err != nil || !reflect.DeepEqual(all, again) {
			t.Fatalf("two timelines differ: %v", err)
		}
		total, err := e.SerialSeconds(m.Serial, technique)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			tl := &all[i]
			lines++
			total += tl.Executions * tl.Seconds
			checkTimeline(t, e, m, exact, tl)
			for _, r := range tl.Rows {
				for _, b := range r.Bars {
					if b.Region != tl.Region || b.Construct != tl.Construct {
						inside++
						if b.Processor != m.Serial {
							helped++
						}
					}
				}
			}
		}
		r, err := e.Estimate(m, technique)
		if err != nil {
			t.Fatal(err)
		}
		if !alike(total, r.ParallelSeconds) {
			t.Fatalf("timelines and serial code take %v s, the program %v s", total, r.ParallelSeconds)
		}
	})
	if lines < 1000 || inside < 10000 || helped < 1000 {
		t.Errorf("only %d timelines, %d bars of constructs inside others, %d of them on other processors", lines, inside, helped)
	}
}

// checkTimeline holds rows to their timeline, and bars to their rows.
func checkTimeline(t *testing.T, e *estimate.Estimator, m *mapping.Resolved, exact bool, tl *account.Timeline) {
	t.Helper()
	total, share := 0.0, tl.OtherShare
	for i := range tl.Rows {
		r := &tl.Rows[i]
		total, share = total+r.Count*r.Seconds, share+r.Share
		end := map[int]float64{}
		last := 0.0
		for _, b := range r.Bars { // by processor and start
			if b.Start < end[b.Processor]-1e-9*r.Seconds || b.Stop < b.Start {
				t.Fatalf("%s: processor %d is at something else until %v: %+v", tl.Name, b.Processor, end[b.Processor], b)
			}
			sections := e.Bundle.Program.Regions[b.Region].Constructs[b.Construct].Sections
			proc := m.Regions[b.Region].Proc[b.Construct][b.Section]
			if b.Name != sections[b.Section].Name || b.Region == tl.Region && m.Regions[b.Region].Explicit && proc != b.Processor {
				t.Fatalf("%s: %+v is of another section or processor", tl.Name, b)
			}
			end[b.Processor] = b.Stop
			last = max(last, b.Stop)
		}
		if last > r.Seconds*(1+1e-9) || exact && !alike(last, r.Seconds) {
			t.Fatalf("%s: bars end after %v s, the row takes %v s", tl.Name, last, r.Seconds)
		}
		if i > 0 && r.Share > tl.Rows[i-1].Share {
			t.Fatalf("%s: row %d has a larger share than the one before", tl.Name, i)
		}
	}
	if !alike(total, tl.Seconds*tl.Executions) || total > 0 && !alike(share, 1) {
		t.Fatalf("%s: rows take %v s of %v s, their shares add up to %v", tl.Name, total, tl.Seconds*tl.Executions, share)
	}
	if !slices.IsSortedFunc(tl.Bars, func(a, b account.Bar) int {
		return cmp.Or(cmp.Compare(a.Processor, b.Processor), cmp.Compare(a.Start, b.Start))
	}) {
		t.Fatalf("%s: mean bars %+v", tl.Name, tl.Bars)
	}
}

// The critical path takes as long as the program, and busy cycles are those of Busy.
func TestAccountsAddUp(t *testing.T) {
	eachRandomAccount(t, func(e *estimate.Estimator, m *mapping.Resolved, technique estimate.Technique, _ bool) {
		critical, err := account.CriticalPath(e, m, technique)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, s := range seconds(e, critical) {
			total += s
		}
		r, err := e.Estimate(m, technique)
		if err != nil {
			t.Fatal(err)
		}
		if !alike(total, r.ParallelSeconds) {
			t.Fatalf("the critical path takes %v s, the program %v s", total, r.ParallelSeconds)
		}
		busy, err := account.Busy(e, m, technique)
		if err != nil {
			t.Fatal(err)
		}
		want, err := e.Busy(m, technique)
		if err != nil {
			t.Fatal(err)
		}
		for p, s := range seconds(e, busy) {
			if !alike(s, want[p]) {
				t.Fatalf("processor %d is busy for %v s, attributed are %v s", p, want[p], s)
			}
		}
	})
}

// seconds returns what is attributed to each processor.
func seconds(e *estimate.Estimator, a *estimate.Attribution) []float64 {
	out := make([]float64, len(e.ClockMHz))
	for _, b := range a.Blocks {
		out[b.Processor] += b.Executions * b.Cycles / (e.ClockMHz[b.Processor] * 1e6)
	}
	for _, f := range a.Forks {
		out[f.Processor] += f.Executions * (f.Create + f.Sync) / (e.ClockMHz[f.Processor] * 1e6)
	}
	return out
}
