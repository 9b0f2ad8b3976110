package estimate_test

// This file tests work, span and burdened span of package account against hand values and
// against what they bound.

import (
	"slices"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// cycles are figures at the 100 MHz of the literals.
type cycles struct{ executions, work, span, burdened float64 }

func checkSpan(t *testing.T, what string, w account.WorkSpan, want cycles) {
	t.Helper()
	got := cycles{w.Executions, w.Work * 1e8, w.Span * 1e8, w.BurdenedSpan * 1e8}
	if !same(got.executions, want.executions) || !same(got.work, want.work) || !same(got.span, want.span) || !same(got.burdened, want.burdened) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
	if want.span > 0 && (!same(w.Parallelism, want.work/want.span) || !same(w.BurdenedParallelism, want.work/want.burdened)) {
		t.Errorf("%s: parallelism %v and %v", what, w.Parallelism, w.BurdenedParallelism)
	}
}

func workSpan(t testing.TB, e *estimate.Estimator, serial int, technique estimate.Technique) (account.WorkSpan, []account.WorkSpan) {
	t.Helper()
	program, regions, err := account.WorkSpans(e, serial, technique)
	if err != nil {
		t.Fatal(err)
	}
	return program, regions
}

func TestWorkSpanOfTheWorkedExample(t *testing.T) {
	for situation, m := range map[byte]float64{'a': (2054 + 1061) / 2.0, 'b': (2054 + 2052) / 2.0} {
		program, regions := workSpan(t, estimate.WorkedExample(t, situation), 0, estimate.PathBased)
		checkSpan(t, "program", program, cycles{1, 3123, 1 + m + 4, 1 + m + 60 + 4})
		checkSpan(t, "region", regions[0], cycles{1, 3118, m, m + 60})
	}
}

// The region in f runs once in a section and once after the region.
func TestWorkSpanOfNestedRegions(t *testing.T) {
	program, regions := workSpan(t, estimate.NestedExample(t), 1, estimate.PathBased)
	checkSpan(t, "program", program, cycles{1, 401, 10 + 120 + 1 + 100, 10 + (20 + 160 + 60) + 1 + 160})
	checkSpan(t, "outer", regions[0], cycles{1, 230, 120, 240})
	checkSpan(t, "inner", regions[1], cycles{2, 320, 200, 320})
}

// A call lies in a section of the call before. With A for the value of a call and n for
// the calls, A = 3 + 10/n + (4+A) d/n.
func TestWorkSpanOfRecursion(t *testing.T) {
	for _, d := range []float64{0, 1, 7} {
		n := d + 1
		program, regions := workSpan(t, estimate.Countdown(t, uint64(d)), 0, estimate.PathBased)
		span, burdened := 3*n+10+4*d, 3*n+70+64*d
		checkSpan(t, "program", program, cycles{1, 1 + 17*n, 1 + span, 1 + burdened})
		checkSpan(t, "region", regions[0], cycles{n, 14*n + 17*n*d, 10 + d*(4+span), 70 + d*(64+burdened)})
	}
}

// By paths the program's figures are those of the paper's estimate with a processor for
// each section. By every technique no mapping onto equal processors without overheads takes
// less than the span, nor less than the work shared evenly; and where no region lies in
// another, what the regions save is what the program saves.
func TestWorkSpanOfRandomPrograms(t *testing.T) {
	flat := map[estimate.Technique]int{}
	for seed := range int64(300) {
		e, ms := estimate.RandomTrees(t, seed)
		serial := ms[0].Serial
		apart := mapping.OnOne(e.Platform, serial, e.Bundle.Program)
		for r := range apart.Regions {
			apart.Regions[r].Explicit = true
		}
		with, err := e.Estimate(apart, estimate.PathBasedUnmapped)
		if err != nil {
			t.Fatal(err)
		}
		equal := e.Processors
		equal.Costs, equal.ClockMHz = slices.Repeat(e.Costs[serial:serial+1], len(e.Costs)), slices.Repeat(e.ClockMHz[serial:serial+1], len(e.Costs))
		equal.Overheads = make([]procmodels.Overheads, len(e.Costs))
		plain := *equal.Platform
		plain.Other = mapping.Overheads{}
		equal.Platform = &plain
		free, err := e.On(equal)
		if err != nil {
			t.Fatal(err)
		}
		without, err := free.Estimate(apart, estimate.PathBasedUnmapped)
		if err != nil {
			t.Fatal(err)
		}
		for _, technique := range []estimate.Technique{estimate.PathBased, estimate.AverageTime, estimate.ExecutionBased} {
			program, regions := workSpan(t, e, serial, technique)
			if !same(program.Work*1e6, with.SequentialSeconds*1e6) {
				t.Fatalf("seed %d, %s: work %v, want %v", seed, technique, program.Work, with.SequentialSeconds)
			}
			if technique == estimate.PathBased && (!same(program.Span*1e6, without.ParallelSeconds*1e6) || !same(program.BurdenedSpan*1e6, with.ParallelSeconds*1e6)) {
				t.Fatalf("seed %d: %+v, want span %v, burdened %v", seed, program, without.ParallelSeconds, with.ParallelSeconds)
			}
			for _, m := range ms {
				m.Serial = serial
				r, err := free.Estimate(m, technique)
				if err != nil {
					t.Fatal(err)
				}
				if least := max(program.Span, program.Work/float64(len(e.Costs))); r.ParallelSeconds < least*(1-1e-9) {
					t.Fatalf("seed %d, %s: a mapping takes %v, work and span allow %v", seed, technique, r.ParallelSeconds, least)
				}
			}
			saved, burden := 0.0, 0.0
			for _, w := range regions {
				if w.Span > w.BurdenedSpan*(1+1e-9) || w.Span > w.Work*(1+1e-9) {
					t.Fatalf("seed %d, %s: %+v: the span is too long", seed, technique, w)
				}
				saved += w.Work - w.Span
				burden += w.Work - w.BurdenedSpan
			}
			if len(regions) == 0 || !isFlat(t, e, ms[0], technique) {
				continue
			}
			flat[technique]++
			if !same((program.Work-program.Span)*1e6, saved*1e6) || !same((program.Work-program.BurdenedSpan)*1e6, burden*1e6) {
				t.Fatalf("seed %d, %s: the program saves %v, its regions %v", seed, technique, program.Work-program.Span, saved)
			}
		}
	}
	for _, technique := range []estimate.Technique{estimate.PathBased, estimate.AverageTime, estimate.ExecutionBased} {
		if flat[technique] < 30 {
			t.Errorf("%s: only %d programs without regions in regions", technique, flat[technique])
		}
	}
}

// isFlat reports that nothing is executed inside sections.
func isFlat(t *testing.T, e *estimate.Estimator, m *mapping.Resolved, technique estimate.Technique) bool {
	rows, err := e.Rows(technique, m.Serial)
	if err != nil {
		t.Fatal(err)
	}
	often, err := rows.Often()
	if err != nil {
		t.Fatal(err)
	}
	roots := make([]float64, len(often))
	if err := e.Play(m, technique, func(_ *table.Table, p *table.Played) { roots[p.Execution] += p.Weight }); err != nil {
		t.Fatal(err)
	}
	for x := range often {
		if !same(often[x], roots[x]) {
			return false
		}
	}
	return true
}

func TestSpeedupBounds(t *testing.T) {
	// A tenth is serial: 1 / (0.1 + 0.9/4). Cilkview: 100 / (25 + 1.7*0.75*10).
	if s := account.AmdahlBound(10, 100, 4); !same(s, 1/(0.1+0.9/4)) {
		t.Errorf("Amdahl: %v", s)
	}
	if s := account.BurdenedSpeedup(account.WorkSpan{Work: 100, BurdenedSpan: 10}, 4); !same(s, 100/37.75) {
		t.Errorf("burdened: %v", s)
	}
	if a, b := account.AmdahlBound(10, 100, 1), account.BurdenedSpeedup(account.WorkSpan{Work: 100, BurdenedSpan: 10}, 1); a != 1 || b != 1 {
		t.Errorf("one processor: %v and %v, want 1", a, b)
	}
	if _, _, err := account.WorkSpans(estimate.NestedExample(t), 2, estimate.PathBased); err == nil {
		t.Error("serial processor 2 of 2 is accepted")
	}
}
