package probe

// This file lets a program tell where its branches go, so that the run-time library can say which of these a
// predictor does not foretell (build/runtime/branches.c).

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

// Branches writes the calls that tell of branches into a module. It finds them before other probes are written, which add
// branches of their own, and writes behind them.
type Branches struct {
	emitter
	ways    []flow.Way
	at      []*asm.Block // by way
	of      []*asm.Func
	selects map[int]*asm.Instr // by their first way
	p       *ir.Program
}

// bitsOfSwitch are those of a way's number that a predictor remembers where there are more than two.
const bitsOfSwitch = 3

// FindBranches finds the branches of a module, whose view the program is, and the selects that become branches.
func FindBranches(m *asm.Module, p *ir.Program, selects map[flow.Way]bool) *Branches {
	w := &Branches{emitter: emitter{m: m, next: 1 << 23}, p: p, ways: flow.Ways(p), selects: map[int]*asm.Instr{}}
	funcs := m.Funcs()
	for i, way := range w.ways {
		b := funcs[way.Func].Blocks[way.Block]
		w.at, w.of = append(w.at, b), append(w.of, funcs[way.Func])
		if selects[way] {
			w.selects[i] = b.Instrs[ir.InstrAt(b, way.Select-1)]
		}
	}
	return w
}

// Write writes the calls.
func (w *Branches) Write() error {
	var base []string
	for i, way := range w.ways {
		if i == 0 || way.Func != w.ways[i-1].Func || way.Block != w.ways[i-1].Block || way.Select != w.ways[i-1].Select {
			base = append(base, fmt.Sprintf("i32 %d", 2*i))
		}
		branch := len(base) - 1
		if way.Select > 0 {
			if in := w.selects[i]; in != nil {
				w.tellSelect(in, branch, i)
			}
			continue
		}
		succs := w.p.Funcs[way.Func].Blocks[way.Block].Succs
		bits := 1
		if len(succs) > 2 {
			bits = bitsOfSwitch
		}
		for k := range succs {
			if slices.Index(succs, succs[k]) == way.Succ {
				w.onEdge(w.of[i], w.at[i], k, fmt.Sprintf("call void @__pathspan_branched(i32 %d, i32 %d, i32 %d)", branch, i, bits))
			}
		}
	}
	w.globals(fmt.Sprintf("@__pathspan_branch_base = global [%d x i32] [%s], align 4", len(base), strings.Join(base, ", ")),
		fmt.Sprintf("@__pathspan_branch_ways = global [%d x [2 x i64]] zeroinitializer, align 8", len(w.ways)),
		fmt.Sprintf("@__pathspan_branch_way_count = constant i64 %d", len(w.ways)))
	w.declare("declare void @__pathspan_branched(i32, i32, i32) nounwind")
	return w.err
}

// tellSelect tells which value a select takes: way, or the one behind it.
func (w *Branches) tellSelect(in *asm.Instr, branch, way int) {
	taken := w.fresh("takes")
	w.insert(in.Block(), in.Block().Index(in), fmt.Sprintf("%s = select i1 %s, i32 %d, i32 %d", taken, in.Operands()[0].Value, way, way+1),
		fmt.Sprintf("call void @__pathspan_branched(i32 %d, i32 %s, i32 1)", branch, taken))
}
