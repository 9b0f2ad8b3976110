package pipeline

// This file holds loops, and copies, to what LLVM's own compiler makes of them for AArch64.

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// looping are bodies of loops whose counter is i, and j behind its addition.
var looping = []struct{ rule, end, body string }{
	{"counts down", "%n", "%t = mul i64 %s, %s"},
	{"counts down from a constant", "20", "%t = mul i64 %s, %s"},
	{"the counter is a value", "%n", "%u = xor i64 %s, %i\n  %t = mul i64 %u, %m"},
	{"an index to a constant end", "1000", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %t = add i64 %s, %x"},
	{"a pointer to any end", "%n", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %t = add i64 %s, %x"},
	{"an index that goes down as the other goes up", "%n", "%q = getelementptr i64, ptr %p, i64 %i\n  %x = load i64, ptr %q\n  %d = sub i64 %m, %i\n  %r = getelementptr i64, ptr @g, i64 %d\n  %y = load i64, ptr %r\n  %z = mul i64 %x, %y\n  %t = xor i64 %s, %z"},
	{"an index into a part of a global", "900", "%q = getelementptr i64, ptr getelementptr (i8, ptr @g, i64 72), i64 %i\n  %x = load i64, ptr %q\n  %t = add i64 %s, %x"},
	{"an index that is a sum", "1000", "%d = add i64 %m, %i\n  %q = getelementptr i64, ptr %p, i64 %d\n  %x = load i64, ptr %q\n  %t = add i64 %s, %x"},
}

func TestLoopsAgainstLLC(t *testing.T) {
	all, m := counting(t)
	for _, s := range looping {
		module := "target triple = \"aarch64-unknown-linux-gnu\"\n@g = global [1000 x i64] zeroinitializer\ndefine i64 @f(ptr %p, i64 %n, i64 %m) {\n  br label %l\nl:\n" +
			"  %i = phi i64 [ 0, %0 ], [ %j, %l ]\n  %s = phi i64 [ %m, %0 ], [ %t, %l ]\n  " + s.body + "\n  %j = add nuw nsw i64 %i, 1\n  %c = icmp eq i64 %j, " + s.end +
			"\n  br i1 %c, label %e, label %l\ne:\n  ret i64 %t\n}\n"
		c := costsOf(t, m, module)[1]
		got := int(c.Cycles)
		for _, a := range c.After {
			if a.Pred == 1 {
				got = int(a.Cycles)
			}
		}
		for _, llc := range all {
			want, body := loopOf(t, llc, "aarch64-linux-gnu", module, "")
			if got != want {
				t.Errorf("%s, %s: %d instructions, llc has %d\n%s", llc, s.rule, got, want, body)
			}
		}
	}
}

// loopOf has a module's only loop compiled, whose instructions it counts, but for one that is counted with the next.
func loopOf(t *testing.T, llc, triple, module, but string) (instructions int, body string) {
	t.Helper()
	cmd := exec.Command(llc, "-O2", "-mtriple="+triple, "-o", "-")
	cmd.Stdin = strings.NewReader(module)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", llc, err, module)
	}
	_, body, _ = strings.Cut(string(out), "\n.LBB0_1:")
	body, _, found := strings.Cut(body, ".LBB0_1\n")
	if !found {
		t.Fatalf("%s makes no loop:\n%s", llc, out)
	}
	for line := range strings.Lines(body) {
		if op, ok := strings.CutPrefix(line, "\t"); ok && !strings.HasPrefix(op, ".") && (but == "" || !strings.HasPrefix(op, but)) {
			instructions++
		}
	}
	return instructions, body
}

// TestCopiesAgainstLLC allows four more or less, for the rest that is no vector. A call is what
// the library takes, which is more. Before 22 llc calls memmove for more.
func TestCopiesAgainstLLC(t *testing.T) {
	all, m := counting(t)
	for _, s := range []struct {
		call string
		most int
	}{{"memcpy.p0.p0.i64(ptr %p, ptr %q", 256}, {"memmove.p0.p0.i64(ptr %p, ptr %q", 256}, {"memset.p0.i64(ptr %p, i8 0", 512}} {
		for _, bytes := range []int{16, 32, 64, 124, s.most, s.most + 1, 2 * s.most} {
			module := "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n" +
				fmt.Sprintf("define void @f(ptr %%p, ptr %%q) {\n  call void @llvm.%s, i64 %d, i1 false)\n  ret void\n}\n", s.call, bytes)
			got := int(costsOf(t, m, module)[0].Cycles)
			for _, llc := range all {
				if strings.HasPrefix(s.call, "memmove") && !strings.HasSuffix(llc, "22") {
					continue
				}
				switch want := compiled(t, llc, module); {
				case bytes > s.most && got < bytes/16+10:
					t.Errorf("%s, %s of %d bytes: %d cycles, as if no call", llc, s.call, bytes, got)
				case bytes <= s.most && (got < want-4 || got > want+4):
					t.Errorf("%s, %s of %d bytes: %d instructions, llc has %d", llc, s.call, bytes, got, want)
				}
			}
		}
	}
}
