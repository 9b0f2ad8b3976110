package flow

// This file tests the analyses on literal graphs with known answers.

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pathspan/ir"
)

// loopText renders a loop in one line, so that wanted loops read as text.
func loopText(l *Loop) string {
	s := fmt.Sprintf("L%d header %d depth %d parent %d blocks %v latches %v entries %v exits %v",
		l.Index, l.Header, l.Depth, l.Parent, l.Blocks, edgeText(l.Latches), edgeText(l.EntryEdges), edgeText(l.Exits))
	if l.Irreducible {
		s += fmt.Sprintf(" also entered at %v", l.Entries)
	}
	return s
}

func edgeText(edges []Edge) string {
	var parts []string
	for _, e := range edges {
		parts = append(parts, fmt.Sprintf("%d.%d", e.From, e.Index))
	}
	return strings.Join(parts, ",")
}

func regionText(c *CFG, r Region) string {
	return fmt.Sprintf("%s %v if %s", r.Name, r.Blocks, edgeText(c.RegionDeps(r.Index)))
}

type literal struct {
	name    string
	succs   [][]int
	order   []int
	idom    []int
	ipdom   []int
	loops   []string
	regions []string
}

var literals = []literal{
	{
		// Figure 3 of Lattuada, Pilato and Ferrandi; block b of the paper is
		// b-1 here. Their E, F, G, H, I are our E, H, I, F, G, since we name
		// regions by the order of their first blocks.
		//
		//	   0          .---------------.
		//	  / \         v      .-> 6 -. |
		//	 1   2   .--> 4 --> 5        8
		//	  \ /    |    |      '-> 7 -'
		//	   3 ----'    |
		//	              9 --> 10 --> 12
		//	               \--> 11 --^
		name: "figure 3",
		succs: [][]int{
			{1, 2}, {3}, {3}, {4}, {5, 9}, {6, 7}, {8}, {8}, {4}, {10, 11}, {12}, {12}, nil,
		},
		order: []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
		idom:  []int{-1, 0, 0, 0, 3, 4, 5, 5, 5, 4, 9, 9, 9},
		ipdom: []int{3, 3, 3, 4, 9, 8, 8, 8, 4, 12, 12, 12, 13},
		loops: []string{"L0 header 4 depth 1 parent -1 blocks [4 5 6 7 8] latches 8.0 entries 3.0 exits 4.1"},
		regions: []string{
			"A [] if ",
			"B [0 3 4 9 12] if -1.0",
			"C [1] if 0.0",
			"D [2] if 0.1",
			"E [5 8] if 4.0",
			"F [6] if 5.0",
			"G [7] if 5.1",
			"H [10] if 9.0",
			"I [11] if 9.1",
		},
	},
	{
		// Two nested loops: 2 leaves both at once, 6 cannot be reached.
		//
		//	     .--------------.
		//	     v              |
		//	0 -> 1 -> 2 -> 3 -> 4
		//	          |^---'    |
		//	          v         |
		//	     6 -> 5 <-------'
		name:  "nest with a far exit",
		succs: [][]int{{1}, {2}, {3, 5}, {2, 4}, {1, 5}, nil, {5, 1}},
		order: []int{0, 1, 2, 3, 4, 5},
		idom:  []int{-1, 0, 1, 2, 3, 2, -1},
		ipdom: []int{1, 2, 5, 5, 5, 7, -1},
		loops: []string{
			"L0 header 1 depth 1 parent -1 blocks [1 2 3 4] latches 4.0 entries 0.0 exits 2.1,4.1",
			"L1 header 2 depth 2 parent 0 blocks [2 3] latches 3.0 entries 1.0 exits 2.1,3.1",
		},
		regions: []string{
			"A [] if ",
			"B [0 1 2 5] if -1.0",
			"C [3] if 2.0",
			"D [4] if 3.1",
		},
	},
	{
		// The smallest irreducible loop: 1 and 2 are both entered.
		//
		//	   0
		//	  / \
		//	 1 <-> 2 -> 3
		name:  "irreducible",
		succs: [][]int{{1, 2}, {2}, {1, 3}, nil},
		order: []int{0, 1, 2, 3},
		idom:  []int{-1, 0, 0, 2},
		ipdom: []int{2, 2, 3, 4},
		loops: []string{"L0 header 1 depth 1 parent -1 blocks [1 2] latches 2.0 entries 0.0,0.1 exits 2.1 also entered at [2]"},
		regions: []string{
			"A [] if ",
			"B [0 2 3] if -1.0",
			"C [1] if 0.0",
		},
	},
	{
		// Self loop at the entry, two equal successors, and an endless loop
		// behind a branch.
		//
		//	.--.
		//	'->0 => 1 -> 2 -> 3
		//	        |    ^----'
		//	        4
		name:  "self and endless loops",
		succs: [][]int{{0, 1, 1}, {2, 4}, {3}, {2}, nil},
		order: []int{0, 1, 2, 3, 4},
		idom:  []int{-1, 0, 1, 2, 1},
		ipdom: []int{1, 5, 5, 2, 5},
		loops: []string{
			"L0 header 0 depth 1 parent -1 blocks [0] latches 0.0 entries  exits 0.1,0.2",
			"L1 header 2 depth 1 parent -1 blocks [2 3] latches 3.0 entries 1.0 exits ",
		},
		regions: []string{
			"A [] if ",
			"B [0 1] if -1.0",
			"C [2] if 1.0",
			"D [3] if 2.0",
			"E [4] if 1.1",
		},
	},
	{
		// A switch that falls through: 1, 2, 3 run under ever more cases.
		//
		//	0 => 1 -> 2 -> 3 -> 4, also 0 -> 2, 0 -> 3 (twice), 0 -> 4
		name:  "fall through",
		succs: [][]int{{4, 1, 2, 3, 3}, {2}, {3}, {4}, nil},
		order: []int{0, 1, 2, 3, 4},
		idom:  []int{-1, 0, 0, 0, 0},
		ipdom: []int{4, 2, 3, 4, 5},
		regions: []string{
			"A [] if ",
			"B [0 4] if -1.0",
			"C [1] if 0.1",
			"D [2] if 0.1,0.2",
			"E [3] if 0.1,0.2,0.3,0.4",
		},
	},
	{
		name:    "empty",
		succs:   nil,
		order:   nil,
		regions: []string{"A [] if "},
	},
}

