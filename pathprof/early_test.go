package pathprof

// This file tests where the planner counts paths, and where it keeps records.

import (
	"reflect"
	"slices"
	"testing"

	"pathspan/build/probe"
	"pathspan/ir/flow"
)

// planOf plans the probes of one function.
func planOf(succs [][]int, calls Calls, leave *leaving) probe.Func {
	var p Planner
	p.Add(0, Number(Request{CFG: flow.AnalyzeGraph(succs)}), calls, leave)
	return p.Plan.Funcs[0]
}

// TestCountsWherePathsAreDecided: both arms of the second branch count on their edge into
// the join, as nothing but the end follows; where a call might stay behind, the end counts.
//
//	0 -> 1, 2;  1, 2 -> 3;  3 -> 4, 5;  4, 5 -> 6;  6 -> 7
func TestCountsWherePathsAreDecided(t *testing.T) {
	succs := [][]int{{1, 2}, {3}, {3}, {4, 5}, {6}, {6}, {7}, nil}
	f := planOf(succs, func(int) bool { return false }, &leaving{})
	count := func(from, counter int) probe.EdgeOps {
		return probe.EdgeOps{Edge: flow.Edge{From: from}, Ops: []probe.Op{{Kind: probe.Count, Counter: counter}}}
	}
	add := probe.EdgeOps{Edge: flow.Edge{From: 2}, Ops: []probe.Op{{Kind: probe.Add, Value: 1}}}
	if want := []probe.EdgeOps{add, count(4, 0), count(5, 2)}; !reflect.DeepEqual(f.Edges, want) || len(f.End) != 0 {
		t.Errorf("edges %v and ends %v, want %v and none", f.Edges, f.End, want)
	}
	f = planOf(succs, func(b int) bool { return b == 7 }, &leaving{})
	if len(f.End) != 1 || f.End[0].Block != 7 || slices.ContainsFunc(f.Edges, func(e probe.EdgeOps) bool { return e.Ops[0].Kind == probe.Count }) {
		t.Errorf("with a call in the last block: edges %v and ends %v", f.Edges, f.End)
	}
}

// TestRecordsStayWhereTheyAreNeeded: block 3 publishes in a loop, so its record is linked,
// but only behind block 1, and it goes with the edge to the return that all share. A block
// behind a rare branch has a record of its own.
//
//	0 -> 1, 6;  1 -> 2;  2 -> 3, 5;  3 -> 2;  5, 6 -> 7
func TestRecordsStayWhereTheyAreNeeded(t *testing.T) {
	succs := [][]int{{1, 6}, {2}, {3, 5}, {2}, nil, {7}, {7}, nil}
	calls := func(b int) bool { return b == 3 || b == 6 }
	f := planOf(succs, calls, &leaving{publish: []int{3, 6}})
	want := &probe.Link{At: 1, Inside: []int{1, 2, 3, 5}, Leaving: []flow.Edge{{From: 5}}, Words: 2}
	got := f.Link
	if got != nil {
		slices.Sort(got.Inside)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("link %+v, want %+v", got, want)
	}
	for _, frame := range f.Frames {
		if linked := frame.Block == 3; frame.Linked != linked {
			t.Errorf("block %d is linked: %v", frame.Block, frame.Linked)
		}
	}
	if f := planOf(succs, calls, &leaving{publish: []int{6}}); f.Link != nil {
		t.Errorf("a single block is linked: %+v", f.Link)
	}
	if f := planOf(succs, calls, &leaving{publish: []int{6}, caught: true}); f.Link == nil || f.Link.At != 0 || len(f.Link.Inside) != 7 || !f.Frames[0].Linked {
		t.Errorf("link %+v where exceptions are caught, want one of all blocks", f.Link)
	}
}
