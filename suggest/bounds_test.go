package suggest

// This file holds suggestions to what cannot be otherwise, on many programs and platforms:
// times are those of estimate, nothing saves more than its own time, no speed-up is beyond
// what all processors can do, and what is saved together is what the whole program saves.

import (
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
)

func platforms() map[string]*mapping.Platform {
	unequal := mapping.Homogeneous(3, "arm922t")
	unequal.Processors[1].Model, unequal.Processors[2].ClockMHz = "generic", 333
	slow := mapping.Homogeneous(4, "c6000")
	slow.Processors[0].ClockMHz = 40
	slow.Create, slow.Sync = 5000, 3000
	return map[string]*mapping.Platform{"one": mapping.Homogeneous(1, ""), "four": mapping.Homogeneous(4, ""), "unequal": unequal, "slow": slow, "cortex-m4": mapping.Homogeneous(7, "cortex-m4")}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Max(math.Abs(x), math.Abs(y)) }

// checkBounds checks a bundle on a platform.
func checkBounds(t *testing.T, b *profile.Bundle, pl *mapping.Platform) {
	t.Helper()
	e, m := priced(t, b, pl)
	a, err := Of(e, m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Estimate(m, estimate.Answering(b))
	if err != nil {
		t.Fatal(err)
	}
	if !near(a.SequentialSeconds, r.SequentialSeconds) || !near(a.PresentSeconds, r.ParallelSeconds) {
		t.Errorf("times %g and %g, estimate says %g and %g", a.SequentialSeconds, a.PresentSeconds, r.SequentialSeconds, r.ParallelSeconds)
	}
	p, all := prospects(t, e, m)
	most := 0.0 // sum of speeds
	whole := e.Whole(e.Root)
	for _, k := range p.kindOf {
		if whole[k] > 0 {
			most += whole[p.kindOf[p.serial]] / whole[k]
		}
	}
	fastest := 1.0
	for _, fn := range p.order {
		for k, x := range e.Whole(fn) {
			if x > 0 && k != p.kindOf[p.serial] {
				fastest = math.Max(fastest, e.Whole(fn)[p.kindOf[p.serial]]/x)
			}
		}
	}
	equal := p.kinds == 1
	for _, c := range all {
		own := c.under * e.Second()
		if c.SavesSeconds > own*(1+1e-9) || c.AtLeastSeconds > math.Max(0, c.SavesSeconds)+1e-12*own || c.Share > 1+1e-9 || math.IsNaN(c.SavesSeconds) {
			t.Errorf("%s %v: saves %g, at least %g, of its %g", c.Kind, c.Place, c.SavesSeconds, c.AtLeastSeconds, own)
		}
		if equal && c.Regions == nil && c.SavesSeconds > own*(1-1/float64(len(p.kindOf)))*(1+1e-9) {
			t.Errorf("%s %v: saves %g of %g on %d processors", c.Kind, c.Place, c.SavesSeconds, own, len(p.kindOf))
		}
	}
	saved := 0.0
	for i, s := range a.Suggestions {
		saved += s.AddsSeconds
		if s.AddsSeconds <= 0 || s.AddsSeconds > s.SavesSeconds*(1+1e-6) && !s.Bound && i == 0 {
			t.Errorf("suggestion %d adds %g and saves %g", i+1, s.AddsSeconds, s.SavesSeconds)
		}
		if want := a.SequentialSeconds / (a.PresentSeconds - saved); !near(s.Together, want) {
			t.Errorf("suggestion %d: together %g, what they add says %g", i+1, s.Together, want)
		}
		if s.Together > most*fastest*(1+1e-9) || equal && s.Together > most*(1+1e-9) {
			t.Errorf("suggestion %d: speed-up %g, all processors have %g", i+1, s.Together, most)
		}
	}
	if len(pl.Processors) == 1 && a.Suggestions != nil {
		t.Errorf("%d suggestions for one processor", len(a.Suggestions))
	}
}

func TestBoundsOfPrograms(t *testing.T) {
	for _, source := range []string{
		"openmp/nested.c", "openmp/recursive_region.c", "openmp/several_constructs.c", "openmp/loop_and_branch.c", "openmp/many_callers.c", "features/recursion.c", "features/qsort_callback.c", "features/setjmp_loop.c",
		"features/paths_2_70_loop.c", "features/irreducible.c", "features/exceptions.cc", "features/threads.cc", "features/exit_deep.c", "features/virtual_calls.cc",
		"parallel/triangle.c", "parallel/queens.c", "parallel/mergesort.c", "parallel/particles.cc", "parallel/roles.c",
	} {
		t.Run(source, func(t *testing.T) {
			b := profileOf(t, filepath.Join("..", "testdata", source), "2")
			for name, pl := range platforms() {
				t.Run(name, func(t *testing.T) { checkBounds(t, b, pl) })
			}
		})
	}
}

func TestBoundsOfCommittedBundles(t *testing.T) {
	files, err := filepath.Glob("../cmd/pathspan/testdata/*.pspan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bundles: %v", err)
	}
	for _, file := range files {
		b, err := profile.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for name, pl := range platforms() {
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) { checkBounds(t, b, pl) })
		}
	}
}

// Random programs of loops and calls: the choice that is made saves nearly as much as the
// best of all choices.
func TestChoiceAgainstAllChoices(t *testing.T) {
	for seed := range int64(6) {
		r := rand.New(rand.NewSource(seed))
		source := filepath.Join(t.TempDir(), "random.c")
		if err := os.WriteFile(source, []byte(randomProgram(r)), 0o644); err != nil {
			t.Fatal(err)
		}
		b := profileOf(t, source, "1")
		checkBounds(t, b, mapping.Homogeneous(3, ""))
		e, m := priced(t, b, mapping.Homogeneous(3, ""))
		p, all := prospects(t, e, m)
		var left []*prospect
		for _, c := range all {
			if c.why == "" && c.SavesSeconds > leastShare*p.present*e.Second() {
				left = append(left, c)
			}
		}
		if len(left) == 0 {
			t.Errorf("seed %d: %d prospects, want some to choose from", seed, len(left))
		}
		left = left[:min(len(left), 12)]
		got := p.saving(p.rank(left))
		best := 0.0
		for set := range 1 << len(left) {
			var some []*prospect
			for i, c := range left {
				if set>>i&1 > 0 {
					some = append(some, c)
				}
			}
			best = math.Max(best, p.saving(some))
		}
		if p.err != nil {
			t.Fatal(p.err)
		}
		t.Logf("seed %d: %d prospects, %.3f%% of the best saving", seed, len(left), 100*got/best)
		if got < 0.95*best || got > best*(1+1e-9) {
			t.Errorf("seed %d: saves %g, the best choice %g", seed, got, best)
		}
	}
}
