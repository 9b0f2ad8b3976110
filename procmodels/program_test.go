package procmodels

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/ir"
)

// testProgram builds a program of one file, app.c, from a small language. A function
// is a list of blocks, a block "name: instruction; ... -> successors", an instruction
// "opcode type @line" with a call written "call type callee @line", or with constants
// by argument "call ptr memcpy(2=64) @line":
//
//	entry: store i32 @1; br -> loop
//	loop: icmp i32 @1; br @1 -> body exit
func testProgram(t *testing.T, funcs map[string]string, order ...string) *ir.Program {
	t.Helper()
	p := &ir.Program{Files: []string{"src/app.c"}}
	index := map[string]int{}
	for i, name := range order {
		index[name] = i
	}
	for i, name := range order {
		p.Funcs = append(p.Funcs, testFunc(t, i, name, funcs[name], index))
	}
	return p
}

func testFunc(t *testing.T, number int, name, text string, index map[string]int) *ir.Func {
	t.Helper()
	f := &ir.Func{Index: number, Name: name, Source: name}
	blocks := map[string]int{}
	var succs []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		label, rest, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			t.Fatalf("%s: %q has no label", name, line)
		}
		body, to, _ := strings.Cut(rest, "->")
		b := &ir.Block{Index: len(f.Blocks), Name: label}
		for _, in := range strings.Split(body, ";") {
			b.Instrs = append(b.Instrs, testInstr(t, strings.TrimSpace(in), index))
		}
		blocks[label] = b.Index
		succs = append(succs, to)
		f.Blocks = append(f.Blocks, b)
	}
	for i, to := range succs {
		for _, s := range strings.Fields(to) {
			n, ok := blocks[s]
			if !ok {
				t.Fatalf("%s: no block %q", name, s)
			}
			f.Blocks[i].Succs = append(f.Blocks[i].Succs, n)
		}
	}
	return f
}

func testInstr(t *testing.T, text string, index map[string]int) ir.Instr {
	t.Helper()
	in := ir.Instr{Loc: ir.Loc{File: -1}}
	if text, line, ok := strings.Cut(text, "@"); ok {
		in = testInstr(t, strings.TrimSpace(text), index)
		in.Loc = ir.Loc{}
		for _, c := range strings.TrimSpace(line) {
			in.Loc.Line = in.Loc.Line*10 + int(c-'0')
		}
		return in
	}
	op, typ, _ := strings.Cut(text, " ")
	in.Op, in.Type = op, typ
	if op == "call" || op == "invoke" {
		i := strings.LastIndexByte(typ, ' ')
		in.Type = typ[:i]
		name, args, _ := strings.Cut(typ[i+1:], "(")
		in.Call = &ir.Call{Callee: -1, Name: name}
		for arg := range strings.SplitSeq(strings.TrimSuffix(args, ")"), ",") {
			var a ir.ConstArg
			if n, _ := fmt.Sscanf(arg, "%d=%d", &a.Index, &a.Value); n == 2 {
				in.Call.ConstArgs = append(in.Call.ConstArgs, a)
			}
		}
		if n, ok := index[in.Call.Name]; ok {
			in.Call.Callee = n
		}
		if in.Call.Name == "*" {
			in.Call.Name, in.Call.Indirect = "", true
		}
	}
	return in
}

// cyclesOf lists the cycles of the first function's blocks by name.
func cyclesOf(p *ir.Program, c *Costs) map[string]float64 {
	m := map[string]float64{}
	for i, b := range p.Funcs[0].Blocks {
		m[b.Name] = c.Blocks[0][i].Cycles
	}
	return m
}
