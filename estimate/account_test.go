package estimate_test

// This file holds timelines and critical paths of random programs, by paths, by their
// averages and by executions inside one another, against the estimate.

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/mapping"
)

func alike(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

func randomCase(t testing.TB, seed int64) (*estimate.Estimator, []*mapping.Resolved) {
	a, procs, mappings := estimate.RandomCase(t, seed)
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	return e, mappings
}

// eachRandomAccount visits random programs under random mappings by each technique that
// has rows. exact says that rows say exactly what is executed inside them.
func eachRandomAccount(t *testing.T, visit func(e *estimate.Estimator, m *mapping.Resolved, technique estimate.Technique, exact bool)) {
	for seed := range int64(80) {
		for i, program := range []func(testing.TB, int64) (*estimate.Estimator, []*mapping.Resolved){randomCase, estimate.RandomTrees} {
			e, mappings := program(t, seed)
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

// drawn writes bars in cycles: kind, section from 1, processor, start-stop.
func drawn(bars []account.Bar, clockMHz float64) string {
	var all []string
	for _, b := range bars {
		all = append(all, fmt.Sprintf("%s%d@%d:%.6g-%.6g", b.Kind, b.Section+1, b.Processor, b.Start*clockMHz*1e6, b.Stop*clockMHz*1e6))
	}
	return strings.Join(all, " ")
}

// Tables 16b and 17b under SolB, from the fork, which is at cycle 1: section 1 and then 3
// on alpha, section 2 on beta.
func TestTimelinesOfTheWorkedExample(t *testing.T) {
	const beta = " create2@1:0-50 section2@1:50-1111 sync2@1:1111-1121"
	paths := map[string]struct {
		bars string
		span float64
	}{
		"1": {"create1@0:0-50 section1@0:50-2104 section3@0:2104-4156 sync3@0:4156-4166" + beta, 4166},
		"2": {"create1@0:0-50 section1@0:50-2104 section3@0:2104-2107 sync3@0:2107-2117" + beta, 2117},
		"3": {"create1@0:0-50 section1@0:50-55 section3@0:55-2107 sync3@0:2107-2117" + beta, 2117},
		"4": {"create1@0:0-50 section1@0:50-55 section3@0:55-58 sync3@0:58-68" + beta, 1121},
	}
	for _, c := range []struct {
		situation byte
		paths     []string // the longer ones first
		weighted  string
		htc       float64 // eq. 14 and 15
	}{
		{'a', []string{"1", "4"}, "create1@0:0-50 section1@0:50-1079.5 section3@0:1079.5-2107 sync3@0:2107-2117" + beta, 2648.5},
		{'b', []string{"2", "3"}, "create1@0:0-50 section1@0:50-1079.5 section3@0:1079.5-2107 sync3@0:2107-2117" + beta, 2122},
	} {
		e := estimate.WorkedExample(t, c.situation)
		m := e.Onto(0, 1, 0)
		all, err := account.Timelines(e, m, estimate.PathBased, 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("(%c): %d timelines, %v", c.situation, len(all), err)
		}
		tl, clock := &all[0], e.ClockMHz[0]
		if tl.Executions != 1 || len(tl.Rows) != 2 || tl.OtherRows != 0 {
			t.Fatalf("(%c): %+v", c.situation, tl)
		}
		if got := drawn(tl.Bars, clock); got != c.weighted {
			t.Errorf("(%c): weighted bars\n%s\nwant\n%s", c.situation, got, c.weighted)
		}
		for _, p := range tl.Rows {
			found := false
			for _, name := range c.paths {
				want := paths[name]
				found = found || drawn(p.Bars, clock) == want.bars && alike(p.Seconds*clock*1e6, want.span) && p.Count == 0.5
			}
			if !found {
				t.Errorf("(%c): row %q is none of the paper's: %s", c.situation, p.Text, drawn(p.Bars, clock))
			}
		}
		// Task0 and Task4 take 5 cycles on every path.
		if got := tl.Seconds*clock*1e6 + 5; !alike(got, c.htc) {
			t.Errorf("(%c): fork to join and serial code take %v cycles, HTC is %v", c.situation, got, c.htc)
		}
		one, err := account.Timelines(e, m, estimate.PathBased, 1)
		if err != nil || len(one[0].Rows) != 1 || one[0].OtherRows != 1 || !alike(one[0].Rows[0].Share+one[0].OtherShare, 1) {
			t.Errorf("(%c): one row of two: %+v, %v", c.situation, one, err)
		}
		if one[0].Rows[0].Share < one[0].OtherShare {
			t.Errorf("(%c): the row shown has %v of the time, the other %v", c.situation, one[0].Rows[0].Share, one[0].OtherShare)
		}
	}
}

func TestTimelinesOfOtherTechniques(t *testing.T) {
	e := estimate.WorkedExample(t, 'a')
	m := e.Onto(0, 1, 0)
	if _, err := account.Timelines(e, m, estimate.MaximalTime, 0); err == nil || !strings.Contains(err.Error(), "mt has no rows") {
		t.Errorf("timelines of maximal times: %v", err)
	}
}

// In situation (a) SolB ends with section 2 on half of the paths, and with sections 1 and 3
// on the others.
func TestCriticalPathOfTheWorkedExample(t *testing.T) {
	e := estimate.WorkedExample(t, 'a')
	m := e.Onto(0, 1, 0)
	a, err := account.CriticalPath(e, m, estimate.PathBased)
	if err != nil {
		t.Fatal(err)
	}
	// Sections 1 and 3 take 2054 + 2052 and 60 on the long path, which is critical; on the
	// short one 6 + 5, so section 2 with 1061 + 60 is.
	got := seconds(e, a)
	if hertz := e.ClockMHz[0] * 1e6; !alike(got[0]*hertz, 5+(2054+2052+60)/2.0) || !alike(got[1]*hertz, (1061+60)/2.0) {
		t.Errorf("critical %v, want 2088 and 560.5", got)
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
	if lines < 1000 || inside < 5000 || helped < 1000 {
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
			if b.Name != sections[b.Section].Name || slices.Index([]string{account.BarFork, account.BarJoin, account.BarTeamOfOne}, b.Kind) < 0 && b.Region == tl.Region && m.Regions[b.Region].Explicit && proc != b.Processor {
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
