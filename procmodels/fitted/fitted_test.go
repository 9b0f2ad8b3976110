package fitted

// This file prices blocks by hand, and holds the factors of the costs against the
// standard errors.

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"flag"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// block makes a block of "opcode type" and "call type callee".
func block(index int, instrs string, succs ...int) *ir.Block {
	b := &ir.Block{Index: index, Name: string(rune('a' + index)), Succs: succs}
	for _, s := range strings.Split(instrs, "; ") {
		f := strings.Fields(s + " void x")
		in := ir.Instr{Op: f[0], Type: f[1]}
		if f[0] == "call" {
			in.Call = &ir.Call{Callee: -1, Name: f[2]}
			if f[2] == "local" {
				in.Call.Callee = 0
			}
			if strings.HasPrefix(f[2], "llvm.memcpy") {
				in.Call.ConstArgs = []ir.ConstArg{{Index: 2, Value: 48}, {Index: 3, Value: 0}}
			}
		}
		b.Instrs = append(b.Instrs, in)
	}
	return b
}

// program has a loop a -> b -> a with a choice in it:
//
//	a -> b | d;  b -> c | a;  c -> a
func program() *ir.Program {
	return &ir.Program{Triple: "x86_64-pc-linux-gnu", Funcs: []*ir.Func{{Name: "main", Blocks: []*ir.Block{
		block(0, "alloca i32; store i32; br void", 1),
		block(1, "phi i32; load i32; icmp i32; br i1", 2, 4),
		block(2, "add i32; mul i64; call void __pathspan_x; call void llvm.dbg.value; fcmp double; br i1", 3, 1),
		block(3, "call double llvm.fmuladd.f64; call void llvm.memcpy.p0.p0.i64; call i32 printf; call i32 local; freeze i32; br void", 1),
		block(4, "udiv i32; add <4 x i32>; ret void"),
	}}}}
}

// model has a covariance with a negative entry: of alu and load, one may be the
// cheaper, the dearer the other.
func model() *Model {
	return &Model{
		Name: "test", Unit: "cycles", Source: "by hand: figures, with a colon", Machine: "x86_64", ClockMHz: 100,
		Fit: Fit{Method: "by hand", Samples: 9, Groups: 3, MeanInstruction: 1.25, Residual: 0.1, Fitted: 0.05,
			Error: ErrorSummary{0.1, 0.08, 0.3, "x, the worst"}, Warnings: []string{"few samples: nine"}, Sources: []string{"a.csv"},
			Held: []HeldOut{{"x, the worst", 100, 130}, {"y -O2", 10, 9.5}}},
		Coefficients: []Coefficient{
			{Feature: "alu", Cycles: 1, Error: 0.3, Samples: 9},
			{Feature: "branch", Cycles: 2, Error: -1, Samples: 3},
			{Feature: "bytes moved", Cycles: 0.25, Error: -1, Samples: 2},
			{Feature: "call", Cycles: 5, Error: 0.5, Samples: 9, Warnings: []string{"collinear: most like jump, (0.99)", "executed by only 1 of 9 samples"}},
			{Feature: "call memcpy", Cycles: 12, Error: -1, Samples: 4},
			{Feature: "fadd", Cycles: 3, Error: -1, Samples: 4},
			{Feature: "fmul", Cycles: 7, Error: -1, Samples: 4},
			{Feature: "jump", Cycles: 0, Error: -1, Samples: 9, Warnings: []string{"pinned at zero"}},
			{Feature: "load", Cycles: 4, Error: 0.2, Samples: 9},
			{Feature: "loop branch", Cycles: 0.5, Error: -1, Samples: 9},
		},
		Covariance: [][]float64{{0.09}, {0.06, 0.25}, {-0.04, 0.01, 0.04}},
	}
}

