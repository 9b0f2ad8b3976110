package probe

// This file counts the targets of indirect calls. Each site has some pairs of target and
// count in the module, and a target's address tells which is its own (functions.ll). A
// target that finds another there takes the pair over, and what the other had counted goes
// to the run-time library, so that counts are exact whatever the order of the calls. In
// programs with threads no pair is taken over: the library counts targets that find none.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// Targets lists the functions whose address is taken, by index: those are what an indirect
// call inside the module can reach.
func Targets(m *asm.Module) []int {
	funcs := m.Funcs()
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
	for _, g := range m.Globals() {
		for _, name := range asm.GlobalNames(g.Text()) {
			take(name)
		}
	}
	for _, f := range funcs {
		for in := range f.Instrs() {
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
	var out []int
	for i, t := range taken {
		if t {
			out = append(out, i)
		}
	}
	return out
}

// calls counts the targets of the function's indirect calls.
func (a *applier) calls() {
	for bi, b := range a.blocks {
		nth := 0
		for i := 0; i < len(b.Instrs); i++ {
			c := b.Instrs[i].Call()
			if c == nil || !c.Indirect {
				continue
			}
			var text []string
			target := c.Value
			if !a.m.OpaquePointers() {
				target = a.value(&text, "t", "bitcast %s %s to i8*", calleePointer(c), c.Value)
			}
			text = append(text, fmt.Sprintf("call void @%s(i64 %d, %s %s)", calledFn, len(a.out.CallSites), a.m.Pointer("i8"), target))
			if a.insert(b, i, text...); a.err != nil {
				return
			}
			i += len(text)
			a.out.CallSites = append(a.out.CallSites, CallSite{Func: a.fp.Index, Block: bi, Nth: nth})
			nth++
		}
	}
}

// calleePointer spells the type of the pointer that an indirect call goes through,
// where pointers have types.
func calleePointer(c *asm.Call) string {
	if c.FnType != "" {
		return c.FnType + "*"
	}
	var types []string
	for _, arg := range c.Args {
		types = append(types, arg.Type)
	}
	return c.RetType + " (" + strings.Join(types, ", ") + ")*"
}
