package explore

// This file holds what a search finds for worksharing loops against all that it could find.

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/testdata/profiled"
)

// mixedLoops is a program of loops and sections.
const mixedLoops = "../testdata/loops/mixed.c"

// unequalOf prices a bundle for processors of these speeds, of which each takes more power the
// faster it is.
func unequalOf(t *testing.T, b *profile.Bundle, speeds ...float64) *estimate.Estimator {
	t.Helper()
	pl := mapping.Homogeneous(len(speeds), "")
	for i, x := range speeds {
		pl.Processors[i].ClockMHz, pl.Processors[i].Power, pl.Processors[i].Idle = 100*x, 0.3*x*x, 0.01
	}
	pl.Other = mapping.Overheads{
		Fork: mapping.Overhead{Cycles: 80}, Join: mapping.Overhead{Cycles: 30}, Dispatch: mapping.Overhead{Cycles: 12}, Barrier: mapping.Overhead{Cycles: 20}, TeamOfOne: mapping.Overhead{Cycles: 9},
	}
	return pricedOn(t, b.WithTeams(len(speeds)), pl)
}

// everyWay visits what the genes can say, by Estimate and not by the space's own figures.
func everyWay(t *testing.T, s *Search, technique estimate.Technique, visit func(m *mapping.Resolved, r estimate.Result)) {
	t.Helper()
	for _, p := range s.problems {
		genes := p.start(p.allowed)
		var next func(g int)
		next = func(g int) {
			if g == len(genes) {
				m := p.space.Mapping(genes)
				if err := m.Check(s.e.Bundle.Program); err != nil {
					t.Fatal(err)
				}
				r, err := s.e.Estimate(m, technique)
				if err != nil {
					t.Fatal(err)
				}
				visit(m, r)
				return
			}
			for v := range int32(p.space.Genes[g].Values) {
				genes[g] = v
				next(g + 1)
			}
		}
		next(0)
	}
}

func TestLoopsAreSharedInTheBestWay(t *testing.T) {
	b := profiled.Program{Source: mixedLoops}.Bundle(t)
	for _, speeds := range [][]float64{{1, 1}, {1, 0.25}, {1, 2, 2}} {
		e := unequalOf(t, b, speeds...)
		for _, algorithm := range []string{"auto", "exhaustive", "branch-and-bound", "annealing", "genetic", "ants", "list", "random"} {
			found := search(t, e, Options{Technique: estimate.ExecutionBased, Algorithm: algorithm, Evaluations: 4000, Seed: 1})
			r, err := e.Estimate(found.Mapping, estimate.ExecutionBased)
			if err != nil {
				t.Fatal(err)
			}
			if !closeTo(r.ParallelSeconds, found.Best.Metrics.Seconds) {
				t.Errorf("%v, %s: %v s found, estimated %v", speeds, algorithm, found.Best.Metrics.Seconds, r.ParallelSeconds)
			}
			if found.Bounds.Combined > r.ParallelSeconds*(1+1e-9) || found.Bounds.Capacity > found.Bounds.Combined*(1+1e-9) {
				t.Errorf("%v, %s: bounds %+v of %v s", speeds, algorithm, found.Bounds, r.ParallelSeconds)
			}
			if proves := slices.Index([]string{"auto", "exhaustive", "branch-and-bound"}, algorithm) >= 0; proves && !found.Proven {
				t.Errorf("%v, %s: not proven", speeds, algorithm)
			}
			if len(speeds) > 2 || algorithm != "exhaustive" {
				continue
			}
			s, err := New(e, Options{Technique: estimate.ExecutionBased})
			if err != nil {
				t.Fatal(err)
			}
			least, tried := math.Inf(1), 0
			everyWay(t, s, estimate.ExecutionBased, func(_ *mapping.Resolved, r estimate.Result) {
				least = min(least, r.ParallelSeconds)
				tried++
			})
			// What gains less than 0.01 % is no way of its own.
			if x := found.Best.Metrics.Seconds; x < least*(1-1e-9) || x > least*(1+1e-4) || tried < 100 {
				t.Errorf("%v: %v s found, the least of %d is %v", speeds, x, tried, least)
			}
		}
	}
}

