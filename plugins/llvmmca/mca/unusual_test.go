package mca

// This file tests what does not go the common way: code of x86 alone, functions that llc
// refuses, instructions that llvm-mca refuses, parameters.

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/procmodels"
	"pathspan/procmodels/sdk"
)

// reasonsOf joins the reasons.
func reasonsOf(c *procmodels.Costs) string { return strings.Join(c.Reasons, "\n") }

const x86Only = `
declare i32 @llvm.x86.sse42.crc32.32.32(i32, i32)

define i32 @crc(i32 %a, i32 %b) #0 {
entry:
  %c = call i32 @llvm.x86.sse42.crc32.32.32(i32 %a, i32 %b)
  %d = call i32 asm "bswap $0", "=r,0,~{dirflag},~{fpsr},~{flags}"(i32 %c)
  call void asm sideeffect "mfence", "~{memory}"()
  ret i32 %d
}

define i32 @plain(i32 %a) #0 {
entry:
  %b = mul i32 %a, %a
  ret i32 %b
}

attributes #0 = { "target-cpu"="skylake" "target-features"="+sse4.2" "tune-cpu"="generic" }
`

// TestOtherProcessorsAreNamed: code of one kind of processor says little of another's.
func TestOtherProcessorsAreNamed(t *testing.T) {
	s := parsed(t, "define i32 @f(i32 %a) {\n  %b = mul i32 %a, %a\n  ret i32 %b\n}\n")
	for triple, says := range map[string]bool{"x86_64-pc-linux-gnu": true, "riscv64-unknown-linux-gnu": false, "": false} {
		s.Program.Triple = triple
		costs := price(t, open(t, map[string]string{"cpu": "sifive-u74"}), s)
		said := slices.Contains(costs.Warnings, "the program was compiled for x86-64, and its LLVM code is taken for that of RISC-V")
		if said != says {
			t.Errorf("%s: warnings %q", triple, costs.Warnings)
		}
	}
}

func TestX86OnlyIsTakenOut(t *testing.T) {
	s := parsed(t, x86Only)
	for _, name := range []string{"cortex-a53", "cortex-m4", "sifive-u74"} {
		costs := price(t, open(t, map[string]string{"cpu": name}), s)
		d := costs.Blocks[0][0].Defaults
		if len(d) != 1 || d[0].Count != 3 || !strings.Contains(costs.Reasons[d[0].Reason], "assembly and intrinsics of other processors") {
			t.Errorf("%s: defaults %v of\n%s", name, d, reasonsOf(costs))
		}
		if len(costs.Blocks[1][0].Defaults) > 0 || costs.Blocks[1][0].Cycles <= 0 {
			t.Errorf("%s: a function beside costs %+v", name, costs.Blocks[1][0])
		}
	}
}

// One function that llc refuses costs its own figures only.
func TestRefusedFunction(t *testing.T) {
	const text = `
define x86_fp80 @long(x86_fp80 %a) {
entry:
  %b = fmul x86_fp80 %a, %a
  ret x86_fp80 %b
}

define i32 @good(i32 %a) {
entry:
  %b = mul i32 %a, %a
  ret i32 %b
}

define i32 @vectors(<vscale x 4 x i32> %a) {
entry:
  br label %next
next:
  %b = add <vscale x 4 x i32> %a, %a
  %c = extractelement <vscale x 4 x i32> %b, i32 0
  ret i32 %c
}

define i32 @other(i32 %a) {
entry:
  %b = call i32 @good(i32 %a)
  ret i32 %b
}
`
	eachLLVM(t, func(t *testing.T, tl *tools) {
		costs := price(t, open(t, map[string]string{"cpu": "cortex-a53", "llvm": strconv.Itoa(tl.version)}), parsed(t, text))
		reasons := reasonsOf(costs)
		// LLVM 14 crashes on the first where later ones call a library.
		if !strings.Contains(reasons, "function long: no machine code") && !strings.Contains(reasons, "call to __mulxf3") {
			t.Errorf("long double is no default:\n%s", reasons)
		}
		if !strings.Contains(reasons, "function vectors: no machine code (") || strings.Contains(reasons, "/") {
			t.Errorf("reasons:\n%s", reasons)
		}
		if c := costs.Blocks[2][0]; c.Cycles != perRefused || len(c.Defaults) != 1 {
			t.Errorf("the function refused costs %+v", c)
		}
		for _, f := range []int{1, 3} {
			if c := costs.Blocks[f][0]; c.Cycles <= 0 || len(c.Defaults) > 0 {
				t.Errorf("function %d, which is not refused, costs %+v", f, c)
			}
		}
	})
}

