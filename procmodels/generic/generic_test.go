package generic

// This file holds the table against its figures by hand.

import (
	"testing"

	"pathspan/procmodels/internal/weightcheck"
)

// Figures as README.md and the comments of the table derive them; the total is
// entry + 100 filter + mid + 50 smooth + scale + jump + exit.
func TestByHand(t *testing.T) {
	total := 47 + 100*15.5 + 134 + 50*32 + 103 + 0 + 5
	weightcheck.Check(t, "generic", map[string]float64{
		"alloca i32": 0, "store i32": 1, "store i64": 2, "store double": 2,
		"call void llvm.memcpy.p0.p0.i32": 8 + 0.5*64, "br": 2,
		"phi i32": 0, "getelementptr ptr": 0.5, "load i32": 2, "load i8": 2,
		"sext i32": 1, "mul i32": 3, "add i32": 1, "ashr i32": 1,
		"add i64": 2, "icmp i32": 1, "br.cond i1": 2,
		"udiv i32": 18, "srem i32": 21, "sdiv i64": 75, "mul i64": 8,
		"select i32": 1, "sitofp double": 3, "call double local": 6,
		"load double": 3, "load float": 2, "fpext double": 2, "fmul double": 5,
		"fadd double": 4, "fadd float": 4, "fmul float": 4, "fcmp double": 2,
		"icmp i64":    2,
		"fdiv double": 30, "fdiv float": 16, "fneg float": 1, "fptosi double": 3,
		"fptosi float": 3, "call double sqrt": 6 + 36, "call float llvm.fabs.f32": 1, "call i32 llvm.ctlz.i32": 1,
		"switch i32": 6,
		"br.alone":   0,
		"ret":        5,
	}, total)
}

// The generic core is all assumption: nothing gives it ranges.
func TestNoRanges(t *testing.T) {
	weightcheck.Ranges(t, "generic", nil, 47+100*15.5+134+50*32+103+0+5, 47+100*15.5+134+50*32+103+0+5)
}
