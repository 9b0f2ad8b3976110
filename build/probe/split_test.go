package probe

// This file tests where blocks end at calls that return twice.

import (
	"testing"

	"pathspan/ir/asm"
)

func TestSplitReturnsTwice(t *testing.T) {
	m, err := asm.Parse([]byte(`declare i32 @_setjmp(ptr) returns_twice
declare i32 @other(ptr) #0
declare i32 @plain(ptr)

define i32 @f(ptr %p) {
entry:
  %x = call i32 @_setjmp(ptr %p)
  %y = call i32 @other(ptr %p)
  %z = add i32 %x, %y
  br label %next

next:
  %a = call i32 @plain(ptr %p)
  %b = call i32 @plain(ptr %p) returns_twice
  br label %last

last:
  %q = phi i32 [ %b, %next ]
  %r = call i32 @vfork()
  ret i32 %r
}

declare i32 @vfork() #0

attributes #0 = { returns_twice }
`))
	if err != nil {
		t.Fatal(err)
	}
	if err := SplitReturnsTwice(m); err != nil {
		t.Fatal(err)
	}
	f := m.Func("f")
	twice := map[string]bool{"x": true, "y": true, "b": true, "r": true}
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			if !twice[in.Result()] {
				continue
			}
			delete(twice, in.Result())
			next := b.Instrs[i+1]
			if next.Op() != "br" || len(next.Succs()) != 1 || i+2 != len(b.Instrs) {
				t.Errorf("%%%s is followed by %q", in.Result(), next.Text())
			}
		}
	}
	if len(twice) > 0 {
		t.Errorf("calls lost: %v", twice)
	}
	if len(f.Blocks) != 6 { // next needs no split
		t.Errorf("%d blocks, want 6:\n%s", len(f.Blocks), f.Text())
	}
	before := string(m.Bytes())
	if err := SplitReturnsTwice(m); err != nil {
		t.Fatal(err)
	}
	if string(m.Bytes()) != before {
		t.Error("a second run changes the module")
	}
}
