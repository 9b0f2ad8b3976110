package openmp_test

// This file lets the fuzzer change modules with OpenMP regions and makes them sequential.

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pathspan/build/openmp"
	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/testdata/forge"
)

// FuzzLower changes lines and words of modules. What is lowered and delimited is a module
// again; the functions that stand for its regions and sections are there, and marks name
// them; the same module gives the same result. Else there is one line.
func FuzzLower(f *testing.F) {
	texts := forge.Seeds(f, 40, "testdata/seeds/*.ll")
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		text := forge.Lines(texts[int(which)%len(texts)], data)
		oneLine := func(err error) bool {
			if err != nil && strings.Contains(err.Error(), "\n") && !bytes.Contains(bytes.ToUpper(text), []byte(`\0A`)) { // in a name
				t.Errorf("more than a line: %q", err)
			}
			return err == nil
		}
		parse := func(text []byte) *asm.Module {
			m, err := asm.Parse(text)
			if err != nil {
				return nil
			}
			return m
		}
		if m := parse(text); m != nil { // for measured runs
			if _, err := openmp.Parallel(m); oneLine(err) && parse(m.Bytes()) == nil {
				t.Error("what is left parallel is no module")
			}
		}
		m, again := parse(text), parse(text)
		if m == nil {
			return
		}
		result, err := openmp.Lower(m)
		same, errAgain := openmp.Lower(again)
		if (err == nil) != (errAgain == nil) || err == nil && (!reflect.DeepEqual(same, result) || !bytes.Equal(again.Bytes(), m.Bytes())) {
			t.Fatalf("lowered again it is another: %v, %v", err, errAgain)
		}
		if !oneLine(err) {
			return
		}
		if len(data) == 0 && len(result.Regions) != 3 {
			t.Errorf("%d regions, want 3", len(result.Regions))
		}
		lowered := parse(m.Bytes())
		if lowered == nil {
			t.Fatalf("the lowered module is none:\n%s", m.Bytes())
		}
		for i, region := range result.Regions {
			if len(region.Constructs) == 0 {
				t.Errorf("region %s has no construct", region.Name)
			}
			for k, c := range region.Constructs {
				if c.Loop != nil { // which stays in the region's text
					continue
				}
				for s := range c.Sections {
					if name := fmt.Sprintf("__pathspan_section_%d_%d_%d", i, k, s); lowered.Func(name) == nil {
						t.Errorf("there is no %s", name)
					}
				}
			}
		}
		if !oneLine(openmp.Delimit(m, result)) {
			return
		}
		delimited := parse(m.Bytes())
		if delimited == nil {
			t.Fatalf("the delimited module is none:\n%s", m.Bytes())
		}
		p, err := ir.Build(delimited)
		if !oneLine(err) {
			return
		}
		for _, fn := range p.Funcs {
			for _, b := range fn.Blocks {
				if b.Mark != nil {
					checkMark(t, fn, result, *b.Mark)
				}
			}
		}
	})
}
