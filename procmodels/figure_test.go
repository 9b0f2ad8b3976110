package procmodels

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
)

const ranged = `schema: pathspan.weights/1
name: ranged
default: 100
weights:
  add: 1
  mul: {best: 3, typical: 4, worst: 6}
  sdiv: {default: {best: 2, typical: 7, worst: 12}, i64: 90}
  load: {default: {typical: 2, worst: 12}, i8: {best: 1, typical: 2}, double: {typical: 3}}
  br: {best: 2, typical: 3, worst: 4}
  ret: 6
  call: {best: 8, typical: 10, worst: 15}
intrinsics:
  ctlz: {best: 1, typical: 20, worst: 30}
  memset: {base: {best: 5, typical: 6, worst: 9}, per_byte: 0.5, bytes: 64, size_arg: 2}
calls:
  qsort: {best: 100, typical: 2000, worst: 9000}
  strlen: {base: 8, per_byte: 2, bytes: {best: 0, typical: 16, worst: 256}}
  fread: {base: 100, per_byte: {typical: 0.5, worst: 2}, bytes: 64, size_arg: [1, 2]}
  memcpy: {base: 10, per_byte: 0.5, bytes: 64, size_arg: 2}
`

// Each instruction alone in its block, by hand.
func TestRanges(t *testing.T) {
	for _, c := range []struct {
		in                   string
		best, typical, worst float64 // best and worst 0: no range
		varies               string
	}{
		{"add i32", 0, 1, 0, ""},
		{"mul i32", 3, 4, 6, "mul -1 +2"},
		{"mul i64", 3, 4, 6, "mul -1 +2"},
		{"mul i128", 6, 8, 12, "mul -2 +4"},
		{"mul <4 x i32>", 12, 16, 24, "mul -4 +8"},
		{"sdiv i32", 2, 7, 12, "sdiv -5 +5"},
		{"sdiv i64", 0, 90, 0, ""},
		{"load i32", 2, 2, 12, "load -0 +10"},
		{"load i8", 1, 2, 2, "load i8 -1 +0"},
		{"load i1", 1, 2, 2, "load i8 -1 +0"},
		{"load double", 0, 3, 0, ""},
		{"load { i8, [3 x i32] }", 7, 8, 38, "load i8 -1 +0, load -0 +30"},
		{"load { i32, [3 x i32] }", 8, 8, 48, "load -0 +40"},
		{"br ", 2, 3, 4, "br -1 +1"},
		{"call void g", 8, 10, 15, "call -2 +5"},
		{"call i32 *", 8, 10, 15, "call -2 +5"},
		{"call void qsort", 108, 2010, 9015, "call -2 +5, call to qsort -1900 +7000"},
		{"call i64 strlen", 16, 50, 535, "call -2 +5, call to strlen -32 +480"},
		{"call i64 fread", 140, 142, 243, "call -2 +5, call to fread -0 +96"},
		{"call i64 fread(1=4,2=10)", 128, 130, 195, "call -2 +5, call to fread -0 +60"},
		{"call ptr memcpy", 50, 52, 57, "call -2 +5"},
		{"call ptr memcpy(2=8)", 22, 24, 29, "call -2 +5"},
		{"call i32 llvm.ctlz.i32", 1, 20, 30, "intrinsic ctlz -19 +10"},
		{"call void llvm.memset.p0.i64(2=10)", 10, 11, 14, "intrinsic memset -1 +3"},
		{"call void llvm.memset.p0.i64(3=10)", 37, 38, 41, "intrinsic memset -1 +3"},
	} {
		p := testProgram(t, map[string]string{"f": "entry: fence; " + c.in, "g": "entry: ret void"}, "f", "g")
		p.Funcs[0].Blocks[0].Instrs = p.Funcs[0].Blocks[0].Instrs[1:]
		if c.in == "br " { // not alone
			p = testProgram(t, map[string]string{"f": "entry: add i32; br"}, "f")
			c.best, c.typical, c.worst = c.best+1, c.typical+1, c.worst+1
		}
		costs, err := model(t, ranged).Costs(context.Background(), &Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		if err := costs.Check(p); err != nil {
			t.Error(err)
		}
		bc := costs.Blocks[0][0]
		if bc.Best != c.best || bc.Cycles != c.typical || bc.Worst != c.worst || variesOf(costs, &bc) != c.varies {
			t.Errorf("%s: %g, %g, %g cycles (%s), want %g, %g, %g (%s)", c.in,
				bc.Best, bc.Cycles, bc.Worst, variesOf(costs, &bc), c.best, c.typical, c.worst, c.varies)
		}
	}
}

func variesOf(c *Costs, bc *BlockCost) string {
	text := ""
	for _, v := range bc.Varies {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s -%g +%g", c.Factors[v.Factor].Name, v.Down, v.Up)
	}
	return text
}

// A factor is shared by all instructions of its range, in all blocks; a block with
// nothing that varies has no range.
func TestFactorsAreShared(t *testing.T) {
	p := testProgram(t, map[string]string{"f": `
		entry: sdiv i32; mul i32; mul i64; add i32; br -> mid
		mid: add i32; sdiv i64; ret void
		end: mul i8; sdiv i8; call i32 puts; ret void`}, "f")
	costs, err := model(t, ranged).Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	want := []Factor{{"sdiv", true}, {"mul", true}, {"br", true}, {"call", true}}
	if !slices.Equal(costs.Factors, want) {
		t.Errorf("factors %v, want %v", costs.Factors, want)
	}
	for b, want := range []string{"sdiv -5 +5, mul -2 +4, br -1 +1", "", "sdiv -5 +5, mul -1 +2, call -2 +5"} {
		bc := &costs.Blocks[0][b]
		if got := variesOf(costs, bc); got != want {
			t.Errorf("block %d varies by %s, want %s", b, got, want)
		}
		if has := bc.Best != 0 || bc.Worst != 0; has != (want != "") {
			t.Errorf("block %d has the range %g to %g", b, bc.Best, bc.Worst)
		}
	}
}

// A table that extends another inherits ranges as it does figures: a range of its own
// replaces all types, one by type that type, a number a range.
func TestRangesAreInherited(t *testing.T) {
	m := open(t, "testdata/extends/range.yaml")
	for _, c := range []struct {
		in                   string
		best, typical, worst float64
	}{
		{"add i32", 1, 3, 9},
		{"add i64", 1, 3, 9},
		{"mul i32", 0, 3, 0},
		{"mul i64", 4, 8, 10},
		{"udiv i32", 0, 5, 0},
		{"sdiv i32", 2, 7, 12},
		{"call i32 puts", 60, 110, 210},
	} {
		p := testProgram(t, map[string]string{"f": "entry: " + c.in}, "f")
		costs, err := m.Costs(context.Background(), &Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		if bc := costs.Blocks[0][0]; bc.Best != c.best || bc.Cycles != c.typical || bc.Worst != c.worst {
			t.Errorf("%s: %g, %g, %g cycles, want %g, %g, %g", c.in, bc.Best, bc.Cycles, bc.Worst, c.best, c.typical, c.worst)
		}
	}
}

// movedBytes is a run that tells what calls worked on.
type movedBytes map[*ir.Call]float64

func (m movedBytes) Moved(*ir.Program) map[*ir.Call]float64 { return m }
func (movedBytes) Runs() *flow.Runs                         { return nil }
func (movedBytes) Selected() map[flow.Way][2]flow.Foretold  { return nil }
func (movedBytes) Mistaken(int) [][][]float64               { return nil }

// Sizes that the program fixes cost what they cost: nothing of it is a default. What
// is no size of a block of memory counts as unknown.
func TestKnownSizes(t *testing.T) {
	const unknown = "call to memcpy: size unknown, 64 bytes assumed"
	for _, c := range []struct {
		in     string
		cycles float64
		reason string
	}{
		{"call ptr memcpy(2=64)", 10 + 10 + 32, ""},
		{"call ptr memcpy(2=0)", 10 + 10, ""},
		{"call ptr memcpy(0=7,2=1099511627776)", 20 + math.Exp2(39), ""},
		{"call ptr memcpy(2=1099511627777)", 52, unknown},
		{"call ptr memcpy(2=-1)", 52, unknown},
		{"call ptr memcpy(0=8,1=8)", 52, unknown},
		{"call ptr memcpy", 52, unknown},
		{"invoke ptr memcpy(2=2)", 21, ""},
		{"call i64 fread(1=0,2=10)", 110, ""},
		{"call i64 fread(1=4)", 142, "call to fread: size unknown, 64 bytes assumed"},
		{"call i64 fread(1=4294967296,2=4294967296)", 142, "call to fread: size unknown, 64 bytes assumed"},
		{"call i64 strlen(0=3)", 50, "call to strlen: size unknown, 16 bytes assumed"},
	} {
		var want []string
		if c.reason != "" {
			want = []string{c.reason}
		}
		if got, reasons := priced(t, model(t, ranged), c.in); got != c.cycles || !slices.Equal(reasons, want) {
			t.Errorf("%s: %g cycles %q, want %g %q", c.in, got, reasons, c.cycles, want)
		}
	}
	// What a run told of a call goes for that call, where the program does not fix the size.
	told := testProgram(t, map[string]string{"f": "entry: call ptr memcpy; call ptr memcpy; call ptr memcpy(2=8); call i64 strlen"}, "f")
	run := movedBytes{}
	for i, bytes := range map[int]float64{0: 100.5, 2: 1000, 3: 20} {
		run[told.Funcs[0].Blocks[0].Instrs[i].Call] = bytes
	}
	costs, err := model(t, ranged).Costs(context.Background(), &Subject{Program: told, Run: run})
	if err != nil {
		t.Fatal(err)
	}
	if bc := costs.Blocks[0][0]; bc.Cycles != 20+50.25+52+24+18+40 || len(bc.Defaults) != 1 || bc.Defaults[0].Count != 1 || !slices.Equal(costs.Reasons, []string{unknown}) {
		t.Errorf("%+v, %q", bc, costs.Reasons)
	}
	// Calls of one function with and without a known size do not share a price.
	p := testProgram(t, map[string]string{"f": "entry: call ptr memcpy(2=8); call ptr memcpy; call ptr memcpy(2=16)"}, "f")
	if costs, err = model(t, ranged).Costs(context.Background(), &Subject{Program: p}); err != nil {
		t.Fatal(err)
	}
	if bc := costs.Blocks[0][0]; bc.Cycles != 24+52+28 || len(bc.Defaults) != 1 || bc.Defaults[0].Cycles != 32 || bc.Defaults[0].Count != 1 {
		t.Errorf("%+v", bc)
	}
}

// The lines of a line table know sizes through their fallback.
func TestKnownSizeByFallback(t *testing.T) {
	m, err := parseModel("t.yaml", []byte("schema: pathspan.linetable/1\nname: t\nfallback: generic\nlines: [{file: app.c, line: 1, cycles: 1, calls: excluded}]"))
	if err != nil {
		t.Fatal(err)
	}
	got, reasons := priced(t, m, "call ptr memcpy(2=32) @1")
	if want := "call to memcpy: priced by generic"; got != 1+8+16 || !slices.Equal(reasons, []string{want}) {
		t.Errorf("%g cycles %q", got, reasons)
	}
}
