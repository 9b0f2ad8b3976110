package asm

import (
	"slices"
	"testing"
)

// TestNamedStrings reads strings back from the text that they were written to.
func TestNamedStrings(t *testing.T) {
	m, err := Parse([]byte("define void @f() {\n  ret void\n}\n\n!llvm.ident = !{!0}\n\n!0 = !{!\"clang\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	list := []string{"write 7 a.c", "flow 3 x\ny \"é\\ 4"}
	if err := m.AddNamedStrings(Everywhere, list); err != nil {
		t.Fatal(err)
	}
	if m.AddNamedStrings(Everywhere, list) == nil {
		t.Error("it is added twice")
	}
	again, err := Parse(m.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if got := again.NamedStrings(Everywhere); !slices.Equal(got, list) {
		t.Errorf("got %q of\n%s", got, m.Bytes())
	}
	if got := again.NamedStrings("other"); got != nil {
		t.Errorf("got %q", got)
	}
}
