package main

// This file prices with the example as a plugin, and in this process.

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/plugin"
	"pathspan/procmodels/sdk"
)

// TestMain makes the test binary the plugin when pathspan's host starts it.
func TestMain(m *testing.M) {
	if os.Getenv(plugin.Handshake.MagicCookieKey) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestExample(t *testing.T) {
	t.Setenv("PATHSPAN_CACHE", "off")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	nowhere := ir.Loc{File: -1}
	s := &procmodels.Subject{Program: &ir.Program{Funcs: []*ir.Func{{Name: "f", Blocks: []*ir.Block{
		{Instrs: []ir.Instr{{Op: "phi", Type: "i32", Loc: nowhere}, {Op: "load", Type: "i32", Loc: nowhere}, {Op: "mul", Type: "i32", Loc: nowhere}}},
		{Index: 1, Instrs: []ir.Instr{{Op: "fneg", Type: "double", Loc: nowhere}, {Op: "ret", Type: "void", Loc: nowhere}}},
	}}}}}
	m, err := plugin.Open(t.Context(), exe+"?load=5", "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	got, err := m.Costs(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	want, err := sdk.PerInstruction(core{load: 5, multiply: 3}).Costs(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the plugin says %+v, in this process it is %+v", got, want)
	}
	if a, b := got.Blocks[0][0].Cycles, got.Blocks[0][1].Cycles; a != 0+5+3 || b != 1+1 {
		t.Errorf("cycles %g and %g, want 8 and 2", a, b)
	}
	if r := got.Reasons; len(r) != 1 || r[0] != "opcode fneg double: not known" {
		t.Errorf("reasons %q", r)
	}
}

func TestExampleIsShort(t *testing.T) {
	data, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(data), "\n"); n >= 40 {
		t.Errorf("%d lines, and README promises fewer than 40", n)
	}
}
