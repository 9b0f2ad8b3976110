package cortexa7

// This file holds the table against its figures by hand.

import (
	"testing"

	"pathspan/procmodels/internal/weightcheck"
)

// Figures as README.md and the comments of the table derive them; the total is
// entry + 100 filter + mid + 50 smooth + scale + jump + exit.
func TestByHand(t *testing.T) {
	total := 35 + 100*12.025 + 115.75 + 50*27.4 + 102.5 + 0 + 3
	weightcheck.Check(t, "cortex-a7", map[string]float64{
		"alloca i32": 0, "store i32": 1, "store i64": 1, "store double": 1,
		"call void llvm.memcpy.p0.p0.i32": 15 + 0.25*64, "br": 1,
		"phi i32": 0, "getelementptr ptr": 0.375, "load i32": 1.5, "load i8": 1.5,
		"sext i32": 0.75, "mul i32": 2, "add i32": 0.75, "ashr i32": 1.5,
		"add i64": 1.5, "icmp i32": 0.75, "br.cond i1": 1.4,
		"udiv i32": 12, "srem i32": 15, "sdiv i64": 75, "mul i64": 4,
		"select i32": 0.75, "sitofp double": 5, "call double local": 3,
		"load double": 1.5, "load float": 1.5, "fpext double": 2.5, "fmul double": 5.5,
		"fadd double": 2.5, "fadd float": 2.5, "fmul float": 2.5, "fcmp double": 5,
		"icmp i64":    1.5,
		"fdiv double": 30, "fdiv float": 15, "fneg float": 2.5, "fptosi double": 4,
		"fptosi float": 4, "call double sqrt": 3 + 33, "call float llvm.fabs.f32": 2.5, "call i32 llvm.ctlz.i32": 1,
		"switch i32": 7.5,
		"br.alone":   0,
		"ret":        3,
	}, total)
}

// The ranges: from issue to latency, division by its operands.
func TestRangesByHand(t *testing.T) {
	best := 35 + 100*8.525 + 95.75 + 50*15.4 + 93.5 + 0 + 3
	worst := 35 + 100*15.525 + 135.75 + 50*39.4 + 111.5 + 0 + 3
	weightcheck.Ranges(t, "cortex-a7", map[string][2]float64{
		"load i32":                 {1, 2},
		"load i8":                  {1, 2},
		"load float":               {1, 2},
		"load double":              {1, 2},
		"mul i32":                  {1, 3},
		"mul i64":                  {3, 5},
		"add i32":                  {0.5, 1},
		"add i64":                  {1, 2},
		"ashr i32":                 {1, 2},
		"icmp i32":                 {0.5, 1},
		"icmp i64":                 {1, 2},
		"udiv i32":                 {4, 20},
		"srem i32":                 {7, 23},
		"sitofp double":            {2, 8},
		"fpext double":             {1, 4},
		"fmul double":              {4, 7},
		"fadd double":              {1, 4},
		"fadd float":               {1, 4},
		"fmul float":               {1, 4},
		"fcmp double":              {2, 8},
		"fdiv double":              {29, 31},
		"fdiv float":               {14, 16},
		"fneg float":               {1, 4},
		"fptosi double":            {2, 6},
		"fptosi float":             {2, 6},
		"call float llvm.fabs.f32": {1, 4},
	}, best, worst)
}
