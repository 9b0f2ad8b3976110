// Package weightcheck recomputes by hand what a program costs under a built-in weight
// table, from how often it executes each opcode:
//
//	weightcheck.Check(t, "mycore", map[string]float64{"add i32": 1, ...}, 12345)
//
// The program is always the same; the figures by opcode and the total are those that
// the caller took from the processor's manual, so that a table, the code that applies
// it, and the reading of the manual are held against each other. It is for the tests
// of the models' folders and checks neither defaults nor warnings. [Ranges] does the
// same for the best and the worst case.
package weightcheck

import (
	"context"
	"math"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
)

// block is a basic block of the program with how often it is executed.
type block struct {
	name   string
	count  int
	instrs string // "opcode type", calls "call type callee", separated by ;
	succs  []int
}

// program reads a signal, filters it in integers, then in floats, and scales the
// result:
//
//	entry -> filter (100 times) -> mid -> smooth (50 times) -> scale
var program = []block{
	{"entry", 1, "alloca i32; store i32; store i64; store double; call void llvm.memcpy.p0.p0.i32; br", []int{1}},
	{"filter", 100, "phi i32; getelementptr ptr; load i32; load i8; sext i32; mul i32; add i32; ashr i32; add i64; icmp i32; br.cond i1", []int{1, 2}},
	{"mid", 1, "udiv i32; srem i32; sdiv i64; mul i64; select i32; sitofp double; call double local; br", []int{3}},
	{"smooth", 50, "phi i32; load double; load float; fpext double; fmul double; fadd double; fadd float; fmul float; fcmp double; store double; icmp i64; br.cond i1", []int{3, 4}},
	{"scale", 1, "fdiv double; fdiv float; fneg float; fptosi double; fptosi float; call double sqrt; call float llvm.fabs.f32; call i32 llvm.ctlz.i32; switch i32", []int{5, 6}},
	{"jump", 1, "br", []int{6}},
	{"exit", 1, "ret", nil},
}

