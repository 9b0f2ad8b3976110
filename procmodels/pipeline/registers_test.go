package pipeline

// This file holds what an iteration waits for beside its operands to loops of which that is known by hand.

import (
	"math"
	"strings"
	"testing"

	"pathspan/ir/flow"
)

// Of one branch that is taken in each iteration, of a load and a store that share what accesses memory, and of chains that begin anew, of
// whose n = 9 instructions, L = 3 cycles each, S = 8 wait: then T = n L / (2 S / (n - 1) + 1).
func TestWhatIsShared(t *testing.T) {
	access := "  %y = load i32, ptr %p\n  store i32 %i, ptr @g\n"
	chain := "  %x0 = sitofp i32 %i to double\n"
	for i := range 8 {
		chain += strings.ReplaceAll("  %xNEXT = fadd double %xLAST, 1.0\n", "LAST", string(rune('0'+i)))
		chain = strings.Replace(chain, "NEXT", string(rune('1'+i)), 1)
	}
	for _, c := range []struct {
		name, body   string
		change       func(f *Figures)
		before, want float64
	}{
		{"a branch that is taken", "", func(f *Figures) { f.Taken = 5 }, 1, 5},
		{"accesses", strings.Repeat(access, 1), func(f *Figures) { f.Units["access"] = 1 }, 1, 2},
		{"what waits for one store: 3 loads of the variable before the one that goes on", strings.Repeat("  %yNR = load i32, ptr %v\n", 4) + "  %z = add i32 %yd, %k\n  store i32 %z, ptr %v\n",
			func(f *Figures) { f.Forward = 10 }, 4, 10 + 1 + 3},
		{"who waits", chain, func(f *Figures) { f.Waiting = 8 }, 3, 27 / (16./8 + 1)},
	} {
		f := figures
		f.Units = map[string]int{"alu": 4, "load": 1, "store": 1, "fadd": 4, "fconvert": 4}
		if got := loopCosts(t, outOfOrder(t, f), wrapped(numbered(c.body), "%x"), longRuns(1_000_000)).Cycles; math.Abs(got-c.before) > 0.1*c.before {
			t.Errorf("%s: an iteration takes %.2f cycles, want %.2f", c.name, got, c.before)
		}
		c.change(&f)
		if got := loopCosts(t, outOfOrder(t, f), wrapped(numbered(c.body), "%x"), longRuns(1_000_000)).Cycles; math.Abs(got-c.want) > 0.1*c.want {
			t.Errorf("%s: an iteration takes %.2f cycles where they are scarce, want %.2f", c.name, got, c.want)
		}
	}
}

// What lives across a call is in a register that who is called saves, if it calls another: then who uses it waits for
// what passes through memory. A function that calls none needs no such register.
func TestRegistersPassThroughMemory(t *testing.T) {
	const module = `target triple = "x86_64-unknown-linux-gnu"
define i32 @main(i32 %n) {
  br label %l
l:
  %i = phi i32 [ 0, %0 ], [ %j, %l ]
  %r = call i32 @CALLED(i32 %n)
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 1000
  br i1 %c, label %l, label %out
out:
  ret i32 0
}
define internal i32 @calls(i32 %a) {
  %x = mul i32 %a, 5
  %r = call i32 @leaf(i32 %x)
  %y = add i32 %r, %x
  ret i32 %y
}
define internal i32 @leaf(i32 %a) {
  ret i32 %a
}
`
	cost := func(called string, forward int) float64 {
		f := figures
		f.Forward = forward
		entries := []uint64{1, 1000, 1000}
		if called == "leaf" {
			entries[1] = 0
		}
		blocks := blocksOf(t, outOfOrder(t, f), strings.Replace(module, "CALLED", called, 1), &ran{runs: flow.Runs{Edges: [][][]uint64{{{1}, {999, 1}, {}}, {{}}, {{}}}, Entries: entries, Regular: [][]bool{{false, true, false}, {false}, {false}}}})
		sum := blocks[0][1].Cycles + blocks[2][0].Cycles
		if called == "calls" {
			sum += blocks[1][0].Cycles
		}
		return sum
	}
	if little, much := cost("calls", 10), cost("calls", 50); math.Abs(little-11) > 2 || math.Abs(much-51) > 2 {
		t.Errorf("an iteration takes %.1f cycles where memory passes on in 10, %.1f in 50: want one more each", little, much)
	}
	if little, much := cost("leaf", 10), cost("leaf", 50); little != much {
		t.Errorf("a function that calls none saves registers: %.1f and %.1f cycles", little, much)
	}
}
