package shim

// This file makes a system of a processor model: its opcodes' costs as latencies.

import (
	"context"
	"fmt"
	"math"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
)

// Types whose costs tell the widths of an opcode's figures.
var (
	integers = []string{"i8", "i16", "i32", "i64"}
	floats   = []string{"float", "double"}
	anything = []string{""}
)

// typesOf says for which types an opcode is asked for.
func typesOf(op string) []string {
	switch op {
	case "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
		"icmp", "select", "trunc", "zext", "sext", "load", "store", "cmpxchg", "atomicrmw":
		return integers
	case "fneg", "fadd", "fsub", "fmul", "fdiv", "frem", "fcmp", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp":
		return floats
	}
	return anything
}

var terminators = map[string]bool{
	"ret": true, "br": true, "switch": true, "indirectbr": true, "resume": true, "unreachable": true,
	"invoke": true, "callbr": true, "catchswitch": true, "catchret": true, "cleanupret": true,
}

// FromModel describes a processor by SHIM: one component whose instructions have the
// model's cycles as latency and as pitch, best and worst case where the model has a
// range. It asks the model for the cost of each opcode by type, so that any model will
// do whose blocks cost the sum of their instructions; another is an error. What the
// model knows only by default, and what SHIM has no place for (library functions,
// intrinsics, vectors), is left out: left says what.
func FromModel(ctx context.Context, m procmodels.Model) (sys *System, left []string, err error) {
	d := m.Describe()
	if !d.Additive {
		return nil, nil, fmt.Errorf("model %s: its blocks are not sums of instructions, which is all that SHIM can say; give a weight table", d.Name)
	}
	e := &exporter{program: &ir.Program{DataLayout: "e-p:32:32"}}
	ops := procmodels.Opcodes()
	for _, op := range ops {
		for _, typ := range typesOf(op) {
			e.ask(op, typ)
		}
	}
	costs, err := m.Costs(ctx, &procmodels.Subject{Program: e.program})
	if err != nil {
		return nil, nil, err
	}
	var list []Instruction
	var unknown []string
	for i := 0; i < len(e.asked); {
		op := e.asked[i].op
		var figures []Instruction
		for ; i < len(e.asked) && e.asked[i].op == op; i++ {
			if in, ok := e.asked[i].instruction(costs.Blocks[i]); ok {
				figures = append(figures, in)
			}
		}
		if figures == nil {
			unknown = append(unknown, op)
		}
		list = append(list, widest(figures, len(typesOf(op)))...)
	}
	if len(list) == 0 {
		return nil, nil, fmt.Errorf("model %s: it has no cost of its own for any opcode", d.Name)
	}
	left = append(left, "library functions, intrinsics and vectors")
	if len(unknown) > 0 {
		left = append(left, "opcodes that the model knows only by default: "+strings.Join(unknown, ", "))
	}
	name := clip(d.Name)
	master := Master{Name: name, ID: "MC_1", Type: "PU", Arch: name, Endian: "LITTLE", ClockHz: int64(math.Round(d.ClockMHz * 1e6)),
		InstructionSet: "LLVM instructions", Units: []FunctionalUnit{{"all", list}},
		AccessTypes: []AccessType{{Name: "word", ID: "AT_1", RW: "RW", Bytes: 4}}}
	return &System{Name: name, ClockHz: master.ClockHz, Root: ComponentSet{Name: name, ID: "CS_1", Masters: []Master{master}}}, left, nil
}

// exporter builds a program that makes a model tell the cost of single instructions.
// Each question is a function. Its blocks are [add, add, unreachable], [add,
// unreachable] and what is asked for, so that differences of blocks are costs of
// instructions, whatever the end of a block costs.
type exporter struct {
	program *ir.Program
	asked   []question
}

type question struct{ op, typ string }

