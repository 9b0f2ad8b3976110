package compare

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"

	"pathspan/ir"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/profile"
)

// table prices instructions by opcode.
type table struct {
	name     string
	clock    float64
	cycles   map[string]float64
	included bool // calls' callees are in their caller's figure, which is 100 cycles then
	lump     bool // not additive
}

func (m table) Describe() procmodels.Description {
	return procmodels.Description{Name: m.name, ClockMHz: m.clock, Additive: !m.lump}
}

func (m table) Costs(_ context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	c := &procmodels.Costs{Model: m.name, Reasons: []string{"guess"}}
	for _, f := range s.Program.Funcs {
		blocks := make([]procmodels.BlockCost, len(f.Blocks))
		for bi, b := range f.Blocks {
			bc := &blocks[bi]
			for i, in := range b.Instrs {
				bc.Cycles += m.cycles[in.Op]
				if in.Op == "fdiv" {
					bc.Defaults = []procmodels.DefaultCost{{Cycles: m.cycles[in.Op], Count: 1}}
				}
				if m.included && in.Call != nil && in.Call.Callee >= 0 {
					bc.Cycles += 100
					bc.Included = append(bc.Included, i)
				}
			}
		}
		c.Blocks = append(c.Blocks, blocks)
	}
	return c, nil
}

// bundle is a program that was profiled by hand:
//
//	main, once:  entry (line 10: add, call work; line 11: br) -> loop
//	             loop, 3 times (line 12: load, fdiv; line 13: call printf, br) -> loop, end
//	             end (line 14: ret)
//	work, once:  entry (line 20: mul, mul, ret)
func bundle() *profile.Bundle {
	at := func(op, typ string, line int) ir.Instr {
		return ir.Instr{Op: op, Type: typ, Loc: ir.Loc{File: 0, Line: line}}
	}
	call := at("call", "void", 10)
	call.Call = &ir.Call{Callee: 1, Name: "work"}
	printf := at("call", "i32", 13)
	printf.Call = &ir.Call{Callee: -1, Name: "printf"}
	p := &ir.Program{Files: []string{"app.c"}, Funcs: []*ir.Func{
		{Index: 0, Name: "main", Blocks: []*ir.Block{
			{Index: 0, Name: "entry", Instrs: []ir.Instr{at("add", "i32", 10), call, at("br", "", 11)}, Succs: []int{1}},
			{Index: 1, Name: "loop", Instrs: []ir.Instr{at("load", "i32", 12), at("fdiv", "double", 12), printf, at("br", "i1", 13)}, Succs: []int{1, 2}},
			{Index: 2, Name: "end", Instrs: []ir.Instr{at("ret", "void", 14)}},
		}},
		{Index: 1, Name: "work", Blocks: []*ir.Block{
			{Index: 0, Name: "entry", Instrs: []ir.Instr{at("mul", "i32", 20), at("mul", "i32", 20), at("ret", "void", 20)}},
		}},
	}}
	return &profile.Bundle{Program: p, Funcs: []*profile.FuncProfile{
		{Func: 0, Levels: []profile.LevelProfile{
			{Loop: -1, Paths: []profile.Path{{End: pathprof.EndFunction, Count: 1, Steps: []pathprof.Step{0, pathprof.LoopStep(0), 1, 2}}}},
			{Loop: 0, Paths: []profile.Path{{End: pathprof.EndIteration, Count: 2, Steps: []pathprof.Step{1}}}},
		}},
		{Func: 1, Levels: []profile.LevelProfile{
			{Loop: -1, Paths: []profile.Path{{End: pathprof.EndFunction, Count: 1, Steps: []pathprof.Step{0}}}},
		}},
	}}
}

var (
	slow = table{name: "slow", clock: 10, cycles: map[string]float64{"add": 2, "call": 4, "br": 2, "load": 10, "fdiv": 20, "mul": 8, "ret": 2}}
	// Twice as fast, but for fdiv, which is ten times as fast.
	fast = table{name: "fast", cycles: map[string]float64{"add": 1, "call": 2, "br": 1, "load": 5, "fdiv": 2, "mul": 4, "ret": 1}}
)

