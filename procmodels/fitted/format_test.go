package fitted

import (
	"context"
	"reflect"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/pipeline"
)

// Conversions are counted as the C standard spells them (C17, 7.21.6.1), whatever flags, widths and lengths stand there.
func TestConversionsOfFormats(t *testing.T) {
	const module = `target triple = "x86_64-unknown-linux-gnu"
@.str = private unnamed_addr constant [26 x i8] c"%d%% %-5.2lf %08llX %s %c\0A\00"
@line = global [64 x i8] zeroinitializer
declare i32 @snprintf(ptr, i64, ptr, ...)
declare i32 @printf(ptr, ...)
define void @f(ptr %p) {
  %1 = call i32 (ptr, i64, ptr, ...) @snprintf(ptr @line, i64 64, ptr @.str, i32 1, double 2.0, i64 3, ptr %p, i32 4)
  %2 = call i32 (ptr, ...) @printf(ptr %p)
  ret void
}
`
	p, err := ir.Read([]byte(module))
	if err != nil {
		t.Fatal(err)
	}
	machine, err := pipeline.OutOfOrder(pipeline.Figures{Issue: 4, Window: 100})
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := Scheme{Machine: machine}.Program(context.Background(), &procmodels.Subject{Program: p, Module: []byte(module)})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range blocks[0][0].List {
		if IsLibrary(f.Name) {
			got[f.Name] = f.Count
		}
	}
	if want := map[string]float64{"call snprintf": 1, "call printf": 1, "format %d": 1, "format %f": 1, "format %x": 1, "format %s": 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("a block has %v, want %v", got, want)
	}
}
