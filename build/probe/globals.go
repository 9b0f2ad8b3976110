package probe

// This file adds the counters, and what the run-time library needs to find them.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// counters adds the counters, the tables' sizes and the walk over the counters. The
// counters' address is never taken, so that the optimiser knows that no pointer of
// the program reaches them; that is why the walk is a function of the module.
func (a *applier) counters(funcs []*asm.Func) {
	list := []string{
		fmt.Sprintf("@%s = internal global %s zeroinitializer, align 16", counters, a.p.array()),
		fmt.Sprintf("@%s = external global %s, align 8", top, a.i64ptr),
	}
	if a.p.Part != nil {
		list = append(list, fmt.Sprintf("@%s%s = external hidden constant [3 x i64]", firstName, a.p.suffix()))
	} else {
		if !a.p.Calls {
			a.out.Targets = nil
		}
		var targets []string
		for _, i := range a.out.Targets {
			ref := asm.GlobalRef(funcs[i].Name())
			if !a.m.OpaquePointers() {
				ref = fmt.Sprintf("bitcast (%s* %s to i8*)", funcs[i].FnType(), ref)
			}
			targets = append(targets, a.m.Pointer("i8")+" "+ref)
		}
		list = append(append(list, a.p.totals(len(a.out.CallSites), a.m.Pointer("i8"), targets)...), partsTable(nil)...)
	}
	a.globals(list...)
	a.declare(
		fmt.Sprintf("declare void @%s(i64, i64) nounwind", hashFn),
		fmt.Sprintf("declare void @%s(i64, i64, i64) nounwind", timesFn),
		fmt.Sprintf("declare void @%s(i64, i64) nounwind", emitFn),
		fmt.Sprintf("declare i64 @llvm.vector.reduce.or.v%[1]di64(<%[1]d x i64>)", walkBlock),
		fmt.Sprintf("declare i64 @llvm.vector.reduce.or.v%[1]di64(<%[1]d x i64>)", walkGroup),
		fmt.Sprintf("declare void @%s(i64, %s) nounwind", returnedFn, a.i64ptr),
		fmt.Sprintf("declare void @%s(i64, i64, ...) nounwind", leftFn),
	)
	a.addFunctions()
}

// totals are what the run-time library knows of a program beside its counts.
func (p *Plan) totals(sites int, pointer string, targets []string) []string {
	var hash strings.Builder
	for _, c := range p.Hash {
		fmt.Fprintf(&hash, "\\%02X", c)
	}
	return []string{
		fmt.Sprintf("@__pathspan_counter_count = constant i64 %d", p.Counters),
		fmt.Sprintf("@__pathspan_module_hash = constant [32 x i8] c\"%s\", align 16", hash.String()),
		fmt.Sprintf("@__pathspan_table_count = constant i64 %d", p.Tables),
		fmt.Sprintf("@__pathspan_site_count = constant i64 %d", sites),
		fmt.Sprintf("@__pathspan_target_count = constant i64 %d", len(targets)),
		fmt.Sprintf("@__pathspan_targets = constant [%d x %s] [%s]", len(targets), pointer, strings.Join(targets, ", ")),
		fmt.Sprintf("@__pathspan_threads = constant i64 %d", b2i(p.Threads)),
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
