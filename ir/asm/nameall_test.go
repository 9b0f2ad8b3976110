package asm_test

// This file holds names that are given to those that LLVM gives.

import (
	"slices"
	"testing"

	"pathspan/ir/asm"
)

// Names are those of LLVM's own pass, which passes over what is optnone.
func TestNamesAreInstnamers(t *testing.T) {
	for _, s := range samples(t) {
		if s.debug || s.level == "O0" {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			t.Parallel()
			text, err := run(s.text, "", "opt-"+s.version, "-passes=instnamer", "-S")
			if err != nil {
				t.Fatal(err)
			}
			want, got := parse(t, text), s.named(t)
			if len(want.Funcs()) != len(got.Funcs()) {
				t.Fatalf("%d functions, want %d", len(got.Funcs()), len(want.Funcs()))
			}
			for i, f := range want.Funcs() {
				if w, g := allNames(f), allNames(got.Funcs()[i]); !slices.Equal(w, g) {
					t.Errorf("@%s: %q, want %q", f.Name(), g, w)
				}
			}
		})
	}
}

// names are those of parameters, blocks and values, in the order of the text.
func allNames(f *asm.Func) []string {
	var all []string
	for _, p := range f.Params() {
		all = append(all, p.Name)
	}
	for _, b := range f.Blocks {
		all = append(all, b.Name())
		for _, in := range b.Instrs {
			all = append(all, in.Result())
		}
	}
	return all
}
