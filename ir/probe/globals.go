package probe

// This file adds what the run-time library needs to find the counters.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// findTargets lists the functions whose address is taken: those are what an
// indirect call inside the module can reach.
func (a *applier) findTargets(funcs []*asm.Func) {
	index := make(map[string]int, len(funcs))
	for i, f := range funcs {
		index[f.Name()] = i
	}
	taken := make([]bool, len(funcs))
	take := func(name string) {
		if i, ok := index[name]; ok {
			taken[i] = true
		}
	}
	for _, g := range a.m.Globals() {
		for _, name := range asm.GlobalNames(g.Text()) {
			take(name)
		}
	}
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				refs := in.GlobalRefs()
				callee := ""
				if c := in.Call(); c != nil {
					callee = c.Callee
				}
				for _, name := range refs {
					if name == callee {
						callee = "" // once: the callee may also be an argument
						continue
					}
					take(name)
				}
			}
		}
	}
	for i, t := range taken {
		if t {
			a.out.Targets = append(a.out.Targets, i)
		}
	}
}

// globals adds the counters, the tables' sizes and the walk over the counters. The
// counters' address is never taken, so that the optimiser knows that no pointer of
// the program reaches them; that is why the walk is a function of the module.
func (a *applier) globals(funcs []*asm.Func) error {
	n := a.p.Counters
	array := fmt.Sprintf("[%d x i64]", n)
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
		fmt.Sprintf("@%s = internal global %s zeroinitializer, align 16", counters, array),
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
		fmt.Sprintf("declare void @%s(i64, %s) nounwind", icallFn, i8ptr),
		fmt.Sprintf("declare void @%s(i64, i64) nounwind", emitFn),
		fmt.Sprintf("declare void @%s(i64, %s) nounwind", returnedFn, i64ptr),
		fmt.Sprintf("declare void @%s(i64, i64, ...) nounwind", leftFn),
	} {
		if err := a.m.AddDecl(text); err != nil {
			return err
		}
	}
	_, err := a.m.AddFunc(fmt.Sprintf(`define void @__pathspan_each_counter() nounwind {
entry:
  br label %%head
head:
  %%i = phi i64 [ 0, %%entry ], [ %%next, %%body ]
  %%more = icmp ult i64 %%i, %d
  br i1 %%more, label %%body, label %%done
body:
  %%p = getelementptr inbounds %s, %s @%s, i64 0, i64 %%i
  %%v = load i64, %s %%p, align 8
  call void @%s(i64 %%i, i64 %%v)
  %%next = add i64 %%i, 1
  br label %%head
done:
  ret void
}
`, n, array, a.m.Pointer(array), counters, i64ptr, emitFn))
	return err
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
