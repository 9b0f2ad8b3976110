package procmodels

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"pathspan/ir"
)

const sample = `schema: pathspan.weights/1
name: sample
default: 100
weights:
  add: {default: 1, i64: 2, <4 x i32>: 3}
  fadd: {float: 5, double: 7}
  load: {default: 2, i8: 4}
  extractvalue: 0
  phi: 0
  br: 3
  br.cond: 4
  br.alone: 0
  ret: 6
  call: 10
intrinsics:
  umax: {default: 2, i64: 4}
  fabs: {double: 9}
  dbg.*: 0
  d*: 50
  default: 70
calls:
  sqrt: 120
  str*: 30
  strlen: 31
  nothing: 0
  default: 40
`

func TestWeights(t *testing.T) {
	for _, c := range []struct {
		in     string
		cycles float64
		reason string
	}{
		{"add i32", 1, ""},
		{"add i1", 1, ""},
		{"add i24", 1, ""},
		{"add i33", 2, ""},
		{"add i64", 2, ""},
		{"add i128", 4, "opcode add i128 taken as 2 of i64"},
		{"add <4 x i32>", 3, ""},
		{"add <8 x i32>", 8, ""},
		{"add <2 x i64>", 4, ""},
		{"add <vscale x 2 x i64>", 4, "opcode add <vscale x 2 x i64> taken at its least length"},
		{"fadd float", 5, ""},
		{"fadd <4 x float>", 20, ""},
		{"fadd half", 100, "opcode fadd half without a weight"},
		{"fadd <2 x half>", 200, "opcode fadd half without a weight"},
		{"fneg double", 100, "opcode fneg double without a weight"},
		{"load i1", 4, ""},
		{"load i32*", 2, ""},
		{"load ptr addrspace(1)", 2, ""},
		{"load { i8, [3 x i32] }", 10, ""},
		{"load <{ i8, ptr }>", 6, ""},
		{"load %struct.s", 2, "opcode load %struct.s without a weight"},
		{"load x86_fp80", 2, "opcode load x86_fp80 without a weight"},
		{"extractvalue { i32, i1 }", 0, ""},
		{"phi <4 x i32>", 0, ""},
		{"call void g", 10, ""},
		{"invoke void g", 10, ""},
		{"call double sqrt", 130, ""},
		{"call i64 strlen", 41, ""},
		{"call i64 strcmp", 40, ""},
		{"call void nothing", 0, ""},
		{"call i32 printf", 50, "call to printf: not modelled"},
		{"call i32 *", 10, "indirect call: only the call itself is modelled"},
		{"call void asm", 40, "inline assembly: not modelled"},
		{"call void __pathspan_region_begin", 0, ""},
		{"call i32 llvm.umax.i32", 2, ""},
		{"call i64 llvm.umax.i64", 4, ""},
		{"call <4 x i32> llvm.umax.v4i32", 8, ""},
		{"call double llvm.fabs.f64", 9, ""},
		{"call float llvm.fabs.f32", 70, "intrinsic fabs float without a weight"},
		{"call void llvm.dbg.value", 0, ""},
		{"call void llvm.donothing", 50, ""},
		{"call void llvm.memcpy.p0i8.p0i8.i64", 70, "intrinsic memcpy without a weight"},
	} {
		p := testProgram(t, map[string]string{"f": "entry: " + c.in + "; ret void", "g": "entry: ret void"}, "f", "g")
		costs, err := model(t, sample).Costs(context.Background(), &Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		if err := costs.Check(p); err != nil {
			t.Error(err)
		}
		var reasons []string
		if c.reason != "" {
			reasons = []string{c.reason}
		}
		if got := costs.Blocks[0][0].Cycles - 6; got != c.cycles || !slices.Equal(costs.Reasons, reasons) {
			t.Errorf("%s: %g cycles %q, want %g %q", c.in, got, costs.Reasons, c.cycles, reasons)
		}
	}
}

func TestBranches(t *testing.T) {
	p := testProgram(t, map[string]string{"f": `
		entry: add i32; br label -> split
		split: phi i32; br label -> test
		test: add i32; br i1 -> entry end
		end: ret void`}, "f")
	costs, err := model(t, sample).Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := cyclesOf(p, costs), (map[string]float64{"entry": 4, "split": 0, "test": 5, "end": 6}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestDefaultsAddUp(t *testing.T) {
	p := testProgram(t, map[string]string{"f": "entry: fneg double; call i32 printf; fneg double; fneg float; ret void"}, "f")
	costs, err := model(t, sample).Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	want := BlockCost{Cycles: 356, Defaults: []DefaultCost{{Reason: 0, Cycles: 200, Count: 2}, {Reason: 1, Cycles: 40, Count: 1}, {Reason: 2, Cycles: 100, Count: 1}}}
	if got := costs.Blocks[0][0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The built-in tables leave no opcode of LLVM to the default, and say where their
// figures come from.
func TestBuiltInModels(t *testing.T) {
	types := map[string]string{"ret": "void", "br": "", "switch": "i32", "unreachable": "", "store": "i32",
		"fneg": "double", "fadd": "double", "fsub": "float", "fmul": "double", "fdiv": "double", "frem": "float", "fcmp": "double"}
	for _, name := range Names() {
		m, err := Open(name, "")
		if err != nil {
			t.Fatal(err)
		}
		d := m.Describe()
		if d.Name != name || d.Kind != KindWeights || d.Source == "" || d.Notes == "" || d.ClockMHz <= 0 {
			t.Errorf("%s: %+v", name, d)
		}
		f := &ir.Func{Name: "f"}
		for _, op := range opcodes {
			typ, ok := types[op]
			if !ok {
				typ = "i64"
			}
			in := ir.Instr{Op: op, Type: typ}
			if op == "call" || op == "invoke" || op == "callbr" {
				in.Call = &ir.Call{Callee: 0, Name: "f"}
			}
			if op == brCond || op == brAlone {
				continue // spelled "br" in programs
			}
			b := &ir.Block{Index: len(f.Blocks), Name: op, Instrs: []ir.Instr{in, {Op: "br"}}}
			f.Blocks = append(f.Blocks, b)
		}
		p := &ir.Program{Funcs: []*ir.Func{f}}
		costs, err := m.Costs(context.Background(), &Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		if err := costs.Check(p); err != nil {
			t.Error(err)
		}
		if len(costs.Reasons) > 0 {
			t.Errorf("%s leaves to the default: %q", name, costs.Reasons)
		}
	}
}

func TestCostsStopWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := testProgram(t, map[string]string{"f": "entry: ret void @1"}, "f")
	for _, m := range []Model{model(t, sample), ones(t)} {
		if _, err := m.Costs(ctx, &Subject{Program: p}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", m.Describe().Name, err)
		}
	}
}

func TestCostsAreDeterministic(t *testing.T) {
	p := testProgram(t, map[string]string{"f": `
		entry: fneg half @1; call i32 a @2; call i32 b @3; br label @3 -> end
		end: fneg bfloat; call void llvm.x.y; ret void @9`}, "f")
	for _, m := range []Model{model(t, sample), ones(t)} {
		first, err := m.Costs(context.Background(), &Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if again, _ := m.Costs(context.Background(), &Subject{Program: p}); !reflect.DeepEqual(first, again) {
				t.Fatalf("%s: two answers", m.Describe().Name)
			}
		}
	}
}

func TestCheckFindsFaults(t *testing.T) {
	p := testProgram(t, map[string]string{"f": "entry: add i32; call void f; ret void"}, "f")
	ok := func() *Costs {
		return &Costs{Model: "m", Reasons: []string{"r"}, Blocks: [][]BlockCost{{{Cycles: 2, Included: []int{1}, Defaults: []DefaultCost{{Cycles: 2, Count: 1}}}}}}
	}
	if err := ok().Check(p); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(c *Costs){
		"functions":      func(c *Costs) { c.Blocks = nil },
		"blocks":         func(c *Costs) { c.Blocks[0] = nil },
		"negative":       func(c *Costs) { c.Blocks[0][0].Cycles = -1 },
		"no call":        func(c *Costs) { c.Blocks[0][0].Included[0] = 0 },
		"beyond":         func(c *Costs) { c.Blocks[0][0].Included[0] = 9 },
		"twice":          func(c *Costs) { c.Blocks[0][0].Included = []int{1, 1} },
		"reason":         func(c *Costs) { c.Blocks[0][0].Defaults[0].Reason = 1 },
		"too much":       func(c *Costs) { c.Blocks[0][0].Defaults[0].Cycles = 3 },
		"count":          func(c *Costs) { c.Blocks[0][0].Defaults[0].Count = 0 },
		"negative share": func(c *Costs) { c.Blocks[0][0].Defaults[0].Cycles = -3 },
	} {
		c := ok()
		spoil(c)
		if c.Check(p) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSplitIntrinsic(t *testing.T) {
	for name, want := range map[string][2]string{
		"llvm.memcpy.p0i8.p0i8.i64":      {"memcpy", "ptr"},
		"llvm.memcpy.inline.p0.p0.i64":   {"memcpy.inline", "ptr"},
		"llvm.fabs.f64":                  {"fabs", "double"},
		"llvm.sadd.with.overflow.i32":    {"sadd.with.overflow", "i32"},
		"llvm.fmuladd.v4f32":             {"fmuladd", "<4 x float>"},
		"llvm.vector.reduce.add.nxv2i64": {"vector.reduce.add", "<vscale x 2 x i64>"},
		"llvm.dbg.value":                 {"dbg.value", ""},
		"llvm.x86.sse2.pause":            {"x86.sse2.pause", ""},
		"llvm.fptosi.sat.i32.f64":        {"fptosi.sat", "i32"},
		"llvm.":                          {"", ""},
	} {
		if base, typ := splitIntrinsic(name); base != want[0] || typ != want[1] {
			t.Errorf("%s: %q %q, want %q", name, base, typ, want)
		}
	}
}
