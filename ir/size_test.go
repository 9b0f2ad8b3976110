package ir_test

import (
	"testing"

	"pathspan/ir"
)

func TestScalarBits(t *testing.T) {
	for typ, want := range map[string]int{
		"i1": 8, "i8": 8, "i32": 32, "i33": 40, "i64": 64, "float": 32, "double": 64, "x86_fp80": 80, "ptr": 64,
		"i32*": 64, "%struct.a**": 64, "void (i32)*": 64, "<4 x float>": 128, "<vscale x 4 x i32>": 0,
		"[4 x i32]": 0, "{ float, float }": 0, "%struct.a": 0, "ident": 0, "i": 0,
	} {
		if got := ir.ScalarBits(typ, 64); got != want {
			t.Errorf("%s: %d, want %d", typ, got, want)
		}
	}
}
