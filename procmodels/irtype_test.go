package procmodels

import (
	"strings"
	"testing"
)

func TestShapes(t *testing.T) {
	for typ, want := range map[string]Shape{
		"i32": {32, 1, false}, "ptr": {32, 1, false}, "i8*": {32, 1, false}, "double": {64, 1, false}, "i65": {65, 1, false},
		"<4 x float>": {32, 4, false}, "<vscale x 2 x i64>": {64, 2, true}, "[3 x [2 x i16]]": {16, 6, true},
		"{ i8, <2 x i64>, { ptr } }": {64, 4, true}, "<{ i8, i8 }>": {8, 2, true}, "void": {0, 1, false},
		"[0 x i8]": {8, 1, true}, "[99999999999 x [99999999 x i8]]": {0, 1, false}, "": {0, 1, false},
		"[16777216 x [16777216 x i8]]": {8, 1 << 24, true}, strings.Repeat("[1 x ", 40) + "i8" + strings.Repeat("]", 40): {0, 1, true},
	} {
		if got := ShapeOf(typ, 32); got != want {
			t.Errorf("%s: %+v, want %+v", typ, got, want)
		}
	}
}
