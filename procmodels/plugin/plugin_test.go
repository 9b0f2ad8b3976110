package plugin

// This file prices through plugins what is priced in this process as well.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/costcache"
)

// everyOpcode is a program of n instructions or a few more, of each opcode by several types.
func everyOpcode(n int) *ir.Program {
	p := program(1)
	for left := n; left > 0; {
		f := &ir.Func{Index: len(p.Funcs), Name: fmt.Sprint("f", len(p.Funcs)), Loc: ir.Loc{File: -1}}
		for _, op := range procmodels.Opcodes() {
			b := &ir.Block{Index: len(f.Blocks), Name: op}
			for _, typ := range []string{"i32", "i65", "double", "<4 x float>", "{ i32, [7 x i8] }", "void"} {
				in := ir.Instr{Op: op, Type: typ, Loc: ir.Loc{File: -1}}
				if op == "call" || op == "invoke" {
					name := []string{"memcpy", "printf", "asm", "llvm.fma.f64"}[len(typ)%4]
					in.Call = &ir.Call{Callee: -1, Name: name, ConstArgs: []ir.ConstArg{{Index: 2, Value: int64(left)}}}
				}
				b.Instrs = append(b.Instrs, in)
				left--
			}
			f.Blocks = append(f.Blocks, b)
		}
		p.Funcs = append(p.Funcs, f)
	}
	return p
}

