package conform

// This file invents programs.

import (
	"fmt"
	"math/rand"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
)

// kinds are ordinary instructions, "opcode type". A call has its callee last.
var kinds = strings.Split(`add i32;sub i64;mul i32;sdiv i32;udiv i64;srem i32;shl i32;lshr i64;ashr i32;and i32;or i8;xor i64;`+
	`fadd double;fsub float;fmul double;fdiv float;fneg double;icmp i32;fcmp double;select i32;load i32;load double;`+
	`load ptr;store i32;store float;store i8;getelementptr ptr;sext i64;zext i32;trunc i64;sitofp double;fptosi float;`+
	`fpext double;ptrtoint i64;bitcast ptr;extractvalue i32;freeze i32;alloca i32;call void printf;call double sqrt;`+
	`call float llvm.fabs.f32;call i32 llvm.smax.i32;call double llvm.fmuladd.f64;call ptr malloc`, ";")

// instr makes an instruction from its spelling, at a line of the first file.
func instr(text string, line int) ir.Instr {
	op, typ, _ := strings.Cut(text, " ")
	in := ir.Instr{Op: op, Type: typ, Loc: ir.Loc{File: 0, Line: line, Col: 1}}
	if op == "call" || op == "invoke" || op == "callbr" {
		i := strings.LastIndexByte(typ, ' ')
		in.Type, in.Call = typ[:i], &ir.Call{Callee: -1, Name: typ[i+1:]}
	}
	return in
}

// program begins a program of one source file.
func program() *ir.Program {
	return &ir.Program{
		Triple:     "x86_64-unknown-linux-gnu",
		DataLayout: "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128",
		Files:      []string{"conform.c"},
	}
}

// addFunc adds a function whose blocks hold the instructions, each after the other,
// and a "ret" at their end.
func addFunc(p *ir.Program, name string, blocks ...[]ir.Instr) *ir.Func {
	f := &ir.Func{Index: len(p.Funcs), Name: name, Source: name, Exported: true, Loc: ir.Loc{File: 0, Line: 1}}
	for i, instrs := range blocks {
		b := &ir.Block{Index: i, Name: fmt.Sprint("b", i), Instrs: instrs}
		end := ir.Instr{Op: "br", Loc: ir.Loc{File: 0, Line: i + 1}}
		if i == len(blocks)-1 {
			end.Op, end.Type = "ret", "void"
		} else {
			b.Succs = []int{i + 1}
		}
		b.Instrs = append(b.Instrs, end)
		f.Blocks = append(f.Blocks, b)
	}
	p.Funcs = append(p.Funcs, f)
	return f
}

func invented(name string, p *ir.Program) *subject {
	return &subject{name, procmodels.Subject{Program: p}}
}

// ordinaryProgram invents a program of some functions with loops, branches, calls of
// each other, of libraries and of themselves, phis and source lines.
func ordinaryProgram(rng *rand.Rand, funcs, blocks, instrs int) *ir.Program {
	p := program()
	p.Files = append(p.Files, "lib/conform.h")
	line := 0
	for fi := range funcs {
		var bodies [][]ir.Instr
		for bi := range blocks {
			var body []ir.Instr
			if bi > 0 && rng.Intn(2) == 0 {
				body = append(body, instr("phi i32", 0))
			}
			for range 1 + rng.Intn(2*instrs-1) {
				line += rng.Intn(2)
				in := instr(kinds[rng.Intn(len(kinds))], line)
				in.Loc.File = rng.Intn(len(p.Files)+1) - 1 // -1: unknown
				body = append(body, in)
			}
			if fi%2 == 1 && rng.Intn(3) == 0 { // the even functions can stand alone
				callee := rng.Intn(funcs)
				in := instr(fmt.Sprintf("call i32 f%d", callee), line)
				in.Call.Callee = callee
				body = append(body, in)
			}
			bodies = append(bodies, body)
		}
		f := addFunc(p, fmt.Sprint("f", fi), bodies...)
		for bi, b := range f.Blocks[:blocks-1] {
			switch rng.Intn(3) {
			case 0: // a loop of one block
				branch(b, bi, bi+1)
			case 1: // skips some
				branch(b, bi+1+rng.Intn(blocks-bi-1), bi+1)
			}
		}
	}
	return p
}

// branch makes a block end in a condition.
func branch(b *ir.Block, yes, no int) {
	b.Terminator().Type = "i1"
	b.Succs = []int{yes, no}
}

// ordinary returns the programs that most checks ask about: an invented one, or the
// modules for a model that needs them.
func (k *kit) ordinary() []*subject {
	if k.main == nil {
		if k.desc.NeedsModule {
			k.main = modules()
		} else {
			rng := rand.New(rand.NewSource(1))
			k.main = []*subject{
				invented("the ordinary program", ordinaryProgram(rng, 9, 12, 8)),
				invented("a program of one function", ordinaryProgram(rng, 1, 5, 4)),
			}
		}
	}
	return k.main
}
