package pipeline

// This file holds the number of instructions that rules make of LLVM's code to what LLVM's own
// compiler makes of it for AArch64.

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"pathspan/procmodels"
)

// llcs are the compilers that are installed, newest first.
func llcs() []string {
	var all []string
	for _, version := range []int{22, 19, 16} {
		if path, err := exec.LookPath(fmt.Sprint("llc-", version)); err == nil {
			all = append(all, path)
		}
	}
	return all
}

// compiled counts the instructions that llc makes of a module.
func compiled(t *testing.T, llc, module string) int {
	t.Helper()
	cmd := exec.Command(llc, "-O2", "-mtriple=aarch64-linux-gnu", "-relocation-model=static", "-o", "-")
	cmd.Stdin = strings.NewReader(module)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", llc, err, module)
	}
	count := 0
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "\t.") && !strings.HasPrefix(strings.TrimSpace(line), "//") {
			count++
		}
	}
	return count
}

// snippets are functions of one block, each for a rule or two.
var snippets = []struct{ rule, head, body string }{
	{"offset", "i32 @f(ptr %p)", "%q = getelementptr i8, ptr %p, i64 12\n  %v = load i32, ptr %q\n  ret i32 %v"},
	{"scaled", "i32 @f(ptr %p, i64 %i)", "%q = getelementptr i32, ptr %p, i64 %i\n  %v = load i32, ptr %q\n  ret i32 %v"},
	{"scaled, by another size", "i8 @f(ptr %p, i64 %i)", "%q = getelementptr i32, ptr %p, i64 %i\n  %v = load i8, ptr %q\n  ret i8 %v"},
	{"an index that is widened", "i32 @f(ptr %p, i32 %i)", "%j = sext i32 %i to i64\n  %q = getelementptr i32, ptr %p, i64 %j\n  %v = load i32, ptr %q\n  ret i32 %v"},
	{"widen, of a load", "i32 @f(ptr %p)", "%v = load i8, ptr %p\n  %w = zext i8 %v to i32\n  ret i32 %w"},
	{"widen, with its sign", "i64 @f(ptr %p)", "%v = load i32, ptr %p\n  %w = sext i32 %v to i64\n  ret i64 %w"},
	{"widen, of a sum", "i64 @f(i32 %a, i32 %b)", "%v = add i32 %a, %b\n  %w = zext i32 %v to i64\n  ret i64 %w"},
	{"shift", "i32 @f(i32 %a, i32 %b)", "%v = shl i32 %b, 3\n  %w = add i32 %a, %v\n  ret i32 %w"},
	{"shift, of what is shifted out of itself", "i64 @f(i64 %a)", "%v = lshr i64 %a, 9\n  %w = xor i64 %v, %a\n  ret i64 %w"},
	{"shift, a field", "i32 @f(i32 %a)", "%v = lshr i32 %a, 8\n  %w = and i32 %v, 255\n  ret i32 %w"},
	{"shift, of a difference", "i32 @f(i32 %a, i32 %b)", "%v = shl i32 %b, 3\n  %w = sub i32 %v, %a\n  ret i32 %w"},
	{"multiply-add", "i32 @f(i32 %a, i32 %b, i32 %c)", "%v = mul i32 %a, %b\n  %w = add i32 %v, %c\n  ret i32 %w"},
	{"multiply-add, subtracting", "i32 @f(i32 %a, i32 %b, i32 %c)", "%v = mul i32 %a, %b\n  %w = sub i32 %c, %v\n  ret i32 %w"},
	{"multiply-add, of two products", "i32 @f(i32 %a, i32 %b, i32 %c)", "%v = mul i32 %a, %b\n  %w = mul i32 %b, %c\n  %x = add i32 %v, %w\n  ret i32 %x"},
	{"multiply-add, by what is a shift", "i32 @f(i32 %a, i32 %b)", "%v = mul i32 %a, 5\n  %w = add i32 %v, %b\n  ret i32 %w"},
	{"scaled, behind a field", "i32 @f(ptr %p, i64 %i)", "%q = getelementptr i8, ptr %p, i64 72\n  %r = getelementptr i32, ptr %q, i64 %i\n  %v = load i32, ptr %r\n  ret i32 %v"},
	{"a remainder", "i32 @f(i32 %a, i32 %b)", "%v = urem i32 %a, %b\n  ret i32 %v"},
	{"a selection", "i32 @f(i32 %a, i32 %b)", "%c = icmp slt i32 %a, 7\n  %v = select i1 %c, i32 %a, i32 %b\n  ret i32 %v"},
	{"a greatest", "i32 @f(i32 %a, i32 %b)", "%v = call i32 @llvm.smax.i32(i32 %a, i32 %b)\n  ret i32 %v"},
	{"a store of zero", "void @f(ptr %p)", "store i32 0, ptr %p\n  ret void"},
	{"a store of a constant", "void @f(ptr %p)", "store i32 5, ptr %p\n  ret void"},
	{"a result that is constant", "i32 @f(ptr %p)", "store i32 0, ptr %p\n  ret i32 7"},
	{"a large constant", "i32 @f(i32 %a)", "%v = add i32 %a, 100000001\n  ret i32 %v"},
	{"a global", "i32 @f()", "%v = load i32, ptr @g\n  ret i32 %v"},
	{"vectors", "<4 x i32> @f(<4 x i32> %a, <4 x i32> %b)", "%v = add <4 x i32> %a, %b\n  ret <4 x i32> %v"},
	{"wide vectors", "<4 x i64> @f(<4 x i64> %a, <4 x i64> %b)", "%v = add <4 x i64> %a, %b\n  ret <4 x i64> %v"},
}