// Where chunks cost nothing the smallest look best; where they cost much none of few
// iterations is.
func TestChunksThatCostAreLarge(t *testing.T) {
	b := profiled.Program{Source: mixedLoops}.Bundle(t).WithTeams(3)
	smallest := map[float64]int{}
	for _, dispatch := range []float64{0, 5000} {
		pl := mapping.Homogeneous(3, "")
		pl.Other.Dispatch.Cycles = dispatch
		found := search(t, pricedOn(t, b, pl), Options{Technique: estimate.ExecutionBased, Seed: 1})
		for _, rm := range found.Mapping.Regions {
			for _, l := range rm.Loops {
				if l != nil && l.Schedule.Dispatched() && l.Threads > 1 && l.Schedule.Chunk < 8 {
					smallest[dispatch]++
				}
			}
		}
	}
	if smallest[0] == 0 || smallest[5000] > 0 {
		t.Errorf("loops of small chunks by what a chunk costs: %v", smallest)
	}
}

func TestSpacesValueLoopsAsEstimatesDo(t *testing.T) {
	b := profiled.Program{Source: mixedLoops}.Bundle(t)
	for _, technique := range []estimate.Technique{estimate.ExecutionBased, estimate.PathBased, estimate.AverageTime} {
		e := unequalOf(t, b, 1, 3, 0.5)
		s, err := New(e, Options{Technique: technique, Serial: 1})
		if err != nil {
			t.Fatal(err)
		}
		p := s.problems[0]
		f, busy := p.space.NewFast(), make([]float64, 3)
		genes, loops := p.start(p.allowed), 0
		w := s.newWorker(0, 7, 1000)
		for range 60 {
			w.scatter(genes)
			for g := range genes { // all ways, those that are left out as well
				if p.space.Genes[g].Kind == table.Sharing {
					genes[g] = int32(w.random.IntN(p.space.Genes[g].Values))
					loops++
				}
			}
			f.Set(genes)
			m := p.space.Mapping(genes)
			r, err := e.Estimate(m, technique)
			if err != nil || !closeTo(r.ParallelSeconds, f.Seconds()) {
				t.Fatalf("%s: %v s, estimated %v, %v", technique, f.Seconds(), r.ParallelSeconds, err)
			}
			clear(busy)
			f.BusySeconds(busy)
			want, err := e.Busy(m, technique)
			if err != nil {
				t.Fatal(err)
			}
			for q := range want {
				if math.Abs(want[q]-busy[q]) > 1e-9*r.ParallelSeconds {
					t.Fatalf("%s: processor %d is busy for %v s, estimated %v", technique, q, busy[q], want[q])
				}
			}
			g := w.random.IntN(len(genes))
			before := f.Seconds()
			f.Move(g, int32(w.random.IntN(p.space.Genes[g].Values)))
			f.Seconds()
			if f.Undo(); f.Seconds() != before {
				t.Fatalf("%v s after a move was taken back, %v before", f.Seconds(), before)
			}
			roundTrip(t, e, m)
		}
		if loops < 100 {
			t.Errorf("%s: only %d ways of loops", technique, loops)
		}
	}
}

// roundTrip writes a mapping as a file and reads it back.
func roundTrip(t *testing.T, e *estimate.Estimator, m *mapping.Resolved) {
	t.Helper()
	path, text := filepath.Join(t.TempDir(), "m.yaml"), m.YAML(e.Bundle.Program)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := mapping.LoadMapping(path)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	back, err := mapping.Resolve(e.Platform, file, e.Bundle.Program)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if again := back.YAML(e.Bundle.Program); string(again) != string(text) {
		t.Fatalf("\n%s became\n%s", text, again)
	}
	for _, technique := range estimate.Techniques() {
		x, err := e.Estimate(m, technique)
		if err != nil {
			t.Fatal(err)
		}
		y, err := e.Estimate(back, technique)
		if err != nil || x != y {
			t.Fatalf("%s: %+v became %+v (%v) by way of\n%s", technique, x, y, err, text)
		}
	}
}

