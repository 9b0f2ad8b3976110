package pipeline

// This file holds loops to what LLVM's own compiler makes of them for x86-64, where operations overwrite their first
// operand: to the instruction, a comparison and its branch being one, as processors take them in.

import (
	"fmt"
	"testing"

	"pathspan/ir/flow"
)

// overwritten are bodies of loops whose counter is i, and whose sum is s.
var overwritten = []struct{ rule, body string }{
	{"what is used no more is overwritten", "%u = xor i64 %s, %m\n  %t = and i64 %u, %n"},
	{"what is used again is copied", "%u = lshr i64 %s, 7\n  %t = xor i64 %s, %u"},
	{"a sum may go elsewhere", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %u = add i64 %x, %m\n  store i64 %u, ptr %q\n  %t = xor i64 %s, %x"},
	{"a small shift may", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %u = shl i64 %x, 3\n  store i64 %u, ptr %q\n  %t = xor i64 %s, %x"},
	{"a product of a constant may", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %u = mul i64 %x, 77\n  store i64 %u, ptr %q\n  %t = xor i64 %s, %x"},
	{"an index that is widened", "%d = trunc i64 %s to i32\n  %w = sext i32 %d to i64\n  %q = getelementptr i64, ptr %p, i64 %w\n  %x = load i64, ptr %q\n  %t = xor i64 %s, %x"},
	{"a loaded index is widened as it is", "%q = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %q\n  %w = sext i32 %v to i64\n  %t = xor i64 %s, %w"},
	{"a byte is widened as it is loaded", "%q = getelementptr i8, ptr %p, i64 %i\n  %v = load i8, ptr %q\n  %w = zext i8 %v to i64\n  %t = xor i64 %s, %w"},
	{"what is computed of a counter for an address", "%r = shl i64 %i, 5\n  %h = add i64 %r, 7\n  %d = sub i64 %m, %h\n  %q = getelementptr i64, ptr %p, i64 %d\n  %x = load i64, ptr %q\n  %t = xor i64 %s, %x"},
	{"an index and a constant", "%r = getelementptr i8, ptr %p, i64 72\n  %q = getelementptr i64, ptr %r, i64 %s\n  %x = load i64, ptr %q\n  %t = and i64 %x, 63"},
	{"of two operands in memory one", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %r = getelementptr i64, ptr %q, i64 1000\n  %y = load i64, ptr %r\n  %z = xor i64 %x, %y\n  %t = add i64 %s, %z"},
	{"one instruction loads, adds and stores", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %y = add i64 %x, %m\n  store i64 %y, ptr %q\n  %t = xor i64 %s, %m"},
	{"three do where the sum is used", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %y = add i64 %x, %m\n  store i64 %y, ptr %q\n  %t = xor i64 %s, %y"},
	{"a quotient", "%u = trunc i64 %s to i32\n  %v = udiv i32 %u, 10\n  %t = zext i32 %v to i64"},
	{"a rest", "%u = trunc i64 %s to i32\n  %v = urem i32 %u, 1000\n  %t = zext i32 %v to i64"},
	{"a quotient with its sign", "%u = trunc i64 %s to i32\n  %v = sdiv i32 %u, 1000\n  %t = zext i32 %v to i64"},
	{"a rest with its sign", "%u = trunc i64 %s to i32\n  %v = srem i32 %u, 1000\n  %t = zext i32 %v to i64"},
	{"an eighth with its sign", "%u = trunc i64 %i to i32\n  %v = sdiv i32 %u, 8\n  %w = zext i32 %v to i64\n  %t = xor i64 %s, %w"},
}

func TestOverwrittenAgainstLLC(t *testing.T) {
	all := llcs()
	if len(all) == 0 {
		t.Skip("skipped: no llc-16, llc-19 or llc-22")
	}
	// Where nothing takes time, cycles are instructions.
	f := Figures{Issue: 1, Window: 100, Units: map[string]int{}, Latency: map[string]int{}, Occupancy: map[string]int{"divide": 1, "dividelong": 1}}
	for _, u := range []string{"alu", "mul", "div", "load", "store", "access", "branch"} {
		f.Units[u] = 8
	}
	for _, c := range []string{"alu", "multiply", "divide", "dividelong", "load", "store", "branch"} {
		f.Latency[c] = 0
	}
	m := outOfOrder(t, f)
	for _, s := range overwritten {
		module := "target triple = \"x86_64-unknown-linux-gnu\"\ndefine i64 @f(ptr %p, i64 %n, i64 %m) {\n  br label %l\nl:\n" +
			"  %i = phi i64 [ 0, %0 ], [ %j, %l ]\n  %s = phi i64 [ %m, %0 ], [ %t, %l ]\n  " + s.body + "\n  %j = add nuw nsw i64 %i, 1\n  %c = icmp eq i64 %j, 1000" +
			"\n  br i1 %c, label %e, label %l\ne:\n  ret i64 %t\n}\n"
		blocks, got := blocksOf(t, m, module, &ran{runs: flow.Runs{Edges: [][][]uint64{{{1}, {1, 999_999}, {}}}, Entries: []uint64{1}, Regular: [][]bool{make([]bool, 3)}}}), 0.0
		for _, a := range blocks[0][1].After {
			if a.Pred == 1 {
				got = a.Cycles
			}
		}
		for _, llc := range all {
			want, body := loopOf(t, llc, "x86_64-linux-gnu", module, "cmp")
			if fmt.Sprintf("%.1f", got) != fmt.Sprintf("%d.0", want) {
				t.Errorf("%s, %s: %.1f instructions, llc has %d\n%s", llc, s.rule, got, want, body)
			}
		}
	}
}
