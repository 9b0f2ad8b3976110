package shim

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
)

// oneBlock is a program of one block of instructions "op type", calls "call NAME".
func oneBlock(instrs ...string) *ir.Program {
	b := &ir.Block{Name: "entry"}
	for _, text := range instrs {
		op, typ, _ := strings.Cut(text, " ")
		in := ir.Instr{Op: op, Type: typ, Loc: ir.Loc{File: -1}}
		if op == "call" {
			in.Type, in.Call = "i32", &ir.Call{Callee: -1, Name: typ}
			switch typ {
			case "self":
				in.Call.Callee = 0
			case "*":
				in.Call.Name, in.Call.Indirect = "", true
			}
		}
		b.Instrs = append(b.Instrs, in)
	}
	return &ir.Program{DataLayout: "e-p:32:32", Funcs: []*ir.Func{{Name: "self", Blocks: []*ir.Block{b}}}}
}

func cost(t *testing.T, m procmodels.Model, instrs ...string) (float64, *procmodels.Costs) {
	t.Helper()
	p := oneBlock(instrs...)
	c, err := m.Costs(context.Background(), &procmodels.Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(p); err != nil {
		t.Fatal(err)
	}
	return c.Blocks[0][0].Cycles, c
}

// The block's figures are the sums of those in testdata/twocores10.xml.
func TestBlockCost(t *testing.T) {
	block := []string{"load i32", "mul i32", "add i32", "store i32", "br "}
	for ref, want := range map[string]float64{
		"shim:twocores10.xml#host":                         2 + 3 + 1 + 1 + 2,
		"shim:twocores10.xml#MC_host":                      2 + 3 + 1 + 1 + 2,
		"shim:twocores10.xml?figure=pitch#host":            1 + 1 + 1 + 1 + 2,
		"shim:twocores10.xml?case=worst#host":              9 + 5 + 1 + 4 + 3,
		"shim:twocores10.xml?figure=pitch&case=worst#host": 1 + 2 + 1 + 1 + 3,
		"shim:twocores10.xml?case=best#host":               1 + 2 + 1 + 1 + 1,
		"shim:twocores20.xml#dsp":                          2 + 1 + 1 + 1 + 2,
	} {
		m, err := procmodels.Open(ref, "testdata")
		if err != nil {
			t.Errorf("%s: %v", ref, err)
			continue
		}
		got, c := cost(t, m, block...)
		if got != want || len(c.Reasons) != 0 || len(c.Warnings) != 0 {
			t.Errorf("%s: %g cycles, want %g; %q %q", ref, got, want, c.Reasons, c.Warnings)
		}
	}
}

func TestDescribe(t *testing.T) {
	m, err := openComponent("testdata/twocores10.xml", "host")
	if err != nil {
		t.Fatal(err)
	}
	d := m.Describe()
	if d.Name != "twocores10.xml#host" || d.Kind != Kind || d.ClockMHz != 200 ||
		d.Source != `latencies of Generic "host" in testdata/twocores10.xml` {
		t.Errorf("%+v", d)
	}
}

func TestDefaults(t *testing.T) {
	m, err := openComponent("testdata/twocores10.xml", "host")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		instr  string
		cycles float64
		reason string
	}{
		{"xor i32", 2, "opcode xor: no figure"}, // the median of the file
		{"freeze i32", 0, "opcode freeze: no figure, taken as bitcast"},
		{"add <4 x i32>", 4, "opcode add <4 x i32>: taken as 4 operations"},
		{"load { i32, [3 x i32] }", 8, "opcode load { i32, [3 x i32] }: taken by its parts"},
		{"phi <4 x i32>", 0, ""},
		{"call self", 4, ""},
		{"call sqrt", 4, "call to sqrt: only the call itself is modelled"},
		{"call *", 4, "indirect call: only the call itself is modelled"},
		{"call asm", 2, "inline assembly: not modelled"},
		{"call __kmpc_barrier", 0, ""},
		{"call __pathspan_section_begin", 0, ""},
		{"call llvm.lifetime.start.p0", 0, ""},
		{"call llvm.fmuladd.f64", 9, "intrinsic fmuladd: taken as fmul and fadd"},
		{"call llvm.memcpy.p0.p0.i64", 4, "intrinsic memcpy: taken as a call"},
	} {
		got, costs := cost(t, m, c.instr)
		reason := strings.Join(costs.Reasons, "; ")
		if got != c.cycles || reason != c.reason {
			t.Errorf("%s: %g cycles, %q; want %g, %q", c.instr, got, reason, c.cycles, c.reason)
		}
	}
}

