package compact

import (
	"bytes"
	"strings"
	"testing"
)

const sample = `; ModuleID = 'x'
%struct.p = type { i32, ptr }
@s = constant [4 x i8] c"%v0\00"

define i32 @f(i32 %n, %struct.p %q) {
entry:
  br label %bb0

bb0:                                              ; preds = %bb1, %entry
  %v0 = phi i32 [ 0, %entry ], [ %v3, %bb1 ]
  %v1 = icmp slt i32 %v0, %n
  br i1 %v1, label %bb1, label %done

bb1:
  %odd.name = add i32 %v0, %v1.x
  %v3 = call i32 asm "mov %v0, $0", "=r"(i32 %odd.name)
  %v4 = add i32 %v3, %"quoted name"
  %v04 = add i32 %v4, %v4
  %v5 = add i32 %v04, %v4
  br label %bb0

done:
  ret i32 %v0
}

define void @g() {
  ret void
}

declare void @h()
`

func TestBackWithoutLoss(t *testing.T) {
	for _, text := range []string{sample, "", "define", "define void @f() {\n", strings.Repeat("define \n", 1<<19), "define void @f() {\n}\n", strings.ReplaceAll(sample, "\n", "\r\n"), sample[:len(sample)-1]} {
		packed, ok := Encode([]byte(text))
		if !ok {
			t.Fatalf("no compact form of %q", text)
		}
		back, err := Decode(packed)
		if err != nil || string(back) != text {
			t.Errorf("%v: got\n%s\nof\n%s", err, back, text)
		}
	}
	packed, _ := Encode([]byte(sample))
	for _, want := range []string{"\x03phi i32 [ 0, \x02-1 ], [ \x01-3, \x021 ]", "br label \x02-1\n", "\x03icmp slt i32 \x011, %n", "\n\x04:   ", "\n\x04:\n  %odd"} {
		if !bytes.Contains(packed, []byte(want)) {
			t.Errorf("%q is not in\n%q", want, packed)
		}
	}
	if _, ok := Encode([]byte("a\x02")); ok {
		t.Error("a text with a byte that stands for names has a compact form")
	}
}

func TestDamaged(t *testing.T) {
	for _, data := range []string{"define {\n\x01\n}\n", "define {\n\x011\n}\n", "define {\nx:\n\x02-9\n}\n", "define {\n\x0199999999999999999999\n}\n",
		"define {\n  %" + strings.Repeat("a", 1<<17) + " = \n" + strings.Repeat("\x011", 1<<16) + "\n}\n"} {
		if out, err := Decode([]byte(data)); err == nil {
			t.Errorf("%.40q gave %d bytes", data, len(out))
		}
	}
}

func FuzzCompact(f *testing.F) {
	f.Add([]byte(sample))
	f.Fuzz(func(t *testing.T, text []byte) {
		if out, err := Decode(text); err == nil && len(out) > 2*anyText+mostExpanded*len(text)+len(text) {
			t.Fatalf("%d bytes of %d", len(out), len(text))
		}
		packed, ok := Encode(text)
		if !ok {
			return
		}
		if back, err := Decode(packed); err == nil && !bytes.Equal(back, text) {
			t.Fatalf("%q came back as %q", text, back)
		}
	})
}
