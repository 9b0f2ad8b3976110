package verify

// This file holds what data cost that lie elsewhere to its second computation, on a bundle that is told made-up records of
// memory.

import (
	"math/rand/v2"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
	"pathspan/memory"
	"pathspan/profile"
)

// told makes up what lanes use of each other.
func told(r *rand.Rand, b *profile.Bundle) *memory.Data {
	d := &memory.Data{Lanes: []memory.Lane{{Region: -1, Construct: -1, Section: -1}}, Objects: []memory.Object{{}}, Places: []memory.Place{{}}}
	for i := range b.Program.Regions {
		for c := range b.Program.Regions[i].Constructs {
			for s := range b.Program.Regions[i].Constructs[c].Sections {
				d.Lanes = append(d.Lanes, memory.Lane{Kind: memory.InSection, Region: i, Construct: c, Section: s})
			}
		}
	}
	for l := range d.Lanes {
		d.Spans = append(d.Spans, memory.Span{Lane: l, Times: 10, Most: 4})
		d.Writes = append(d.Writes, memory.Write{By: memory.Who{Lane: l}, Bytes: 9000})
		for _, lines := range []int64{2, 48, 96, 768} {
			d.Reuse = append(d.Reuse, memory.Reuse{Lane: l, From: -1, Lines: lines, Reads: r.Uint64N(300)})
		}
		for from := range d.Lanes {
			if r.IntN(3) > 0 {
				d.Reuse = append(d.Reuse, memory.Reuse{Lane: l, First: true, From: from, Lines: 2, Reads: r.Uint64N(100)})
				d.Flows = append(d.Flows, memory.Flow{From: memory.Who{Lane: from}, To: memory.Who{Lane: l}, Bytes: 9000, Distinct: r.Uint64N(6000)})
			}
		}
	}
	return d
}

func TestMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	first := func(p ...int) hierarchy.Level {
		return hierarchy.Level{Name: "L1", Cache: caches.Cache{Size: 4096, Line: 64}, Processors: p}
	}
	second := hierarchy.Level{Name: "L2", Cache: caches.Cache{Size: 65536, Line: 64}, Latency: hierarchy.Latency{Cycles: 10}, Processors: []int{0, 1, 2}, Shared: true}
	dram := hierarchy.Main{DRAM: &hierarchy.DRAM{RAS: 35, RCD: 14, CAS: 14, RP: 14, Pins: 8, DataMHz: 20, Banks: 1}}
	bus := hierarchy.Between{Bus: true, Links: []hierarchy.Link{{Latency: 100, GBs: 0.1}}}
	for name, h := range map[string]*hierarchy.Memory{
		"caches": {Caches: []hierarchy.Level{first(0, 1, 2, 3), second}, Main: hierarchy.Main{Latency: hierarchy.Latency{Cycles: 100}}},
		"dram":   {Caches: []hierarchy.Level{first(0, 1, 2, 3), second}, Main: dram},
		"bus":    {Caches: []hierarchy.Level{first(0)}, Local: []hierarchy.Local{{Size: 4096, Processors: []int{1, 2, 3}}}, Main: dram, Between: bus},
		"none":   {Caches: []hierarchy.Level{first(0)}, Local: []hierarchy.Local{{Remote: true, Processors: []int{1, 2, 3}}}, Main: dram, Between: bus},
	} {
		b, err := profile.ReadFile("../../cmd/pathspan/testdata/fun0a.pspan")
		if err != nil {
			t.Fatal(err)
		}
		b.Memory = told(r, b)
		pl := mapping.Homogeneous(4, "generic")
		pl.Hierarchy = h
		e, err := estimate.OpenOn(b, pl, "main")
		if err != nil {
			t.Fatal(err)
		}
		v, err := New(e)
		if err != nil {
			t.Fatal(err)
		}
		bare := map[float64]bool{} // times
		for range 40 {
			m := mapping.Default(pl, b.Program)
			for s := range m.Regions[0].Proc[0] {
				m.Regions[0].Proc[0][s] = r.IntN(4)
			}
			for _, technique := range []estimate.Technique{estimate.ExecutionBased, estimate.PathBased} {
				x, err := e.Estimate(m, technique)
				if err != nil {
					t.Fatal(err)
				}
				bare[x.ParallelCycles] = true
				if err := v.Result(m, technique, &x); err != nil {
					t.Errorf("%s, %v: %v", name, m.Regions[0].Proc[0], err)
				}
				if x.ParallelCycles *= 1.001; v.Result(m, technique, &x) == nil {
					t.Errorf("%s: a wrong time is not found", name)
				}
			}
		}
		if len(bare) < 8 {
			t.Errorf("%s: only %d different times", name, len(bare))
		}
	}
}