// testdata/widths20.xml has add for 16 and 32 bits, a vector add of 4 elements, a
// load by its result's width, a negative figure and a misspelt opcode.
func TestWidths(t *testing.T) {
	m, err := openComponent("testdata/widths20.xml", "")
	if err != nil {
		t.Fatal(err)
	}
	for instr, want := range map[string]float64{
		"add i8": 1, "add i16": 1, "add i24": 2, "add i32": 2, "add i64": 4, "add i65": 6,
		"add <4 x i32>": 3, "add <8 x i32>": 6, "add <5 x i16>": 6,
		"load i8": 5, "load i64": 7, "load ptr": 7,
		"lshr i32": 0, "extractvalue i32": 8,
	} {
		if got, c := cost(t, m, instr); got != want {
			t.Errorf("%s: %g cycles, want %g (%q)", instr, got, want, c.Reasons)
		}
	}
	_, c := cost(t, m, "lshr i32")
	if !slices.Contains(c.Reasons, "opcode lshr: -0.5 cycles in the file, taken as 0") {
		t.Errorf("reasons %q", c.Reasons)
	}
	golden(t, "testdata/widths20.warnings", strings.Join(c.Warnings, "\n")+"\n")
}

func TestReferenceErrors(t *testing.T) {
	var b strings.Builder
	for _, ref := range []string{
		"shim:twocores10.xml", "shim:twocores10.xml#hos", "shim:twocores10.xml#gpu", "shim:", "shim:missing.xml#a",
		"shim:twocores10.xml?figure=area#host", "shim:twocores10.xml?cost=1#host", "shim:twocores10.xml?memory=sran#host", "shim:twocores10.xml?memory=flash&memory=sram#host",
		"shim:twocores10.xml?memory=#host", "shim:widths20.xml?memory=x", "shim:twocores10.xml?case=best&case=worst#host",
		"shim:twocores10.xml#host?case=best", "shim:none10.xml", "shim:power20.xml", "shim:bad.xml", "shim:twins10.xml#core",
	} {
		_, err := procmodels.Open(ref, "testdata")
		if err == nil {
			t.Errorf("%s: no error", ref)
			continue
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: several lines", ref)
		}
		b.WriteString(ref + "\n\t" + err.Error() + "\n")
	}
	golden(t, "testdata/reference.golden", b.String())
}

func TestPublishedModel(t *testing.T) {
	m, err := openComponent(publicFile(t, "shim10_i5_3550.xml"), "Core_0_0_1")
	if err != nil {
		t.Fatal(err)
	}
	got, c := cost(t, m, "add i32", "sdiv i32", "lshr i32", "ret ")
	if math.Abs(got-(0.44719+7.41807+0+10)) > 1e-9 || m.Describe().ClockMHz != 3300 {
		t.Errorf("%g cycles at %g MHz", got, m.Describe().ClockMHz)
	}
	if len(c.Reasons) != 1 || !strings.Contains(strings.Join(c.Warnings, "\n"), `"extractivalue" is no LLVM opcode; taken as "extractvalue"`) {
		t.Errorf("%q %q", c.Reasons, c.Warnings)
	}
	sample, err := openComponent(publicFile(t, "shim20_sample1.xml"), "")
	if err != nil {
		t.Fatal(err)
	}
	_, c = cost(t, sample, "add i32")
	if !strings.Contains(strings.Join(c.Warnings, "\n"), "placeholders, not measurements") {
		t.Errorf("%q", c.Warnings)
	}
}

func TestUnitFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("units.xml", `<Shim name="u" shimVersion="2.0"><FunctionalUnitSet><FunctionalUnit name="alu"><Instruction operation="add">
<Performance><Pitch typical="1"/><Latency typical="3"/></Performance></Instruction></FunctionalUnit></FunctionalUnitSet></Shim>`)
	system := `<Shim name="s" shimVersion="2.0"><SystemConfiguration><ComponentSet name="c"><MasterComponent name="m">
<CommonInstructionSet name="i"><FunctionalUnitSetFile src="SRC"/></CommonInstructionSet></MasterComponent></ComponentSet></SystemConfiguration></Shim>`
	write("s.xml", strings.Replace(system, "SRC", "units.xml", 1))
	m, err := openComponent(filepath.Join(dir, "s.xml"), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := cost(t, m, "add i32"); got != 3 {
		t.Errorf("%g cycles, want 3", got)
	}
	for _, src := range []string{"../units.xml", "/etc/passwd", "none.xml"} {
		write("bad.xml", strings.Replace(system, "SRC", src, 1))
		if _, w, err := Load(filepath.Join(dir, "bad.xml")); err != nil || len(w) != 1 || !strings.Contains(w[0].What, "are not read") {
			t.Errorf("%s: %v, %v", src, w, err)
		}
	}
}
