package estimate

// This file holds estimates of random programs and mappings against the oracle of
// brute_test.go and against what must hold for all of them.

import (
	"math/rand"
	"slices"
	"sync"
	"testing"

	"pathspan/mapping"
	"pathspan/procmodels"
)

// unequal returns n processors of two kinds and of different clocks.
func unequal(r *rand.Rand, n int, costs *procmodels.Costs) Processors {
	other := &procmodels.Costs{Model: "other"}
	for _, blocks := range costs.Blocks {
		var out []procmodels.BlockCost
		for _, b := range blocks {
			b.Cycles = float64(r.Intn(60))
			if r.Intn(2) == 0 {
				b.Included = nil
			}
			out = append(out, b)
		}
		other.Blocks = append(other.Blocks, out)
	}
	p := Processors{Platform: mapping.Homogeneous(n, "literal")}
	if r.Intn(2) == 0 {
		some := func() mapping.Overhead { return mapping.Overhead{Cycles: float64(r.Intn(40)), Given: true} }
		p.Platform.Other = mapping.Overheads{Fork: some(), Join: some(), Barrier: some(), Dispatch: some(), TeamOfOne: some()}
	}
	for range n {
		p.Costs = append(p.Costs, []*procmodels.Costs{costs, other}[r.Intn(2)])
		p.ClockMHz = append(p.ClockMHz, []float64{100, 200, 333}[r.Intn(3)])
	}
	return p
}

// randomMapping maps sections anywhere, in any order; some regions explicitly.
func randomMapping(r *rand.Rand, e *Estimator) *mapping.Resolved {
	m := mapping.Default(e.Platform, e.Bundle.Program)
	m.Serial = r.Intn(len(e.Platform.Processors))
	for i := range m.Regions {
		rm := &m.Regions[i]
		rm.Explicit = r.Intn(3) > 0
		for c := range rm.Proc {
			for s := range rm.Proc[c] {
				rm.Proc[c][s] = r.Intn(len(e.Platform.Processors))
			}
			r.Shuffle(len(rm.Order[c]), func(i, j int) { rm.Order[c][i], rm.Order[c][j] = rm.Order[c][j], rm.Order[c][i] })
		}
	}
	return m
}

func TestRandomProgramsAgainstBruteForce(t *testing.T) {
	mapped := 0
	for seed := range int64(250) {
		e, r := randomEstimator(t, seed)
		if len(e.Notes) > 0 {
			t.Fatalf("seed %d: %q", seed, e.Notes)
		}
		for range 4 {
			m := randomMapping(r, e)
			for _, technique := range []Technique{PathBased, PathBasedUnmapped, MaximalTime} { // averages are rows alone: rows_test.go
				res := byLevels(t, e, m, technique)
				b := &brute{e: e, m: m, technique: technique}
				want := b.function(0, m.Serial, false) * e.ClockMHz[m.Serial] / e.ClockMHz[0]
				if !near(res.ParallelCycles, want) {
					t.Fatalf("seed %d, %s: %v cycles, by brute force %v", seed, res.Technique, res.ParallelCycles, want)
				}
				if !near(res.ParallelCycles, res.SequentialCycles) {
					mapped++
				}
			}
		}
	}
	if mapped < 1000 {
		t.Errorf("only %d estimates in which the mapping matters", mapped)
	}
}

// knowPredecessors gives about half of the edges a cost of their own.
func knowPredecessors(r *rand.Rand, l *literal, procs Processors) {
	for i, c := range procs.Costs {
		if slices.Contains(procs.Costs[:i], c) {
			continue
		}
		for fi, f := range l.prog.Funcs {
			for from, b := range f.Blocks {
				for _, to := range slices.Compact(slices.Sorted(slices.Values(b.Succs))) {
					if bc := &c.Blocks[fi][to]; r.Intn(2) == 0 {
						bc.After = append(bc.After, procmodels.AfterCost{Pred: from, Cycles: float64(r.Intn(60))})
					}
				}
			}
		}
	}
}

