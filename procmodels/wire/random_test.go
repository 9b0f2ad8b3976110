package wire_test

// This file makes random programs and random costs. They are well formed and mean nothing.

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pathspan/ir"
	"pathspan/procmodels"
)

var ops = []struct{ op, typ string }{
	{"add", "i32"}, {"mul", "i64"}, {"load", "i32"}, {"store", "ptr"}, {"fadd", "double"}, {"fneg", "float"},
	{"getelementptr", "ptr"}, {"phi", "i32"}, {"icmp", "i32"}, {"fmul", "<4 x float>"}, {"sdiv", "i128"},
	{"select", "i1"}, {"sext", "i64"}, {"unheard_of", "{ i32, [7 x i8] }"},
}

// randomProgram makes a program of about n instructions. Some blocks are empty of all but
// their terminator, some have none.
func randomProgram(r *rand.Rand, n int) *ir.Program {
	p := &ir.Program{Triple: "x86_64-pc-linux-gnu", DataLayout: "e-m:e-i64:64", Files: []string{"src/app.c", "src/ü b.h"}}
	functions := 1 + n/200
	for i := range functions {
		f := &ir.Func{
			Index: i, Name: fmt.Sprintf("_Z%df", i), Source: fmt.Sprintf("f%d", i), Loc: randomLoc(r),
			Exported: r.IntN(2) == 0, NoUnwind: r.IntN(2) == 0,
		}
		for left := n / functions; left > 0 || len(f.Blocks) == 0; {
			b := &ir.Block{Index: len(f.Blocks), Name: fmt.Sprintf("b%d", len(f.Blocks))}
			if r.IntN(20) == 0 {
				b.Name = ""
			}
			for range r.IntN(20) {
				b.Instrs = append(b.Instrs, randomInstr(r, functions))
			}
			if r.IntN(30) > 0 {
				b.Instrs = append(b.Instrs, ir.Instr{Op: "br", Loc: randomLoc(r)})
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

func randomLoc(r *rand.Rand) ir.Loc {
	if r.IntN(4) == 0 {
		return ir.Loc{File: -1}
	}
	return ir.Loc{File: r.IntN(2), Line: r.IntN(1000), Col: r.IntN(80)}
}

func randomInstr(r *rand.Rand, functions int) ir.Instr {
	if r.IntN(8) > 0 {
		o := ops[r.IntN(len(ops))]
		return ir.Instr{Op: o.op, Type: o.typ, Loc: randomLoc(r)}
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
	return ir.Instr{Op: "call", Type: "void", Loc: randomLoc(r), Call: c}
}

// callsOf lists the instructions of a block that are calls.
func callsOf(b *ir.Block) []int {
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

// randomCosts makes costs of a program that keep the contract, with reasons and factors in
// the order of their first use.
func randomCosts(r *rand.Rand, p *ir.Program, model string) *procmodels.Costs {
	c := &procmodels.Costs{Model: model}
	for _, f := range p.Funcs {
		out := make([]procmodels.BlockCost, len(f.Blocks))
		for i, b := range f.Blocks {
			out[i] = randomBlock(r, c, f, b)
		}
		c.Blocks = append(c.Blocks, out)
	}
	for i := range r.IntN(3) {
		c.Warnings = append(c.Warnings, fmt.Sprintf("remark %d: ü", i))
	}
	return c
}

func randomBlock(r *rand.Rand, c *procmodels.Costs, f *ir.Func, b *ir.Block) procmodels.BlockCost {
	out := procmodels.BlockCost{Cycles: r.Float64() * 100}
	if r.IntN(3) == 0 {
		out.Best, out.Worst = out.Cycles*r.Float64(), out.Cycles*(1+r.Float64())
	}
	for _, p := range predecessors(f, b.Index) {
		if r.IntN(3) == 0 {
			out.After = append(out.After, procmodels.AfterCost{Pred: p, Cycles: r.Float64() * 100})
		}
	}
	for _, i := range callsOf(b) {
		if r.IntN(3) == 0 {
			out.Included = append(out.Included, i)
		}
	}
	// Known ones first, in any number, then perhaps a new one: that is first use order.
	for i := range c.Reasons {
		if r.IntN(8) == 0 {
			out.Defaults = append(out.Defaults, procmodels.DefaultCost{Reason: i, Cycles: out.Cycles * r.Float64() / 50, Count: 1 + r.IntN(5)})
		}
	}
	if len(c.Reasons) < 20 && r.IntN(3) == 0 {
		out.Defaults = append(out.Defaults, procmodels.DefaultCost{Reason: len(c.Reasons), Count: 1})
		c.Reasons = append(c.Reasons, fmt.Sprintf("opcode o%d: not known", len(c.Reasons)))
	}
	for i := range c.Factors {
		if r.IntN(8) == 0 {
			out.Varies = append(out.Varies, procmodels.Variation{Factor: i, Down: r.Float64(), Up: r.Float64()})
		}
	}
	if len(c.Factors) < 20 && r.IntN(3) == 0 {
		out.Varies = append(out.Varies, procmodels.Variation{Factor: len(c.Factors), Up: 1})
		c.Factors = append(c.Factors, procmodels.Factor{Name: fmt.Sprintf("latency %d", len(c.Factors)), Bounded: r.IntN(2) == 0})
	}
	return out
}
