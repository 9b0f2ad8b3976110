package flow

import (
	"reflect"
	"testing"

	"pathspan/ir"
)

// A switch of two cases that lead to one block has a way fewer than successors; what an invoke does is no branch.
func TestWays(t *testing.T) {
	block := func(op string, succs ...int) *ir.Block { return &ir.Block{Instrs: []ir.Instr{{Op: op}}, Succs: succs} }
	p := &ir.Program{Funcs: []*ir.Func{{}, {Blocks: []*ir.Block{block("br", 1), block("switch", 2, 3, 2, 1), block("br", 3, 0), block("invoke", 0, 1), block("br", 0, 0)}}}}
	want := []Way{{1, 1, 0}, {1, 1, 1}, {1, 1, 3}, {1, 2, 0}, {1, 2, 1}, {1, 4, 0}}
	if got := Ways(p); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