func (e *exporter) ask(op, typ string) {
	irType := typ
	switch {
	case typ != "" || op == "unreachable":
	case op == "getelementptr" || op == "ptrtoint" || op == "inttoptr" || op == "ptrtoaddr" || op == "addrspacecast":
		irType = "ptr"
	case op == "ret" || op == "call" || op == "invoke" || op == "callbr":
		irType = "void"
	case op != "br":
		irType = "i32"
	}
	in := ir.Instr{Op: op, Type: irType, Loc: ir.Loc{File: -1}}
	n := len(e.program.Funcs)
	if op == "call" || op == "invoke" || op == "callbr" {
		in.Call = &ir.Call{Callee: n, Name: fmt.Sprintf("f%d", n)}
	}
	add := ir.Instr{Op: "add", Type: "i32", Loc: ir.Loc{File: -1}}
	end := ir.Instr{Op: "unreachable", Loc: ir.Loc{File: -1}}
	blocks := [][]ir.Instr{{add, add, end}, {add, end}, {in, in, end}, {in, end}}
	if terminators[op] {
		blocks = [][]ir.Instr{{add, add, end}, {add, end}, {add, in}, {add, in}}
	}
	f := &ir.Func{Index: n, Name: fmt.Sprintf("f%d", n), Loc: ir.Loc{File: -1}}
	for i, instrs := range blocks {
		f.Blocks = append(f.Blocks, &ir.Block{Index: i, Name: fmt.Sprintf("b%d", i), Instrs: instrs})
	}
	if op == "br" { // conditional, and not
		f.Blocks[2].Instrs = []ir.Instr{add, {Op: "br", Type: "i1", Loc: add.Loc}}
		f.Blocks[2].Succs, f.Blocks[3].Succs = []int{0, 1}, []int{1}
	}
	e.program.Funcs = append(e.program.Funcs, f)
	e.asked = append(e.asked, question{op, typ})
}

// instruction reads the answer; ok is false where part of it is a default.
func (q question) instruction(blocks []procmodels.BlockCost) (in Instruction, ok bool) {
	defaults := func(i int) (n int) {
		for _, d := range blocks[i].Defaults {
			n += d.Count
		}
		return n
	}
	known := defaults(2) == defaults(3)
	if add := defaults(0) - defaults(1); terminators[q.op] {
		known = defaults(2) == add && defaults(3) == add
	}
	if !known {
		return in, false
	}
	r := less(blocks[2], blocks[3])
	if terminators[q.op] {
		add := less(blocks[0], blocks[1])
		r = subtract(rangeOf(blocks[2]), add)
		if q.op == "br" { // SHIM has one figure for both kinds
			jump := subtract(rangeOf(blocks[3]), add)
			r.Best, r.Worst = min(r.Best, jump.Best), max(r.Worst, jump.Worst)
		}
	}
	bits := map[string]int{"i8": 8, "i16": 16, "i32": 32, "i64": 64, "float": 32, "double": 64}[q.typ]
	return Instruction{Name: q.op, Operation: q.op, InputBits: bits, OutputBits: bits, Pitch: r, Latency: r}, true
}

func rangeOf(b procmodels.BlockCost) Range {
	if b.Best == 0 && b.Worst == 0 {
		return Range{b.Cycles, b.Cycles, b.Cycles}
	}
	return Range{b.Best, b.Cycles, b.Worst}
}

func less(a, b procmodels.BlockCost) Range { return subtract(rangeOf(a), rangeOf(b)) }

// subtract rounds what floating point leaves of differences.
func subtract(a, b Range) Range {
	d := func(x, y float64) float64 { return max(0, math.Round((x-y)*1e9)/1e9) }
	return Range{d(a.Best, b.Best), d(a.Typical, b.Typical), d(a.Worst, b.Worst)}
}

// widest leaves out narrower figures that equal the next, and the width where those of
// all the types are equal.
func widest(list []Instruction, types int) []Instruction {
	var kept []Instruction
	for i, in := range list {
		if i+1 == len(list) || list[i+1].Latency != in.Latency {
			kept = append(kept, in)
		}
	}
	if len(kept) == 1 && len(list) == types {
		kept[0].InputBits, kept[0].OutputBits = 0, 0
	}
	return kept
}
