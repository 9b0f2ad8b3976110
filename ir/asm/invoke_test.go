package asm_test

import (
	"strings"
	"testing"

	"pathspan/ir/asm"
)

// A call in the middle of a block becomes an invoke; phis behind it learn the new block.
func TestInvoke(t *testing.T) {
	const before = `declare double @g(i32, ...)
declare i32 @pers(...)

define double @f(i32 %x) #0 comdat align 16 !prof !1 {
entry:
  %a = add i32 %x, 1
  %y = tail call fast nnan fastcc noundef nofpclass(nan) double (i32, ...) @g(i32 %a, i32 noundef 2) #1 [ "deopt"(i32 %x) ], !dbg !0
  %z = fadd double %y, 1.0
  br label %out

out:                                              ; preds = %entry
  %p = phi double [ %z, %entry ]
  ret double %p
}

define void @h() personality ptr @pers {
  ret void
}

attributes #0 = { uwtable }
attributes #1 = { cold }

!0 = !DILocation(line: 1, scope: !1)
!1 = !{}
`
	m, err := asm.Parse([]byte(before))
	if err != nil {
		t.Fatal(err)
	}
	f := m.Func("f")
	if _, err := f.AddBlock("left", "%l = landingpad { ptr, i32 } cleanup", "resume { ptr, i32 } %l"); err != nil {
		t.Fatal(err)
	}
	call := f.Blocks[0].Instrs[1]
	rest, err := f.Invoke(call, "left")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.SetPersonality("ptr @pers"); err != nil {
		t.Fatal(err)
	}
	text := string(m.Bytes())
	for _, want := range []string{
		"define double @f(i32 %x) #0 comdat align 16 personality ptr @pers !prof !1 {",
		"  %y = invoke fastcc noundef nofpclass(nan) double (i32, ...) @g(i32 %a, i32 noundef 2) #1 [ \"deopt\"(i32 %x) ] to label %" + rest.Name() + " unwind label %left, !dbg !0\n",
		"%p = phi double [ %z, %" + rest.Name() + " ]",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if got := f.Personality(); got != "ptr @pers" {
		t.Errorf("personality %q", got)
	}
	if got := m.Func("h").Personality(); got != "ptr @pers" {
		t.Errorf("personality %q", got)
	}
	if err := f.SetPersonality("ptr null"); err == nil {
		t.Error("a second personality was taken")
	}
	if _, err := f.Invoke(rest.Instrs[0], "left"); err == nil {
		t.Error("an addition was invoked")
	}
}
