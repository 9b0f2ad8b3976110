package leon3

// This file holds the table against its figures by hand.

import (
	"testing"

	"pathspan/procmodels/internal/weightcheck"
)

// Figures as README.md and the comments of the table derive them; the total is
// entry + 100 filter + mid + 50 smooth + scale + jump + exit.
func TestByHand(t *testing.T) {
	total := 73.5 + 100*17 + 365 + 50*29 + 106.5 + 0 + 4
	weightcheck.Check(t, "leon3", map[string]float64{
		"alloca i32": 0, "store i32": 2, "store i64": 3, "store double": 3,
		"call void llvm.memcpy.p0.p0.i32": 16 + 0.75*64, "br": 1.5,
		"phi i32": 0, "getelementptr ptr": 0.5, "load i32": 1.5, "load i8": 1.5,
		"sext i32": 2, "mul i32": 4, "add i32": 1, "ashr i32": 1,
		"add i64": 2, "icmp i32": 1, "br.cond i1": 2.5,
		"udiv i32": 36, "srem i32": 42, "sdiv i64": 260, "mul i64": 14,
		"select i32": 3, "sitofp double": 6, "call double local": 2.5,
		"load double": 2.5, "load float": 1.5, "fpext double": 2.5, "fmul double": 2.5,
		"fadd double": 2.5, "fadd float": 2.5, "fmul float": 2.5, "fcmp double": 4,
		"icmp i64":    3,
		"fdiv double": 17, "fdiv float": 16, "fneg float": 2, "fptosi double": 6,
		"fptosi float": 6, "call double sqrt": 2.5 + 29, "call float llvm.fabs.f32": 2, "call i32 llvm.ctlz.i32": 20,
		"switch i32": 6,
		"br.alone":   0,
		"ret":        4,
	}, total)
}

// The ranges: delay slots filled or not, results waited for or not.
func TestRangesByHand(t *testing.T) {
	best := 73 + 100*14.5 + 364.5 + 50*19 + 106.5 + 0 + 4
	worst := 74 + 100*19.5 + 365.5 + 50*39 + 106.5 + 0 + 4
	weightcheck.Ranges(t, "leon3", map[string][2]float64{
		"br":           {1, 2},
		"br.cond i1":   {1, 4},
		"load i32":     {1, 2},
		"load i8":      {1, 2},
		"load float":   {1, 2},
		"load double":  {2, 3},
		"fpext double": {1, 4},
		"fmul double":  {1, 4},
		"fadd double":  {1, 4},
		"fadd float":   {1, 4},
		"fmul float":   {1, 4},
	}, best, worst)
}
