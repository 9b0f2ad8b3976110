package pipeline

// This file holds the files that come with pathspan to blocks counted by hand.

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
)

const function = "define void @f(ptr %p, i32 %n, i32 %k, i64 %m, double %x, float %y) {\nentry:\n  "

// holds holds a file's first blocks to cycles by hand.
func holds(t *testing.T, name string, blocks []byHandBlock) {
	t.Helper()
	m, err := procmodels.Open("pipeline:"+name, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		if got := costsOf(t, m, function+b.body+"\n}\n")[0].Cycles; got != b.want {
			t.Errorf("%s:\n%s\ncosts %g cycles, want %g", name, b.body, got, b.want)
		}
	}
}

type byHandBlock struct {
	body string
	want float64
}

const (
	chain      = "%a = load i32, ptr %p\n  %b = add i32 %a, %n\n  %c = mul i32 %b, %n\n  store i32 %c, ptr %p\n  ret void"
	doubles    = "%a = fmul double %x, %x\n  %b = fadd double %a, %x\n  ret void"
	divided    = "%a = sdiv i32 %n, %k\n  %b = add i32 %a, %n\n  ret void"
	wide       = "%a = add i64 %m, 1\n  %b = add i64 %a, %m\n  ret void"
	sums       = "%a = mul i32 %n, %k\n  %b = add i32 %a, %n\n  %c = mul i32 %k, %k\n  %d = add i32 %c, %b\n  ret void"
	comparison = "%a = icmp slt i32 %n, %k\n  br i1 %a, label %x1, label %y1\nx1:\n  ret void\ny1:\n  ret void"
)

// On the Cortex-A7. chain: the load issues in 0, the add takes it in 2, the mul, alone, the sum 1
// later in 3, the store the product in 3 + 3 = 6, the ret beside it: 7 cycles. doubles: fmul in 0,
// fadd in 7, the ret beside it: 8. divided: sdiv in 0, add in 14: 15. wide: ADDS in 0, ADC in 1,
// the second pair in 2 and 3: 4. comparison: in 0 on the second slot, its branch 1 later: 2. Of
// "add, add, icmp, ret" two adds cannot issue together, the icmp and its like can: add 0; add and
// icmp 1; ret 2. sums: MLA in 0, the second takes its sum 1 later, the ret in 2: 3.
func TestCortexA7ByHand(t *testing.T) {
	holds(t, "cortex-a7", []byHandBlock{{chain, 7}, {sums, 3}, {doubles, 8}, {divided, 15}, {wide, 4}, {comparison, 2},
		{"%a = add i32 %n, 1\n  %b = add i32 %n, 2\n  %c = icmp eq i32 %n, 3\n  ret void", 3}})
}

// On the Cortex-M4. chain: load in 0, add in 2, mul in 3, store in 4, ret in 5, 6 and 7: 8 cycles.
// divided: sdiv in 0, add in 7, ret in 8 to 10: 11. wide: 0 to 3, ret 4 to 6: 7. doubles: routines
// of 60 cycles: 0, 60, then the ret in 120 to 122: 123. Of floats: fmul in 0, fadd 2 later, store 2
// later, ret in 5 to 7: 8. comparison: in 0 and 1: 2.
func TestCortexM4ByHand(t *testing.T) {
	holds(t, "cortex-m4", []byHandBlock{{chain, 8}, {divided, 11}, {wide, 7}, {doubles, 123}, {comparison, 2},
		{"%a = fmul float %y, %y\n  %b = fadd float %a, %y\n  store float %b, ptr %p\n  ret void", 8}})
}

// On the U74. chain: load in 0, add, by the late unit, in 1, mul, which has no such bypass, in 4,
// store in 5 and the ret beside it: 6 cycles. doubles: fmul in 0, fadd in 7, the ret, on the same
// pipe, in 8: 9. divided: sdiv in 0, add 32 later, the ret beside it: 33. wide: 0 and 1, the ret
// beside: 2. comparison: the branch compares: 1.
func TestSiFiveU74ByHand(t *testing.T) {
	holds(t, "sifive-u74", []byHandBlock{{chain, 6}, {doubles, 9}, {divided, 33}, {wide, 2}, {comparison, 1}})
}

// On the LEON3. chain: load in 0, add in 2, mul in 3, which takes 4, store in 7 and 8, ret in 9 to
// 11: 12 cycles. doubles: fmul in 0, fadd in 4, ret in 5 to 7: 8. divided: 0, add in 36, ret in 37
// to 39: 40. wide: 0 to 3, ret in 4 to 6: 7. comparison: in 0, the branch in 2: 3.
func TestLEON3ByHand(t *testing.T) {
	holds(t, "leon3", []byHandBlock{{chain, 12}, {doubles, 8}, {divided, 40}, {wide, 7}, {comparison, 3}})
}

// On gem5's MinorCPU. chain: load in 0, add in 1; the multiplier takes its result where it is ready,
// in 4, the store the product 2 later in 6; behind a store nothing issues in its cycle, the ret
// in 7: 8 cycles. doubles: fmul in 0, fadd in 4, ret beside it: 5. divided: sdiv in 0, add in 7: 8.
// wide: 0, 1, the ret beside: 2. comparison: 0 and 1: 2. Of two loads and two adds a compiler puts an add before
// each load, whose cycle it shares; the ret in 2. What multiplies and adds is one instruction of the multiplier, which waits
// for all that it uses: 0 and 3, the ret beside; of two products that are added the first is one by itself. A load's address that was loaded: 0, 3, the ret in 4.
func TestGem5MinorByHand(t *testing.T) {
	holds(t, "gem5-minor", []byHandBlock{{chain, 8}, {doubles, 5}, {divided, 8}, {wide, 2}, {comparison, 2},
		{"%a = load i32, ptr %p\n  %b = load i32, ptr %p\n  %c = add i32 %n, 1\n  %d = add i32 %n, 2\n  ret void", 3},
		{"%a = add i32 %n, 1\n  %b = add i32 %n, 2\n  %c = add i32 %n, 3\n  ret void", 2},
		{sums, 4}, {"%a = mul i32 %n, %k\n  %b = mul i32 %n, %n\n  %c = add i32 %a, %b\n  ret void", 4},
		{"%a = load ptr, ptr %p\n  %b = load i32, ptr %a\n  ret void", 5}})
}

