package openmp

// This file tests how positions are read.

import (
	"testing"

	"pathspan/ir/asm"
)

func TestIdentAt(t *testing.T) {
	m, err := asm.Parse([]byte(`
%struct.ident_t = type { i32, i32, i32, i32, ptr }
@s0 = private unnamed_addr constant [1 x i8] c";C:\5Cx;y\5Ca.c;ns::f<int>;12;7;;\00", align 1
@i0 = private unnamed_addr constant %struct.ident_t { i32 0, i32 1026, i32 0, i32 53, ptr @s0 }, align 8
@s1 = private unnamed_addr constant [1 x i8] c";unknown;unknown;0;0;;\00", align 1
@i1 = private unnamed_addr constant %struct.ident_t { i32 0, i32 514, i32 0, i32 53, ptr @s1 }, align 8
@i2 = private unnamed_addr constant %struct.ident_t { i32 0, i32 2, i32 0, i32 50, i8* getelementptr inbounds ([1 x i8], [1 x i8]* @s0, i32 0, i32 0) }, align 8
@i3 = external constant %struct.ident_t
`))
	if err != nil {
		t.Fatal(err)
	}
	at := position{file: `C:\x;y\a.c`, function: "ns::f<int>", line: 12, col: 7}
	with := func(p position, flags int) position { p.flags = flags; return p }
	for value, want := range map[string]position{
		"@i0":                                   with(at, 1026),
		"@i1":                                   {flags: 514},
		"@i2":                                   with(at, 2),
		"@i3":                                   {},
		"null":                                  {},
		"%x":                                    {},
		"@not.there":                            {},
		"bitcast (%struct.ident_t* @i0 to i8*)": with(at, 1026),
	} {
		if got := identAt(m, value); got != want {
			t.Errorf("%s: %+v, want %+v", value, got, want)
		}
	}
}
