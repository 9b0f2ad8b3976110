package ir

// This file tests that a view is brought up to date with blocks that were split.

import (
	"reflect"
	"testing"

	"pathspan/ir/asm"
)

// TestSplit holds a view after blocks were split, in every place, to the view made anew.
func TestSplit(t *testing.T) {
	const text = `declare void @g(i32)
declare void @__pathspan_mark(i32, i32, i32, i32)
declare void @llvm.assume(i1)

define i32 @f(i32 %n, i1 %c) !dbg !5 {
bb0:
  call void @g(i32 1), !dbg !6
  call void @g(i32 2), !dbg !7
  br label %bb1, !dbg !7
bb1:
  %i = phi i32 [ 0, %bb0 ], [ %j, %bb1 ]
  call void @__pathspan_mark(i32 1, i32 0, i32 0, i32 0)
  call void @llvm.assume(i1 %c)
  %j = add i32 %i, 1, !dbg !6
  call void @g(i32 %j), !dbg !6
  %more = icmp slt i32 %j, %n
  br i1 %more, label %bb1, label %bb2, !llvm.loop !8
bb2:
  switch i32 %n, label %bb3 [
    i32 1, label %bb1
    i32 2, label %bb3
  ]
bb3:
  call void @g(i32 3)
  ret i32 0
}

define void @alone() {
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "f.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !3, unit: !0)
!6 = !DILocation(line: 2, column: 1, scope: !5)
!7 = !DILocation(line: 3, column: 1, scope: !5)
!8 = distinct !{!8, !6, !7}
`
	splits := 0
	for block := range 4 {
		for at := 1; ; at++ {
			m, err := asm.Parse([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			p, err := Build(m)
			if err != nil {
				t.Fatal(err)
			}
			f := m.Func("f")
			b := f.Blocks[block]
			if at >= len(b.Instrs) {
				break
			}
			if b.Instrs[at-1].Op() == "phi" {
				continue // the marker must stay first
			}
			// Twice, and the last block too.
			for _, x := range []struct {
				b  *asm.Block
				at int
			}{{f.Blocks[3], 1}, {b, at}, {b, min(at, 1+block)}} {
				if x.at >= len(x.b.Instrs) || x.at < x.b.StartIndex() {
					continue
				}
				if _, err := f.SplitBlock(x.b, x.at, f.FreshName("again")); err != nil {
					t.Fatal(err)
				}
				splits++
			}
			p.Split(m)
			want, err := Build(m)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(p, want) {
				t.Errorf("block %d split at %d: the view is not that of\n%s", block, at, f.Text())
			}
		}
	}
	if splits < 20 {
		t.Errorf("only %d splits", splits)
	}
}