// A loop of three instructions that wait for each other on MinorCPU: add in 0, icmp in 1, br in 2.
// Fetch had the br in cycle 1; of what it leads to the first two are there 6 cycles later, in 7, the
// third in 8. So the next iteration, which begins in 3, issues in 7, 8 and 9, and ends in 10: 7
// cycles. Foretold wrongly it begins 8 later, in 11, and takes 3: 4 more of one in twenty. Where issue has more to wait for
// than that, fetch costs nothing: with a division, whose result is there for a comparison in 7, the
// iteration is sdiv 0, icmp 7, br 8, the next sdiv begins in 9 where its operand is ready.
func TestFetchRunsAhead(t *testing.T) {
	m, err := procmodels.Open("pipeline:gem5-minor", "")
	if err != nil {
		t.Fatal(err)
	}
	for op, want := range map[string]float64{"add": 7.2, "sdiv": 9.4} {
		blocks := costsOf(t, m, `define void @f(i32 %n, i32 %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %q, %loop ]
  %q = `+op+` i32 %i, %k
  %again = icmp ne i32 %q, %n
  br i1 %again, label %loop, label %end
end:
  ret void
}
`)
		for _, a := range blocks[1].After {
			if a.Pred == 1 && math.Abs(a.Cycles-want) > 1e-9 {
				t.Errorf("%s: an iteration takes %g cycles behind another, want %g", op, a.Cycles, want)
			}
		}
		if len(blocks[1].After) == 0 {
			t.Errorf("%s: no cost behind another iteration", op)
		}
	}
}

// Blocks that only lead on leave no code: an iteration behind a split back edge costs as one whose
// branch leads back itself, and waits for the same results.
func TestEmptyBlocksLeadOn(t *testing.T) {
	loop := func(back, extra string) string {
		return `define i32 @f(i32 %n, i32 %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %n, %entry ], [ %q, %` + back + ` ]
  %q = sdiv i32 %i, %k
  %again = icmp ne i32 %q, %n
  br i1 %again, label %` + back + `, label %end
` + extra + `end:
  ret i32 %q
}
`
	}
	for _, name := range Names() {
		m, err := procmodels.Open("pipeline:"+name, "")
		if err != nil {
			t.Fatal(err)
		}
		iteration := func(blocks []procmodels.BlockCost, pred int) float64 {
			for _, a := range blocks[1].After {
				if a.Pred == pred {
					return a.Cycles
				}
			}
			return blocks[1].Cycles
		}
		plain, split := costsOf(t, m, loop("loop", "")), costsOf(t, m, loop("back", "back:\n  br label %loop\n"))
		through := split[2].Cycles
		for _, a := range split[2].After {
			through = a.Cycles
		}
		if got, want := iteration(split, 2)+through, iteration(plain, 1); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: an iteration takes %g cycles through an empty block, want %g", name, got, want)
		}
	}
}

// What is asked for without its kind is named with it.
func TestNamesWithoutTheirKind(t *testing.T) {
	for ref, want := range map[string]string{"cortex-a53": "pipeline:cortex-a53", "gem5-minor": "pipeline:gem5-minor", "gem5-mino": "pipeline:gem5-minor", "gem5-timing": "pipeline:gem5-timing",
		"sifive-u74": "pipeline:sifive-u74", "out-of-order": "pipeline:out-of-order", "cortex-a8": "cortex-a7"} {
		if _, err := procmodels.Open(ref, ""); err == nil || !strings.Contains(err.Error(), `want "`+want+`"`) {
			t.Errorf("%s: %v, want %s", ref, err, want)
		}
	}
}

// Programs of other machines are priced with a word about it, by each file that comes with pathspan.
func TestTargets(t *testing.T) {
	const text = "define void @f() {\n  ret void\n}\n"
	silent := map[string]string{ // the first is of no machine
		"cortex-a53": "  aarch64 arm64", "gem5-timing": "  aarch64 arm64", "gem5-minor": "  aarch64 arm64", "cortex-a7": "  arm armv7l thumbv7em", "cortex-m4": "  arm armv7l thumbv7em",
		"sifive-u74": "  riscv64", "leon3": "  sparc", "out-of-order": "  x86_64",
	}
	for _, name := range Names() {
		m, err := open(name)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, machine := range []string{"", "aarch64", "aarch64_be", "arm", "arm64", "armeb", "armv7l", "i686", "riscv32", "riscv64", "sparc", "sparcv9", "thumbv7em", "x86_64"} {
			p, err := ir.Read([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			p.Triple = machine + "-unknown-none"
			c, err := m.Costs(t.Context(), &procmodels.Subject{Program: p, Module: []byte(text)})
			if err != nil {
				t.Fatal(err)
			}
			said := slices.ContainsFunc(c.Warnings, func(w string) bool {
				return strings.HasPrefix(w, "model "+name+" is of programs of") && strings.Contains(w, "is one of "+machine+",")
			})
			if !said {
				got += " " + machine
			}
		}
		if got != silent[name] {
			t.Errorf("%s prices programs of%s without a word, want%s", name, got, silent[name])
		}
	}
}