// counting returns the llc there are, and a model that counts instructions.
func counting(t *testing.T) ([]string, procmodels.Model) {
	t.Helper()
	all := llcs()
	if len(all) == 0 {
		t.Skip("skipped: no llc-16, llc-19 or llc-22")
	}
	m, err := procmodels.Open("testdata/counting.yaml", "")
	if err != nil {
		t.Fatal(err)
	}
	return all, m
}

// TestInstructionsAgainstLLC allows one instruction more or less, where llc splits a constant, say,
// and a tenth on the whole.
func TestInstructionsAgainstLLC(t *testing.T) {
	all, m := counting(t)
	for _, llc := range all {
		told, made := 0, 0
		for _, s := range snippets {
			module := "target triple = \"aarch64-unknown-linux-gnu\"\n@g = global i32 1\ndeclare i32 @llvm.smax.i32(i32, i32)\ndefine " + s.head + " {\n  " + s.body + "\n}\n"
			got, want := int(costsOf(t, m, module)[0].Cycles), compiled(t, llc, module)
			if got < want-1 || got > want+1 {
				t.Errorf("%s, %s: %d instructions, llc makes %d of\n%s", llc, s.rule, got, want, s.body)
			} else if got != want {
				t.Logf("%s, %s: %d instructions, llc makes %d", llc, s.rule, got, want)
			}
			told, made = told+got, made+want
		}
		if 10*max(told-made, made-told) > made {
			t.Errorf("%s: %d instructions, llc makes %d", llc, told, made)
		}
	}
}

// A branch on conditions that are joined is as many branches, each behind its comparison: to the instruction, as llc has it.
func TestJoinedConditions(t *testing.T) {
	all, m := counting(t)
	const compare = "%c = icmp slt i32 %a, 7\n  %d = icmp sgt i32 %b, 9\n  "
	for _, llc := range all {
		for _, joined := range []string{"%i = select i1 %c, i1 %d, i1 false\n  br i1 %i, label %x, label %y", "%i = and i1 %c, %d\n  br i1 %i, label %x, label %y",
			"%i = or i1 %c, %d\n  br i1 %i, label %y, label %x",
			"%e = icmp eq i32 %a, %b\n  %h = select i1 %c, i1 %d, i1 false\n  %i = select i1 %h, i1 %e, i1 false\n  br i1 %i, label %x, label %y"} {
			module := "target triple = \"aarch64-unknown-linux-gnu\"\ndefine void @f(ptr %p, i32 %a, i32 %b) {\n  " + compare + joined +
				"\nx:\n  store i32 %a, ptr %p\n  br label %y\ny:\n  ret void\n}\n"
			told := 0
			for _, b := range costsOf(t, m, module) {
				told += int(b.Cycles)
			}
			if want := compiled(t, llc, module); told != want {
				t.Errorf("%s: %d instructions, llc makes %d of\n%s", llc, told, want, joined)
			}
		}
	}
}

