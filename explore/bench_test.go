package explore

// This file measures candidates a second: on the paper's example, on the largest program
// of testdata, and on made programs of 10 to 1,000 tasks. Every candidate differs from
// the one before by where one section runs.

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
	"pathspan/memory"
	"pathspan/procmodels"
	"pathspan/testdata/profiled"
)

func benchmarkMoves(b *testing.B, e *estimate.Estimator) {
	benchmarkMovesBy(b, e, estimate.PathBased)
}

// benchmarkMovesBy moves sections at random, on all cores.
func benchmarkMovesBy(b *testing.B, e *estimate.Estimator, t estimate.Technique) {
	space, err := e.NewSpace(0, t)
	if err != nil {
		b.Fatal(err)
	}
	rows := 0
	for i := range space.Units {
		rows += space.Units[i].Rows
	}
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		f := space.NewFast()
		x := uint32(1)
		sum := 0.0
		for pb.Next() {
			x = x*1664525 + 1013904223
			g := int(x>>16) % len(space.Genes)
			f.Move(g, int32(int(x>>8&0xff)%space.Genes[g].Values))
			sum += f.Seconds()
		}
		if sum < 0 { // so that it is needed
			b.Error("less than no time")
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "candidates/s")
	b.ReportMetric(float64(rows), "rows")
}

func BenchmarkCandidates(b *testing.B) {
	b.Run("fun0", func(b *testing.B) { benchmarkMoves(b, fun0(b, "a")) })
	for _, tasks := range []int{10, 30, 100, 300, 1000} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			bundle, costs := synthetic(r, tasks/10, 10, 64)
			benchmarkMoves(b, on(b, bundle, 4, costs(), costs()))
		})
	}
	// All sections in one construct: a move values all of it anew.
	for _, tasks := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("one-construct=%d", tasks), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			bundle, costs := synthetic(r, 1, tasks, 64)
			benchmarkMoves(b, on(b, bundle, 4, costs(), costs()))
		})
	}
}

// BenchmarkMemory has sections that read what serial code and each other wrote, on two pairs of processors
// that share a cache each.
func BenchmarkMemory(b *testing.B) {
	for _, tasks := range []int{10, 100} {
		b.Run(fmt.Sprintf("tasks=%d", tasks), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 1))
			bundle, costs := synthetic(r, tasks/10, 10, 64)
			d := &memory.Data{Lanes: []memory.Lane{{Kind: memory.Serial, Region: -1, Construct: -1, Section: -1}}}
			for i := range bundle.Program.Regions {
				for c := range bundle.Program.Regions[i].Constructs {
					for s := range bundle.Program.Regions[i].Constructs[c].Sections {
						lane := len(d.Lanes)
						d.Lanes = append(d.Lanes, memory.Lane{Kind: memory.InSection, Region: i, Construct: c, Section: s})
						d.Spans = append(d.Spans, memory.Span{Lane: lane, Times: 10})
						for _, from := range []int{0, lane - 1, lane - 2} {
							from = max(from, 0)
							d.Reuse = append(d.Reuse, memory.Reuse{Lane: lane, Lines: 96, Reads: 100}, memory.Reuse{Lane: lane, First: true, From: from, Lines: 96, Reads: 100})
							d.Flows = append(d.Flows, memory.Flow{From: memory.Who{Lane: from}, To: memory.Who{Lane: lane}, Distinct: 1 << 20})
						}
					}
				}
			}
			bundle.Memory = d
			pl := mapping.Homogeneous(4, "")
			pl.Hierarchy = &hierarchy.Memory{Main: hierarchy.Main{Latency: hierarchy.Latency{Cycles: 100}}, Caches: []hierarchy.Level{
				{Name: "L1", Cache: caches.Cache{Size: 4096, Line: 64}, Processors: []int{0, 1, 2, 3}},
				{Name: "L2", Cache: caches.Cache{Size: 8192, Line: 64}, Processors: []int{0, 1}, Shared: true, Latency: hierarchy.Latency{Cycles: 9}},
				{Name: "L2", Cache: caches.Cache{Size: 8192, Line: 64}, Processors: []int{2, 3}, Shared: true, Latency: hierarchy.Latency{Cycles: 9}},
			}}
			a, err := estimate.Prepare(bundle, "")
			if err != nil {
				b.Fatal(err)
			}
			c := costs()
			e, err := a.On(estimate.Processors{Platform: pl, Costs: []*procmodels.Costs{c, c, c, c}, ClockMHz: []float64{100, 100, 100, 100}})
			if err != nil {
				b.Fatal(err)
			}
			benchmarkMoves(b, e)
		})
	}
}

// BenchmarkLargest is the program of testdata with the most merged paths in constructs.
func BenchmarkLargest(b *testing.B) {
	e := priced(b, profiled.Program{Source: filepath.Join("..", "testdata", "bench/paper/susan_corners.c"), Args: []string{"small-image", "small"}}.Bundle(b), 4)
	for _, t := range []estimate.Technique{estimate.PathBased, estimate.ExecutionBased} {
		b.Run(t.String(), func(b *testing.B) { benchmarkMovesBy(b, e, t) })
	}
}

// BenchmarkSusan is where memory has a part in each candidate: the program of testdata on a platform with caches, and with local memories that are copied to.
func BenchmarkSusan(b *testing.B) {
	for _, source := range []string{"susan/susan.c", "bench/paper/susan_corners.c"} {
		args := []string{"4"}
		if source != "susan/susan.c" {
			args = []string{"small-image", "small"}
		}
		for _, file := range []string{"cortex-a53", "c6678"} {
			pl, err := mapping.LoadPlatform(filepath.Join("..", "examples", "platforms", file+".yaml"))
			if err != nil {
				b.Fatal(err)
			}
			for _, t := range []estimate.Technique{estimate.PathBased, estimate.ExecutionBased} {
				b.Run(fmt.Sprintf("%s/%s/%s", filepath.Base(source), file, t), func(b *testing.B) {
					e := pricedOn(b, profiled.Program{Source: filepath.Join("..", "testdata", source), Args: args, Memory: true}.Bundle(b), pl)
					benchmarkMovesBy(b, e, t)
				})
			}
		}
	}
}

// BenchmarkNested values regions within regions, with the evaluator for everything.
func BenchmarkNested(b *testing.B) {
	benchmarkMoves(b, priced(b, profiled.Program{Source: "../testdata/openmp/nested.c"}.Bundle(b), 4))
}

// BenchmarkWhole sets candidates as a whole, as genetic algorithms do.
func BenchmarkWhole(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	bundle, costs := synthetic(r, 10, 10, 64)
	e := on(b, bundle, 4, costs(), costs())
	space, err := e.NewSpace(0, estimate.PathBased)
	if err != nil {
		b.Fatal(err)
	}
	f, genes := space.NewFast(), make([]int32, len(space.Genes))
	b.ReportAllocs()
	for b.Loop() {
		for g := range genes {
			genes[g] = int32(r.IntN(4))
		}
		f.Set(genes)
		_ = f.Seconds()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "candidates/s")
}

// BenchmarkSearch is annealing as a whole: random numbers, acceptance, the best kept.
func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	bundle, costs := synthetic(r, 3, 10, 64)
	e := on(b, bundle, 4, costs(), costs())
	const budget = 200_000
	for b.Loop() {
		run(b, e, Options{Algorithm: "annealing", Evaluations: budget})
	}
	b.ReportMetric(float64(b.N)*budget/b.Elapsed().Seconds(), "candidates/s")
}
