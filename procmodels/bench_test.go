package procmodels

import (
	"context"
	"fmt"
	"testing"

	"pathspan/ir"
)

// BenchmarkCosts prices a program of 200,000 instructions, about a 10 MB module.
func BenchmarkCosts(b *testing.B) {
	p := &ir.Program{Files: []string{"a.c"}}
	for fi := range 200 {
		f := &ir.Func{Index: fi, Name: fmt.Sprint("f", fi)}
		for bi := range 100 {
			blk := &ir.Block{Index: bi}
			for i := range 8 {
				blk.Instrs = append(blk.Instrs, ir.Instr{Op: "load", Type: "i32", Loc: ir.Loc{Line: fi*100 + bi + i/4}})
			}
			blk.Instrs = append(blk.Instrs,
				ir.Instr{Op: "call", Type: "void", Call: &ir.Call{Callee: -1, Name: fmt.Sprint("external", bi)}},
				ir.Instr{Op: "br", Type: "i1", Loc: ir.Loc{Line: fi*100 + bi}})
			if bi < 98 {
				blk.Succs = []int{bi + 1, bi + 2}
			}
			f.Blocks = append(f.Blocks, blk)
		}
		p.Funcs = append(p.Funcs, f)
	}
	lines, err := parseModel("t.yaml", []byte("schema: pathspan.linetable/1\nname: t\nlines: [{file: a.c, line: 1, cycles: 1}]"))
	if err != nil {
		b.Fatal(err)
	}
	generic, err := Open("generic", "")
	if err != nil {
		b.Fatal(err)
	}
	ranged, err := Open("cortex-a7", "")
	if err != nil {
		b.Fatal(err)
	}
	for _, m := range []Model{generic, ranged, lines} {
		b.Run(m.Describe().Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Costs(context.Background(), &Subject{Program: p}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
