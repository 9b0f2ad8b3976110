package procmodels

// This file holds that every key of weight and line tables is used.

import (
	"context"
	"fmt"
	"testing"

	"pathspan/yamlstrict/keytest"
)

// showsTable returns what a table says of itself and the costs of a program that has all
// that tables price.
func showsTable(t *testing.T, text string) string {
	m, err := parseModel("t.yaml", []byte(text))
	if err != nil {
		return err.Error()
	}
	p := testProgram(t, map[string]string{"f": `
		entry: add i64 @1; load i8 @2; fadd double @3; call double llvm.fabs.f64 @4; call float llvm.fabs.f32 @4; call void llvm.memset.p0.i64(2=16) @5; call void llvm.memset.p0.i64 @5; call void llvm.strange @6; call double sqrt @7; call i32 puts @7 -> end
		end: ret void @8; strange i32 @9; call void g @10; call void unheard @11`, "g": "entry: ret void @12"}, "f", "g")
	costs, err := m.Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%+v\n%+v", m.Describe(), costs)
}

func TestKeysOfTablesAreUsed(t *testing.T) {
	keytest.Check(t, []string{"weighttable.go", "figure.go", "callcost.go", "softfloat.go"}, `schema: pathspan.weights/1
name: core
extends: generic
source: a book
notes: made up
clock_mhz: 50
default: 9
weights:
  add: {default: 1, i64: 2}
  load: {best: 1, typical: 3, worst: 12}
intrinsics:
  memset: {base: 4, per_byte: 0.25, bytes: 24, size_arg: 2}
calls: {puts: 100}
soft_float: double
soft_float_weights:
  weights: {fadd: 80}
  intrinsics: {fabs: 33}
  calls: {sqrt: 600}
`, showsTable, []keytest.Change{
		{Key: "schema", Old: "weights/1", New: "weights/2"}, {Key: "name", Old: "name: core", New: "name: other"}, {Key: "extends", Old: "generic", New: "arm922t"},
		{Key: "source", Old: "a book", New: "b"}, {Key: "notes", Old: "made up", New: "b"}, {Key: "clock_mhz", Old: "50", New: "51"}, {Key: "default", Old: "default: 9", New: "default: 8"},
		{Key: "weights", Old: "i64: 2}", New: "i64: 3}"}, {Key: "best", Old: "best: 1", New: "best: 2"}, {Key: "typical", Old: "typical: 3", New: "typical: 4"}, {Key: "worst", Old: "worst: 12", New: "worst: 13"},
		{Key: "intrinsics", Old: "  memset:", New: "  memse:"}, {Key: "base", Old: "base: 4", New: "base: 5"}, {Key: "per_byte", Old: "per_byte: 0.25", New: "per_byte: 0.5"},
		{Key: "bytes", Old: "bytes: 24", New: "bytes: 32"}, {Key: "size_arg", Old: "size_arg: 2", New: "size_arg: 1"}, {Key: "calls", Old: "puts: 100", New: "puts: 101"},
		{Key: "soft_float", Old: "soft_float: double", New: "soft_float: true"}, {Key: "soft_float_weights", Old: "fadd: 80", New: "fadd: 81"},
		{Key: "intrinsics", Old: "fabs: 33", New: "fabs: 34"}, {Key: "calls", Old: "sqrt: 600", New: "sqrt: 601"},
		{Key: "traffic", Old: "soft_float: double", New: "soft_float: double\ntraffic: 1"}, {Key: "memory", Old: "soft_float: double", New: "soft_float: double\nmemory: 1"},
	})
	keytest.Check(t, []string{"linetable.go"}, `schema: pathspan.linetable/1
name: measured
source: a book
notes: made up
clock_mhz: 50
default: 3
lines:
  - {file: app.c, line: 7, cycles: 5}
  - {file: app.c, line: 10, cycles: 40, calls: included}
`, showsTable, []keytest.Change{
		{Key: "schema", Old: "linetable/1", New: "linetable/2"}, {Key: "name", Old: "name: measured", New: "name: other"}, {Key: "source", Old: "a book", New: "b"},
		{Key: "notes", Old: "made up", New: "b"}, {Key: "clock_mhz", Old: "clock_mhz: 50", New: "clock_mhz: 51"}, {Key: "default", Old: "default: 3", New: "default: 4"},
		{Key: "fallback", Old: "default: 3", New: "fallback: generic"}, {Key: "lines", Old: "  - {file: app.c, line: 7, cycles: 5}\n", New: ""},
		{Key: "file", Old: "file: app.c, line: 7", New: "file: b.c, line: 7"}, {Key: "line", Old: "line: 7", New: "line: 9"}, {Key: "cycles", Old: "cycles: 5", New: "cycles: 6"},
		{Key: "calls", Old: "calls: included", New: "calls: excluded"},
	})
}
