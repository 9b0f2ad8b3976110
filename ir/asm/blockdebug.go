package asm

// This file keeps debug information valid when values go away.

import "slices"

// PoisonDebugUses replaces the uses of the named values in debug records and
// intrinsics by poison, as LLVM does when a value is deleted or moved to
// another function.
func (f *Func) PoisonDebugUses(names ...string) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if !in.IsDebug() {
				continue
			}
			for _, u := range in.Uses() {
				if slices.Contains(names, u) {
					in.ReplaceUse(u, "poison")
				}
			}
		}
	}
}