// TestTablesThroughAPlugin prices with the built-in tables in another process: the same
// contract, the same costs.
func TestTablesThroughAPlugin(t *testing.T) {
	path := as(t, "table")
	s := &procmodels.Subject{Program: everyOpcode(5000)}
	for _, name := range procmodels.Names() {
		table, err := procmodels.Open(name, "")
		if err != nil {
			t.Fatal(err)
		}
		want, err := table.Costs(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		m, err := procmodels.Open("plugin:"+path+"?name="+name, "")
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Costs(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		got.Model = want.Model
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: costs differ between the process and the plugin", name)
		}
		if got, want := m.Describe(), (withUnit{table}).Describe(); got.Source != want.Source || got.ClockMHz != want.ClockMHz || !reflect.DeepEqual(got.Overheads, want.Overheads) {
			t.Errorf("%s: described as %+v, want %+v", name, got, want)
		}
		if err := m.(*Model).Close(); err != nil {
			t.Error(err)
		}
	}
	wantNoProcess(t, 1+othersStarted)
}

func TestParameters(t *testing.T) {
	path := as(t, "example")
	s := &procmodels.Subject{Program: program(2)}
	c, err := openAndPrice(t.Context(), path+"?load=3.5", s)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Blocks[0][0].Cycles; got != 7 {
		t.Errorf("two loads cost %g cycles, want 7", got)
	}
	if got := fmt.Sprint(c.Warnings); got != "[a remark]" {
		t.Errorf("warnings %s", got)
	}
	m, err := Open(t.Context(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if p := m.Describe().Parameters; len(p) != 1 || p[0] != (procmodels.Parameter{Name: "load", Value: "2", Text: "cycles of a load"}) {
		t.Errorf("parameters %+v", p)
	}
	for query, want := range map[string]string{
		"laod=3":        `unknown parameter "laod": want "load"`,
		"load=-1":       "load=-1: want a number of 0 or more (cycles of a load)",
		"load":          `parameter "load": want name=value`,
		"load=1&load=2": `parameter "load" is given twice`,
	} {
		_, err := openAndPrice(t.Context(), path+"?"+query, s)
		wantLine(t, err, "plugin:"+path+"?"+query+": "+want)
	}
	t.Setenv(TimeoutVariable, "soon")
	_, err = Open(t.Context(), path, "")
	wantLine(t, err, "PATHSPAN_PLUGIN_TIMEOUT=soon: want")
}

// TestModuleInPieces sends a module that takes several messages.
func TestModuleInPieces(t *testing.T) {
	path := as(t, "needs module")
	s := &procmodels.Subject{Program: program(1), Module: []byte(strings.Repeat("x", 3<<20+17))}
	c, err := openAndPrice(t.Context(), path+"?load=0", s)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Blocks[0][0].Cycles; got != 3<<20+17 {
		t.Errorf("the plugin got %g bytes", got)
	}
}

func TestRefusalIsNoEnd(t *testing.T) {
	path := as(t, "refuses")
	m, err := Open(t.Context(), path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for range 2 {
		_, err := m.Costs(t.Context(), &procmodels.Subject{Program: program(1)})
		wantLine(t, err, "no schedule for this processor")
	}
	if n := len(notes(t, "asked")); n != 2 {
		t.Errorf("asked %d times, want 2", n)
	}
}

// TestCache asks again: with an entry the plugin is not asked, whatever changes what it
// may depend on makes it be asked.
func TestCache(t *testing.T) {
	path := as(t, "example")
	cache := t.TempDir()
	t.Setenv(costcache.Variable, cache)
	table := filepath.Join(t.TempDir(), "3") // a file's name that is a number as well
	s := &procmodels.Subject{Program: program(3)}
	price := func(what, query string, s *procmodels.Subject, wantAsked int) *procmodels.Costs {
		t.Helper()
		c, err := openAndPrice(context.Background(), path+query, s)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(notes(t, "asked")); n != wantAsked {
			t.Errorf("%s: asked %d times in all, want %d", what, n, wantAsked)
		}
		return c
	}
	asked := price("first", "", s, 1)
	if again := price("again", "", s, 1); !reflect.DeepEqual(again, asked) {
		t.Errorf("from the cache %+v, from the plugin %+v", again, asked)
	}
	price("parameter", "?load=4", s, 2)
	price("program", "", &procmodels.Subject{Program: program(4)}, 3)
	t.Setenv("PATHSPAN_TEST_VERSION", "2.")
	price("version", "", s, 4)
	t.Setenv("PATHSPAN_TEST_VERSION", "")

	entries, err := filepath.Glob(filepath.Join(cache, "costs", "*"))
	if err != nil || len(entries) != 4 {
		t.Fatalf("entries %v, %v; want 4", entries, err)
	}
	for i, e := range entries {
		data, err := os.ReadFile(e)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0:
			data = data[:len(data)/2]
		case 1:
			data[len(data)/2] ^= 0xff
		case 2:
			data = nil
		}
		if err := os.WriteFile(e, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if again := price("damaged", "", s, 5); !reflect.DeepEqual(again, asked) {
		t.Errorf("after damage %+v, want %+v", again, asked)
	}
	price("mended", "", s, 5)

	t.Setenv(costcache.Variable, "off")
	price("off", "", s, 6)
	t.Setenv(costcache.Variable, cache)

	// A parameter that names a file stands for its content.
	if err := os.WriteFile(table, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(table))
	price("file", "?load=3", s, 7)
	price("same file", "?load=3", s, 7)
	if err := os.WriteFile(table, []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	price("other file", "?load=3", s, 8)
}

// TestScriptFiles counts the modules of a script as part of it.
func TestScriptFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.py": "#!/usr/bin/python3\n", "b.py": "x", "c.txt": "x", "bin": "\x7fELF"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]int{"a.py": 2, "b.py": 1, "bin": 1} {
		if got := programFiles(filepath.Join(dir, name)); len(got) != want || filepath.Base(got[0]) != name {
			t.Errorf("%s: %v, want %d files", name, got, want)
		}
	}
}

// BenchmarkPlugin prices 100,000 instructions with a table in another process: start,
// description, exchange, end.
func BenchmarkPlugin(b *testing.B) {
	path := as(b, "table")
	s := &procmodels.Subject{Program: everyOpcode(100_000)}
	n := 0
	for _, f := range s.Program.Funcs {
		for _, block := range f.Blocks {
			n += len(block.Instrs)
		}
	}
	for b.Loop() {
		if _, err := openAndPrice(context.Background(), path+"?name=cortex-m4", s); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n), "instructions")
}

// TestOperandsByVersion asks a model that wants operands. In the second version of the
// protocol it gets those of its module: the load of the block uses one value and lies 8 bytes
// behind it, the ret uses the load's. A plugin of the first version goes on to work, without.
func TestOperandsByVersion(t *testing.T) {
	module := []byte("define i32 @f(ptr %p) {\nentry:\n  %q = getelementptr i32, ptr %p, i64 2\n  %v = load i32, ptr %q\n  ret i32 %v\n}\n")
	p, err := ir.Read(module)
	if err != nil {
		t.Fatal(err)
	}
	for kind, want := range map[string]float64{"operands": 2 + 100*(2+1+1) + 1000*8, "first version": 2, "example": 2} {
		c, err := openAndPrice(t.Context(), as(t, kind), &procmodels.Subject{Program: p, Module: module})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if got := c.Blocks[0][0].Cycles; got != want {
			t.Errorf("%s: %g cycles, want %g", kind, got, want)
		}
	}
	_, err = openAndPrice(t.Context(), as(t, "operands"), &procmodels.Subject{Program: p})
	wantLine(t, err, "needs the program's module")
}
