package asm

import (
	"strings"
	"testing"
)

const withDebug = `target triple = "x86_64-pc-linux-gnu"

@g = global i32 1, align 4, !dbg !10

define i32 @f(i32 %n, ptr %v1) !dbg !4 {
entry:
  br label %v2

v2:                                               ; preds = %v2, %entry
  %i.i = phi i32 [ 0, %entry ], [ %next, %v2 ]
    #dbg_value(i32 %i.i, !11, !DIExpression(), !6)
  %x = load i32, ptr %v1, align 4, !dbg !6, !tbaa !8
  %next = add i32 %i.i, %x, !dbg !6
  %c = icmp slt i32 %next, %n
  br i1 %c, label %v2, label %out, !dbg !6, !llvm.loop !7

out:
  %r = call i32 @h(i32 %next), !dbg !6
  ret i32 %r, !dbg !6
}

declare !dbg !12 i32 @h(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, globals: !2)
!1 = !DIFile(filename: "a.c", directory: "")
!2 = !{!10}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, unit: !0)
!5 = !{!"llvm.loop.mustprogress"}
!6 = !DILocation(line: 3, column: 1, scope: !4)
!7 = distinct !{!7, !6, !6, !5}
!8 = !{!9, !9, i64 0}
!9 = !{!"int"}
!10 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!11 = !DILocalVariable(name: "i", scope: !4)
!12 = !DISubprogram(name: "h", file: !1)
`

const bare = `target triple = "x86_64-pc-linux-gnu"

@g = global i32 1, align 4

define i32 @f(i32 %n, ptr %v1) {
entry:
  br label %v2

v2:
  %v0 = phi i32 [ 0, %entry ], [ %v4, %v2 ]
  %v3 = load i32, ptr %v1, align 4, !tbaa !8
  %v4 = add i32 %v0, %v3
  %v5 = icmp slt i32 %v4, %n
  br i1 %v5, label %v2, label %out, !llvm.loop !7

out:
  %v6 = call i32 @h(i32 %v4)
  ret i32 %v6
}

declare i32 @h(i32)

!llvm.module.flags = !{!3}

!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !{!"llvm.loop.mustprogress"}
!7 = distinct !{!7, !5}
!8 = !{!9, !9, i64 0}
!9 = !{!"int"}
`

func TestBare(t *testing.T) {
	m, err := Parse([]byte(withDebug))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.StripDebug(); err != nil {
		t.Fatal(err)
	}
	m.NumberValues()
	got := string(m.Bytes())
	if got != bare {
		t.Errorf("got\n%s", got)
	}
	again, err := Parse([]byte(got))
	if err != nil {
		t.Fatal(err)
	}
	if err := again.StripDebug(); err != nil {
		t.Fatal(err)
	}
	again.NumberValues()
	if text := string(again.Bytes()); text != got {
		t.Errorf("a second time it changes:\n%s", text)
	}
	if f := again.Func("f"); f == nil || !f.Named() || strings.Contains(f.Text(), "!dbg") {
		t.Error("the function cannot be edited")
	}
}

const unnamed = `@table = constant [2 x ptr] [ptr blockaddress(@f, %4), ptr blockaddress(@named, %3)]

define i32 @f(ptr %0, i32 %v0) {
  %2 = load i32, ptr %0
  switch i32 %2, label %4 [
    i32 1, label %"odd name"
  ]

"odd name":                                       ; preds = %1
  %3 = add i32 %2, %v0
  br label %4

4:                                                ; preds = %1, %"odd name"
  %bb1 = phi i32 [ %2, %1 ], [ %3, %"odd name" ]
  ret i32 %bb1
}

define i32 @named(i32) {
entry:
  %2 = add i32 %0, 1
  br label %3

3:
  %x = add i32 %2, 1
  ret i32 %x
}
`

const numbered = `@table = constant [2 x ptr] [ptr blockaddress(@f, %bb2), ptr blockaddress(@named, %3)]

define i32 @f(ptr %arg0, i32 %v0) {
bb0:
  %v1 = load i32, ptr %arg0
  switch i32 %v1, label %bb2 [
    i32 1, label %bb1
  ]

bb1:
  %v2 = add i32 %v1, %v0
  br label %bb2

bb2:
  %v3 = phi i32 [ %v1, %bb0 ], [ %v2, %bb1 ]
  ret i32 %v3
}

define i32 @named(i32 %arg0) {
entry:
  %v0 = add i32 %arg0, 1
  br label %3

3:
  %v1 = add i32 %v0, 1
  ret i32 %v1
}
`

func TestNumberValues(t *testing.T) {
	m, err := Parse([]byte(unnamed))
	if err != nil {
		t.Fatal(err)
	}
	m.NumberValues()
	if got := string(m.Bytes()); got != numbered {
		t.Errorf("got\n%s", got)
	}
}
