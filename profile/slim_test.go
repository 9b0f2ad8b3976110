package profile

// This file tests that templates leave out what their module tells.

import (
	"testing"

	"google.golang.org/protobuf/proto"

	"pathspan/ir"
	"pathspan/profile/bundlepb"
)

// TestSlim leaves the blocks of a program out of its template and puts them back, whatever
// else its view tells.
func TestSlim(t *testing.T) {
	module := []byte(`source_filename = "l.c"
target triple = "x86_64-pc-linux-gnu"

@lock = global ptr null

define i32 @main() {
  br label %take
take:
  call void @omp_set_lock(ptr @lock)
  br label %leave
leave:
  call void @omp_unset_lock(ptr @lock)
  ret i32 0
}

declare void @omp_set_lock(ptr)
declare void @omp_unset_lock(ptr)
`)
	p, err := ir.Read(module)
	if err != nil {
		t.Fatal(err)
	}
	p.Inlined, p.Tasks = []string{"a name"}, []ir.Task{{Name: "task of main"}}
	p.Regions = []ir.Region{{Name: "a region", Constructs: []ir.Construct{{Sections: []ir.Section{{Name: "a section"}}}}}}
	if len(p.Locks) == 0 {
		t.Error("the program has no lock")
	}
	full := &bundlepb.Template{Bundle: &bundlepb.Bundle{Module: module, Program: programToProto(p)}}
	small := proto.CloneOf(full)
	slim(small)
	if len(small.Bundle.Program.Funcs[0].Blocks) > 0 || small.Bundle.Module != nil {
		t.Error("the template tells what its module tells")
	}
	if err := unslim(small); err != nil || !proto.Equal(small.Bundle, full.Bundle) {
		t.Errorf("put back: %v\n%v\nwant:\n%v", err, small.Bundle, full.Bundle)
	}
}
