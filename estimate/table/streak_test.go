package table

// This file holds streaks against sums that are taken by hand, and what searches, the sliders
// and timelines make of them against each other.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/ir"
	"pathspan/mapping"
)

// randomStreaks is a table of one region with three constructs, of which threads go on from the
// second to the third, with a random mapping and the time that it takes.
func randomStreaks(r *rand.Rand, processors int) (*Table, *mapping.Resolved, *ir.Program, float64) {
	sizes := []int{1 + r.IntN(3), 1 + r.IntN(3), 1 + r.IntN(3)}
	m := Machine{KindOf: make([]int, processors), Kinds: 1, Streaks: [][][]int{{nil, sizes[1:], nil}},
		Edges: [][]Edges{{{Fork: true, Barrier: true}, {Join: true}, {}}}}
	one := func() []float64 {
		x := make([]float64, processors)
		for p := range x {
			x[p] = float64(r.IntN(4))
		}
		return x
	}
	m.Create, m.Sync, m.Fork, m.Join, m.Barrier, m.TeamOfOne = one(), one(), one(), one(), one(), one()
	rm := mapping.RegionMap{Explicit: true}
	prog := &ir.Program{Regions: []ir.Region{{}}}
	for c, n := range sizes {
		rm.Order = append(rm.Order, r.Perm(n))
		var proc []int
		for range n {
			proc = append(proc, r.IntN(processors))
		}
		rm.Proc = append(rm.Proc, proc)
		prog.Regions[0].Constructs = append(prog.Regions[0].Constructs, ir.Construct{Sections: make([]ir.Section, n), NoWait: c == 1})
	}
	b, want := NewBuilder(m, 1), 0.0
	for _, constructs := range [][]int{{0}, {1, 2}} {
		for range 1 + r.IntN(3) {
			load, used, forks := make([]float64, processors), make([]bool, processors), false
			var lanes [][]Part
			for _, c := range constructs {
				for s := range sizes[c] {
					if c == 2 && r.IntN(4) == 0 {
						lanes = append(lanes, nil)
						continue
					}
					x, p := float64(1+r.IntN(50)), rm.Proc[c][s]
					lanes = append(lanes, []Part{{Own: []float64{x}, Set: -1}})
					load[p], used[p], forks = load[p]+x, true, forks || p != 0
				}
			}
			longest := 0.0
			for p := range load {
				if forks && used[p] {
					load[p] += m.Create[p] + m.Sync[p]
				}
				longest = max(longest, load[p])
			}
			switch {
			case forks && constructs[0] == 0:
				longest += m.Fork[0] + m.Barrier[0]
			case forks:
				longest += m.Join[0]
			case constructs[0] == 0:
				longest += m.TeamOfOne[0]
			}
			weight := float64(1 + r.IntN(3))
			want += weight * longest
			b.Root(b.Execution(0, constructs[0], 1, lanes), weight)
		}
	}
	t, err := b.Table([]float64{0})
	if err != nil {
		panic(err)
	}
	return t, &mapping.Resolved{Platform: mapping.Homogeneous(processors, ""), Regions: []mapping.RegionMap{rm}}, prog, want
}

func TestStreaks(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		table, m, prog, want := randomStreaks(r, 1+r.IntN(3))
		v := table.NewValuer()
		got, err := v.Value(m)
		if err != nil || math.Abs(got-want) > 1e-9*want {
			t.Fatalf("seed %d: %v cycles (%v), want %v", seed, got, err, want)
		}
		played := 0.0
		if err := v.Play(m, func(p *Played) {
			played += p.Weight * p.Span
			for _, e := range p.Events {
				region, construct := table.Construct(p.Execution)
				if e.Kind != Work {
					continue
				}
				c, s := table.Split(region, construct, e.Section)
				if c != construct && (construct != 1 || c != 2) || e.Processor != m.Regions[0].Proc[c][s] {
					t.Fatalf("seed %d: lane %d of construct %d is section %d of %d on processor %d", seed, e.Section, construct, s, c, e.Processor)
				}
			}
		}); err != nil || math.Abs(played-want) > 1e-9*want {
			t.Fatalf("seed %d: plays %v cycles (%v), want %v", seed, played, err, want)
		}
		for _, root := range table.Roots {
			table.Walk(root.Execution, nil, func(s Step) {
				if c := prog.Regions[0].Constructs[s.Construct]; s.Mark == ir.SectionBegin && s.Section >= len(c.Sections) {
					t.Fatalf("seed %d: section %d of %d in construct %d", seed, s.Section, len(c.Sections), s.Construct)
				}
			})
		}
		alike := make([]int, len(table.KindOf))
		for p := range alike {
			alike[p] = p
		}
		reduced, err := table.Reduce(m, alike)
		if err != nil {
			t.Fatal(err)
		}
		ones := slices.Repeat([]float64{1}, len(alike))
		if x, err := reduced.Value(0, ones, table.Create, table.Sync); err != nil || math.Abs(x-want) > 1e-9*want {
			t.Fatalf("seed %d: reduced, %v cycles (%v), want %v", seed, x, err, want)
		}
		// Each candidate of a search takes what it is valued at, and is within the bounds.
		space := NewSpace(table, m.Platform, prog, 0, 1, nil, nil)
		f, low := space.NewFast(), space.Bounds(nil)
		genes := make([]int32, len(space.Genes))
		for range 10 {
			for g := range genes {
				genes[g] = int32(r.IntN(space.Genes[g].Values))
			}
			f.Set(genes)
			x, err := v.Value(space.Mapping(genes))
			if err != nil || math.Abs(f.Seconds()-x) > 1e-9*x || x < low.Combined-1e-9*x {
				t.Fatalf("seed %d: a candidate takes %v and is valued at %v (%v), bound %v", seed, f.Seconds(), x, err, low.Combined)
			}
		}
	}
}
