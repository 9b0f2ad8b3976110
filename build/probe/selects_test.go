package probe

// This file holds which selects become branches to what llc makes of them.

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// chosen are bodies of functions with one select, or several that one condition decides; loops have a branch beside.
var chosen = []struct {
	what, text string
	loop       bool
}{
	{"a search by halves", rounds("%lo = phi i64 [ 0, %0 ], [ %x, %l ]\n  %hi = phi i64 [ %n, %0 ], [ %y, %l ]\n  %d = add i64 %lo, %hi\n  %m = lshr i64 %d, 1\n"+
		"  %q = getelementptr i32, ptr %p, i64 %m\n  %v = load i32, ptr %q\n  %b = icmp ugt i32 %v, %k\n  %x = select i1 %b, i64 %lo, i64 %m\n  %y = select i1 %b, i64 %m, i64 %hi\n", "%x"), true},
	{"a search by halves with 32 bits, widened behind the loop", strings.Replace(rounds("%lo = phi i32 [ 0, %0 ], [ %x, %l ]\n  %hi = phi i32 [ 1024, %0 ], [ %y, %l ]\n  %d = add i32 %lo, %hi\n  %m = lshr i32 %d, 1\n"+
		"  %w = zext i32 %m to i64\n  %q = getelementptr i32, ptr %p, i64 %w\n  %v = load i32, ptr %q\n  %b = icmp ugt i32 %v, %k\n  %x = select i1 %b, i32 %lo, i32 %m\n  %y = select i1 %b, i32 %m, i32 %hi\n", "%z"),
		"ret", "%z = zext i32 %x to i64\n  ret", 1), true},
	{"the least element", rounds("%lo = phi i32 [ 0, %0 ], [ %x, %l ]\n  %q = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %q\n  %b = icmp ugt i32 %v, %lo\n"+
		"  %x = select i1 %b, i32 %lo, i32 %v\n", "%i"), true},
	{"a step of a checksum", rounds("%s = phi i64 [ %n, %0 ], [ %x, %l ]\n  %o = and i64 %s, 1\n  %b = icmp eq i64 %o, 0\n  %h = lshr i64 %s, 1\n  %z = xor i64 %h, 79764919\n"+
		"  %x = select i1 %b, i64 %h, i64 %z\n", "%x"), true},
	{"which of two, by what is far behind a pointer, and added up", rounds("%s = phi i64 [ %n, %0 ], [ %x, %l ]\n  %t = and i64 %s, 255\n  %q = getelementptr i64, ptr %p, i64 %t\n"+
		"  %v = load i64, ptr %q\n  %u = and i64 %v, 255\n  %r = getelementptr i64, ptr %p, i64 %u\n  %w = load i64, ptr %r\n  %b = icmp sgt i64 %w, 7\n  %o = add i64 %s, 3\n"+
		"  %z = xor i64 %s, 5\n  %x = select i1 %b, i64 %o, i64 %z\n", "%x"), true},
	{"a value from memory that nothing else uses", function("%v = load i32, ptr %p\n  %b = icmp ugt i32 %k, 9\n  %x = select i1 %b, i32 %v, i32 %k\n  %z = sext i32 %x to i64\n", "%z"), false},
	{"such of which an index is made", function("%v = load i32, ptr %p\n  %b = icmp ugt i32 %k, 9\n  %x = select i1 %b, i32 %v, i32 %k\n  %z = zext i32 %x to i64\n", "%z"), false},
	{"one of two constants, computed", rounds("%s = phi i64 [ %n, %0 ], [ %u, %l ]\n  %q = getelementptr i64, ptr %p, i64 %i\n  %v = load i64, ptr %q\n  %b = icmp sgt i64 %v, 7\n  %x = select i1 %b, i64 3, i64 5\n  %u = add i64 %s, %x\n", "%u"), true},
	{"one of two constants", rounds("%s = phi i64 [ %n, %0 ], [ %u, %l ]\n  %q = getelementptr i64, ptr %p, i64 %i\n  %v = load i64, ptr %q\n  %b = icmp sgt i64 %v, 7\n  %x = select i1 %b, i64 1234, i64 77\n  %u = add i64 %s, %x\n", "%u"), true},
	{"one that is used again", function("%v = load i32, ptr %p\n  %b = icmp ugt i32 %k, 9\n  %x = select i1 %b, i32 %v, i32 %k\n  %w = mul i32 %x, %v\n  %z = zext i32 %w to i64\n", "%z"), false},
	{"one that may have changed", function("%v = load i32, ptr %p\n  store i32 %k, ptr %p\n  %b = icmp ugt i32 %k, 9\n  %x = select i1 %b, i32 %v, i32 %k\n  %z = zext i32 %x to i64\n", "%z"), false},
	{"a byte from memory", function("%v = load i8, ptr %p\n  %b = icmp ugt i32 %k, 9\n  %o = trunc i32 %k to i8\n  %x = select i1 %b, i8 %v, i8 %o\n  %z = zext i8 %x to i64\n", "%z"), false},
	{"two arguments", function("%b = icmp ugt i32 %k, 9\n  %x = select i1 %b, i64 %n, i64 7\n", "%x"), false},
	{"numbers of floating point by an integer", function("%v = load double, ptr %p\n  %b = icmp ugt i32 %k, 9\n  %w = fadd double %v, 2.0\n  %x = select i1 %b, double %v, double %w\n  %z = fptosi double %x to i64\n", "%z"), false},
	{"numbers of floating point by such", function("%v = load double, ptr %p\n  %w = fmul double %v, %v\n  %b = fcmp ogt double %w, 9.0\n  %u = fadd double %v, 2.0\n  %x = select i1 %b, double %w, double %u\n  %z = fptosi double %x to i64\n", "%z"), false},
}

