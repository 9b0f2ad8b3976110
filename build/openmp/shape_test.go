package openmp_test

// This file tests the shape of what Lower and Delimit make.

import (
	"path/filepath"
	"strings"
	"testing"

	"pathspan/ir/asm"
)

// TestPrivateScalars holds sections to taking and returning private scalars by value:
// through an address, loops over them would go through memory, which those of the
// parallel program do not.
func TestPrivateScalars(t *testing.T) {
	all := toolchains(t)
	for i, tc := range all {
		if i != 0 && i != len(all)-1 {
			continue
		}
		b := newPipeline(t, tc).build(t, "2", nil, filepath.Join(testdata, "openmp/reduction_int.c"))
		m, err := asm.Parse([]byte(b.lowered))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"__pathspan_section_0_0_0": "{ i64, i64 } (i64, i64)",
			"__pathspan_section_0_0_1": "i64 (i64)",
			"__pathspan_section_1_0_1": "{ i32, i32 } (i32, i32)",
		} {
			f := m.Func(name)
			if f == nil {
				t.Fatalf("LLVM %d: no @%s", tc.Version, name)
			}
			if got := f.FnType(); got != want {
				t.Errorf("LLVM %d: @%s is %s, want %s", tc.Version, name, got, want)
			}
			if f.Linkage() != "weak" || !f.HasAttr("noinline") || f.HasAttr("alwaysinline") {
				t.Errorf("LLVM %d: the optimiser may look into @%s: %s", tc.Version, name, f.Header())
			}
		}
		for _, f := range b.module.Funcs() {
			if strings.HasPrefix(f.Name(), "__pathspan_") {
				t.Errorf("LLVM %d: @%s was not laid back", tc.Version, f.Name())
			}
		}
	}
}

// TestRecursion holds sections that call their own region to doing so through a
// function: laid back into each other, they would have no end.
func TestRecursion(t *testing.T) {
	tc := toolchains(t)[0]
	b := newPipeline(t, tc).build(t, "2", nil, "testdata/recurse.c")
	forwarders := 0
	for _, f := range b.module.Funcs() {
		if strings.HasPrefix(f.Name(), "__pathspan_again_") {
			forwarders++
		} else if strings.HasPrefix(f.Name(), "__pathspan_") {
			t.Errorf("@%s was not laid back", f.Name())
		}
	}
	if forwarders == 0 {
		t.Error("no section calls its own region: the optimiser no longer inlines what this test relies on")
	}
}
