package flow

import (
	"reflect"
	"slices"
	"testing"

	"pathspan/ir"
)

// A switch of two cases that lead to one block has a way fewer than successors; what an invoke does is no branch. Selects
// between vectors are none, and others stand behind all branches.
func TestWays(t *testing.T) {
	block := func(op string, succs ...int) *ir.Block { return &ir.Block{Instrs: []ir.Instr{{Op: op}}, Succs: succs} }
	p := &ir.Program{Funcs: []*ir.Func{{}, {Blocks: []*ir.Block{block("br", 1), block("switch", 2, 3, 2, 1), block("br", 3, 0), block("invoke", 0, 1), block("br", 0, 0)}}}}
	p.Funcs[1].Blocks[1].Instrs = append([]ir.Instr{{Op: "select", Type: "<4 x i32>"}, {Op: "select", Type: "i32"}}, p.Funcs[1].Blocks[1].Instrs...)
	want := []Way{{1, 1, 0, 0}, {1, 1, 1, 0}, {1, 1, 3, 0}, {1, 2, 0, 0}, {1, 2, 1, 0}, {1, 4, 0, 0}, {1, 1, 0, 2}, {1, 1, 1, 2}}
	got := Ways(p)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !slices.IsSortedFunc(got, CompareWays) {
		t.Errorf("%v are not in their order", got)
	}
}