func function(body, result string) string { return "  " + body + "  ret i64 " + result + "\n" }

func rounds(body, result string) string {
	phis, rest := "", ""
	for line := range strings.Lines("  " + body) {
		if strings.Contains(line, " phi ") {
			phis += line
		} else {
			rest += line
		}
	}
	return "  br label %l\nl:\n  %i = phi i64 [ 0, %0 ], [ %j, %l ]\n" + phis + rest + "  %j = add i64 %i, 1\n  %c = icmp eq i64 %j, 1000\n  br i1 %c, label %e, label %l\ne:\n  ret i64 " + result + "\n"
}

var jumps = regexp.MustCompile(`(?m)^\tj[^m]`)

func TestSelectsAgainstLLC(t *testing.T) {
	ran := false
	for _, s := range chosen {
		for _, triple := range []string{"x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"} {
			module := "target triple = \"" + triple + "\"\ndefine i64 @f(ptr %p, i64 %n, i32 %k) {\n" + s.text + "}\n"
			p, err := ir.Read([]byte(module))
			if err != nil {
				t.Fatal(err)
			}
			ops, err := ir.ReadOperands(p, []byte(module))
			if err != nil {
				t.Fatal(err)
			}
			got := len(SelectsAsBranches(p, ops, flow.Graphs(p)))
			if p.Machine() != "x86_64" {
				if got != 0 {
					t.Errorf("%s: %d branches on %s", s.what, got, triple)
				}
				continue
			}
			for _, llc := range []string{"llc-16", "llc-19", "llc-22"} {
				if _, err := exec.LookPath(llc); err != nil {
					continue
				}
				ran = true
				cmd := exec.Command(llc, "-O2", "-o", "-")
				cmd.Stdin = strings.NewReader(module)
				out, err := cmd.Output()
				if err != nil {
					t.Fatalf("%s: %v\n%s", llc, err, module)
				}
				// The end of a loop is a jump, too, of which there may be two.
				least := 1
				if s.loop {
					least = 2
				}
				if want := len(jumps.FindAll(out, -1)) >= least; want != (got == 1) || got > 1 || want && strings.Contains(string(out), "\tcmov") {
					t.Errorf("%s, %s: %d branches, llc says %v\n%s", llc, s.what, got, want, out)
				}
			}
		}
	}
	if !ran {
		t.Skip("skipped: no llc-16, llc-19 or llc-22")
	}
}
