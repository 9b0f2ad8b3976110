package estimate_test

// This file tests what is copied between local memories, on a bundle that is told made-up records of memory.

import (
	"math"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
	"pathspan/memory"
	"pathspan/profile"
)

// padded has processors with a local memory each but the first, on a bus of 4 bytes a cycle with 10 cycles of latency.
func padded(n int, local hierarchy.Local) *mapping.Platform {
	pl := mapping.Homogeneous(n, "generic") // at 100 MHz
	for p := 1; p < n; p++ {
		local.Processors = append(local.Processors, p)
	}
	pl.Hierarchy = &hierarchy.Memory{
		Caches:  []hierarchy.Level{{Name: "L1", Cache: caches.Cache{Size: 4096, Line: 64}, Processors: []int{0}}},
		Local:   []hierarchy.Local{local},
		Main:    hierarchy.Main{Latency: hierarchy.Latency{Cycles: 100}},
		Between: hierarchy.Between{Bus: true, Links: []hierarchy.Link{{Latency: 100, GBs: 0.4}}},
	}
	return pl
}

// Each section reads 4 lines that the serial code wrote, of which the third reads 40 bytes alone, and of what the second
// wrote 96 bytes are read behind the region, by two places, in an object of 64.
func TestCopiesOfSections(t *testing.T) {
	b, err := profile.ReadFile("../cmd/pathspan/testdata/fun0a.pspan")
	if err != nil {
		t.Fatal(err)
	}
	const began = 10 // executions of the region
	d := &memory.Data{Lanes: lanesOf(b), Objects: []memory.Object{{}, {Kind: memory.Global, Name: "out", Func: -1, Place: -1, Size: 64}}, Places: []memory.Place{{}}}
	b.Memory = d
	for l := 2; l < 5; l++ {
		bytes := uint64(4 * 64)
		if l == 4 {
			bytes = 40
		}
		d.Spans = append(d.Spans, memory.Span{Lane: l, Times: began, Most: uint64(l)})
		d.Reuse = append(d.Reuse, memory.Reuse{Lane: l, First: true, From: 0, Lines: 2, Reads: 4 * began, Writes: 9 * began})
		d.Flows = append(d.Flows, memory.Flow{From: memory.Who{Lane: 0}, To: memory.Who{Lane: l}, Bytes: bytes * began, Distinct: 1})
		// What a lane reads of itself is not copied.
		d.Reuse = append(d.Reuse, memory.Reuse{Lane: l, First: true, From: l, Lines: 2, Reads: 77 * began})
	}
	d.Writes = []memory.Write{{Object: 1, By: memory.Who{Lane: 3}, Bytes: 500 * began}}
	for range 2 {
		d.Flows = append(d.Flows, memory.Flow{Object: 1, From: memory.Who{Lane: 3}, To: memory.Who{Lane: 0}, Bytes: 48 * began, Distinct: 48 * began})
	}
	for _, c := range []struct {
		proc []int
		in   [4]float64 // by processor: what copying takes before its sections
		out  [4]float64
	}{
		{[]int{0, 0, 0}, [4]float64{}, [4]float64{}},
		{[]int{0, 0, 2}, [4]float64{2: 10 + 40/4}, [4]float64{}},
		{[]int{0, 1, 0}, [4]float64{1: 10 + 256/4}, [4]float64{1: 10 + 64/4}},
		// 40 bytes at half of the rate, the other has 40 then.
		{[]int{0, 1, 3}, [4]float64{1: 10 + 20 + 216/4, 3: 10 + 20}, [4]float64{1: 10 + 64/4}},
		{[]int{2, 2, 0}, [4]float64{2: 2*10 + 512/4}, [4]float64{2: 10 + 64/4}},
	} {
		pl := padded(4, hierarchy.Local{Name: "pad", Size: 4 * 64})
		e := on(t, b, "main", pl)
		m := mapping.Default(pl, b.Program)
		m.Regions[0].Proc[0] = c.proc
		for _, technique := range []estimate.Technique{estimate.PathBased, estimate.ExecutionBased} {
			rows, err := e.RowsUnder(technique, m)
			if err != nil {
				t.Fatal(err)
			}
			want := rows.Base[0]
			for _, root := range rows.Roots {
				longest, spread := 0.0, false
				for p := range 4 {
					x, some := c.in[p]+c.out[p], false
					for s := range 3 {
						if c.proc[s] == p {
							own, _ := rows.Alone(root.Execution, s, rows.KindOf[p])
							x, some, spread = x+own, true, spread || p != m.Serial
						}
					}
					if some {
						longest = max(longest, x)
					}
				}
				if spread {
					longest += 60
				}
				want += root.Weight * longest
			}
			got, err := e.Estimate(m, technique)
			if err != nil {
				t.Fatal(err)
			}
			// What was read of the second section is in no cache of the serial processor.
			if back := got.ParallelCycles - want; math.Abs(back) > 1e-9*want {
				t.Errorf("%v, %s: %v cycles, want %v", c.proc, technique, got.ParallelCycles, want)
			}
		}
	}
	// The third section uses 4 lines, the second 3.
	pl := padded(4, hierarchy.Local{Name: "pad", Size: 3 * 64})
	e := on(t, b, "main", pl)
	m := mapping.Default(pl, b.Program)
	m.Regions[0].Proc[0] = []int{0, 2, 1}
	_, err = e.Estimate(m, estimate.ExecutionBased)
	const want = "processor cpu1 has a local memory of 192 bytes (pad), and section 3 of region fun0.c:fun_0#1 (line"
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), " uses 256, by its footprint in the profile: ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	if m.Regions[0].Proc[0] = []int{2, 1, 0}; e.Rooms(m) != nil {
		t.Error(e.Rooms(m))
	}
	// With copies: none, each of the 32 accesses of 8 bytes of the first section takes 10 cycles and 2 for its bytes.
	pl = padded(4, hierarchy.Local{Name: "pad", Remote: true})
	e = on(t, b, "main", pl)
	m.Regions[0].Proc[0] = []int{0, 0, 0}
	rows, err := e.RowsUnder(estimate.ExecutionBased, m)
	if err != nil {
		t.Fatal(err)
	}
	m.Regions[0].Proc[0] = []int{1, 0, 0}
	got, err := e.Estimate(m, estimate.ExecutionBased)
	if err != nil {
		t.Fatal(err)
	}
	total := rows.Base[0]
	for _, root := range rows.Roots {
		var own [3]float64
		for s := range own {
			own[s], _ = rows.Alone(root.Execution, s, 0)
		}
		total += root.Weight * (60 + max(own[0]+32*10+256/4, own[1]+own[2]))
	}
	if math.Abs(got.ParallelCycles-total) > 1e-9*total {
		t.Errorf("each access crosses: %v cycles, want %v", got.ParallelCycles, total)
	}
}
