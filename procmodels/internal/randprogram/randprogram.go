// Package randprogram makes random programs and random costs for tests of what carries
// them. They are well formed and mean nothing.
package randprogram

// This file makes programs.

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pathspan/ir"
)

var ops = []struct{ op, typ string }{
	{"add", "i32"}, {"mul", "i64"}, {"load", "i32"}, {"store", "ptr"}, {"fadd", "double"}, {"fneg", "float"},
	{"getelementptr", "ptr"}, {"phi", "i32"}, {"icmp", "i32"}, {"fmul", "<4 x float>"}, {"sdiv", "i128"},
	{"select", "i1"}, {"sext", "i64"}, {"unheard_of", "{ i32, [7 x i8] }"},
}

// Program makes a program of about n instructions. Some blocks are empty of all but
// their terminator, some have none.
func Program(r *rand.Rand, n int) *ir.Program {
	p := &ir.Program{Triple: "x86_64-pc-linux-gnu", DataLayout: "e-m:e-i64:64", Files: []string{"src/app.c", "src/ü b.h"}}
	functions := 1 + n/200
	for i := range functions {
		f := &ir.Func{
			Index: i, Name: fmt.Sprintf("_Z%df", i), Source: fmt.Sprintf("f%d", i), Loc: loc(r),
			Exported: r.IntN(2) == 0, NoUnwind: r.IntN(2) == 0,
		}
		for left := n / functions; left > 0 || len(f.Blocks) == 0; {
			b := &ir.Block{Index: len(f.Blocks), Name: fmt.Sprintf("b%d", len(f.Blocks))}
			if r.IntN(20) == 0 {
				b.Name = ""
			}
			for range r.IntN(20) {
				b.Instrs = append(b.Instrs, instr(r, functions))
			}
			if r.IntN(30) > 0 {
				b.Instrs = append(b.Instrs, ir.Instr{Op: "br", Loc: loc(r)})
			}
			left -= len(b.Instrs) + 1
			f.Blocks = append(f.Blocks, b)
		}
		for _, b := range f.Blocks {
			for range r.IntN(4) {
				b.Succs = append(b.Succs, r.IntN(len(f.Blocks)))
			}
		}
		p.Funcs = append(p.Funcs, f)
	}
	return p
}

func loc(r *rand.Rand) ir.Loc {
	if r.IntN(4) == 0 {
		return ir.Loc{File: -1}
	}
	return ir.Loc{File: r.IntN(2), Line: r.IntN(1000), Col: r.IntN(80)}
}

func instr(r *rand.Rand, functions int) ir.Instr {
	if r.IntN(8) > 0 {
		o := ops[r.IntN(len(ops))]
		return ir.Instr{Op: o.op, Type: o.typ, Loc: loc(r)}
	}
	c := &ir.Call{Callee: -1, ReturnsTwice: r.IntN(9) == 0, NoReturn: r.IntN(9) == 0, NoUnwind: r.IntN(2) == 0}
	switch r.IntN(4) {
	case 0:
		c.Callee = r.IntN(functions)
		c.Name = fmt.Sprintf("_Z%df", c.Callee)
	case 1:
		c.Indirect = true
	case 2:
		c.Name = "memcpy"
		c.ConstArgs = []ir.ConstArg{{Index: 2, Value: int64(r.IntN(1 << 20))}, {Index: 3, Value: -1}}
	default:
		c.Name = []string{"printf", "sqrt", "asm", "llvm.memset.p0.i64"}[r.IntN(4)]
		c.FuncArgs = []int{r.IntN(functions)}
	}
	return ir.Instr{Op: "call", Type: "void", Loc: loc(r), Call: c}
}

// calls lists the instructions of a block that are calls.
func calls(b *ir.Block) []int {
	var all []int
	for i := range b.Instrs {
		if b.Instrs[i].Call != nil {
			all = append(all, i)
		}
	}
	return all
}

// predecessors lists the predecessors of a block, ascending and each once.
func predecessors(f *ir.Func, block int) []int {
	var all []int
	for _, b := range f.Blocks {
		if slices.Contains(b.Succs, block) {
			all = append(all, b.Index)
		}
	}
	return all
}