// The sequential time is the cost of every edge times how often it was taken, where
// every loop's last traversal is in the path around it.
func TestSequentialTimeIsTheCostOfAllEdges(t *testing.T) {
	compared := 0
	for seed := range int64(300) {
		l := randomLiteral(t, seed, false, 3)
		whole := true
		for _, p := range l.bundle.Funcs {
			for i := 0; p != nil && i < len(p.Levels); i++ {
				whole = whole && !p.Levels[i].Collapsed
			}
		}
		if !whole {
			continue
		}
		for f := range l.costs.Blocks {
			for b := range l.costs.Blocks[f] {
				l.costs.Blocks[f][b].Included = nil
			}
		}
		knowPredecessors(rand.New(rand.NewSource(seed)), l, equal(1, l.costs))
		want, behind := 0.0, 0.0
		for e, n := range l.edges {
			c := l.costs.Blocks[e.fn][e.to].Cycles
			for _, a := range l.costs.Blocks[e.fn][e.to].After {
				if a.Pred == e.from {
					c = a.Cycles
					behind += n
				}
			}
			want += n * c
		}
		e := l.estimator("f0", 2)
		m := mapping.Default(e.Platform, l.prog)
		for _, technique := range []Technique{PathBased, AverageTime} {
			r := estimate(t, e, m, technique)
			if !near(r.SequentialCycles*3, want) {
				t.Fatalf("seed %d, %s: %v sequential cycles, want %v", seed, r.Technique, r.SequentialCycles*3, want)
			}
		}
		if behind > 0 && len(e.funcs[0].cfg.Loops) > 0 {
			compared++
		}
	}
	if compared < 20 {
		t.Errorf("only %d programs with loops compared", compared)
	}
}

// The sequential time is the cost of every block times how often it ran.
func TestSequentialTimeIsTheCostOfAllBlocks(t *testing.T) {
	for seed := range int64(200) {
		l := randomLiteral(t, seed, false, 3)
		for f := range l.costs.Blocks { // nothing is included
			for b := range l.costs.Blocks[f] {
				l.costs.Blocks[f][b].Included = nil
			}
		}
		e := l.estimator("f0", 2)
		want := 0.0
		for _, p := range l.bundle.Funcs {
			if p == nil {
				continue
			}
			for b, n := range p.BlockCounts(len(l.prog.Funcs[p.Func].Blocks)) {
				want += float64(n) * l.costs.Blocks[p.Func][b].Cycles
			}
		}
		r := estimate(t, e, mapping.Default(e.Platform, l.prog), PathBased)
		if !near(r.SequentialCycles*3, want) {
			t.Fatalf("seed %d: %v sequential cycles, want %v", seed, r.SequentialCycles*3, want)
		}
	}
}

func TestBounds(t *testing.T) {
	for seed := range int64(200) {
		l := randomLiteral(t, seed, false, 3)
		r := rand.New(rand.NewSource(seed))
		n := 1 + r.Intn(4)
		a, err := Prepare(l.bundle, "f0")
		if err != nil {
			t.Fatal(err)
		}
		procs := equal(n, l.costs)
		procs.Platform.Create, procs.Platform.Sync = 0, 0
		e, err := a.On(procs)
		if err != nil {
			t.Fatal(err)
		}
		m := randomMapping(r, e)
		pb, at, mt := estimate(t, e, m, PathBased), estimate(t, e, m, AverageTime), estimate(t, e, m, MaximalTime)
		const slack = 1 + 1e-9
		if pb.ParallelCycles > pb.SequentialCycles*slack {
			t.Errorf("seed %d: slower than sequential without overheads: %v", seed, pb)
		}
		if pb.ParallelCycles*float64(n)*slack < pb.SequentialCycles {
			t.Errorf("seed %d: faster than %d processors: %v", seed, n, pb)
		}
		// The average of maxima is no less than the maximum of averages, unless processors
		// that compete for nested regions do so in another order.
		if !newSpace(t, e, m.Serial, PathBased).HasGeneral() && (at.ParallelCycles > pb.ParallelCycles*slack || pb.ParallelCycles > mt.ParallelCycles*slack) {
			t.Errorf("seed %d: at %v, pb %v, mt %v", seed, at.ParallelCycles, pb.ParallelCycles, mt.ParallelCycles)
		}
		// Everything on the serial processor: nothing is created, nothing gained.
		e, err = a.On(equal(n, l.costs))
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Regions {
			for c := range m.Regions[i].Proc {
				for s := range m.Regions[i].Proc[c] {
					m.Regions[i].Proc[c][s] = m.Serial
				}
			}
		}
		for _, technique := range []Technique{PathBased, AverageTime, MaximalTime} {
			if r := estimate(t, e, m, technique); !near(r.Speedup, 1) {
				t.Errorf("seed %d: %s speed-up %v on one processor", seed, r.Technique, r.Speedup)
			}
		}
	}
}

// Where each level has one path there is nothing to average.
func TestOnePathPerLevel(t *testing.T) {
	for seed := range int64(100) {
		l := randomLiteral(t, seed, true, 1)
		single := true
		for _, p := range l.bundle.Funcs {
			for i := 0; p != nil && i < len(p.Levels); i++ {
				single = single && len(p.Levels[i].Paths) <= 1
			}
		}
		if !single { // a loop that counts its partial traversals
			continue
		}
		r := rand.New(rand.NewSource(seed))
		e := l.estimator("f0", 3)
		m := randomMapping(r, e)
		pb, at := estimate(t, e, m, PathBased), estimate(t, e, m, AverageTime)
		if !near(pb.ParallelCycles, at.ParallelCycles) {
			t.Errorf("seed %d: pb %v, at %v", seed, pb.ParallelCycles, at.ParallelCycles)
		}
	}
}

