package fit

// This file counts the features of programs and of their parts by hand.

import (
	"context"
	"maps"
	"math"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/pathprof"
	"pathspan/procmodels/fitted"
	"pathspan/profile"
)

// straight makes a function of one block with instructions "op" and "call N".
func straight(index int, name, instrs string) *ir.Func {
	b := &ir.Block{Name: "entry"}
	for _, s := range strings.Split(instrs, "; ") {
		in := ir.Instr{Op: s, Type: "i32"}
		if callee, ok := strings.CutPrefix(s, "call "); ok {
			in.Op, in.Call = "call", &ir.Call{Callee: int(callee[0] - '0'), Name: "f" + callee}
		}
		if s == "indirect" {
			in.Op, in.Call = "call", &ir.Call{Callee: -1, Indirect: true}
		}
		b.Instrs = append(b.Instrs, in)
	}
	return &ir.Func{Index: index, Name: name, Source: name, Blocks: []*ir.Block{b}}
}

// bundle has main, executed once, that calls twice a, which calls leaf twice; main
// calls leaf as well, 3 times; self calls itself from the second of its 10 executions
// on, and leaf through a pointer in all; nobody calls idle.
func bundle() *profile.Bundle {
	p := &ir.Program{Funcs: []*ir.Func{
		straight(0, "main", "call 1; call 1; call 2; call 2; call 2; call 3; ret"),
		straight(1, "a", "mul; call 2; call 2; ret"),
		straight(2, "leaf", "add; add; ret"),
		straight(3, "self", "sdiv; indirect; ret"),
		straight(4, "idle", "ret"),
	}}
	b := &profile.Bundle{Program: p, Targets: []profile.CallTarget{
		{Func: 3, Block: 0, Instr: 1, Target: 2, Count: 10}, {Func: 3, Block: 0, Instr: 1, Target: 3, Count: 9}}}
	for i, n := range []uint64{1, 2, 17, 10} {
		b.Funcs = append(b.Funcs, &profile.FuncProfile{Func: i, Levels: []profile.LevelProfile{{Loop: -1,
			Paths: []profile.Path{{Count: n, Steps: []pathprof.Step{0}, Edge: -1}}}}})
	}
	b.Funcs = append(b.Funcs, nil)
	return b
}

func TestCounts(t *testing.T) {
	b := bundle()
	for _, tc := range []struct {
		function string // "" for the whole
		want     counts
	}{
		{"", counts{"call": 6 + 4 + 10, "mul": 2, "alu": 34, "div": 10, "call indirect": 10}},
		{"main", counts{"call": 6 + 4 + 10, "mul": 2, "alu": 34, "div": 10, "call indirect": 10}},
		{"a", counts{"call": 4, "mul": 2, "alu": 8}},
		{"leaf", counts{"alu": 34}},
		{"self", counts{"call": 10, "call indirect": 10, "div": 10, "alu": 20}},
	} {
		counter, err := Whole(b), error(nil)
		if tc.function != "" {
			counter, err = Part(b, tc.function)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := counter.Counts(context.Background(), fitted.Scheme{})
		if err != nil {
			t.Fatal(err)
		}
		maps.DeleteFunc(got, func(_ string, n float64) bool { return n == 0 })
		if len(got) != len(tc.want) {
			t.Errorf("%q: %v, want %v", tc.function, got, tc.want)
		}
		for f, n := range tc.want {
			if math.Abs(got[f]-n) > 1e-9 {
				t.Errorf("%q: %s %v, want %v", tc.function, f, got[f], n)
			}
		}
	}
}

func TestPartErrors(t *testing.T) {
	for function, want := range map[string]string{
		"nobody": `the program has no function "nobody"; pathspan inspect lists them`,
		"idle":   `function "idle" was never executed`,
	} {
		if _, err := Part(bundle(), function); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", function, err, want)
		}
	}
}
