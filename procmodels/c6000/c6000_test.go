package c6000

// This file holds the table against its figures by hand.

import (
	"testing"

	"pathspan/procmodels/internal/weightcheck"
)

// Figures as README.md and the comments of the table derive them; the total is
// entry + 100 filter + mid + 50 smooth + scale + jump + exit.
func TestByHand(t *testing.T) {
	total := 31.25 + 100*9.75 + 282.75 + 50*18 + 254 + 0 + 4.75
	weightcheck.Check(t, "c6000", map[string]float64{
		"alloca i32": 0, "store i32": 0.5, "store i64": 0.5, "store double": 0.5,
		"call void llvm.memcpy.p0.p0.i32": 20 + 0.125*64, "br": 1.75,
		"phi i32": 0, "getelementptr ptr": 0.25, "load i32": 1.5, "load i8": 1.5,
		"sext i32": 0.5, "mul i32": 1.25, "add i32": 0.5, "ashr i32": 0.5,
		"add i64": 1.5, "icmp i32": 0.5, "br.cond i1": 1.75,
		"udiv i32": 35, "srem i32": 45, "sdiv i64": 190, "mul i64": 4.75,
		"select i32": 0.5, "sitofp double": 1.5, "call double local": 4.25,
		"load double": 1.5, "load float": 1.5, "fpext double": 0.75, "fmul double": 4.25,
		"fadd double": 2.5, "fadd float": 1.25, "fmul float": 1.25, "fcmp double": 1.25,
		"icmp i64":    1.5,
		"fdiv double": 93, "fdiv float": 29, "fneg float": 0.5, "fptosi double": 1.25,
		"fptosi float": 1.25, "call double sqrt": 4.25 + 120, "call float llvm.fabs.f32": 0.5, "call i32 llvm.ctlz.i32": 0.5,
		"switch i32": 3.75,
		"br.alone":   0,
		"ret":        4.75,
	}, total)
}

// The ranges: no delay slot empty, and all of them.
func TestRangesByHand(t *testing.T) {
	best := 30 + 100*5.75 + 277 + 50*9 + 249 + 0 + 3.5
	worst := 35 + 100*21.75 + 300 + 50*45 + 269 + 0 + 8.5
	weightcheck.Ranges(t, "c6000", map[string][2]float64{
		"br":                {0.5, 5.5},
		"br.cond i1":        {0.5, 5.5},
		"load i32":          {0.5, 4.5},
		"load i8":           {0.5, 4.5},
		"load float":        {0.5, 4.5},
		"load double":       {0.5, 4.5},
		"mul i32":           {0.5, 3.5},
		"mul i64":           {2.5, 11.5},
		"sitofp double":     {0.5, 4.5},
		"call double local": {3, 8},
		"fpext double":      {0.5, 1.5},
		"fmul double":       {2, 11},
		"fadd double":       {1, 7},
		"fadd float":        {0.5, 3.5},
		"fmul float":        {0.5, 3.5},
		"fcmp double":       {1, 2},
		"fptosi double":     {0.5, 3.5},
		"fptosi float":      {0.5, 3.5},
		"call double sqrt":  {123, 128},
		"switch i32":        {1.5, 10.5},
		"ret":               {3.5, 8.5},
	}, best, worst)
}