// Explanations end in the estimate, and regions add up to blocks.
func TestExplanationsAddUp(t *testing.T) {
	for seed := range int64(120) {
		l := randomLiteral(t, seed, false, 3)
		r := rand.New(rand.NewSource(seed))
		if seed%2 == 0 {
			knowPredecessors(r, l, equal(1, l.costs))
		}
		e := l.estimator("f0", 3)
		m := randomMapping(r, e)
		pb := byLevels(t, e, m, PathBased)
		for level := range l.bundle.Funcs[0].Levels {
			x, err := e.Explain(m, "f0", level)
			if err != nil {
				t.Fatal(err)
			}
			if level == 0 && !near(x.HTC, pb.ParallelCycles) {
				t.Errorf("seed %d: explained %v, estimated %v", seed, x.HTC, pb.ParallelCycles)
			}
			if level > 0 {
				b := &brute{e: e, m: m, technique: PathBased}
				outer := level
				for e.funcs[0].parents[outer] > 0 {
					outer = e.funcs[0].parents[outer]
				}
				proc, inside := b.taskPlace(0, 0, outer-1, m.Serial, false)
				if want := b.loop(0, 0, level, proc, inside); !near(x.HTC, want) {
					t.Errorf("seed %d, level %d: explained %v, by brute force %v", seed, level, x.HTC, want)
				}
			}
			for i := range x.TPC {
				sum := 0.0
				for task, tpc := range x.TPC[i] {
					sum += tpc
					if x.TPCBar[i][task] < tpc || !near(x.Stop[i][task]-x.Start[i][task], x.TPCBar[i][task]) {
						t.Errorf("seed %d, level %d, path %d, task %d: TPC %v, TPC-bar %v", seed, level, i, task, tpc, x.TPCBar[i][task])
					}
				}
				if x.PC[i] > sum+float64(len(x.Tasks))*60+1e-6 {
					t.Errorf("seed %d: path %d ends at %v after %v of work", seed, i, x.PC[i], sum)
				}
			}
		}
	}
}

// Without partial traversals that stop halfway through a region, costs by regions are
// costs by blocks for every path.
func TestRegionsAddUpToBlocks(t *testing.T) {
	cells := 0
	for seed := range int64(150) {
		l := randomLiteral(t, seed, false, 3)
		e := l.estimator("f0", 3)
		m := randomMapping(rand.New(rand.NewSource(seed)), e)
		for fn, p := range l.bundle.Funcs {
			if p == nil {
				continue
			}
			for level := range p.Levels {
				inner := false // a loop inside has a last, partial traversal
				for _, loop := range e.funcs[fn].cfg.Loops {
					inner = inner || loop.Parent >= level-1 && level > 0 || level == 0
				}
				if inner && len(e.funcs[fn].cfg.Loops) > 0 {
					continue
				}
				x, err := e.Explain(m, l.prog.Funcs[fn].Name, level)
				if err != nil {
					t.Fatal(err)
				}
				if x.Differences > 0 {
					t.Errorf("seed %d, %s level %d: %d differences", seed, l.prog.Funcs[fn].Name, level, x.Differences)
				}
				cells += len(x.Paths) * len(x.Tasks)
			}
		}
	}
	if cells < 1000 {
		t.Errorf("only %d cells compared", cells)
	}
}

func TestTwoEstimatesAreEqual(t *testing.T) {
	for seed := range int64(30) {
		first := make([]Result, len(Techniques()))
		for round := range 2 {
			l := randomLiteral(t, seed, false, 3)
			e := l.estimator("f0", 3)
			m := randomMapping(rand.New(rand.NewSource(seed)), e)
			for _, technique := range Techniques() {
				r := estimate(t, e, m, technique)
				if round == 0 {
					first[technique] = r
				} else if r != first[technique] {
					t.Errorf("seed %d: %v, then %v", seed, first[technique], r)
				}
			}
		}
	}
}

// Estimators are shared by the goroutines of a search.
func TestEstimatesAtTheSameTime(t *testing.T) {
	l := randomLiteral(t, 4, false, 3)
	e := l.estimator("f0", 3)
	type job struct {
		m    *mapping.Resolved
		want Result
	}
	var jobs []job
	r := rand.New(rand.NewSource(1))
	for range 20 {
		m := randomMapping(r, e)
		jobs = append(jobs, job{m, estimate(t, e, m, PathBased)})
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for _, j := range jobs {
				if got, err := e.Estimate(j.m, PathBased); err != nil || got != j.want {
					t.Errorf("%v, %v, want %v", got, err, j.want)
				}
			}
		})
	}
	wait.Wait()
}
