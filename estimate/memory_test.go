package estimate_test

// This file tests what accesses wait for, and what moves between processors, on bundles that are
// told made-up records of memory.

import (
	"math"
	"math/rand/v2"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
	"pathspan/memory"
	"pathspan/profile"
)

// lanesOf lists the serial lane, regions and sections of a program.
func lanesOf(b *profile.Bundle) []memory.Lane {
	lanes := []memory.Lane{{Kind: memory.Serial, Region: -1, Construct: -1, Section: -1}}
	for r := range b.Program.Regions {
		lanes = append(lanes, memory.Lane{Kind: memory.InRegion, Region: r, Construct: -1, Section: -1})
		for c := range b.Program.Regions[r].Constructs {
			for s := range b.Program.Regions[r].Constructs[c].Sections {
				lanes = append(lanes, memory.Lane{Kind: memory.InSection, Region: r, Construct: c, Section: s})
			}
		}
	}
	return lanes
}

// board has processors with two levels each, the second of which pairs share.
func board(n int) *mapping.Platform {
	pl := mapping.Homogeneous(n, "generic")
	h := &hierarchy.Memory{Main: hierarchy.Main{Latency: hierarchy.Latency{Cycles: 100}}}
	first := hierarchy.Level{Name: "L1", Cache: caches.Cache{Size: 4096, Line: 64}}
	for p := range n {
		first.Processors = append(first.Processors, p)
	}
	h.Caches = append(h.Caches, first)
	for p := 0; p < n; p += 2 {
		l := hierarchy.Level{Name: "L2", Cache: caches.Cache{Size: 65536, Line: 64}, Latency: hierarchy.Latency{Cycles: 10}, Processors: []int{p}}
		if p+1 < n {
			l.Processors, l.Shared = append(l.Processors, p+1), true
		}
		h.Caches = append(h.Caches, l)
	}
	pl.Hierarchy = h
	return pl
}

func on(t *testing.T, b *profile.Bundle, root string, pl *mapping.Platform) *estimate.Estimator {
	t.Helper()
	e, err := estimate.OpenOn(b, pl, root)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// What all lanes wait is what the program takes longer on one processor, however it is spread
// over blocks; and platforms and bundles that know nothing of memory take what they took.
func TestStallsAreKept(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"fun0a", "nested"} {
		b, err := profile.ReadFile("../cmd/pathspan/testdata/" + name + ".pspan")
		if err != nil {
			t.Fatal(err)
		}
		pl := board(4)
		plain := on(t, b, "main", pl)
		b.Memory = &memory.Data{Lanes: lanesOf(b)}
		want, seen := 0.0, pl.Hierarchy.Of(0, 100)
		for l := range b.Memory.Lanes {
			var h caches.Histogram
			for _, lines := range []int64{caches.First, 48, 64, 96, 1024, 1536} {
				x := memory.Reuse{Lane: l, From: -1, Lines: lines, Reads: r.Uint64N(100), Writes: r.Uint64N(100)}
				b.Memory.Reuse = append(b.Memory.Reuse, x)
				h = append(h, caches.Reuse{Lines: lines, Times: float64(x.Reads + x.Writes)})
			}
			want += seen.Stall(h)
		}
		e := on(t, b, "main", pl)
		got := e.Whole(e.Root)[0] - plain.Whole(plain.Root)[0]
		if math.Abs(got-want) > 1e-6*want || e.Charged[0] != e.Charged[3] {
			t.Errorf("%s: takes %v cycles longer, want %v", name, got, want)
		}
		if share := e.MissShare(0); math.Abs(share-want/e.Whole(e.Root)[0]) > 1e-6 {
			t.Errorf("%s: %v of the time", name, share)
		}
		pl.Hierarchy = nil
		bare := on(t, b, "main", pl)
		if bare.Whole(bare.Root)[0] != plain.Whole(plain.Root)[0] || bare.Charged[0] != bare.Costs[0] {
			t.Errorf("%s: without memory it takes another time", name)
		}
	}
}

