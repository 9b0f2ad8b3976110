package examplepython_test

// This file holds the Python example to the contract, by pathspan's own host.

import (
	"context"
	"fmt"
	"testing"
	"time"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/conform"
	"pathspan/procmodels/plugin"
)

func TestConforms(t *testing.T) {
	needPython(t)
	t.Setenv(plugin.TimeoutVariable, "1h") // on a machine however busy
	t.Setenv("PATHSPAN_CACHE", "off")      // or the kit would compare an answer with itself
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	report := conform.Check(t.Context(), func() (procmodels.Model, error) {
		return plugin.Open(t.Context(), "./example.py?load=3", "")
	}, time.Hour)
	if err := report.Err(); err != nil {
		t.Error(err)
	}
}

// BenchmarkCosts prices a program of 100,000 instructions, ten a block, from the start of
// the plugin to its end, with nothing cached.
func BenchmarkCosts(b *testing.B) {
	needPython(b)
	p := &ir.Program{Files: []string{"a.c"}}
	for fi := range 100 {
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
	b.Setenv("PATHSPAN_CACHE", "off")
	for b.Loop() {
		m, err := plugin.Open(context.Background(), "./example.py", "")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Costs(context.Background(), &procmodels.Subject{Program: p}); err != nil {
			b.Fatal(err)
		}
		m.Close()
	}
}