// Check holds the cycles of the program under a model against the sum of its executed
// opcodes times the figures in byHand, whose keys are the instructions as the program
// spells them, and both against total. A call of sqrt is "call double sqrt" with all
// that it costs, the call included; the jump in a block of its own is "br.alone".
func Check(t *testing.T, model string, byHand map[string]float64, total float64) {
	t.Helper()
	m, err := procmodels.Open(model, "")
	if err != nil {
		t.Fatal(err)
	}
	p, counts := build(t)
	costs, err := m.Costs(context.Background(), &procmodels.Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := costs.Check(p); err != nil {
		t.Error(err)
	}
	computed := 0.0
	for i, b := range program {
		computed += costs.Blocks[0][i].Cycles * float64(b.count)
	}
	sum := 0.0
	for instr, n := range counts {
		figure, ok := byHand[instr]
		if !ok {
			t.Errorf("%s: no figure for %s, executed %d times", model, instr, n)
		}
		sum += figure * float64(n)
	}
	for instr := range byHand {
		if counts[instr] == 0 {
			t.Errorf("%s: the program has no %s", model, instr)
		}
	}
	if math.Abs(sum-total) > 1e-6 || math.Abs(computed-total) > 1e-6 {
		t.Errorf("%s: %v cycles computed, opcode counts make %v, by hand %v", model, computed, sum, total)
		hint(t, m, byHand)
	}
}

// hint names the instructions whose figure is not the model's.
func hint(t *testing.T, m procmodels.Model, byHand map[string]float64) {
	t.Helper()
	p, _ := build(t)
	for _, b := range program {
		for text := range strings.SplitSeq(b.instrs, "; ") {
			in, _ := instr(text)
			if c := alone(t, m, in, b.succs, p).Cycles; c != byHand[text] && b.name != "jump" {
				t.Errorf("%s: %v cycles, by hand %v", text, c, byHand[text])
			}
		}
	}
}

// Ranges holds the ranges of the program's instructions under a model against byHand,
// best and worst case by instruction; what is not in byHand must not vary. The best
// and the worst case of the whole program are best and worst.
func Ranges(t *testing.T, model string, byHand map[string][2]float64, best, worst float64) {
	t.Helper()
	m, err := procmodels.Open(model, "")
	if err != nil {
		t.Fatal(err)
	}
	p, _ := build(t)
	seen := map[string]bool{}
	for _, b := range program {
		for text := range strings.SplitSeq(b.instrs, "; ") {
			in, _ := instr(text)
			bc := alone(t, m, in, b.succs, p)
			if want, ok := byHand[text]; ok && (bc.Best != want[0] || bc.Worst != want[1]) || !ok && len(bc.Varies) > 0 {
				t.Errorf("%s: %s: %g to %g cycles, by hand %v", model, text, bc.Best, bc.Worst, want)
			}
			seen[text] = true
		}
	}
	for text := range byHand {
		if !seen[text] {
			t.Errorf("%s: the program has no %s", model, text)
		}
	}
	costs, err := m.Costs(context.Background(), &procmodels.Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := costs.Check(p); err != nil {
		t.Error(err)
	}
	low, high := 0.0, 0.0
	for i, b := range program {
		bc := &costs.Blocks[0][i]
		down, up := bc.Cycles, bc.Cycles
		if len(bc.Varies) > 0 {
			down, up = bc.Best, bc.Worst
		}
		low, high = low+down*float64(b.count), high+up*float64(b.count)
	}
	if math.Abs(low-best) > 1e-6 || math.Abs(high-worst) > 1e-6 {
		t.Errorf("%s: the program takes %v to %v cycles, by hand %v to %v", model, low, high, best, worst)
	}
}

// alone prices one instruction in a block that holds nothing else that costs.
func alone(t *testing.T, m procmodels.Model, in ir.Instr, succs []int, p *ir.Program) procmodels.BlockCost {
	t.Helper()
	blk := &ir.Block{Instrs: []ir.Instr{in}, Succs: succs}
	if in.Op == "br" {
		blk.Instrs = []ir.Instr{{Op: "freeze", Type: "i32"}, in} // 0 cycles everywhere; else it stands alone
	}
	q := &ir.Program{Funcs: append([]*ir.Func{{Name: "f", Blocks: []*ir.Block{blk}}}, p.Funcs[1:]...)}
	costs, err := m.Costs(context.Background(), &procmodels.Subject{Program: q})
	if err != nil {
		t.Fatal(err)
	}
	return costs.Blocks[0][0]
}

// build makes the program and counts its executed instructions.
func build(t *testing.T) (*ir.Program, map[string]int) {
	t.Helper()
	counts := map[string]int{}
	f := &ir.Func{Name: "main"}
	for i, b := range program {
		blk := &ir.Block{Index: i, Name: b.name, Succs: b.succs}
		for text := range strings.SplitSeq(b.instrs, "; ") {
			in, ok := instr(text)
			if !ok {
				t.Fatalf("instruction %q is not understood", text)
			}
			blk.Instrs = append(blk.Instrs, in)
			if b.instrs == "br" {
				text = "br.alone"
			}
			counts[text] += b.count
		}
		f.Blocks = append(f.Blocks, blk)
	}
	local := &ir.Func{Index: 1, Name: "local", Blocks: []*ir.Block{{Name: "entry", Instrs: []ir.Instr{{Op: "unreachable"}}}}}
	return &ir.Program{Funcs: []*ir.Func{f, local}}, counts
}

func instr(text string) (ir.Instr, bool) {
	words := strings.Fields(text)
	switch {
	case len(words) == 1:
		return ir.Instr{Op: words[0]}, true
	case len(words) == 3 && words[0] == "call":
		c := &ir.Call{Callee: -1, Name: words[2]}
		if c.Name == "local" {
			c.Callee = 1
		}
		return ir.Instr{Op: "call", Type: words[1], Call: c}, true
	case len(words) == 2:
		return ir.Instr{Op: strings.TrimSuffix(words[0], ".cond"), Type: words[1]}, true
	}
	return ir.Instr{}, false
}
