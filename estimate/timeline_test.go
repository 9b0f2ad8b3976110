package estimate

// This file holds timelines against the paper's tables by hand, and on random programs
// against the estimate and its rows.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

// drawn writes bars in cycles: kind, section from 1, processor, start-stop.
func drawn(bars []Bar, clockMHz float64) string {
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
		e := fun0Literal(t, c.situation).estimator("fun_0", 2)
		m := e.onto(0, 1, 0)
		all, err := e.Timelines(m, PathBased, 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("(%c): %d timelines, %v", c.situation, len(all), err)
		}
		tl, clock := &all[0], e.ClockMHz[0]
		if tl.Executions != 1 || len(tl.Paths) != 2 || tl.OtherPaths != 0 || tl.Function != "fun_0" {
			t.Fatalf("(%c): %+v", c.situation, tl)
		}
		if got := drawn(tl.Bars, clock); got != c.weighted {
			t.Errorf("(%c): weighted bars\n%s\nwant\n%s", c.situation, got, c.weighted)
		}
		for _, p := range tl.Paths {
			found := false
			for _, name := range c.paths {
				want := paths[name]
				found = found || drawn(p.Bars, clock) == want.bars && near(p.Seconds*clock*1e6, want.span) && p.Count == 0.5
			}
			if !found {
				t.Errorf("(%c): path %q is none of the paper's: %s", c.situation, p.Text, drawn(p.Bars, clock))
			}
		}
		// Task0 and Task4 take 5 cycles on every path.
		if got := tl.Seconds*clock*1e6 + 5; !near(got, c.htc) {
			t.Errorf("(%c): fork to join and serial code take %v cycles, HTC is %v", c.situation, got, c.htc)
		}
		one, err := e.Timelines(m, PathBased, 1)
		if err != nil || len(one[0].Paths) != 1 || one[0].OtherPaths != 1 || !near(one[0].Paths[0].Share+one[0].OtherShare, 1) {
			t.Errorf("(%c): one path of two: %+v, %v", c.situation, one, err)
		}
		if one[0].Paths[0].Share < one[0].OtherShare {
			t.Errorf("(%c): the path shown has %v of the time, the other %v", c.situation, one[0].Paths[0].Share, one[0].OtherShare)
		}
	}
}

func TestTimelinesOfOtherTechniques(t *testing.T) {
	e := fun0Literal(t, 'a').estimator("fun_0", 2)
	if _, err := e.Timelines(e.onto(0, 1, 0), AverageTime, 0); err == nil || !strings.Contains(err.Error(), "pb") {
		t.Errorf("timelines of average times: %v", err)
	}
}

// On random programs, with regions in regions, loops and recursion: the executions of a
// construct take in rows as long, bar by bar the figures are in order, paths
// and their shares add up, and so do the times of the root's paths and tasks.
func TestTimelinesOfRandomPrograms(t *testing.T) {
	compared, nested := 0, 0
	for seed := range int64(150) {
		e, r := randomEstimator(t, seed)
		for range 3 {
			m := randomMapping(r, e)
			pb := estimate(t, e, m, PathBased)
			all, err := e.Timelines(m, PathBased, 0)
			if err != nil {
				t.Fatal(err)
			}
			type place struct{ region, construct int }
			sums, outer := map[place]float64{}, map[place]float64{}
			for i := range all {
				tl := &all[i]
				checkTimeline(t, tl)
				sums[place{tl.Region, tl.Construct}] += tl.Seconds * tl.Executions
			}
			if err := e.Play(m, PathBased, func(rows *table.Table, p *table.Played) {
				r, c := rows.Construct(p.Execution)
				outer[place{r, c}] += p.Weight * p.Span * e.second()
			}); err != nil {
				t.Fatal(err)
			}
			if newSpace(t, e, m.Serial, PathBased).HasGeneral() {
				clear(outer) // nested regions compete in rows
			}
			for k, want := range outer {
				compared++
				// What lies inside other sections adds to it.
				if got := sums[k]; got < want*(1-1e-9) {
					t.Fatalf("seed %d: %+v takes %v s, %v s in rows", seed, k, got, want)
				} else if got > want*(1+1e-9) {
					nested++
				}
			}
			checkPathTimes(t, e, m, pb)
		}
	}
	if compared < 300 || nested > compared/2 {
		t.Errorf("%d constructs compared, %d of them met inside others as well", compared, nested)
	}
}

func checkTimeline(t *testing.T, tl *Timeline) {
	t.Helper()
	total, share, count := 0.0, tl.OtherShare, 0.0
	for i := range tl.Paths {
		p := &tl.Paths[i]
		total, share, count = total+p.Count*p.Seconds, share+p.Share, count+p.Count
		end := 0.0
		for _, b := range p.Bars {
			if b.Start < -1e-15 || b.Stop < b.Start-1e-15 {
				t.Fatalf("%s: bar %+v", tl.Name, b)
			}
			end = max(end, b.Stop)
		}
		if !near(end, p.Seconds) {
			t.Fatalf("%s: bars end after %v s, the path takes %v s", tl.Name, end, p.Seconds)
		}
	}
	if !near(total, tl.Seconds*tl.Executions) || total > 0 && !near(share, 1) || count < tl.Executions*(1-1e-9) {
		t.Fatalf("%s: paths take %v s of %v s, their shares add up to %v, their counts to %v of %v", tl.Name, total, tl.Seconds*tl.Executions, share, count, tl.Executions)
	}
}

// checkPathTimes adds up the root's body, whose paths and tasks cover the whole time.
func checkPathTimes(t *testing.T, e *Estimator, m *mapping.Resolved, pb Result) {
	t.Helper()
	paths, _, err := e.PathTimes(m)
	if err != nil {
		t.Fatal(err)
	}
	if e.hotOf[e.Root] < 0 {
		if len(paths) > 0 {
			t.Fatalf("%d paths reach a region that nothing calls", len(paths))
		}
		return
	}
	if e.hot[e.hotOf[e.Root]].cyclic || e.hot[e.hotOf[e.Root]].levels[0].orphans != nil {
		return // its inner calls are in the times of the outer ones
	}
	total := 0.0
	for _, p := range paths {
		if p.Function == e.Root && p.Level == 0 {
			total += p.Seconds
		}
	}
	if !near(total, pb.ParallelSeconds) {
		t.Fatalf("the root's paths take %v s, its estimate is %v s", total, pb.ParallelSeconds)
	}
	// On one processor the tasks of the root take the sequential time.
	alone := mapping.DefaultFrom(e.Platform, m.Serial, e.Bundle.Program)
	for r := range alone.Regions {
		for _, proc := range alone.Regions[r].Proc {
			for s := range proc {
				proc[s] = m.Serial
			}
		}
	}
	_, tasks, err := e.PathTimes(alone)
	if err != nil {
		t.Fatal(err)
	}
	total = 0
	for _, x := range tasks {
		if x.Function == e.Root && x.Level == 0 {
			total += x.Seconds
		}
	}
	if !near(total, pb.SequentialSeconds) {
		t.Fatalf("the root's tasks take %v s, the sequential time is %v s", total, pb.SequentialSeconds)
	}
}
