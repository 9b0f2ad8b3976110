package ir_test

// This file tests how positions are told in the user's own lines.

import (
	"testing"

	"pathspan/ir"
)

// Of a module in which main, of app.cc, inlines twice(), of app.cc, which inlines code of a
// header of the library; and one instruction without a line.
const inlinedModule = `
define i32 @main(i32 %n) !dbg !4 {
entry:
  %a = add i32 %n, 1, !dbg !6
  br label %for.body.i
for.body.i:
  %b = add i32 %a, 1
  br label %if.then
if.then:
  %c = add i32 %b, 1, !dbg !5
  ret i32 %c, !dbg !5
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
`

func TestUserPlaces(t *testing.T) {
	p, err := ir.Read([]byte(inlinedModule))
	if err != nil {
		t.Fatal(err)
	}
	f := p.Funcs[0]
	if in := &f.Blocks[0].Instrs[0]; in.Into != 12 || f.OwnLine(in) != 12 {
		t.Errorf("code of a header stands for line %d, want that of the user's function that called it, 12", in.Into)
	}
	if in := &f.Blocks[2].Instrs[0]; in.Into != 0 || f.OwnLine(in) != 9 {
		t.Errorf("code of the file itself: into %d, line %d, want 0 and 9", in.Into, f.OwnLine(in))
	}
	// The header's code, what has no line behind it, and what follows.
	for block, want := range []string{"app.cc:12", "app.cc:12", "app.cc:9"} {
		if got := p.UserString(p.UserBlockLoc(f, block)); got != want {
			t.Errorf("block %s is at %q, want %s", f.Blocks[block].Name, got, want)
		}
	}
	// A bundle of an earlier version does not say where it was inlined.
	f.Blocks[0].Instrs[0].Into = 0
	for block, want := range []string{"app.cc:9", "app.cc:9", "app.cc:9"} {
		if got := p.UserString(p.UserBlockLoc(f, block)); got != want {
			t.Errorf("without what was inlined where, block %d is at %q, want %s", block, got, want)
		}
	}
	if got, want := p.UserString(f.Blocks[0].Instrs[0].Loc), "code of <bits/stl_vector.h>"; got != want {
		t.Errorf("a header's line is told as %q, want %q", got, want)
	}
	if got := p.UserString(ir.Loc{File: -1}); got != "" {
		t.Errorf("no place is %q", got)
	}
}

func TestForeignFiles(t *testing.T) {
	for file, want := range map[string]string{
		"/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/vector.tcc": "<bits/vector.tcc>",
		"/usr/include/stdio.h":                      "<stdio.h>",
		"/usr/lib/llvm-19/lib/clang/19/include/x.h": "<x.h>",
		"/opt/llvm/lib/clang/19/include/stdint.h":   "<stdint.h>",
		"/opt/toolchain/include/c++/14.2/vector":    "<vector>",
		"src/include/mine.h":                        "mine.h",
		"/home/user/include/mine.h":                 "mine.h",
		"main.c":                                    "main.c",
		"/usr/src/app/main.c":                       "main.c",
		"../../usr/include/not_absolute.h":          "not_absolute.h",
	} {
		if got := ir.HeaderName(file); got != want || ir.Foreign(file) != (want[0] == '<') {
			t.Errorf("%s is %s, foreign %v, want %s", file, got, ir.Foreign(file), want)
		}
	}
}
