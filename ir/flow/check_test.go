package flow

// This file tests that the checker notices damage.

import (
	"slices"
	"strings"
	"testing"
)

func TestCheckNotices(t *testing.T) {
	damages := []struct {
		name   string
		damage func(c *CFG)
		want   string // part of the message
	}{
		{"length", func(c *CFG) { c.LoopOf = c.LoopOf[:6] }, "LoopOf is for 6 blocks"},
		{"reachability", func(c *CFG) { c.Reachable[6] = true }, "block 6 has Reachable"},
		{"order", func(c *CFG) { c.Order = slices.Clone(c.Order); c.Order[0], c.Order[1] = 1, 0 }, "Pos says"},
		{"short order", func(c *CFG) { c.Order = c.Order[:5] }, "5 blocks are in Order"},
		{"cycle", func(c *CFG) { c.Loops[1].Header = 3 }, "back edge"},
		{"preds", func(c *CFG) { c.Preds[5] = c.Preds[5][1:] }, "edges into block 5"},
		{"latches", func(c *CFG) { c.Loops[0].Latches = nil }, "latches"},
		{"exits", func(c *CFG) { c.Loops[0].Exits = c.Loops[0].Exits[:1] }, "exits"},
		{"entry edges", func(c *CFG) { c.Loops[1].EntryEdges = nil }, "entry edges"},
		{"irreducible", func(c *CFG) { c.Loops[1].Irreducible = true }, "entries"},
		{"depth", func(c *CFG) { c.Loops[1].Depth = 1 }, "depth"},
		{"children", func(c *CFG) { c.Loops[0].Children = nil }, "no loop is headed by block 2"},
		{"parent", func(c *CFG) { c.Loops[1].Parent = 1 }, "not a child of its parent"},
		{"innermost loop", func(c *CFG) { c.LoopOf[3] = 0 }, "innermost"},
		{"idom", func(c *CFG) { c.Idom[4] = 4 }, "immediate dominator"},
		{"ipdom", func(c *CFG) { c.Ipdom[0] = -1 }, "immediate postdominator"},
		{"dominator tree", func(c *CFG) { c.dom = newTree([]int{-1, 0, 0, 2, 3, 2, -1}, 0) }, "dominates"},
		{"region of block", func(c *CFG) { c.RegionOf[3] = 1 }, "RegionOf"},
		{"region name", func(c *CFG) { c.Regions[2].Name = "X" }, "named X"},
		{"region deps", func(c *CFG) { c.RegionDeps(2)[0].Index = 1 }, "depends on"},
		{"merged regions", func(c *CFG) {
			c.Regions = c.Regions[:3]
			c.Regions[2].Blocks, c.RegionOf[4] = []int{3, 4}, 2
		}, "block 4 depends on"},
		{"split region", func(c *CFG) {
			last := c.Regions[1]
			last.Index, last.Name, last.Blocks = 4, "E", []int{5}
			c.Regions, c.listed = append(c.Regions, last), append(c.listed, c.listed[1])
			c.Regions[1].Blocks, c.RegionOf[5] = []int{0, 1, 2}, 4
		}, "same dependences"},
	}
	for _, d := range damages {
		c := AnalyzeGraph(literals[1].succs)
		c.RegionDeps(0) // lists those of all
		d.damage(c)
		if err := c.Check(); err == nil {
			t.Errorf("%s: the checker noticed nothing", d.name)
		} else if !strings.Contains(err.Error(), d.want) {
			t.Errorf("%s: got %q, want it to mention %q", d.name, err, d.want)
		}
	}
}

// TestManyDependences takes a function with as many dependences as its blocks squared.
func TestManyDependences(t *testing.T) {
	n := 1500
	c := AnalyzeGraph(fallThrough(n))
	for b := 1; b < n-1; b++ {
		r := c.Regions[c.RegionOf[b]]
		if deps := c.RegionDeps(r.Index); len(r.Blocks) != 1 || len(deps) != b {
			t.Fatalf("region of case %d: %d blocks, %d dependences", b, len(r.Blocks), len(deps))
		}
	}
	var want []Edge
	for i := range 1234 {
		want = append(want, Edge{0, i})
	}
	if got := c.RegionDeps(c.RegionOf[1234]); !slices.Equal(got, want) {
		t.Errorf("case 1234 depends on %v, want the first 1234 edges of the switch", got)
	}
}