func costs(t *testing.T, m *Model) *procmodels.Costs {
	t.Helper()
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	p := program()
	c, err := m.Costs(context.Background(), &procmodels.Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(p); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPriceByHand(t *testing.T) {
	c := costs(t, model())
	// Never executed: alloca and store cost the median of the memory classes, 4 (load);
	// compare, mul and div that of the integer classes, 1 (alu); fcompare that of the
	// floating-point classes, 5; phi that of the control classes, 2 (0.5, 2, 5; the jump at
	// zero does not count); printf that of the library functions, 12; the vector alu that of the integer classes.
	want := []float64{
		4 + 4 + 0,
		2 + 4 + 1 + 0.5,               // phi, load, compare, loop branch
		1 + 1 + 5 + 0.5,               // alu, mul, fcompare; the branch goes to the header or on
		7 + 3 + 12 + 48*0.25 + 12 + 5, // fmuladd, memcpy of 48 bytes, printf, call
		1 + 1,
	}
	for i, w := range want {
		if got := c.Blocks[0][i].Cycles; math.Abs(got-w) > 1e-12 {
			t.Errorf("block %c costs %v, by hand %v", 'a'+i, got, w)
		}
	}
	if got := model(); got != nil {
		c := costs(t, got).Reasons
		for _, want := range []string{"class phi: never executed in the samples, taken as the median of the control-flow classes",
			"call printf: never executed in the samples, taken as the median of the library functions measured",
			"class vector alu: never executed in the samples, taken as the median of the integer classes"} {
			if !slices.Contains(c, want) {
				t.Errorf("reasons %q lack %q", c, want)
			}
		}
	}
}

// With z independent and of deviation 1, a block's cost has the variance sum of the
// squares of its moves: it must be x^T covariance x, and the share of the residual.
func TestFactorsReproduceStandardErrors(t *testing.T) {
	m := model()
	c := costs(t, m)
	x := [][]float64{1: {0, 0, 1}, 2: {1, 0, 0}, 3: {0, 1, 0}, 4: nil} // alu, call, load by block
	for bi, counts := range x {
		bc := &c.Blocks[0][bi]
		variance := 0.0
		for i := range counts {
			for j := range counts {
				variance += counts[i] * counts[j] * m.Covariance[max(i, j)][min(i, j)]
			}
		}
		variance += math.Pow(m.Fit.Residual*bc.Cycles, 2)
		got := 0.0
		for _, v := range bc.Varies {
			if v.Up != v.Down {
				t.Errorf("block %d: %+v: want a straight line", bi, v)
			}
			got += v.Up * v.Up
		}
		if math.Abs(got-variance) > 1e-4*variance {
			t.Errorf("block %d: factors make a variance of %v, want %v", bi, got, variance)
		}
	}
	// The covariance of two blocks is the sum of the products of their moves.
	moves := map[int]float64{}
	for _, v := range c.Blocks[0][2].Varies[1:] {
		moves[v.Factor] = v.Up
	}
	got := 0.0
	for _, v := range c.Blocks[0][1].Varies[1:] {
		got += moves[v.Factor] * v.Up
	}
	if math.Abs(got+0.04) > 1e-5 {
		t.Errorf("blocks of one alu and of one load have covariance %v, want -0.04", got)
	}
}

func TestPairsAndWidths(t *testing.T) {
	f := program().Funcs[0]
	names := func(s Scheme, b int) string {
		var list []string
		for _, ft := range s.Features(f)[b] {
			list = append(list, ft.Name)
		}
		return strings.Join(list, ", ")
	}
	for _, tc := range []struct {
		scheme Scheme
		block  int
		want   string
	}{
		{Scheme{Pairs: true}, 1, "compare, compare > loop branch, load, load > compare, loop branch, phi, phi > load"},
		{Scheme{Widths: true}, 2, "alu.32, fcompare, loop branch, mul.64"},
		{Scheme{}, 3, "bytes moved, call, call memcpy, call printf, fadd, fmul, jump"},
		{Scheme{Pairs: true}, 4, "div, div > vector alu, vector alu"},
	} {
		if got := names(tc.scheme, tc.block); got != tc.want {
			t.Errorf("%+v, block %d: %s, want %s", tc.scheme, tc.block, got, tc.want)
		}
	}
}

func TestGoldenFile(t *testing.T) {
	m := model()
	path := filepath.Join("testdata", "model.yaml")
	if *update {
		if err := os.WriteFile(path, m.Marshal(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Marshal(); string(got) != string(want) {
		t.Errorf("the model is written as\n%s\nwant\n%s", got, want)
	}
	opened, err := procmodels.Open(path, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := opened.(*Model).Marshal(); string(got) != string(want) {
		t.Errorf("read and written again it is\n%s\nwant\n%s", got, want)
	}
	d := opened.Describe()
	accuracy := strings.Join(d.Accuracy, "\n")
	for _, want := range []string{"9 samples of a.csv, 3 groups; by hand", "mean 10.0 %, median 8.0 %, worst 30.0 % (x, the worst)", "few samples: nine",
		"call = 5: collinear: most like jump, (0.99); executed by only 1 of 9 samples", "jump = 0: pinned at zero"} {
		if !strings.Contains(accuracy, want) {
			t.Errorf("accuracy lacks %q:\n%s", want, accuracy)
		}
	}
}

func TestParseErrors(t *testing.T) {
	good := string(model().Marshal())
	for _, tc := range []struct{ old, new, want string }{
		{"clock_mhz", "clock_mzh", `m.yaml:7: unknown key "clock_mzh"`},
		{"cycles: 4,", "cycles: -4,", "m.yaml:"},
		{"[0.06, 0.25]", "[0.06]", "row 2 of the covariance has 1 entries: want 2"},
		{"[0.06, 0.25]", "[0.06, 0.5]", `coefficient "call" has standard error 0.5`},
		{"[0.06, 0.25]", "[0.6, 0.25]", "not positive definite"},
		{"[0.06, 0.25]", "[.nan, 0.25]", "want a finite number"},
		{"feature: branch", "feature: alu", `coefficient "alu" stands behind "alu"`},
		{"  - [0.09]\n", "", "the covariance has 2 rows, 3 coefficients have a standard error"},
	} {
		if !strings.Contains(good, tc.old) {
			t.Fatalf("no %q in the file", tc.old)
		}
		_, err := parse("m.yaml", []byte(strings.Replace(good, tc.old, tc.new, 1)))
		if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.HasPrefix(err.Error(), "m.yaml:") {
			t.Errorf("%q for %q: %v, want %q", tc.new, tc.old, err, tc.want)
		}
	}
}

// parse reads a model file as procmodels.Open does.
func parse(name string, data []byte) (*Model, error) {
	r := yamlstrict.Parse(name, data)
	m := read(r)
	return m, r.Err()
}

func FuzzParse(f *testing.F) {
	f.Add(string(model().Marshal()))
	f.Add("schema: pathspan.fitted/1\n")
	f.Add("schema: pathspan.fitted/1\nname: a\nunit: b\nsource: c\nfit: {method: m, samples: 1, groups: 1, mean_instruction: 1}\ncoefficients: [{feature: alu, cycles: 1, error: 0}]\ncovariance: [[0]]\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parse("m.yaml", []byte(text))
		if err != nil {
			return
		}
		p := program()
		c, err := m.Costs(context.Background(), &procmodels.Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range c.Blocks[0] {
			if !(b.Cycles >= 0) {
				t.Errorf("a block costs %v", b.Cycles)
			}
		}
		if _, err := parse("m.yaml", m.Marshal()); err != nil {
			t.Errorf("what was read cannot be read again: %v\n%s", err, m.Marshal())
		}
	})
}
