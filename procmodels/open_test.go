package procmodels

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/ir"
)

var update = flag.Bool("update", false, "write the golden files")

// Each testdata/errors file is a table with a fault; its golden neighbour holds the
// message.
func TestErrorMessages(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		_, err := Open(file, "")
		if err == nil {
			t.Errorf("%s: no error", file)
			continue
		}
		got := err.Error() + "\n"
		golden := strings.TrimSuffix(file, ".yaml") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n got %swant %s", file, got, want)
		}
		if strings.Count(got, "\n") != 1 {
			t.Errorf("%s: message of several lines: %s", file, got)
		}
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mine.yaml")
	if err := os.WriteFile(path, []byte(sample), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"mine.yaml", dir}, {path, "elsewhere"}} {
		m, err := Open(c[0], c[1])
		if err != nil || m.Describe().Name != "sample" {
			t.Errorf("Open(%q, %q): %v", c[0], c[1], err)
		}
	}
	for ref, want := range map[string]string{
		"genric":    `no model is named "genric": want "generic", or the path of a YAML table`,
		"cortex":    `no model is named "cortex": want "cortex-a7", or the path of a YAML table`,
		"z80":       `no model is named "z80": want arm922t, c6000, cortex-a7, cortex-m4, generic, leon3, or the path of a YAML table`,
		"none.yaml": "none.yaml: no such file or directory",
	} {
		if _, err := Open(ref, dir); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Open(%q): %v, want %s", ref, err, want)
		}
	}
}

func FuzzTable(f *testing.F) {
	for _, pattern := range []string{"testdata/errors/*.yaml", "../testdata/fun0/table1.yaml", "*/*.yaml", "testdata/extends/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, "<4 x i32>", "llvm.fabs.f64")
		}
	}
	f.Add([]byte(sample), "{ i32, [2 x { i8, ptr }] }", "llvm.umax.v2i64")
	f.Add([]byte(sample+"  memcpy: {base: 1, per_byte: 1e12, bytes: 1073741824}\n"), "{ i8, x }", "memcpy")
	f.Add([]byte("schema: pathspan.weights/1\nname: t\nextends: arm922t\nsoft_float: double\n"), "<2 x double>", "llvm.lround.i32.f64")
	f.Add([]byte("schema: pathspan.weights/1\nname: t\nextends: t.yaml\n"), "i32", "sqrt")
	f.Add([]byte(sample), "[16777216 x [16777216 x i128]]", "strlen")
	f.Add([]byte(ranged), "{ i8, [16777216 x i128] }", "fread")
	f.Add([]byte(ranged), "<vscale x 4 x i32>", "llvm.memset.p0.i64")
	f.Add([]byte(sample+"  f: {base: {typical: 1, worst: 1e12}, per_byte: {best: 0, typical: 1e12}, bytes: {typical: 1, worst: 1e9}, size_arg: [0, 0]}\n"), "i8", "f")
	f.Fuzz(func(t *testing.T, data []byte, typ, callee string) {
		m, err := parseModel("t.yaml", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("message of several lines: %q", err)
			}
			return
		}
		p := testProgram(t, map[string]string{"f": "entry: load i32 @1; fneg double @2; call i32 callee @2; br @1 -> end\nend: ret void @3"}, "f")
		b := p.Funcs[0].Blocks[0]
		b.Instrs[0].Type, b.Instrs[1].Type, b.Instrs[2].Call.Name = typ, typ, callee
		b.Instrs[2].Call.ConstArgs = []ir.ConstArg{{Index: 0, Value: int64(len(data))}, {Index: 2, Value: 1 << 40}}
		costs, err := m.Costs(context.Background(), &Subject{Program: p})
		if err != nil {
			t.Fatal(err)
		}
		if err := costs.Check(p); err != nil {
			t.Error(err)
		}
	})
}
