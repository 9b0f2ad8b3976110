package probe

// This file tests what Apply takes back and what it leaves alone.

import (
	"strings"
	"testing"

	"pathspan/ir/asm"
)

const pure = `
define i32 @f(i32 %x) #0 {
entry:
  %y = call i32 @f(i32 %x) #2
  %z = call i32 @g(i32 %y) #2
  %w = call i32 @llvm.abs.i32(i32 %z, i1 false)
  ret i32 %w
}

declare i32 @g(i32) #1

declare i32 @llvm.abs.i32(i32, i1) #1

attributes #0 = { nounwind readnone nosync }
attributes #1 = { nounwind readnone }
attributes #2 = { nounwind readnone }
`

func TestProbesWriteMemory(t *testing.T) {
	m, err := asm.Parse([]byte(pure))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Apply(m, &Plan{Counters: 1, Funcs: []Func{{Index: 0, End: []BlockOps{{Block: 0, Ops: []Op{{Kind: Count, Register: -1}}}}}}}); err != nil {
		t.Fatal(err)
	}
	f := m.Func("f")
	if f.HasAttr("readnone") || f.HasAttr("nosync") || !f.HasAttr("nounwind") {
		t.Errorf("f: %s", f.Header())
	}
	if !m.Decl("g").HasAttr("readnone") || !m.Decl("llvm.abs.i32").HasAttr("readnone") {
		t.Error("a function that the module does not define cannot count, and lost its attributes")
	}
	for _, in := range f.Blocks[0].Instrs {
		c := in.Call()
		if c == nil {
			continue
		}
		if want := c.Callee == "g"; strings.Contains("f g", c.Callee) && in.HasCallAttr("readnone") != want {
			t.Errorf("readnone at %q, want %v", in.Text(), want)
		}
	}
}