func TestLiteralGraphs(t *testing.T) {
	for _, g := range literals {
		t.Run(g.name, func(t *testing.T) {
			c := AnalyzeGraph(g.succs)
			if err := c.Check(); err != nil {
				t.Error(err)
			}
			same(t, "Order", c.Order, g.order)
			same(t, "Idom", c.Idom, g.idom)
			same(t, "Ipdom", c.Ipdom, g.ipdom)
			var loops, regions []string
			for _, l := range c.Loops {
				loops = append(loops, loopText(l))
			}
			for _, r := range c.Regions {
				regions = append(regions, regionText(c, r))
			}
			same(t, "Loops", strings.Join(loops, "\n"), strings.Join(g.loops, "\n"))
			same(t, "Regions", strings.Join(regions, "\n"), strings.Join(g.regions, "\n"))
		})
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

func TestAnalyzeTakesFunctions(t *testing.T) {
	f := &ir.Func{Blocks: []*ir.Block{{Index: 0, Succs: []int{1}}, {Index: 1, Succs: []int{1, 2}}, {Index: 2}}}
	if got, want := Analyze(f), AnalyzeGraph([][]int{{1}, {1, 2}, nil}); !reflect.DeepEqual(got.Loops, want.Loops) || !reflect.DeepEqual(got.Regions, want.Regions) {
		t.Errorf("Analyze and AnalyzeGraph differ: %v, %v", got, want)
	}
}

func TestQuestions(t *testing.T) {
	c := AnalyzeGraph(literals[1].succs)
	for _, q := range []struct {
		what      string
		got, want any
	}{
		{"Target of the function's entry", c.Target(FunctionEntry), 0},
		{"function's entry is back", c.IsBack(FunctionEntry), false},
		{"inner latch is back", c.IsBack(Edge{3, 0}), true},
		{"far exit is back", c.IsBack(Edge{2, 1}), false},
		{"edge from unreachable block is back", c.IsBack(Edge{6, 1}), false},
		{"common loop of 2 and 4", c.CommonLoop(2, 4), 0},
		{"common loop of 4 and 2", c.CommonLoop(4, 2), 0},
		{"common loop of 3 and 2", c.CommonLoop(3, 2), 1},
		{"common loop of 3 and 5", c.CommonLoop(3, 5), -1},
		{"common loop with an unreachable block", c.CommonLoop(3, 6), -1},
		{"4 in inner loop", c.InLoop(1, 4), false},
		{"6 in function", c.InLoop(-1, 6), true},
		{"6 in outer loop", c.InLoop(0, 6), false},
		{"unreachable block dominates itself", c.Dominates(6, 6), false},
		{"exit postdominates 0", c.Postdominates(c.Exit(), 0), true},
		{"0 postdominates exit", c.Postdominates(0, c.Exit()), false},
		{"name of region 701", regionName(701), "ZZ"},
		{"name of region 702", regionName(702), "AAA"},
		{"name of region 26", regionName(26), "AA"},
	} {
		if q.got != q.want {
			t.Errorf("%s: got %v, want %v", q.what, q.got, q.want)
		}
	}
}

func TestSuccessorOutOfRange(t *testing.T) {
	defer func() {
		if got, want := fmt.Sprint(recover()), "flow: AnalyzeGraph: block 1 has successor 2, want one of 0..1"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}()
	AnalyzeGraph([][]int{{1}, {2}})
}
