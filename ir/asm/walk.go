package asm

// This file walks over instructions.

import "iter"

// Instrs yields the instructions of the functions defined, in module order.
func (m *Module) Instrs() iter.Seq[*Instr] {
	return func(yield func(*Instr) bool) {
		for _, f := range m.funcs {
			for in := range f.Instrs() {
				if !yield(in) {
					return
				}
			}
		}
	}
}

// Instrs yields the instructions of the function, block by block. Blocks and instructions
// that are added meanwhile may be left out.
func (f *Func) Instrs() iter.Seq[*Instr] {
	return func(yield func(*Instr) bool) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if !yield(in) {
					return
				}
			}
		}
	}
}
