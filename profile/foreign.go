package profile

// This file describes the code of a program that was not profiled.

// Foreign is an object or a shared object that a program is linked with as it is, such as
// assembler.
type Foreign struct {
	Name      string // of the object, as the build names it
	Bytes     uint64 // of machine code
	Of        uint64 // bytes of the whole program's code, without the system's libraries
	Why       string // why it was not profiled; "": it came without a module
	Functions []string
}

// ForeignCalls returns how often profiled code called functions of f by name. Calls
// through pointers are not among them.
func (b *Bundle) ForeignCalls(f *Foreign) uint64 {
	named := make(map[string]bool)
	for _, name := range f.Functions {
		named[name] = true
	}
	var n uint64
	for i, p := range b.Funcs {
		if p == nil {
			continue
		}
		fn := b.Program.Funcs[i]
		for block, times := range p.BlockCounts(len(fn.Blocks)) {
			for _, c := range fn.Blocks[block].Calls() {
				if c.Callee < 0 && !c.Indirect && named[c.Name] {
					n += times
				}
			}
		}
	}
	return n
}
