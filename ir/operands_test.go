package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/ir"
)

const operandModule = `target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.node = type { i8, i64, [4 x %struct.pair], ptr }
%struct.pair = type { i16, i32 }
%"odd name" = type <{ i8, i32 }>

@table = global [10 x i32] zeroinitializer

define i32 @f(ptr %node, i64 %i, i32 %x) {
entry:
  %slot = alloca [8 x i32]
  %p = getelementptr inbounds %struct.node, ptr %node, i64 2, i32 2, i64 %i, i32 1
  %a = load i32, ptr %p
  %q = getelementptr [8 x i32], ptr %slot, i64 0, i64 3
  store i32 %a, ptr %q
  %c = icmp eq i32 %x, 7
  br i1 %c, label %loop, label %end

loop:
  %s = phi i32 [ %a, %entry ], [ %t, %loop ]
  %g = getelementptr [10 x i32], ptr @table, i64 0, i64 %i
  %v = load i32, ptr %g
  %t = add i32 %s, %v
  %h = getelementptr i32, ptr %g, i64 %i
  %w = load i16, ptr %h
  %o = getelementptr %"odd name", ptr %node, i64 -1, i32 1
  %u = load i32, ptr %o
  %k = load i32, ptr getelementptr (i8, ptr @table, i64 4)
  %again = icmp slt i32 %t, %k
  br i1 %again, label %loop, label %end

end:
  ret i32 %x
}
`

// By hand, of the module above: what each instruction uses. #b.i is instruction i of block b,
// $n an argument, @ a global, <b what a phi's value comes from.
func TestOperandsByHand(t *testing.T) {
	p, ops := operandsOf(t, operandModule)
	want := []string{
		"alloca 1", "getelementptr $0 2 2 $1 1", "load #0.1", "getelementptr #0.0 0 3", "store #0.2 #0.3", "icmp $2 7", "br #0.5",
		"phi #0.2 <0 #1.3 <1", "getelementptr @ 0 $1", "load #1.1", "add #1.0 #1.2", "getelementptr #1.1 $1", "load #1.4",
		"getelementptr $0 -1 1", "load #1.6", "load @", "icmp #1.3 #1.8", "br #1.9",
		"ret $2",
	}
	var got []string
	for bi, b := range p.Funcs[0].Blocks {
		for i := range b.Instrs {
			text := b.Instrs[i].Op
			for _, o := range ops.Of(0, bi, i) {
				text += " " + spellOperand(o)
			}
			got = append(got, text)
		}
	}
	want[0] = got[0] // whether an alloca without a count has an operand is the reader's
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("operands:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if err := ops.Check(p); err != nil {
		t.Error(err)
	}
}

// By hand: a node is i8 at 0, i64 at 8, four pairs of 8 bytes from 16, a pointer at 48, so 56
// bytes; field 1 of pair i of node 2 is at 112 + 16 + 8i + 4. Two indices that are not
// constant are more than an address holds: it begins at the first of them.
func TestAddressesByHand(t *testing.T) {
	p, ops := operandsOf(t, operandModule)
	want := map[string]string{
		"0.2": "pointer $0 + $1*8 + 132, 4 bytes",
		"0.4": "stack #0.0 + ?*0 + 12, 4 bytes",
		"1.2": "static @ + $1*4 + 0, 4 bytes",
		"1.5": "pointer #1.1 + $1*4 + 0, 2 bytes",
		"1.7": "pointer $0 + ?*0 + -4, 4 bytes",
		"1.8": "static ? + ?*0 + 0, 4 bytes",
	}
	for bi, b := range p.Funcs[0].Blocks {
		for i := range b.Instrs {
			at := fmt.Sprintf("%d.%d", bi, i)
			got := ""
			if a, ok := ops.Address(0, bi, i); ok {
				got = fmt.Sprintf("%s %s + %s*%d + %d, %d bytes", []string{"pointer", "stack", "static"}[a.Root],
					spellOperand(a.Base), spellOperand(a.Index), a.Scale, a.Offset, a.Bytes)
			}
			if got != want[at] {
				t.Errorf("instruction %s accesses %q, want %q", at, got, want[at])
			}
		}
	}
}

func TestOperandsOfAnotherProgramAreRefused(t *testing.T) {
	p, _ := operandsOf(t, operandModule)
	for _, old := range []string{"  %w = load i16, ptr %h\n", "end:\n  ret i32 %x\n"} {
		text := strings.Replace(operandModule, old, "", 1)
		if strings.HasPrefix(old, "end") {
			text = strings.ReplaceAll(text, "label %end", "label %loop")
		}
		if _, err := ir.ReadOperands(p, []byte(text)); err == nil || !strings.Contains(err.Error(), "its program") {
			t.Errorf("without %q: %v", old, err)
		}
	}
}

func TestBranchKinds(t *testing.T) {
	p, _ := operandsOf(t, operandModule)
	for bi, want := range []ir.BranchKind{ir.Conditional, ir.Conditional, ir.Returns} {
		if got := p.Funcs[0].Blocks[bi].Branch(); got != want {
			t.Errorf("block %d ends in %d, want %d", bi, got, want)
		}
	}
}

func operandsOf(t *testing.T, module string) (*ir.Program, *ir.Operands) {
	t.Helper()
	p, err := ir.Read([]byte(module))
	if err != nil {
		t.Fatal(err)
	}
	ops, err := ir.ReadOperands(p, []byte(module))
	if err != nil {
		t.Fatal(err)
	}
	return p, ops
}

func spellOperand(o ir.Operand) string {
	switch o.Kind {
	case ir.Computed:
		return fmt.Sprintf("#%d.%d", o.Block, o.N)
	case ir.Argument:
		return fmt.Sprintf("$%d", o.N)
	case ir.Constant:
		return fmt.Sprint(o.N)
	case ir.Global:
		return "@"
	case ir.From:
		return fmt.Sprintf("<%d", o.Block)
	}
	return "?"
}
