package procmodels

// This file holds the built-in tables against the functions that real programs call:
// testdata/external.txt lists the external functions and intrinsics of the programs in
// the repository's testdata, and testdata/unpriced.golden those that a table has no
// cost for. With -externals the list is made anew, which needs clang and a minute; with
// -update the golden file is.

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/testdata/programs"
)

const externals = "testdata/external.txt"

var compileAll = flag.Bool("externals", false, "compile the test programs and list what they call")

// Every function of the C library that a program calls has a cost in every table;
// what is left to the default is in testdata/unpriced.golden, by name.
func TestExternalFunctions(t *testing.T) {
	if *compileAll {
		called := map[string]bool{}
		for _, p := range loadPrograms(t) {
			for _, level := range []string{"0", "2"} {
				externalsOf(t, p, level, called)
			}
		}
		text := strings.Join(slices.Sorted(maps.Keys(called)), "\n") + "\n"
		if err := os.WriteFile(externals, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(externals)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, name := range Names() {
		m := open(t, name)
		for call := range strings.Lines(string(data)) {
			f := strings.Fields(call)
			if len(f) < 2 {
				t.Fatalf("%s: line %q", externals, call)
			}
			typ, callee := strings.Join(f[1:], " "), f[0]
			p := testProgram(t, map[string]string{"f": "entry: ret void"}, "f")
			p.Funcs[0].Blocks[0].Instrs[0] = ir.Instr{Op: "call", Type: typ, Call: &ir.Call{Callee: -1, Name: callee}}
			costs, err := m.Costs(context.Background(), &Subject{Program: p})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range costs.Reasons {
				if strings.Contains(r, "size unknown") || strings.Contains(r, "taken as") {
					continue
				}
				fmt.Fprintf(&out, "%s: %s\n", name, r)
				if !strings.HasPrefix(callee, "_Z") && !slices.Contains(odd, callee) {
					t.Errorf("%s: %s", name, r)
				}
			}
		}
	}
	want, err := os.ReadFile("testdata/unpriced.golden")
	if *update {
		err = os.WriteFile("testdata/unpriced.golden", []byte(out.String()), 0o644)
		want = []byte(out.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("not priced:\n%swant\n%s", out.String(), want)
	}
}

// odd are functions that no table can know: of other files of the program, and the
// parts of libraries that are not to be called by programs.
var odd = []string{
	"__once_proxy",
}

// The list is that of the programs: a program, chosen by its size, is compiled again.
func TestExternalsAreListed(t *testing.T) {
	data, err := os.ReadFile(externals)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		listed[strings.Fields(line)[0]] = true
	}
	for _, p := range loadPrograms(t) {
		if p.Name != "dijkstra" && p.Name != "packet" && p.Name != "fft" {
			continue
		}
		called := map[string]bool{}
		externalsOf(t, p, "2", called)
		if len(called) == 0 {
			t.Errorf("%s calls nothing", p.Name)
		}
		for line := range called {
			if name := strings.Fields(line)[0]; !listed[name] {
				t.Errorf("%s calls %s, which %s does not list; run go test ./procmodels -externals", p.Name, name, externals)
			}
		}
	}
}

func loadPrograms(t *testing.T) []*programs.Program {
	t.Helper()
	list, err := programs.Load("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// externalsOf adds "name type" for all that a program calls and does not define.
func externalsOf(t *testing.T, p *programs.Program, level string, called map[string]bool) {
	t.Helper()
	tools, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	var views []*ir.Program
	defined := map[string]bool{}
	for i, src := range p.Paths("../testdata") {
		raw := filepath.Join(t.TempDir(), fmt.Sprintf("unit%d.ll", i))
		if _, err := tools.Compile(context.Background(), toolchain.Compile{Source: src, Output: raw, Level: level, OpenMP: true}); err != nil {
			t.Fatal(err)
		}
		done := raw + ".opt.ll"
		if _, err := tools.Run(context.Background(), toolchain.Cmd{Path: tools.Opt, Args: toolchain.OptArgs("default<O"+level+">", false, raw, done)}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(done)
		if err != nil {
			t.Fatal(err)
		}
		m, err := asm.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		view, err := ir.Build(m)
		if err != nil {
			t.Fatal(err)
		}
		views = append(views, view)
		for _, f := range view.Funcs {
			defined[f.Name] = true
		}
	}
	for _, view := range views {
		for _, f := range view.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if c := in.Call; c != nil && !c.Indirect && c.Name != "asm" && !defined[c.Name] {
						called[c.Name+" "+in.Type] = true
					}
				}
			}
		}
	}
}
