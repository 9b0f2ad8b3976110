package procmodels

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// priced returns the cycles and the reasons of one instruction under a model.
func priced(t *testing.T, m Model, instr string) (float64, []string) {
	t.Helper()
	p := testProgram(t, map[string]string{"f": "entry: " + instr}, "f")
	costs, err := m.Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := costs.Check(p); err != nil {
		t.Error(err)
	}
	return costs.Blocks[0][0].Cycles, costs.Reasons
}

func open(t *testing.T, ref string) Model {
	t.Helper()
	m, err := Open(ref, "")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestInheritance(t *testing.T) {
	base, core := open(t, "testdata/extends/base.yaml"), open(t, "testdata/extends/core.yaml")
	for _, c := range []struct {
		in         string
		base, core float64
	}{
		{"add i32", 1, 2},
		{"add i64", 2, 2}, // a number replaces all types
		{"mul i32", 3, 3},
		{"mul i64", 8, 6},     // a mapping the types it lists
		{"fadd double", 5, 6}, // a mapping with a default all types
		{"fadd float", 4, 4},
		{"sub i32", 9, 9},
		{"call double llvm.fabs.f64", 2, 2},
		{"call void llvm.memset.p0.i64", 30, 30},
		{"call void llvm.memcpy.p0.p0.i64", 30, 8},
		{"call i32 llvm.ctpop.i32", 7, 7},
		{"call double sqrt", 46, 46},
		{"call i32 puts", 110, 100},
		{"call i32 printf", 50, 50},
	} {
		got, _ := priced(t, base, c.in)
		over, _ := priced(t, core, c.in)
		if got != c.base || over != c.core {
			t.Errorf("%s: %g and %g cycles, want %g and %g", c.in, got, over, c.base, c.core)
		}
	}
	want := Description{Name: "core", Kind: KindWeights, Version: weightsSchema, ClockMHz: 80,
		Source: "measured; what it does not list: table base (a book)", Notes: "leaves out much",
		Unit: AdditiveUnit, Additive: true}
	if got := core.Describe(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := open(t, "testdata/extends/nofpu.yaml").Describe(); got.ClockMHz != 80 || got.Name != "nofpu" ||
		got.Source != "what it does not list: table core (measured; what it does not list: table base (a book))" {
		t.Errorf("got %+v", got)
	}
}

// A table that extends another leaves the other as it is.
func TestInheritanceCopies(t *testing.T) {
	before := open(t, "arm922t").(*weightTable)
	dir := t.TempDir()
	path := filepath.Join(dir, "mine.yaml")
	text := "schema: pathspan.weights/1\nname: mine\nextends: arm922t\nweights: {add: {i64: 77}}\ncalls: {memcpy: 1}\n"
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mine := open(t, path)
	for _, c := range []struct {
		in   string
		want float64
	}{{"add i64", 77}, {"add i32", 1}, {"call ptr memcpy", 8}} {
		if got, _ := priced(t, mine, c.in); got != c.want {
			t.Errorf("%s: %g cycles, want %g", c.in, got, c.want)
		}
	}
	if got, _ := priced(t, before, "add i64"); got != 2 {
		t.Errorf("the parent's add i64 costs %g", got)
	}
}

// A file may have the path of a built-in table and extend that table.
func TestFileOfABuiltInName(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("generic", 0o755); err != nil {
		t.Fatal(err)
	}
	text := "schema: pathspan.weights/1\nname: mine\nextends: generic\nweights: {add: 5}\n"
	if err := os.WriteFile("generic/generic.yaml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := Open("generic/generic.yaml", "")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := priced(t, m, "add i32"); got != 5 {
		t.Errorf("%g cycles, want 5", got)
	}
}

// Links give a file endlessly many names; the chain still ends.
func TestEndlessChain(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(".", filepath.Join(dir, "again")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	text := "schema: pathspan.weights/1\nname: mine\nextends: again/a.yaml\n"
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open("a.yaml", dir)
	want := fmt.Sprintf("want at most %d tables that extend one another", maxChain)
	if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestSoftFloat(t *testing.T) {
	core, none, noDouble := open(t, "testdata/extends/core.yaml"), open(t, "testdata/extends/nofpu.yaml"), open(t, "testdata/extends/nodouble.yaml")
	for _, c := range []struct {
		in                   string
		core, none, noDouble float64
	}{
		{"fadd float", 4, 50, 4},
		{"fadd double", 6, 80, 80},
		{"fadd <2 x float>", 8, 100, 8},
		{"fadd <2 x double>", 12, 160, 160},
		{"fadd fp128", 6, 80, 80},
		{"fcmp float", 9, 20, 9}, // the table has no weight for it in hardware
		{"fptrunc double", 9, 41, 41},
		{"add i32", 2, 2, 2},
		{"load double", 9, 9, 9},
		{"call float llvm.fabs.f32", 1, 3, 1},
		{"call double llvm.fabs.f64", 2, 3, 3},
		{"call i32 llvm.lround.i32.f32", 7, 110, 7},
		{"call i32 llvm.lround.i32.f64", 7, 110, 110},
		{"call i32 llvm.ctpop.i32", 7, 7, 7},
		{"call double sqrt", 46, 610, 610},
		{"call float sqrtf", 50, 610, 50},
		{"call i32 puts", 100, 100, 100},
	} {
		for _, m := range []struct {
			Model
			want float64
		}{{core, c.core}, {none, c.none}, {noDouble, c.noDouble}} {
			if got, _ := priced(t, m.Model, c.in); got != m.want {
				t.Errorf("%s: %s: %g cycles, want %g", m.Describe().Name, c.in, got, m.want)
			}
		}
	}
}

func TestSizeCost(t *testing.T) {
	const table = sample + "  memcpy: {base: 10, per_byte: 0.5, bytes: 64}\n  flat: {base: 10, per_byte: 0, bytes: 64}\n"
	for _, c := range []struct {
		in     string
		cycles float64
		reason []string
	}{
		{"call ptr memcpy", 10 + 10 + 32, []string{"call to memcpy: size unknown, 64 bytes assumed"}},
		{"call ptr flat", 20, nil},
	} {
		if got, reasons := priced(t, model(t, table), c.in); got != c.cycles || !slices.Equal(reasons, c.reason) {
			t.Errorf("%s: %g cycles %q, want %g %q", c.in, got, reasons, c.cycles, c.reason)
		}
	}
	core := open(t, "testdata/extends/core.yaml")
	got, reasons := priced(t, core, "call void llvm.memcpy.p0.p0.i64")
	if want := []string{"intrinsic memcpy: size unknown, 16 bytes assumed"}; got != 8 || !slices.Equal(reasons, want) {
		t.Errorf("%g cycles %q", got, reasons)
	}
	// Only what hangs on the size is a default.
	p := testProgram(t, map[string]string{"f": "entry: call ptr memcpy"}, "f")
	costs, err := model(t, table).Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if d := costs.Blocks[0][0].Defaults; len(d) != 1 || d[0].Cycles != 32 || d[0].Count != 1 {
		t.Errorf("defaults %+v, want 32 cycles once", d)
	}
}

// Every built-in table can lose its FPU.
func TestBuiltInOptions(t *testing.T) {
	for _, name := range Names() {
		text := "schema: pathspan.weights/1\nname: mine\nextends: " + name + "\nsoft_float: "
		soft := model(t, text+"true\n")
		for _, c := range []string{"fadd double", "fmul float", "call double llvm.sqrt.f64", "call double sin"} {
			hard, _ := priced(t, open(t, name), c)
			if got, reasons := priced(t, soft, c); got < hard || got < 20 || len(reasons) > 0 {
				t.Errorf("%s: %s without FPU: %g cycles %q, with it %g", name, c, got, reasons, hard)
			}
		}
		if got, _ := priced(t, model(t, text+"double\n"), "fadd fp128"); got < 20 {
			t.Errorf("%s: fadd fp128 with an FPU for float: %g cycles", name, got)
		}
	}
	// The ARM922T has no FPU to fall back on.
	hard := model(t, "schema: pathspan.weights/1\nname: mine\nextends: arm922t\nsoft_float: false\n")
	if _, reasons := priced(t, hard, "fadd double"); !slices.Equal(reasons, []string{"opcode fadd double without a weight"}) {
		t.Errorf("ARM922T with an FPU: %q", reasons)
	}
}

// The example of WEIGHTS.md is a table, and costs what the page says.
func TestDocumentedExample(t *testing.T) {
	page, err := os.ReadFile("WEIGHTS.md")
	if err != nil {
		t.Fatal(err)
	}
	var example strings.Builder
	for line := range strings.Lines(string(page)) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			example.WriteString(code)
		} else if example.Len() > 0 {
			break
		}
	}
	m := model(t, example.String())
	for _, c := range []struct {
		in   string
		want float64
	}{{"mul i64", 8}, {"mul <4 x i32>", 4}, {"call ptr memcpy", 6 + 60}, {"call i64 strlen", 6 + 40}, {"call void llvm.memcpy.p0.p0.i64", 42}, {"fdiv float", 14},
		{"call void llvm.memcpy.p0.p0.i64(2=100)", 60}, {"call i64 fread(1=4,2=10)", 6 + 120}, {"udiv i32", 7}, {"udiv i64", 80}} {
		if got, _ := priced(t, m, c.in); got != c.want {
			t.Errorf("%s: %g cycles, want %g", c.in, got, c.want)
		}
	}
	if _, reasons := priced(t, m, "call ptr memcpy"); len(reasons) != 1 || !strings.Contains(strings.Join(strings.Fields(string(page)), " "), reasons[0]) {
		t.Errorf("reasons %q: the page quotes another", reasons)
	}
}
