package pathprof

// This file holds kinds.txt to the shipped models, which its prices come from.

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
)

var update = flag.Bool("update", false, "rewrite golden files")

// priceModels are those that typical prices come from.
var priceModels = []string{"generic", "arm922t", "c6000", "cortex-a7", "cortex-m4", "leon3"}

// spelled is a type of each class.
var spelled = map[string]string{"int": "i32", "vector": "<4 x i32>"}

// pricedProgram is a program with two blocks for each name: one with an instruction of the
// name, and the same without it.
func pricedProgram(names []string) *ir.Program {
	f := &ir.Func{Name: "main"}
	for _, n := range names {
		op, rest, _ := strings.Cut(n, " ")
		in, base := ir.Instr{Op: op, Loc: ir.Loc{File: -1}}, []ir.Instr{{Op: "phi", Type: "i32"}}
		succs := []int{1}
		switch {
		case n == "br cond":
			succs = []int{1, 2}
		case n == "br jump":
			base = []ir.Instr{{Op: "add", Type: "i32"}}
		case op == "br":
		case n == "call":
			in.Type, in.Call = "i32", &ir.Call{Callee: 0, Name: "main"}
		case op == "call":
			name, typ, _ := strings.Cut(rest, " ")
			switch name {
			case "other":
				name = "some_function_of_a_library"
			case "llvm":
				name = "llvm.some.intrinsic"
			}
			in.Type, in.Call = typ, &ir.Call{Callee: -1, Name: name}
			if strings.HasPrefix(name, "llvm.") && typ != "" {
				in.Call.Name += "." + map[string]string{"float": "f32", "double": "f64", "int": "i32", "i64": "i64", "vector": "v4i32", "ptr": "p0"}[typ]
			}
		default:
			in.Type = rest
		}
		if s, ok := spelled[in.Type]; ok {
			in.Type = s
		}
		with := append(slices.Clone(base), in)
		if in.Op == "br" { // it ends its block
			f.Blocks = append(f.Blocks, &ir.Block{Instrs: with, Succs: succs}, &ir.Block{Instrs: append(slices.Clone(base), ir.Instr{Op: "unreachable"})})
			continue
		}
		f.Blocks = append(f.Blocks, &ir.Block{Instrs: append(with, ir.Instr{Op: "unreachable"})}, &ir.Block{Instrs: append(slices.Clone(base), ir.Instr{Op: "unreachable"})})
	}
	for i, b := range f.Blocks {
		b.Index = i
	}
	return &ir.Program{Funcs: []*ir.Func{f}}
}

func TestKindPrices(t *testing.T) {
	var head, names []string
	for line := range strings.Lines(kindsText) {
		if name, _, ok := strings.Cut(line, ":"); ok && !strings.HasPrefix(line, "#") {
			names = append(names, strings.TrimSpace(name))
		} else {
			head = append(head, line)
		}
	}
	p := pricedProgram(names)
	table := map[string][]string{}
	for _, m := range priceModels {
		model, err := procmodels.Open(m, "")
		if err != nil {
			t.Fatal(err)
		}
		c, err := model.Costs(t.Context(), &procmodels.Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		for i, n := range names {
			table[n] = append(table[n], strconv.FormatFloat(c.Blocks[0][2*i].Cycles-c.Blocks[0][2*i+1].Cycles, 'g', 6, 64))
		}
	}
	var text strings.Builder
	text.WriteString(strings.Join(head, ""))
	for _, n := range names {
		fmt.Fprintf(&text, "%s: %s\n", n, strings.Join(table[n], " "))
	}
	if *update {
		if err := os.WriteFile("kinds.txt", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text.String() != kindsText {
		t.Errorf("the models price instructions otherwise than kinds.txt says: go test ./pathprof -run TestKindPrices -update")
	}
}

// Intrinsics that a model tells apart are told apart: most of those that cost nothing are in
// any program, and would be counted as if they were calls.
func TestKindsKnowIntrinsics(t *testing.T) {
	text, err := os.ReadFile("../procmodels/generic/generic.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(text), "\nintrinsics:\n")
	known := 0
	for line := range strings.Lines(list) {
		if !strings.HasPrefix(line, " ") {
			break
		}
		name, _, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || name == "default" || strings.HasPrefix(name, "#") {
			continue
		}
		known++
		start, any := strings.CutSuffix(name, "*")
		found := false
		for n := range prices() {
			rest, llvm := strings.CutPrefix(n, "call llvm.")
			rest, _, _ = strings.Cut(rest, " ")
			found = found || llvm && (rest == name || any && strings.HasPrefix(rest, start))
		}
		if !found {
			t.Errorf("kinds.txt has no llvm.%s", name)
		}
	}
	if known < 70 {
		t.Errorf("%d intrinsics in the table of generic", known)
	}
}