// An instruction without a schedule is a default, and the rest of its block is timed.
func TestUnsupportedInstruction(t *testing.T) {
	const text = `
define i32 @f(ptr %p, i32 %a) {
entry:
  %x = load i32, ptr %p
  fence seq_cst
  %y = mul i32 %x, %a
  ret i32 %y
}
`
	for _, tl := range installed() {
		if tl.version != 22 {
			continue // the schedule of the U74 lacks fences there
		}
		costs := price(t, open(t, map[string]string{"cpu": "sifive-u74", "llvm": "22"}), parsed(t, text))
		c := costs.Blocks[0][0]
		if len(c.Defaults) != 1 || c.Defaults[0].Cycles != unmodelled || !strings.Contains(reasonsOf(costs), "instruction fence: not modelled") {
			t.Errorf("%+v, reasons:\n%s", c, reasonsOf(costs))
		}
		if c.Cycles <= unmodelled {
			t.Errorf("the block costs %g, its default alone", c.Cycles)
		}
		return
	}
	t.Skip("LLVM 22 is not installed")
}

// Loads cost what the parameters say, reported apart.
func TestMemoryParameters(t *testing.T) {
	const text = `
define i32 @f(ptr %p, ptr %q) {
entry:
  %x = load i32, ptr %p
  %y = load i32, ptr %q
  %z = add i32 %x, %y
  ret i32 %z
}
`
	s := parsed(t, text)
	base := price(t, open(t, map[string]string{"cpu": "cortex-a53"}), s).Blocks[0][0]
	costs := price(t, open(t, map[string]string{"cpu": "cortex-a53", "load_latency": "2", "miss_rate": "0.1", "miss_cycles": "50"}), s)
	got := costs.Blocks[0][0]
	if want := base.Cycles + 2*(2+0.1*50); got.Cycles != want || got.Defaults[0].Cycles != 14 || got.Defaults[0].Count != 2 {
		t.Errorf("got %+v, want %g cycles, 14 of them by default for 2 loads", got, want)
	}
	if len(base.Defaults) > 0 {
		t.Errorf("without parameters: %+v", base)
	}
}

// Library functions cost what the parameter says; defined ones only the jump.
func TestCalls(t *testing.T) {
	const text = `
declare i32 @library(i32)

define i32 @own(i32 %a) noinline {
entry:
  %r = call i32 @library(i32 %a)
  %s = add i32 %r, 1
  ret i32 %s
}

define i32 @caller(i32 %a) {
entry:
  %r = call i32 @own(i32 %a)
  %s = add i32 %r, 1
  ret i32 %s
}
`
	for _, name := range shipped {
		costs := price(t, open(t, map[string]string{"cpu": name, "call_cost": "1000"}), parsed(t, text))
		own, caller := costs.Blocks[0][0], costs.Blocks[1][0]
		if own.Cycles < 1000 || own.Cycles > 1050 || caller.Cycles > 50 || caller.Cycles <= 0 || !strings.Contains(reasonsOf(costs), "call to library: not modelled") {
			t.Errorf("%s: own %g, caller %g, reasons:\n%s", name, own.Cycles, caller.Cycles, reasonsOf(costs))
		}
	}
}

// Another value of any parameter is another cost or a refusal.
func TestParametersAreUsed(t *testing.T) {
	s := parsed(t, `
declare i32 @library(i32)

define i32 @f(ptr %p, <4 x float> %v) {
entry:
  %x = load i32, ptr %p
  %y = sdiv i32 %x, 7
  %w = fmul <4 x float> %v, %v
  store <4 x float> %w, ptr %p
  %z = call i32 @library(i32 %y)
  ret i32 %z
}
`)
	usual := map[string]string{"cpu": "cortex-a53", "miss_rate": "0.1"}
	m := open(t, usual)
	before := price(t, m, s)
	others := map[string]string{
		"cpu": "cortex-a72", "triple": "armv7-linux-gnueabihf", "features": "+soft-float-abi", "llvm": "3", "iterations": "1",
		"call_cost": "60", "load_latency": "2", "miss_rate": "0.2", "miss_cycles": "50",
	}
	p := sdk.NewParameters(usual)
	if _, err := readOptions(p); err != nil {
		t.Fatal(err)
	}
	for _, declared := range p.Declared() {
		other, ok := others[declared.Name]
		if !ok {
			t.Errorf("no test shows that parameter %s is used", declared.Name)
			continue
		}
		given := map[string]string{"cpu": "cortex-a53", "miss_rate": "0.1"}
		given[declared.Name] = other
		m, err := Open(sdk.NewParameters(given))
		if err != nil {
			continue // refused
		}
		costs, err := m.Costs(t.Context(), s)
		if err == nil && reflect.DeepEqual(costs, before) {
			t.Errorf("%s=%s is accepted and changes nothing", declared.Name, other)
		}
	}
}

