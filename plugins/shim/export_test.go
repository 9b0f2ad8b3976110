package shim

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/procmodels"
)

// Every built-in table, written as SHIM 2.0 and read again, prices what it lists as
// before, in all three cases; the file has no faults.
func TestExportRoundTrip(t *testing.T) {
	for _, name := range procmodels.Names() {
		m, err := procmodels.Open(name, "")
		if err != nil {
			t.Fatal(err)
		}
		sys, left, err := FromModel(context.Background(), m)
		if err != nil {
			t.Fatal(err)
		}
		if len(left) != 1 || left[0] != "library functions, intrinsics and vectors" {
			t.Errorf("%s: left out %q", name, left)
		}
		var b bytes.Buffer
		if err := Write(&b, sys); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name+".xml")
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, f := range Lint(path) {
			t.Errorf("%s: %s", name, f)
		}
		xmllint(t, "shim20.xsd", path)
		back, err := openComponent(path, "")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := back.Describe().ClockMHz, m.Describe().ClockMHz; got != want {
			t.Errorf("%s: %g MHz, want %g", name, got, want)
		}
		for _, op := range procmodels.Opcodes() {
			for _, typ := range typesOf(op) {
				if typ == "" || strings.HasSuffix(op, "ext") || strings.HasSuffix(op, "trunc") {
					continue
				}
				_, a := cost(t, m, op+" "+typ, "unreachable ")
				_, b := cost(t, back, op+" "+typ, "unreachable ")
				x, y := rangeOf(a.Blocks[0][0]), rangeOf(b.Blocks[0][0])
				if fmt.Sprintf("%.6g", x) != fmt.Sprintf("%.6g", y) || len(b.Reasons) > 0 {
					t.Errorf("%s: %s %s: %v written and read, %v before (%q)", name, op, typ, y, x, b.Reasons)
				}
			}
		}
		for _, c := range []string{"call self", "ret void"} {
			x, _ := cost(t, m, "add i32", c)
			y, _ := cost(t, back, "add i32", c)
			if x != y {
				t.Errorf("%s: %s: %g cycles written and read, %g before", name, c, y, x)
			}
		}
	}
}

// By hand: of the cortex-m4 table the division and the branch, whose two kinds become
// one figure.
func TestExportByHand(t *testing.T) {
	m, err := procmodels.Open("cortex-m4", "")
	if err != nil {
		t.Fatal(err)
	}
	sys, _, err := FromModel(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"sdiv": "32 {2 7 12}, 64 {90 90 90}", "add": "32 {1 1 1}, 64 {2 2 2}", "br": "0 {1 2 4}", "load": "32 {1 2 2}, 64 {3 3 3}",
		"ret": "0 {6 7 8}", "fadd": "32 {1 1 2}, 64 {60 60 60}", "phi": "0 {0 0 0}",
	}
	got := map[string]string{}
	for _, in := range sys.Masters()[0].Units[0].Instructions {
		if got[in.Operation] != "" {
			got[in.Operation] += ", "
		}
		got[in.Operation] += fmt.Sprintf("%d %v", in.InputBits, in.Latency)
	}
	for op, w := range want {
		if got[op] != w {
			t.Errorf("%s: %s, want %s", op, got[op], w)
		}
	}
}

// A model that knows one opcode only by default leaves it out; a line table is none
// that SHIM can say.
func TestExportLeavesOut(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) procmodels.Model {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := procmodels.Open(path, "")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	few := write("few.yaml", "schema: pathspan.weights/1\nname: few\ndefault: 3\nweights: {call: 1, add: {i32: 1}, ret: 2}\n")
	sys, left, err := FromModel(context.Background(), few)
	if err != nil {
		t.Fatal(err)
	}
	if add := sys.Masters()[0].Units[0].Instructions[0]; add.Operation != "add" || add.InputBits != 32 {
		t.Errorf("%+v: known for 32 bits only", add)
	}
	if n := len(sys.Masters()[0].Units[0].Instructions); n != 5 || len(left) != 2 || !strings.Contains(left[1], "sub, ") || strings.Contains(left[1], ": add,") {
		t.Errorf("%d instructions, left out %q", n, left)
	}
	lines := write("lines.yaml", "schema: pathspan.linetable/1\nname: lines\nlines: [{file: a.c, line: 1, cycles: 1}]\n")
	if _, _, err := FromModel(context.Background(), lines); err == nil || !strings.Contains(err.Error(), "not sums of instructions") {
		t.Errorf("error %v", err)
	}
}
