package probe

// This file adds the counters, and what the run-time library needs to find them.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// globals adds the counters, the tables' sizes and the walk over the counters. The
// counters' address is never taken, so that the optimiser knows that no pointer of
// the program reaches them; that is why the walk is a function of the module.
func (a *applier) globals(funcs []*asm.Func) error {
	i64ptr, i8ptr := a.m.Pointer("i64"), a.m.Pointer("i8")
	if !a.p.Calls {
		a.out.Targets = nil
	}
	var targets []string
	for _, i := range a.out.Targets {
		f := funcs[i]
		ref := asm.GlobalRef(f.Name())
		if !a.m.OpaquePointers() {
			ref = fmt.Sprintf("bitcast (%s* %s to i8*)", f.FnType(), ref)
		}
		targets = append(targets, i8ptr+" "+ref)
	}
	var hash strings.Builder
	for _, c := range a.p.Hash {
		fmt.Fprintf(&hash, "\\%02X", c)
	}
	for _, text := range []string{
		fmt.Sprintf("@%s = internal global %s zeroinitializer, align 16", counters, a.p.array()),
		fmt.Sprintf("@__pathspan_counter_count = constant i64 %d", a.p.Counters),
		fmt.Sprintf("@__pathspan_module_hash = constant [32 x i8] c\"%s\", align 16", hash.String()),
		fmt.Sprintf("@__pathspan_table_count = constant i64 %d", a.p.Tables),
		fmt.Sprintf("@__pathspan_site_count = constant i64 %d", len(a.out.CallSites)),
		fmt.Sprintf("@__pathspan_target_count = constant i64 %d", len(targets)),
		fmt.Sprintf("@__pathspan_targets = constant [%d x %s] [%s]", len(targets), i8ptr, strings.Join(targets, ", ")),
		fmt.Sprintf("@__pathspan_threads = constant i64 %d", b2i(a.p.Threads)),
		fmt.Sprintf("@%s = external global %s, align 8", top, i64ptr),
	} {
		if err := a.m.AddGlobal(text); err != nil {
			return err
		}
	}
	for _, text := range []string{
		fmt.Sprintf("declare void @%s(i64, i64) nounwind", hashFn),
		fmt.Sprintf("declare void @%s(i64, i64, i64) nounwind", timesFn),
		fmt.Sprintf("declare void @%s(i64, i64) nounwind", emitFn),
		fmt.Sprintf("declare i64 @llvm.vector.reduce.or.v%[1]di64(<%[1]d x i64>)", walkBlock),
		fmt.Sprintf("declare i64 @llvm.vector.reduce.or.v%[1]di64(<%[1]d x i64>)", walkGroup),
		fmt.Sprintf("declare void @%s(i64, %s) nounwind", returnedFn, i64ptr),
		fmt.Sprintf("declare void @%s(i64, i64, ...) nounwind", leftFn),
	} {
		if err := a.m.AddDecl(text); err != nil {
			return err
		}
	}
	return a.addFunctions()
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
