package pipeline

// This file holds what saves and restores registers to what LLVM's own compiler makes for AArch64.

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// framing are functions that call.
var framing = []struct {
	name, text string
	around     bool // what leads around the calls saves nothing
}{
	{"nothing lives across", "define void @f() {\n  call void @a()\n  ret void\n}\n", false},
	{"an argument", "define i64 @f(i64 %n) {\n  call void @a()\n  call void @a()\n  ret i64 %n\n}\n", false},
	{"several, some of which are over", `define i64 @f(ptr %p, i64 %n) {
  %x = call i64 @b(i64 %n)
  %y = call i64 @b(i64 %x)
  %z = call i64 @b(i64 %y)
  %s = add i64 %x, %y
  %t = call i64 @b(i64 %s)
  %u = mul i64 %t, %z
  store i64 %u, ptr %p
  ret i64 %n
}
`, false},
	{"floating point", `define double @f(double %v, double %w, i64 %n) {
  %x = fadd double %v, %w
  %a = call i64 @b(i64 %n)
  %y = fmul double %v, %w
  %b = call i64 @b(i64 %a)
  %z = fsub double %x, %y
  ret double %z
}
`, false},
	{"a way around", `define i64 @f(i64 %n) {
  %c = icmp eq i64 %n, 0
  br i1 %c, label %over, label %calls
calls:
  %x = call i64 @b(i64 %n)
  %y = add i64 %x, %n
  br label %over
over:
  %r = phi i64 [ 7, %0 ], [ %y, %calls ]
  ret i64 %r
}
`, true},
	{"a way around a loop", `define void @f(i64 %n) {
  %c = icmp eq i64 %n, 0
  br i1 %c, label %over, label %loop
loop:
  %i = phi i64 [ %n, %0 ], [ %j, %loop ]
  call void @a()
  %j = add i64 %i, -1
  %d = icmp eq i64 %j, 0
  br i1 %d, label %over, label %loop
over:
  ret void
}
`, true},
	{"a sum of a loop that is returned", `define i64 @f(i64 %n) {
  %c = icmp slt i64 %n, 2
  br i1 %c, label %over, label %loop
loop:
  %i = phi i64 [ %n, %0 ], [ %j, %loop ]
  %s = phi i64 [ 0, %0 ], [ %t, %loop ]
  %x = call i64 @b(i64 %i)
  %t = add i64 %x, %s
  %j = add i64 %i, -2
  %d = icmp sgt i64 %i, 3
  br i1 %d, label %loop, label %over
over:
  %r = phi i64 [ 0, %0 ], [ %t, %loop ]
  ret i64 %r
}
`, false},
}

// TestFramesAgainstLLC counts a million for what saves or restores, two registers at most. One more or
// less is allowed where llc has an odd register of both kinds.
func TestFramesAgainstLLC(t *testing.T) {
	all := llcs()
	if len(all) == 0 {
		t.Skip("skipped: no llc-16, llc-19 or llc-22")
	}
	counting, err := os.ReadFile("testdata/counting.yaml")
	if err != nil {
		t.Fatal(err)
	}
	const much = 1000
	text := strings.Replace(string(counting), "classes:\n", "classes:\n  pair: {unit: core, latency: 1, occupancy: 1000}\n", 1)
	m := fromText(t, strings.Replace(text, "moves: one", "saves: pair\nrestores: pair\nmoves: one", 1))
	for _, s := range framing {
		module := "target triple = \"aarch64-unknown-linux-gnu\"\ndeclare void @a()\ndeclare i64 @b(i64)\n" + s.text
		pairs, first := 0, 0
		for bi, c := range costsOf(t, m, module) {
			most := c.Cycles
			for _, a := range c.After {
				most = max(most, a.Cycles)
			}
			if pairs += int(most) / much; bi == 0 {
				first = int(c.Cycles) / much
			}
		}
		if around := first == 0; around != s.around {
			t.Errorf("%s: the first block saves %d pairs", s.name, first)
		}
		for _, llc := range all {
			cmd := exec.Command(llc, "-O2", "-mtriple=aarch64-linux-gnu", "-frame-pointer=non-leaf", "-o", "-")
			cmd.Stdin = strings.NewReader(module)
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%s: %v\n%s", llc, err, module)
			}
			before, _, _ := strings.Cut(string(out), "\tbl\t")
			branch := strings.Index(before, "\tcb")
			if branch < 0 {
				branch = strings.Index(before, "\tb.")
			}
			if around := branch >= 0 && branch < strings.Index(before, "Spill"); around != s.around && !(s.around && strings.Contains(llc, "16")) {
				t.Errorf("%s, %s: llc branches around saving: %v", llc, s.name, around)
			}
			if want := strings.Count(string(out), "Spill") + strings.Count(string(out), "Reload"); pairs < want-1 || pairs > want+1 {
				t.Errorf("%s, %s: %d save or restore, llc has %d\n%s", llc, s.name, pairs, want, out)
			}
		}
	}
}