func run(t *testing.T, models ...table) *Comparison {
	t.Helper()
	var list []Candidate
	for _, m := range models {
		list = append(list, Candidate{m.name, m})
	}
	c, err := Run(context.Background(), bundle(), list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestByHand(t *testing.T) {
	c := run(t, slow, fast)
	// slow: entry 2+4+2, loop 3 x (10+20+4+2), end 2, work 8+8+2 = 8 + 108 + 2 + 18.
	// fast: 4 + 3 x (5+2+2+1) + 1 + 9.
	want := []Total{
		{Model: "slow", Cycles: 136, ClockMHz: 10, Seconds: 13.6e-6, Ratio: 1, Defaults: 60.0 / 136},
		{Model: "fast", Cycles: 44, Ratio: 44.0 / 136, Defaults: 6.0 / 44},
	}
	for i := range want {
		if got := c.Models[i]; !near(got.Seconds, want[i].Seconds) || !near(got.Cycles, want[i].Cycles) || !near(got.Ratio, want[i].Ratio) ||
			!near(got.Defaults, want[i].Defaults) || got.Model != want[i].Model || got.ClockMHz != want[i].ClockMHz {
			t.Errorf("got %+v, want %+v", got, want[i])
		}
	}
	row := func(where string, n uint64, a, b float64) Row {
		return Row{where, n, a, b, a / 136, b / 44, b/44 - a/136}
	}
	// By difference: line 12 falls from 90/136 to 21/44; all others rise, line 20 most.
	check(t, "lines", c.Pairs[0].Lines, []Row{
		row("app.c:12", 3, 90, 21), row("app.c:20", 1, 18, 9), row("app.c:13", 3, 18, 9),
		row("app.c:10", 1, 6, 3), row("app.c:11", 1, 2, 1), row("app.c:14", 1, 2, 1),
	})
	check(t, "opcodes", c.Pairs[0].Opcodes, []Row{
		row("fdiv double", 3, 60, 6), row("load i32", 3, 30, 15), row("mul i32", 2, 16, 8), row("call printf", 3, 12, 6),
		row("br i1", 3, 6, 3), row("call of a function of the program", 1, 4, 2), row("ret void", 2, 4, 2),
		row("add i32", 1, 2, 1), row("br", 1, 2, 1),
	})
}

func check(t *testing.T, what string, got, want []Row) {
	t.Helper()
	// Rows of equal difference are ordered by share, then name; compare them all the same.
	if len(got) != len(want) {
		t.Fatalf("%s: %d rows, want %d: %+v", what, len(got), len(want), got)
	}
	for i, g := range got {
		j := slices.IndexFunc(want, func(w Row) bool { return w.Where == g.Where })
		if j < 0 {
			t.Errorf("%s: %q is not expected", what, g.Where)
			continue
		}
		w := want[j]
		if g.Executions != w.Executions || !near(g.FirstCycles, w.FirstCycles) || !near(g.OtherCycles, w.OtherCycles) ||
			!near(g.FirstShare, w.FirstShare) || !near(g.OtherShare, w.OtherShare) || !near(g.Difference, w.Difference) {
			t.Errorf("%s: got %+v, want %+v", what, g, w)
		}
		if i > 0 && math.Abs(g.Difference) > math.Abs(got[i-1].Difference) {
			t.Errorf("%s: %q stands below a smaller difference", what, g.Where)
		}
	}
	if got[0].Where != want[0].Where {
		t.Errorf("%s: %q is first, want %q", what, got[0].Where, want[0].Where)
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*max(1, math.Abs(a), math.Abs(b)) }

// A factor between two models is no difference between lines.
func TestFactor(t *testing.T) {
	double := table{name: "double", cycles: map[string]float64{}}
	for op, c := range slow.cycles {
		double.cycles[op] = 2 * c
	}
	c := run(t, slow, double)
	if c.Models[1].Ratio != 2 {
		t.Errorf("ratio %g, want 2", c.Models[1].Ratio)
	}
	for _, r := range c.Pairs[0].Lines {
		if math.Abs(r.Difference) > 1e-12 {
			t.Errorf("%s differs by %g", r.Where, r.Difference)
		}
	}
}

// With one model that does not price instructions one by one, blocks are spread evenly
// under both.
func TestSpreadEvenly(t *testing.T) {
	lump := fast
	lump.name, lump.lump = "lump", true
	c := run(t, slow, lump)
	if c.Pairs[0].ByInstruction || len(c.Pairs[0].Opcodes) != 0 {
		t.Errorf("by instruction %v, opcodes %v", c.Pairs[0].ByInstruction, c.Pairs[0].Opcodes)
	}
	// loop costs 3 x 36 under slow, two of its four instructions are on line 12.
	for _, r := range c.Pairs[0].Lines {
		if r.Where == "app.c:12" && (!near(r.FirstCycles, 54) || !near(r.OtherCycles, 15)) {
			t.Errorf("got %+v, want 54 and 15 cycles", r)
		}
	}
}

// A callee whose cost is in its caller's figure does not count again.
func TestIncludedCalls(t *testing.T) {
	with := slow
	with.name, with.included = "with", true
	c := run(t, slow, with)
	if got := c.Models[1].Cycles; !near(got, 136-18+100) {
		t.Errorf("%g cycles, want %d", got, 136-18+100)
	}
}

func TestThreeModelsAndDeterminism(t *testing.T) {
	lean := slow
	lean.name = "lean"
	c := run(t, slow, fast, lean)
	if len(c.Pairs) != 2 || c.Pairs[1].First != "slow" || c.Pairs[1].Other != "lean" {
		t.Errorf("pairs %+v", c.Pairs)
	}
	// A model that is not additive changes nothing between others.
	lump := fast
	lump.name, lump.lump = "lump", true
	mixed := run(t, slow, lump, fast)
	if mixed.Pairs[0].ByInstruction || !reflect.DeepEqual(mixed.Pairs[1], c.Pairs[0]) {
		t.Errorf("got %+v, want %+v", mixed.Pairs, c.Pairs[0])
	}
	for range 20 {
		if again := run(t, slow, fast, lean); !reflect.DeepEqual(c, again) {
			t.Fatalf("got %+v, then %+v", c, again)
		}
	}
	if _, err := Run(context.Background(), bundle(), []Candidate{{"slow", slow}}); err == nil {
		t.Error("one model alone is compared")
	}
}
