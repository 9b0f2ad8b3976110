package ir_test

// This file lets the fuzzer change modules and builds the view of them.

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/testdata/forge"
)

// FuzzBuild changes lines and words of modules. A view agrees with its module, holds only
// edges to blocks, and is the same when it is built again.
func FuzzBuild(f *testing.F) {
	texts := forge.Seeds(f, 20, "asm/testdata/*.ll", "../build/openmp/testdata/seeds/*.ll")
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		text := forge.Lines(texts[int(which)%len(texts)], data)
		m, err := asm.Parse(text)
		if err != nil {
			return
		}
		p, err := ir.Build(m)
		if !bytes.Equal(m.Bytes(), text) {
			t.Error("the module has changed")
		}
		if err != nil {
			return
		}
		if again, err := ir.Build(m); err != nil || !reflect.DeepEqual(again, p) {
			t.Errorf("built again it is another: %v", err)
		}
		if len(p.Funcs) != len(m.Funcs()) {
			t.Fatalf("%d functions, the module has %d", len(p.Funcs), len(m.Funcs()))
		}
		for i, fn := range p.Funcs {
			if fn.Index != i || fn.Name != m.Funcs()[i].Name() || len(fn.Blocks) != len(m.Funcs()[i].Blocks) {
				t.Errorf("function %d: %s of %d blocks, in the module %s of %d", i, fn.Name, len(fn.Blocks), m.Funcs()[i].Name(), len(m.Funcs()[i].Blocks))
			}
			for _, b := range fn.Blocks {
				if len(b.Instrs) == 0 || slices.ContainsFunc(b.Succs, func(s int) bool { return s < 0 || s >= len(fn.Blocks) }) {
					t.Fatalf("%s: block %d has %d instructions and leads to %v of %d", fn.Name, b.Index, len(b.Instrs), b.Succs, len(fn.Blocks))
				}
				for _, in := range b.Instrs {
					if c := in.Call; c != nil && (c.Callee >= len(p.Funcs) || c.Indirect && c.Callee >= 0) {
						t.Errorf("%s: a call of function %d of %d", fn.Name, c.Callee, len(p.Funcs))
					}
				}
			}
		}
	})
}
