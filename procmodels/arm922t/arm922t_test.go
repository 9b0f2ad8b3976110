package arm922t

// This file holds the table against its figures by hand.

import (
	"testing"

	"pathspan/procmodels/internal/weightcheck"
)

// Figures as README.md and the comments of the table derive them; the total is
// entry + 100 filter + mid + 50 smooth + scale + jump + exit.
func TestByHand(t *testing.T) {
	total := 73.0 + 100*16 + 456 + 50*335 + 1155 + 0 + 8
	weightcheck.Check(t, "arm922t", map[string]float64{
		"alloca i32": 0, "store i32": 1, "store i64": 2, "store double": 2,
		"call void llvm.memcpy.p0.p0.i32": 17 + 0.75*64, "br": 3,
		"phi i32": 0, "getelementptr ptr": 0.5, "load i32": 1.5, "load i8": 2,
		"sext i32": 1, "mul i32": 4, "add i32": 1, "ashr i32": 1,
		"add i64": 2, "icmp i32": 1, "br.cond i1": 2,
		"udiv i32": 60, "srem i32": 70, "sdiv i64": 260, "mul i64": 13,
		"select i32": 1, "sitofp double": 42, "call double local": 7,
		"load double": 2.5, "load float": 1.5, "fpext double": 25, "fmul double": 90,
		"fadd double": 75, "fadd float": 50, "fmul float": 50, "fcmp double": 35,
		"icmp i64":    2,
		"fdiv double": 320, "fdiv float": 150, "fneg float": 1, "fptosi double": 25,
		"fptosi float": 25, "call double sqrt": 7 + 600, "call float llvm.fabs.f32": 1, "call i32 llvm.ctlz.i32": 20,
		"switch i32": 6,
		"br.alone":   0,
		"ret":        8,
	}, total)
}

// The ranges of the manual: interlocks of loads, the multiplier by its operand, shifts by
// a register, branches taken or not.
func TestRangesByHand(t *testing.T) {
	best := 73.0 + 100*12.5 + 453 + 50*333 + 1155 + 0 + 8
	worst := 73.0 + 100*21.5 + 462 + 50*337 + 1155 + 0 + 8
	weightcheck.Ranges(t, "arm922t", map[string][2]float64{
		"load i32":    {1, 2},
		"load i8":     {1, 3},
		"load float":  {1, 2},
		"load double": {2, 3},
		"mul i32":     {3, 6},
		"mul i64":     {10, 19},
		"ashr i32":    {1, 2},
		"br.cond i1":  {1, 3},
	}, best, worst)
}