// Two shifts that extend the low bits of a word are one instruction, and none behind a load of which nothing else is used: to
// the instruction, as llc has it.
func TestShiftsThatExtend(t *testing.T) {
	all, m := counting(t)
	for _, head := range []string{"(TYPE %v)", "(ptr %p)", "(ptr %p, ptr %q)"} {
		for _, c := range []struct {
			of string
			by int
		}{{"i32", 16}, {"i32", 24}, {"i64", 32}, {"i64", 48}, {"i64", 56}} {
			body := map[string]string{"(ptr %p)": "  %v = load TYPE, ptr %p\n", "(ptr %p, ptr %q)": "  %v = load TYPE, ptr %p\n  store TYPE %v, ptr %q\n"}[head] // in the last the word is used too
			text := "target triple = \"aarch64-unknown-linux-gnu\"\ndefine TYPE @f" + head + " {\n" + body + "  %a = shl TYPE %v, BY\n  %b = ashr TYPE %a, BY\n  ret TYPE %b\n}\n"
			text = strings.NewReplacer("TYPE", c.of, "BY", fmt.Sprint(c.by)).Replace(text)
			for _, llc := range all {
				if got, want := int(costsOf(t, m, text)[0].Cycles), compiled(t, llc, text); got != want {
					t.Errorf("%s: %d instructions, llc makes %d of\n%s", llc, got, want, text)
				}
			}
		}
	}
}

// Each rule of a file has an effect on one of the snippets.
func TestEveryFoldHasAnEffect(t *testing.T) {
	total := func(text string) float64 {
		m, sum := fromText(t, text), 0.0
		for _, s := range append(snippets, branching...) {
			for _, c := range costsOf(t, m, "target triple = \"aarch64-unknown-linux-gnu\"\n@g = global i32 1\ndeclare i32 @llvm.smax.i32(i32, i32)\n"+
				"declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndefine "+s.head+" {\n  "+s.body+"\n}\n") {
				sum += c.Cycles
			}
		}
		return sum
	}
	small := withOpcodes(small)
	before := total(small)
	for i, word := range foldNames {
		if i == foldMemory || i == foldOverwrite {
			continue // of processors that execute out of order: TestMemoryOperands, TestOverwrittenAgainstLLC
		}
		text, without := strings.Replace(small, "library:", "fold: ["+word+"]\nlibrary:", 1), before
		if word == "copy" {
			text = strings.Replace(text, "library:", "moves: alu\nvector: 128\nlibrary:", 1)
			without = total(strings.Replace(text, "fold: [copy]\n", "", 1))
		}
		if got := total(text); got == without {
			t.Errorf("fold: [%s] changes nothing", word)
		}
	}
	for _, keys := range []string{"vector: 128", "calls: {llvm.smax: alu}", "moves: alu"} {
		if total(strings.Replace(small, "library:", keys+"\nlibrary:", 1)) == before {
			t.Errorf("%s changes nothing", keys)
		}
	}
}

// branching are functions whose first block ends with a comparison and a branch, or divides.
var branching = []struct{ rule, head, body string }{
	{"zero", "void @f(i32 %a)", "%c = icmp eq i32 %a, 0\n  br i1 %c, label %x, label %y\nx:\n  ret void\ny:\n  ret void"},
	{"compare", "void @f(i32 %a, i32 %b)", "%c = icmp slt i32 %a, %b\n  br i1 %c, label %x, label %y\nx:\n  ret void\ny:\n  ret void"},
	{"counter", "void @f(i64 %n)", "br label %l\nl:\n  %i = phi i64 [ 0, %0 ], [ %j, %l ]\n  %j = add i64 %i, 1\n  %c = icmp eq i64 %j, %n\n  br i1 %c, label %x, label %l\nx:\n  ret void"},
	{"copy", "void @f(ptr %p, ptr %q)", "call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 64, i1 false)\n  ret void"},
	{"divide", "i32 @f(i32 %a)", "%v = sdiv i32 %a, 10\n  %w = add i32 %v, 1\n  ret i32 %w"},
}

// Code that was not optimised branches both ways and has each constant where it is used.
func TestPlainCode(t *testing.T) {
	m, err := procmodels.Open("testdata/counting.yaml", "")
	if err != nil {
		t.Fatal(err)
	}
	module := `define i32 @f(i32 %n) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %head
head:
  %v = load i32, ptr %i
  %c = icmp slt i32 %v, %n
  br i1 %c, label %body, label %end
body:
  %w = load i32, ptr %i
  %s = shl i32 %w, 1
  %x = add i32 %n, %s
  store i32 %x, ptr %i
  br label %head
end:
  %r = load i32, ptr %i
  ret i32 %r
}
`
	// entry: sub sp, str, b; head: ldr, cmp, b.lt, b; body: ldr, lsl, add, str, b; end: ldr, add sp, ret.
	for bi, want := range []float64{3, 4, 5, 3} {
		if got := costsOf(t, m, module)[bi].Cycles; got != want {
			t.Errorf("block %d: %g instructions, want %g", bi, got, want)
		}
	}
}
