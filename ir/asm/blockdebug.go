package asm

// This file keeps debug information valid when values go away.

// PoisonDebugUses replaces the uses of the named values in debug records and
// intrinsics by poison, as LLVM does when a value is deleted or moved to
// another function.
func (f *Func) PoisonDebugUses(names ...string) {
	gone := make(map[string]bool, len(names))
	for _, n := range names {
		gone[n] = true
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if !in.IsDebug() {
				continue
			}
			for _, u := range in.Uses() {
				if gone[u] {
					in.ReplaceUse(u, "poison")
				}
			}
		}
	}
}