// Two sections read 100 lines of the serial code, of which one in four is new to them, and the
// third what the first wrote; of what that writes 20 lines are read behind the region. All are in the first level, in
// the order of the run.
func TestTransfersOfSections(t *testing.T) {
	b, err := profile.ReadFile("../cmd/pathspan/testdata/fun0a.pspan")
	if err != nil {
		t.Fatal(err)
	}
	b.Memory = &memory.Data{Lanes: lanesOf(b)}
	const began = 10 // executions of the region
	flow := func(from, to int, lines, bytes uint64) {
		b.Memory.Reuse = append(b.Memory.Reuse, memory.Reuse{Lane: to, First: true, From: from, Lines: 2, Reads: lines * began})
		b.Memory.Flows = append(b.Memory.Flows, memory.Flow{From: memory.Who{Lane: from}, To: memory.Who{Lane: to}, Bytes: 9 * bytes * began, Distinct: bytes * began})
	}
	for l := 2; l < 5; l++ { // sections
		b.Memory.Spans = append(b.Memory.Spans, memory.Span{Lane: l, Times: began})
	}
	flow(0, 2, 100, 25*64)
	flow(0, 3, 100, 25*64)
	flow(2, 4, 10, 10*64)
	flow(4, 0, 20, 20*64)
	pl := board(4)
	e := on(t, b, "main", pl)
	m := mapping.Default(pl, b.Program)
	bare := *b
	bare.Memory = nil
	plain := on(t, &bare, "main", pl)
	for _, c := range []struct {
		proc []int
		// By processor, of one execution: what it waits for; behind the join.
		waits [4]float64
		back  float64
	}{
		{[]int{0, 0, 0}, [4]float64{}, 0},
		{[]int{0, 1, 0}, [4]float64{1: 25 * 10}, 0},
		{[]int{0, 2, 0}, [4]float64{2: 25 * 100}, 0},
		{[]int{1, 2, 3}, [4]float64{1: 25 * 10, 2: 25 * 100, 3: 10 * 100}, 20 * 100},
		{[]int{3, 2, 3}, [4]float64{2: 25 * 100, 3: 25 * 100}, 20 * 100},
		{[]int{0, 0, 1}, [4]float64{1: 10 * 10}, 20 * 10},
	} {
		m.Regions[0].Proc[0] = c.proc
		for _, technique := range []estimate.Technique{estimate.PathBased, estimate.ExecutionBased} {
			rows, err := plain.RowsUnder(technique, m)
			if err != nil {
				t.Fatal(err)
			}
			want := rows.Base[0]
			for _, root := range rows.Roots { // no processor has more to do than its sections and what it waits for
				longest, spread := 0.0, false
				for p := range 4 {
					x, some := 0.0, false
					for s := range 3 {
						if c.proc[s] == p {
							own, _ := rows.Alone(root.Execution, s, 0)
							x, some, spread = x+own, true, spread || p != m.Serial
						}
					}
					if some {
						longest = max(longest, x+c.waits[p])
					}
				}
				if spread {
					longest += 60 + c.back
				}
				want += root.Weight * longest
			}
			got, err := e.Estimate(m, technique)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.ParallelCycles-want) > 1e-9*want {
				t.Errorf("%v, %s: %v cycles, want %v", c.proc, technique, got.ParallelCycles, want)
			}
		}
	}
}

// A section uses 10 lines again behind up to 768 others, which the second level holds for it alone,
// not where another processor uses the same.
func TestSharedCachesAreCrowded(t *testing.T) {
	b, err := profile.ReadFile("../cmd/pathspan/testdata/fun0a.pspan")
	if err != nil {
		t.Fatal(err)
	}
	const began = 10 // executions of the region
	b.Memory = &memory.Data{Lanes: lanesOf(b), Reuse: []memory.Reuse{{Lane: 3, Lines: 768, From: -1, Reads: 10 * began}},
		Spans: []memory.Span{{Lane: 2, Times: began, Lines: 768 * began}, {Lane: 3, Times: began, Lines: 768 * began}, {Lane: 4, Times: began}}}
	pl := board(4)
	e := on(t, b, "main", pl)
	m := mapping.Default(pl, b.Program)
	parallel := func(proc ...int) float64 {
		m.Regions[0].Proc[0] = proc
		r, err := e.Estimate(m, estimate.ExecutionBased)
		if err != nil {
			t.Fatal(err)
		}
		return r.ParallelCycles
	}
	got, want := parallel(1, 0, 1)-parallel(2, 0, 2), 0.0
	rows, err := e.RowsUnder(estimate.ExecutionBased, m)
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range rows.Roots {
		var own [3]float64
		for s := range own {
			own[s], _ = rows.Alone(root.Execution, s, 0)
		}
		want += root.Weight * (max(own[0]+own[2], own[1]+10*(100-10)) - max(own[0]+own[2], own[1]))
	}
	if want == 0 || math.Abs(got-want) > 1e-6 {
		t.Errorf("beside another processor it takes %v cycles longer, want %v", got, want)
	}
	// Each section uses the lines that the one before it in the execution had: all together have no more than one alone.
	for l := range 3 {
		b.Memory.Reuse = append(b.Memory.Reuse, memory.Reuse{Lane: 2 + l, Lines: 1, From: -1, First: true, Reads: 100 * began})
		b.Memory.Between = append(b.Memory.Between, memory.Between{Lane: 2 + l, Last: 2 + (l+2)%3, By: -1, Lines: 768, Times: 5})
	}
	e = on(t, b, "main", pl)
	if got := parallel(1, 0, 1) - parallel(2, 0, 2); got != 0 {
		t.Errorf("beside another processor that uses the same lines it takes %v cycles longer", got)
	}
}
