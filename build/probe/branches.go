package probe

// This file lets a program tell where its branches go, so that the run-time library can say which of these a
// predictor does not foretell (build/runtime/branches.c).

import (
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

// Branches writes the calls that tell of branches into a module. It finds them before other probes are written, which add
// branches of their own, and writes behind them.
type Branches struct {
	emitter
	ways []flow.Way
	at   []*asm.Block // by way
	of   []*asm.Func
	p    *ir.Program
}

// bitsOfSwitch are those of a way's number that a predictor remembers where there are more than two.
const bitsOfSwitch = 3

// FindBranches finds the branches of a module, whose view the program is.
func FindBranches(m *asm.Module, p *ir.Program) *Branches {
	w := &Branches{emitter: emitter{m: m, next: 1 << 23}, p: p, ways: flow.Ways(p)}
	funcs := m.Funcs()
	for _, way := range w.ways {
		w.at, w.of = append(w.at, funcs[way.Func].Blocks[way.Block]), append(w.of, funcs[way.Func])
	}
	return w
}

// Write writes the calls.
func (w *Branches) Write() error {
	base := ""
	count, first := 0, 0
	for i, way := range w.ways {
		if i > 0 && (way.Func != w.ways[i-1].Func || way.Block != w.ways[i-1].Block) {
			count++
			first = i
		}
		if i == first {
			if i > 0 {
				base += ", "
			}
			base += fmt.Sprintf("i32 %d", 2*i)
		}
		succs := w.p.Funcs[way.Func].Blocks[way.Block].Succs
		bits := 1
		if len(succs) > 2 {
			bits = bitsOfSwitch
		}
		for k := range succs {
			if slices.Index(succs, succs[k]) == way.Succ {
				w.onEdge(w.of[i], w.at[i], k, fmt.Sprintf("call void @__pathspan_branched(i32 %d, i32 %d, i32 %d)", count, i, bits))
			}
		}
	}
	if len(w.ways) == 0 {
		count--
	}
	w.globals(fmt.Sprintf("@__pathspan_branch_base = global [%d x i32] [%s], align 4", count+1, base),
		fmt.Sprintf("@__pathspan_branch_ways = global [%d x [2 x i64]] zeroinitializer, align 8", len(w.ways)),
		fmt.Sprintf("@__pathspan_branch_way_count = constant i64 %d", len(w.ways)))
	w.declare("declare void @__pathspan_branched(i32, i32, i32) nounwind")
	return w.err
}
