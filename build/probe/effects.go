package probe

// This file takes back what the compiler found out about memory: a function that
// counts writes memory, and so does everything that calls it.

import "pathspan/ir/asm"

// untrue lists the attributes of functions and calls that probes make untrue. With
// them the optimiser would drop, join or move calls, or keep a counter in a register
// while a call changes it.
var untrue = []string{
	"memory", "readnone", "readonly", "writeonly", "argmemonly", "inaccessiblememonly",
	"inaccessiblemem_or_argmemonly", "speculatable", "nosync",
}

// forgetMemory removes those attributes from the functions that the module defines
// and from the calls that can reach one.
func forgetMemory(m *asm.Module) {
	for _, f := range m.Funcs() {
		for _, attr := range untrue {
			if f.HasAttr(attr) {
				f.RemoveAttr(attr)
			}
		}
		for in := range f.Instrs() {
			c := in.Call()
			if c == nil || c.Asm || !c.Indirect && m.Func(c.Callee) == nil {
				continue
			}
			for _, attr := range untrue {
				if in.HasCallAttr(attr) {
					in.RemoveCallAttr(attr)
				}
			}
		}
	}
}
