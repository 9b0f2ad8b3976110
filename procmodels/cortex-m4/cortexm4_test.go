package cortexm4

// This file holds the table against its figures by hand.

import (
	"testing"

	"pathspan/procmodels/internal/weightcheck"
)

// Figures as README.md and the comments of the table derive them; the total is
// entry + 100 filter + mid + 50 smooth + scale + jump + exit.
func TestByHand(t *testing.T) {
	total := 70 + 100*13.5 + 152 + 50*194 + 753 + 0 + 7
	weightcheck.Check(t, "cortex-m4", map[string]float64{
		"alloca i32": 0, "store i32": 1, "store i64": 3, "store double": 3,
		"call void llvm.memcpy.p0.p0.i32": 12 + 0.75*64, "br": 3,
		"phi i32": 0, "getelementptr ptr": 0.5, "load i32": 2, "load i8": 2,
		"sext i32": 1, "mul i32": 1, "add i32": 1, "ashr i32": 1,
		"add i64": 2, "icmp i32": 1, "br.cond i1": 2,
		"udiv i32": 7, "srem i32": 8, "sdiv i64": 90, "mul i64": 3,
		"select i32": 1, "sitofp double": 32, "call double local": 8,
		"load double": 3, "load float": 2, "fpext double": 20, "fmul double": 70,
		"fadd double": 60, "fadd float": 1, "fmul float": 1, "fcmp double": 30,
		"icmp i64":    2,
		"fdiv double": 250, "fdiv float": 14, "fneg float": 1, "fptosi double": 20,
		"fptosi float": 2, "call double sqrt": 8 + 450, "call float llvm.fabs.f32": 1, "call i32 llvm.ctlz.i32": 1,
		"switch i32": 6,
		"br.alone":   0,
		"ret":        7,
	}, total)
}

// The ranges: division by its operands, P from 1 to 3, loads that overlap, results of the
// FPU that come late.
func TestRangesByHand(t *testing.T) {
	best := 69 + 100*10.5 + 140 + 50*193 + 751 + 0 + 6
	worst := 71 + 100*15.5 + 164 + 50*198 + 757 + 0 + 8
	weightcheck.Ranges(t, "cortex-m4", map[string][2]float64{
		"br":                {2, 4},
		"br.cond i1":        {1, 4},
		"load i32":          {1, 2},
		"load i8":           {1, 2},
		"udiv i32":          {2, 12},
		"srem i32":          {3, 13},
		"call double local": {7, 9},
		"fadd float":        {1, 2},
		"fmul float":        {1, 2},
		"fdiv float":        {14, 15},
		"fptosi float":      {2, 3},
		"call double sqrt":  {457, 459},
		"switch i32":        {5, 7},
		"ret":               {6, 8},
	}, best, worst)
}
