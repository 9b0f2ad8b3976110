package flow_test

import (
	"slices"
	"testing"

	"pathspan/ir"
	"pathspan/streams"
	"pathspan/streams/flow"
)

// TestNames tells calls of a function apart by as much as is needed.
func TestNames(t *testing.T) {
	p := &ir.Program{Funcs: []*ir.Func{{Source: "once"}, {Source: "lines"}, {Source: "files"}, {Source: "columns"}}}
	trace := &streams.Trace{Statements: []streams.Statement{
		{Func: 0, File: "src/a.c", Line: 1},
		{Func: 1, File: "src/a.c", Line: 2}, {Func: 1, File: "src/a.c", Line: 3},
		{Func: 2, File: "src/a.c", Line: 4}, {Func: 2, File: "src/b.h", Line: 9},
		{Func: 3, File: "src/a.c", Line: 5, Col: 1}, {Func: 3, File: "src/a.c", Line: 5, Col: 7}, {Func: 3, File: "src/a.c", Line: 6},
	}}
	want := []string{"once", "lines:2", "lines:3", "files:a.c:4", "files:b.h:9", "columns:a.c:5:1", "columns:a.c:5:7", "columns:6"}
	got := flow.Names(trace, p)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for i, name := range want {
		if at, err := flow.Find(trace, p, got, name); err != nil || !slices.Equal(at, []int{i}) {
			t.Errorf("%s is %v (%v)", name, at, err)
		}
	}
	if at, _ := flow.Find(trace, p, got, "files"); !slices.Equal(at, []int{3, 4}) {
		t.Errorf("calls of files are %v", at)
	}
}