func TestParametersRefused(t *testing.T) {
	if len(installed()) == 0 {
		t.Skip("no llc and llvm-mca installed")
	}
	for _, c := range []struct{ name, value, want string }{
		{"cpu", "cortex-a35x", "cpu=cortex-a35x: not in the table (nearest: cortex-a53)"},
		{"cpu", "", "cpu=: empty"},
		{"llvm", "3", "llvm=3: llc and llvm-mca of this version are not installed"},
		{"iterations", "0", "iterations=0: want a number from 1 to 10000"},
		{"iterations", "2.5", "iterations=2.5: want a whole number"},
		{"miss_cycles", "50", "miss_cycles=50: no load misses, so that it is not used"},
		{"miss_rate", "1.5", "miss_rate=1.5: want a number from 0 to 1"},
		{"call_cost", "-1", "call_cost=-1: want a number of 0 or more"},
		{"triple", "sparc-linux-gnu", "triple=sparc-linux-gnu: the model reads the assembly of"},
	} {
		_, err := Open(sdk.NewParameters(map[string]string{c.name: c.value}))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s=%s: got %v, want %s...", c.name, c.value, err, c.want)
		}
	}
	for _, c := range []struct{ cpu, triple, want string }{
		{"pentagon", "aarch64-linux-gnu", "does not know it for triple"},
		{"cortex-a7", "armv7-linux-gnueabihf", "has no schedule for it"},
	} {
		_, err := Open(sdk.NewParameters(map[string]string{"cpu": c.cpu, "triple": c.triple}))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("cpu=%s: got %v, want ...%s", c.cpu, err, c.want)
		}
	}
}

func TestReadRow(t *testing.T) {
	for _, c := range []struct {
		line string
		want row
	}{
		{" 1      4     1.00    *                   ldr\tw8, [x0]", row{text: "ldr\tw8, [x0]", uops: 1, latency: 4, rthroughput: 1, load: true}},
		{" 3      2     1.00           *            pushq\t%rbp", row{text: "pushq\t%rbp", uops: 3, latency: 2, rthroughput: 1}},
		{" 66     102   16.50                 U     idivl\t%ecx", row{text: "idivl\t%ecx", uops: 66, latency: 102, rthroughput: 16.5}},
		{" 1      1      -      *      *      U     dmb\tish", row{text: "dmb\tish", uops: 1, latency: 1, load: true}},
	} {
		if got, err := readRow(c.line); err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v", c.line, got, err)
		}
	}
	for _, bad := range []string{"x y z w", "1 2", ""} {
		if _, err := readRow(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestCountRegisters(t *testing.T) {
	for list, want := range map[string]int{"r4, r5, lr": 3, "r4-r7, pc": 5, "d8-d15": 8, "r0": 1} {
		if got := countRegisters(list); got != want {
			t.Errorf("%s: %d, want %d", list, got, want)
		}
	}
}

func FuzzReadRegions(f *testing.F) {
	f.Add("[0] Code Region - 1\n\nIterations:        100\nTotal Cycles:      12\n\n[1]    [2]    [3]    [4]    [5]    [6]    Instructions:\n 1      1     1.00                        b\tx\n")
	f.Add("[0] Code Region\nIterations: x\n")
	f.Fuzz(func(t *testing.T, text string) {
		regions, err := readRegions(text)
		if err == nil {
			for _, r := range regions {
				if r.iterations < 1 {
					t.Errorf("%d iterations", r.iterations)
				}
			}
		}
	})
}

func FuzzReadAssembly(f *testing.F) {
	f.Add("\t.globl f // -- Begin function f\nf:\n// %bb.0: // %entry\n\tb.ne\t.LBB0_1\n.LBB0_1: // %x\n\tret\n")
	f.Add("@ -- Begin function f\n@ %bb.0: @ %\n\tit eq\n\tmoveq r0, r1\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, triple := range []string{"aarch64", "thumbv7em", "riscv64", "x86_64"} {
			d, err := dialectOf(triple)
			if err != nil {
				t.Fatal(err)
			}
			list := readAssembly(text, d, []string{"m"}, func(string) bool { return true })
			if again := readAssembly(text, d, []string{"m"}, func(string) bool { return true }); !reflect.DeepEqual(again, list) {
				t.Errorf("%s: read again it is another", triple)
			}
			for _, mf := range list {
				for i, b := range mf.blocks {
					for _, s := range b.succs {
						if s < 0 || s >= len(mf.blocks) {
							t.Errorf("%s: block %d leads to block %d of %d", triple, i, s, len(mf.blocks))
						}
					}
					for _, u := range b.units {
						if u.count < 1 || u.text == "" {
							t.Errorf("%s: %d instructions in %q", triple, u.count, u.text)
						}
					}
				}
				a := assign(mf, []string{"entry", "x"}, [][]int{{1}, nil})
				if again := assign(mf, []string{"entry", "x"}, [][]int{{1}, nil}); !reflect.DeepEqual(again, a) {
					t.Errorf("%s: assigned again it is another", triple)
				}
			}
		}
	})
}
