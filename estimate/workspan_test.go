package estimate

// This file tests work, span and burdened span against hand values and against the
// path-based estimate with a processor for each section.

import (
	"math/rand"
	"testing"

	"pathspan/procmodels"
)

// cycles are figures at the 100 MHz of the literals.
type cycles struct{ executions, work, span, burdened float64 }

func checkSpan(t *testing.T, what string, w WorkSpan, want cycles) {
	t.Helper()
	got := cycles{w.Executions, w.Work * 1e8, w.Span * 1e8, w.BurdenedSpan * 1e8}
	if !near(got.executions, want.executions) || !near(got.work, want.work) || !near(got.span, want.span) || !near(got.burdened, want.burdened) {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
	if want.span > 0 && (!near(w.Parallelism, want.work/want.span) || !near(w.BurdenedParallelism, want.work/want.burdened)) {
		t.Errorf("%s: parallelism %v and %v", what, w.Parallelism, w.BurdenedParallelism)
	}
}

func workSpan(t testing.TB, e *Estimator, serial int) (WorkSpan, []WorkSpan) {
	t.Helper()
	program, regions, err := e.WorkSpan(serial)
	if err != nil {
		t.Fatal(err)
	}
	return program, regions
}

func TestWorkSpanOfTheWorkedExample(t *testing.T) {
	for situation, m := range map[byte]float64{'a': (2054 + 1061) / 2.0, 'b': (2054 + 2052) / 2.0} {
		program, regions := workSpan(t, fun0Literal(t, situation).estimator("fun_0", 2), 0)
		checkSpan(t, "program", program, cycles{1, 3123, 1 + m + 4, 1 + m + 60 + 4})
		checkSpan(t, "region", regions[0], cycles{1, 3118, m, m + 60})
	}
}

// The region in f runs once in a section and once after the region.
func TestWorkSpanOfNestedRegions(t *testing.T) {
	program, regions := workSpan(t, nestedLiteral(t).estimator("", 2), 1)
	checkSpan(t, "program", program, cycles{1, 401, 10 + 120 + 1 + 100, 10 + (20 + 160 + 60) + 1 + 160})
	checkSpan(t, "outer", regions[0], cycles{1, 230, 120, 240})
	checkSpan(t, "inner", regions[1], cycles{2, 320, 200, 320})
}

// A call lies in a section of the call before. With A for the value of a call and n for
// the calls, A = 3 + 10/n + (4+A) d/n.
func TestWorkSpanOfRecursion(t *testing.T) {
	for _, d := range []float64{0, 1, 7} {
		n := d + 1
		program, regions := workSpan(t, countdown(t, uint64(d)).estimator("", 2), 0)
		span, burdened := 3*n+10+4*d, 3*n+70+64*d
		checkSpan(t, "program", program, cycles{1, 1 + 17*n, 1 + span, 1 + burdened})
		checkSpan(t, "region", regions[0], cycles{n, 14*n + 17*n*d, 10 + d*(4+span), 70 + d*(64+burdened)})
	}
}

// The program's figures are those of the path-based estimate with a processor for each
// section, which package pathwise recomputes; and where no region lies in another, what
// the regions save is what the program saves.
func TestWorkSpanOfRandomPrograms(t *testing.T) {
	flat := 0
	for seed := range int64(300) {
		l := randomLiteral(t, seed, false, 3)
		a, err := Prepare(l.bundle, "f0")
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewSource(seed))
		procs := unequal(r, 1+r.Intn(3), l.costs)
		e, err := a.On(procs)
		if err != nil {
			continue
		}
		serial := r.Intn(len(procs.Costs))
		m := e.allOn(serial)
		seconds := estimate(t, e, m, PathBasedUnmapped)
		free := procs
		free.Overheads = make([]procmodels.Overheads, len(procs.Costs))
		f, err := a.On(free)
		if err != nil {
			t.Fatal(err)
		}
		ideal := estimate(t, f, m, PathBasedUnmapped)
		program, regions := workSpan(t, e, serial)
		if !near(program.Work*1e6, seconds.SequentialSeconds*1e6) || !near(program.Span*1e6, ideal.ParallelSeconds*1e6) || !near(program.BurdenedSpan*1e6, seconds.ParallelSeconds*1e6) {
			t.Fatalf("seed %d: %+v, want work %v, span %v, burdened %v", seed, program, seconds.SequentialSeconds, ideal.ParallelSeconds, seconds.ParallelSeconds)
		}
		saved, burden := 0.0, 0.0
		for _, w := range regions {
			if w.Span > w.BurdenedSpan*(1+1e-9) || w.Span > w.Work*(1+1e-9) {
				t.Fatalf("seed %d: %+v: the span is too long", seed, w)
			}
			saved += w.Work - w.Span
			burden += w.Work - w.BurdenedSpan
		}
		orphans := false
		for _, h := range e.hot {
			for l := range h.levels {
				orphans = orphans || len(h.levels[l].orphans) > 0
			}
		}
		if newSpace(t, e, serial, PathBased).HasGeneral() || orphans || len(regions) == 0 {
			continue
		}
		flat++
		if !near((program.Work-program.Span)*1e6, saved*1e6) || !near((program.Work-program.BurdenedSpan)*1e6, burden*1e6) {
			t.Fatalf("seed %d: the program saves %v, its regions %v", seed, program.Work-program.Span, saved)
		}
	}
	if flat < 50 {
		t.Errorf("only %d programs without regions in regions", flat)
	}
}

func TestSpeedupBounds(t *testing.T) {
	// A tenth is serial: 1 / (0.1 + 0.9/4). Cilkview: 100 / (25 + 1.7*0.75*10).
	if s := AmdahlBound(10, 100, 4); !near(s, 1/(0.1+0.9/4)) {
		t.Errorf("Amdahl: %v", s)
	}
	if s := BurdenedSpeedup(WorkSpan{Work: 100, BurdenedSpan: 10}, 4); !near(s, 100/37.75) {
		t.Errorf("burdened: %v", s)
	}
	if a, b := AmdahlBound(10, 100, 1), BurdenedSpeedup(WorkSpan{Work: 100, BurdenedSpan: 10}, 1); a != 1 || b != 1 {
		t.Errorf("one processor: %v and %v, want 1", a, b)
	}
	if _, _, err := nestedLiteral(t).estimator("", 2).WorkSpan(2); err == nil {
		t.Error("serial processor 2 of 2 is accepted")
	}
}