// Whatever is asked for, a loop's threads keep to the constraints.
func TestLoopsUnderConstraints(t *testing.T) {
	b := profiled.Program{Source: mixedLoops}.Bundle(t)
	e := unequalOf(t, b, 1, 2, 2, 0.5)
	threads := func(m *mapping.Resolved) [][]int {
		var all [][]int
		for r := range m.Regions {
			for c, l := range m.Regions[r].Loops {
				if l != nil {
					all = append(all, m.Regions[r].Proc[c][:l.Threads])
				}
			}
		}
		return all
	}
	used := func(m *mapping.Resolved) int {
		is := map[int]bool{m.Serial: true}
		for r := range m.Regions {
			for _, proc := range m.Regions[r].Proc {
				for _, p := range proc {
					is[p] = true
				}
			}
		}
		return len(is)
	}
	for _, algorithm := range []string{"auto", "annealing"} {
		base := Options{Technique: estimate.ExecutionBased, Algorithm: algorithm, Evaluations: 20000, Seed: 3}
		o := base
		o.Constraints.Forbid = []Rule{{"", e.Platform.Processors[1].Name, "here"}}
		for _, team := range threads(search(t, e, o).Mapping) {
			if slices.Contains(team, 1) || len(team) < 2 {
				t.Errorf("%s: threads on %v, where processor 1 is forbidden", algorithm, team)
			}
		}
		o = base
		o.Constraints.MaxProcessors = 2
		two := search(t, e, o)
		if n := used(two.Mapping); n > 2 || two.Best.Metrics.Processors != n {
			t.Errorf("%s: %d processors used, %d said, of 2", algorithm, n, two.Best.Metrics.Processors)
		}
		o = base
		o.Objective = Processors
		if found := search(t, e, o); used(found.Mapping) != 1 {
			t.Errorf("%s: %d processors, where one does", algorithm, used(found.Mapping))
		}
		o = base
		o.Pareto = []Objective{Speedup, Processors, Energy}
		found := search(t, e, o)
		seen := map[int]bool{}
		for _, c := range found.Front {
			seen[c.Metrics.Processors] = true
			if algorithm == "auto" && c.Metrics.Processors == 2 && c.Metrics.Seconds < two.Best.Metrics.Seconds*(1-1e-9) {
				t.Errorf("the front has %v s on two processors, the best is %v", c.Metrics.Seconds, two.Best.Metrics.Seconds)
			}
		}
		if len(seen) < 3 {
			t.Errorf("%s: a front of %d candidates on %v processors", algorithm, len(found.Front), seen)
		}
		o = base
		o.AnySerial = true
		search(t, e, o)
	}
	// Sections are numbered without the threads of loops.
	o := Options{Technique: estimate.ExecutionBased, Constraints: Constraints{Pin: []Rule{{e.Bundle.Program.Regions[0].Name + "/2", e.Platform.Processors[3].Name, "here"}}}}
	m := search(t, e, o).Mapping
	if m.Regions[0].Proc[2][1] != 3 {
		t.Errorf("sections are on %v, where the second is pinned to 3", m.Regions[0].Proc[2])
	}
	o.Constraints.Pin = []Rule{{e.Bundle.Program.Regions[0].Name + "/3", e.Platform.Processors[3].Name, "here"}}
	if _, err := New(e, o); err == nil || !strings.Contains(err.Error(), "section 3 of region") {
		t.Errorf("%v, where a third section is pinned", err)
	}
}

// Regions in iterations are searched, but not how these are shared: then nothing is proven.
func TestLoopsThatReachRegions(t *testing.T) {
	b := profiled.Text(t, "loops.c", `
double a[400], b[400];
__attribute__((noinline)) void two(int i) {
#pragma omp parallel sections
  {
#pragma omp section
    for (int k = 0; k < 30; k++) a[i] += k / (i + 1.0);
#pragma omp section
    for (int k = 0; k < 40; k++) b[i] += k / (i + 2.0);
  }
}
int main(void) {
#pragma omp parallel for schedule(static, 7)
  for (int i = 0; i < 50; i++)
    two(i);
#pragma omp parallel for
  for (int i = 0; i < 50; i++)
    a[i] += i / 2.5;
  return a[7] < 0;
}
`)
	for _, technique := range []estimate.Technique{estimate.ExecutionBased, estimate.PathBased} {
		e := unequalOf(t, b, 1, 1, 1)
		found := search(t, e, Options{Technique: technique, Seed: 1})
		if found.Proven {
			t.Errorf("%s: proven, where a loop keeps its schedule", technique)
		}
		for r := range found.Mapping.Regions {
			for _, l := range found.Mapping.Regions[r].Loops {
				if l != nil && l.Schedule.Chunk == 7 && l.Threads != 3 {
					t.Errorf("%s: %+v", technique, l)
				}
			}
		}
		roundTrip(t, e, found.Mapping)
	}
}

func TestChunks(t *testing.T) {
	for longest, want := range map[int64][]int64{0: {1}, 1: {1}, 2: {1, 2}, 7: {1, 2, 4}, 1 << 7: {1, 2, 4, 8, 16, 32, 64, 128}, 1 << 14: {1, 4, 16, 64, 256, 1024, 4096, 1 << 14}} {
		if got := chunks(longest); !slices.Equal(got, want) {
			t.Errorf("%d: %v, want %v", longest, got, want)
		}
	}
}

func search(t *testing.T, e *estimate.Estimator, o Options) *Found {
	t.Helper()
	s, err := New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := found.Mapping.Check(e.Bundle.Program); err != nil {
		t.Fatal(err)
	}
	return found
}
