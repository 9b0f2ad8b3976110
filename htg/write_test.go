package htg

// This file holds the writers to golden files: go test -update rewrites them.

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pathspan/ir"
	"pathspan/pathprof"
	"pathspan/profile"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestWriters(t *testing.T) {
	g, p := build(t, fun0)
	b := &profile.Bundle{Program: p, Funcs: make([]*profile.FuncProfile, len(p.Funcs))}
	b.Funcs[0] = &profile.FuncProfile{Levels: []profile.LevelProfile{
		{Loop: -1, Paths: []profile.Path{{End: pathprof.EndFunction, Count: 10, Steps: []pathprof.Step{0, 1, 2, 3, 5, 6, 7, pathprof.LoopStep(0), 8, 13, 14, 15, 16, 18, 19, 20, 21}}}},
		{Loop: 0, Paths: []profile.Path{{End: pathprof.EndIteration, Count: 100, Steps: []pathprof.Step{8, 9, 10, 12}}}},
	}}
	b.Funcs[1] = &profile.FuncProfile{Func: 1, Levels: []profile.LevelProfile{
		{Loop: -1, Paths: []profile.Path{{End: pathprof.EndFunction, Count: 160, Steps: []pathprof.Step{0}}}},
	}}
	b.Targets = []profile.CallTarget{{Func: 0, Block: 9, Instr: 0, Target: 1, Count: 40}}
	calling := &g.Func.Blocks[9].Instrs
	*calling = append([]ir.Instr{{Op: "call", Call: &ir.Call{Callee: -1, Indirect: true}}}, *calling...)
	passing := &g.Func.Blocks[12].Instrs
	*passing = append([]ir.Instr{{Op: "call", Call: &ir.Call{Callee: -1, Name: "qsort", FuncArgs: []int{1}}}}, *passing...)
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		write func(w io.Writer, f Format) error
	}{
		{"htg", func(w io.Writer, f Format) error { return WriteHTG(w, g, p, b.Funcs[0], f) }},
		{"cfg", func(w io.Writer, f Format) error { return WriteCFG(w, g.Func, g.CFG, p, b.Funcs[0], f) }},
		{"cdg", func(w io.Writer, f Format) error { return WriteCDG(w, g.Func, g.CFG, p, b.Funcs[0], f) }},
		{"calls", func(w io.Writer, f Format) error { return WriteCalls(w, b, f) }},
	} {
		for _, format := range Formats {
			var got bytes.Buffer
			if err := c.write(&got, format); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join("testdata", c.name+"."+string(format))
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s differs; go test -update rewrites it. Got:\n%s", file, got.Bytes())
			}
			if format == JSON && !json.Valid(got.Bytes()) {
				t.Errorf("%s is no JSON", file)
			}
			if dot, err := exec.LookPath("dot"); err == nil && format == DOT {
				cmd := exec.Command(dot, "-Tcanon")
				cmd.Stdin = &got
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("graphviz rejects %s: %v\n%s", file, err, out)
				}
			}
		}
		if err := c.write(io.Discard, "png"); err == nil || err.Error() != `graph format "png": want dot, json or svg` {
			t.Errorf("%s as png: %v", c.name, err)
		}
	}
}
