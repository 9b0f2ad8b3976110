package ir_test

// This file tests which functions code was written in, and where loops stand.

import (
	"strings"
	"testing"

	"pathspan/ir"
)

// main has a loop of twice(), of app.cc, which holds a call of size(), of a header.
const loopsModule = `
define i32 @main(i32 %n) !dbg !4 {
entry:
  br label %loop, !dbg !5
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1, !dbg !6
  %more = icmp slt i32 %next, %n, !dbg !8
  br i1 %more, label %loop, label %other, !dbg !11, !llvm.loop !12
other:
  %k = phi i32 [ 0, %loop ], [ %down, %other ]
  %down = add i32 %k, 1, !dbg !5
  %again = icmp slt i32 %down, %n, !dbg !5
  br i1 %again, label %other, label %done, !dbg !14
done:
  ret i32 %next, !dbg !5
}
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "app.cc", directory: "/home/user")
!2 = !DIFile(filename: "/usr/include/c++/12/bits/stl_vector.h", directory: "/home/user")
!4 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 3, unit: !0)
!5 = !DILocation(line: 9, scope: !4)
!6 = !DILocation(line: 395, scope: !7, inlinedAt: !8)
!7 = distinct !DISubprogram(name: "size", scope: !2, file: !2, line: 390, unit: !0)
!8 = distinct !DILocation(line: 12, scope: !9, inlinedAt: !10)
!9 = distinct !DISubprogram(name: "twice", scope: !1, file: !1, line: 11, unit: !0)
!10 = distinct !DILocation(line: 5, scope: !4)
!11 = !DILocation(line: 12, column: 3, scope: !9, inlinedAt: !10)
!12 = distinct !{!12, !11, !13}
!13 = !DILocation(line: 15, column: 3, scope: !9, inlinedAt: !10)
!14 = !DILocation(line: 8, column: 3, scope: !4)
`

func TestScopesAndLoops(t *testing.T) {
	p, err := ir.Read([]byte(loopsModule))
	if err != nil {
		t.Fatal(err)
	}
	f := p.Funcs[0]
	loop := f.Blocks[1]
	for at, want := range map[int]string{1: "size", 2: "twice", 3: "twice"} {
		if name, _ := p.Holder(f, &loop.Instrs[at]); name != want {
			t.Errorf("instruction %d was written in %q, want %s", at, name, want)
		}
	}
	if name, loc := p.Holder(f, f.Blocks[3].Terminator()); name != "main" || loc.Line != 3 {
		t.Errorf("main's own code was written in %q at line %d", name, loc.Line)
	}
	size := p.Scopes[loop.Instrs[1].Scope-1]
	if size.Call.Line != 12 || size.Parent == 0 || p.Scopes[size.Parent-1].Name != "twice" || p.Scopes[size.Parent-1].Call.Line != 5 {
		t.Errorf("size was called at line %d, by scope %d of %+v", size.Call.Line, size.Parent, p.Scopes)
	}
	if len(f.Loops) != 1 || f.Loops[0] != (ir.LoopLines{Block: 1, Loc: ir.Loc{File: f.Loc.File, Line: 12, Col: 3}, End: 15}) {
		t.Errorf("loops %+v", f.Loops)
	}
	source := strings.Repeat("\n", 6) + "case 3: // not this: \n  while (again)\n\n rows: // all\n#pragma once\n  for (;;)\n"
	p.ReadLoopWords(func(file string) []byte {
		if file != "app.cc" {
			t.Errorf("asked for %s", file)
		}
		return []byte(source)
	})
	if len(f.Loops) != 2 || f.Loops[0].Word != ir.ForLoop || f.Loops[0].Label != "rows" || f.Loops[1] != (ir.LoopLines{Block: 2, Loc: ir.Loc{File: f.Loc.File, Line: 8, Col: 3}, Word: ir.WhileLoop}) {
		t.Errorf("loops with words %+v", f.Loops)
	}
	p.ReadLoopWords(func(string) []byte { return []byte("forty") }) // of another text
	if f.Loops[0].Word != ir.UnknownLoop {
		t.Errorf("a word that is not there: %+v", f.Loops[0])
	}
}
