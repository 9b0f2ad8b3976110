package ir

import (
	"slices"
	"strings"
	"testing"

	"pathspan/ir/asm"
)

func build(t *testing.T, src string) *Program {
	t.Helper()
	m, err := asm.Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Build(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const marked = `target datalayout = "e-m:e"
target triple = "x86_64-pc-linux-gnu"

@alias = alias void (i32), ptr @work

define i32 @main(i32 %n) #0 !dbg !4 {
entry:
    #dbg_value(i32 %n, !9, !DIExpression(), !6)
  %slot = alloca [4 x i8], align 1
  call void @llvm.lifetime.start.p0(i64 4, ptr %slot)
  switch i32 %n, label %join [
    i32 1, label %section
    i32 2, label %section
  ], !dbg !6

section:                                          ; preds = %entry, %entry
  %p = phi i32 [ 7, %entry ], [ 8, %entry ]
  call void @llvm.dbg.value(metadata i32 %p, metadata !9, metadata !DIExpression()), !dbg !6
  call void @__pathspan_mark(i32 3, i32 0, i32 1, i32 2)
  %c = icmp slt i32 %p, 3, !dbg !7
  call void @llvm.assume(i1 %c)
  store i64 1, ptr %slot, align 1, !dbg !8
  %w = trunc i64 5 to i8
  %d = sitofp i32 %p to double
  call void @apply(ptr @work, ptr @alias, ptr @outside, ptr null) #1
  %s = call i32 @_setjmp(ptr %slot)
  br label %join

join:                                             ; preds = %section, %entry
  call void @alias(i32 1)
  call void @leave(i32 1)
  %f = load ptr, ptr %slot
  call void %f()
  call void asm sideeffect "nop", ""() #1
  ret i32 0
}

define internal void @work(i32 %x) {
  ret void
}

declare void @__pathspan_mark(i32, i32, i32, i32)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare void @llvm.assume(i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @apply(ptr, ...)
declare void @outside()
declare void @leave(i32) #2
declare i32 @_setjmp(ptr)

attributes #0 = { nounwind uwtable }
attributes #1 = { nounwind }
attributes #2 = { noreturn "x"="y" }

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "src/main.c", directory: "/d")
!2 = !DIFile(filename: "src/main.c", directory: "/other")
!3 = !DIFile(filename: "/usr/include/x.h", directory: "")
!4 = distinct !DISubprogram(name: "start", linkageName: "main", scope: !1, file: !1, line: 3, unit: !0)
!5 = !DILexicalBlockFile(scope: !4, file: !3, discriminator: 1)
!6 = !DILocation(line: 4, column: 9, scope: !4)
!7 = !DILocation(line: 5, column: 2, scope: !5)
!8 = !DILocation(line: 6, scope: !10, inlinedAt: !6)
!9 = !DILocalVariable(name: "n", scope: !4, file: !1, line: 3)
!10 = distinct !DISubprogram(name: "inlined", scope: !2, file: !2, line: 1, unit: !0)
`

func TestBuild(t *testing.T) {
	p := build(t, marked)
	if p.Triple != "x86_64-pc-linux-gnu" || p.DataLayout != "e-m:e" || len(p.Funcs) != 2 {
		t.Fatalf("program %+v", p)
	}
	if !slices.Equal(p.Inlined, []string{"inlined"}) {
		t.Errorf("inlined: %q", p.Inlined)
	}
	f := p.Func("main")
	if f.Source != "start" || !f.Exported || !f.NoUnwind || p.LocString(f.Loc) != "src/main.c:3" {
		t.Errorf("main: %+v at %s", f, p.LocString(f.Loc))
	}
	if w := p.Func("work"); w.Exported || w.NoUnwind || w.Source != "work" || w.Loc.File != -1 || w.Index != 1 {
		t.Errorf("work: %+v", w)
	}
	entry, section, join := f.Blocks[0], f.Blocks[1], f.Blocks[2]
	if !slices.Equal(entry.Succs, []int{2, 1, 1}) || !slices.Equal(section.Succs, []int{2}) || len(join.Succs) != 0 {
		t.Errorf("edges %v %v %v", entry.Succs, section.Succs, join.Succs)
	}
	if entry.Mark != nil || section.Mark == nil || *section.Mark != (Mark{SectionBegin, 0, 1, 2}) {
		t.Errorf("marks %v %v", entry.Mark, section.Mark)
	}
	if got := f.BlockNamed("join"); got != 2 {
		t.Errorf("join is block %d", got)
	}
	ops := func(b *Block) string {
		var out []string
		for _, in := range b.Instrs {
			out = append(out, in.Op+" "+in.Type)
		}
		return strings.Join(out, ", ")
	}
	if got, want := ops(entry), "alloca [4 x i8], switch i32"; got != want {
		t.Errorf("entry: %s, want %s", got, want)
	}
	if got, want := ops(section), "phi i32, icmp i32, store i64, trunc i64, sitofp double, call void, call i32, br "; got != want {
		t.Errorf("section: %s, want %s", got, want)
	}
	for i, want := range []string{"?", "/usr/include/x.h:5", "/other/src/main.c:6"} {
		if got := p.LocString(section.Instrs[i].Loc); got != want {
			t.Errorf("%s is at %s, want %s", section.Instrs[i].Op, got, want)
		}
	}
	if l := entry.Terminator().Loc; l.Line != 4 || l.Col != 9 {
		t.Errorf("switch is at %v", l)
	}
	want := []Call{
		{Callee: -1, Name: "apply", FuncArgs: []int{1}, NoUnwind: true},
		{Callee: -1, Name: "_setjmp", ReturnsTwice: true},
		{Callee: 1, Name: "alias", ConstArgs: []ConstArg{{0, 1}}},
		{Callee: -1, Name: "leave", NoReturn: true, ConstArgs: []ConstArg{{0, 1}}},
		{Callee: -1, Indirect: true},
		{Callee: -1, Name: "asm", NoUnwind: true},
	}
	var got []Call
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Call != nil {
				got = append(got, *in.Call)
			}
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d calls, want %d", len(got), len(want))
	}
	for i := range got {
		if !slices.Equal(got[i].ConstArgs, want[i].ConstArgs) {
			t.Errorf("call %d passes constants %v, want %v", i, got[i].ConstArgs, want[i].ConstArgs)
		}
		if !slices.Equal(got[i].FuncArgs, want[i].FuncArgs) {
			t.Errorf("call %d passes %v, want %v", i, got[i].FuncArgs, want[i].FuncArgs)
		}
		got[i].FuncArgs, want[i].FuncArgs = nil, nil
		if got[i].Callee != want[i].Callee || got[i].Name != want[i].Name || got[i].Indirect != want[i].Indirect ||
			got[i].ReturnsTwice != want[i].ReturnsTwice || got[i].NoReturn != want[i].NoReturn || got[i].NoUnwind != want[i].NoUnwind {
			t.Errorf("call %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestBuildErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"i32 3, i32 0, i32 1, i32 2)", "i32 %p, i32 0, i32 1, i32 2)", "@main, block section: marker operand 1 is not constant"},
		{"i32 3, i32 0, i32 1, i32 2)", "i32 9, i32 0, i32 1, i32 2)", "unknown kind 9"},
		{"i32 3, i32 0, i32 1, i32 2)", "i32 3)", "marker with 1 operands"},
		{"  ret i32 0", "  call void @__pathspan_mark(i32 2, i32 0, i32 0, i32 0)\n  ret i32 0", "@main, block join: a marker stands behind other instructions"},
		{"br label %join", "br label %nowhere", "block nowhere, which does not exist"},
		{"  ret i32 0", "  evaporate", "@main, block join: no terminator"},
	} {
		m, err := asm.Parse([]byte(strings.Replace(marked, c.old, c.new, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Build(m); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %s", c.new, err, c.want)
		}
	}
}

// Constants are kept by the index of their argument; pointers, floats, values and wide
// integers are none.
func TestConstArgs(t *testing.T) {
	p := build(t, `
define void @f(ptr %d, i64 %n) personality ptr null {
entry:
  call void @llvm.memcpy.p0.p0.i64(ptr noundef align 8 %d, ptr null, i64 24, i1 false)
  call void (ptr, ...) @v(ptr %d, i32 -7, i8 noundef signext -128, i64 -9223372036854775808, i64 %n, i128 5, double 1.0, i1 true, <2 x i32> zeroinitializer, i32 undef, i64 add (i64 1, i64 2), i65 3)
  invoke void @w(i16 300)
          to label %next unwind label %pad

next:
  callbr void asm "", "i,!i"(i32 9)
          to label %end [label %end]

pad:
  %l = landingpad { ptr, i32 } cleanup
  br label %end

end:
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @v(ptr, ...)
declare void @w(i16)
`)
	want := [][]ConstArg{
		{{2, 24}, {3, 0}},
		{{1, -7}, {2, -128}, {3, -9223372036854775808}, {7, 1}},
		{{0, 300}},
		{{0, 9}},
	}
	var got [][]ConstArg
	for _, b := range p.Funcs[0].Blocks {
		for _, in := range b.Instrs {
			if in.Call != nil {
				got = append(got, in.Call.ConstArgs)
			}
		}
	}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("constants %v, want %v", got, want)
	}
}

func TestConstInt(t *testing.T) {
	for _, c := range []struct {
		typ, value string
		want       int64
		ok         bool
	}{
		{"i64", "18446744073709551615", -1, true},
		{"i8", "u0xFF", -1, true},
		{"i8", "u0x7F", 127, true},
		{"i16", "s0xFF", -1, true},
		{"i16", "u0xFF", 255, true},
		{"i8", "u0x1FF", 0, false},
		{"i64", "18446744073709551616", 0, false},
		{"i65", "1", 0, false},
		{"i0", "1", 0, false},
		{"ptr", "null", 0, false},
		{"i32", "%x", 0, false},
		{"i1", "1", 1, true},
		{"i1", "-1", -1, true},
		{"", "1", 0, false},
	} {
		got, ok := constInt(c.typ, c.value)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s %s: %d %v, want %d %v", c.typ, c.value, got, ok, c.want, c.ok)
		}
	}
}
