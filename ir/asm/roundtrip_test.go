package asm_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// Every module prints back byte for byte, before and after everything in it
// was parsed; nothing in it is opaque; and the Program view agrees with it.
func TestRoundTrip(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name(), func(t *testing.T) {
			m := parse(t, s.text)
			checkRead(t, m)
			checkView(t, m, s)
			if !bytes.Equal(m.Bytes(), s.text) {
				t.Error("does not print back as it was read")
			}
			if want := s.version != "14"; m.OpaquePointers() != want {
				t.Errorf("OpaquePointers() = %v", !want)
			}
		})
	}
	t.Logf("%d modules compiled in %v", len(corpus.samples), corpus.took)
}

// The same for texts written by hand, which LLVM accepts too.
func TestRoundTripWritten(t *testing.T) {
	for _, name := range []string{"testdata/typed.ll", "testdata/opaque.ll", "testdata/future.ll"} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{src, bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")), bytes.TrimRight(src, "\n")} {
			m := parse(t, text)
			if !strings.Contains(name, "future") {
				checkRead(t, m)
			}
			if !bytes.Equal(m.Bytes(), text) {
				t.Error(name, "does not print back as it was read")
			}
		}
	}
}

// checkRead asks that everything be understood.
func checkRead(t *testing.T, m *asm.Module) {
	t.Helper()
	for _, f := range m.Funcs() {
		if f.RetType() == "" {
			t.Errorf("@%s: header not understood: %s", f.Name(), f.Header())
		}
		for _, b := range f.Blocks {
			if b.Term() == nil {
				t.Errorf("@%s, block %s has no terminator", f.Name(), b.Name())
			}
			for _, succ := range b.Succs() {
				if f.Block(succ) == nil {
					t.Errorf("@%s, block %s: no block %s", f.Name(), b.Name(), succ)
				}
			}
			for _, in := range b.Instrs {
				if in.Opaque() {
					t.Errorf("@%s: not understood: %s", f.Name(), in.Text())
				}
			}
		}
		checkUses(t, m, f)
	}
	for _, d := range m.Decls() {
		if d.RetType() == "" {
			t.Errorf("declaration not understood: %s", d.Text())
		}
	}
	for _, g := range m.Globals() {
		if g.Kind() == "" {
			t.Errorf("@%s: not understood: %s", g.Name(), g.Text())
		}
	}
}

// checkUses asks that every local value used be defined, and every %name in
// an instruction be accounted for as result, use, label or type.
func checkUses(t *testing.T, m *asm.Module, f *asm.Func) {
	t.Helper()
	defined := map[string]bool{}
	for _, p := range f.Params() {
		defined[p.Name] = true
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Result() != "" {
				defined[in.Result()] = true
			}
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, u := range in.Uses() {
				if !defined[u] {
					t.Errorf("@%s: %q is used and not defined: %s", f.Name(), u, in.Text())
				}
			}
			known := slices.Concat(in.Uses(), in.Labels(), []string{in.Result()})
			for _, name := range percentNames(in.Text()) {
				if !slices.Contains(known, name) && m.NamedType(name) == "" {
					t.Errorf("@%s: %q is neither use, label nor type: %s", f.Name(), name, in.Text())
				}
			}
		}
	}
}

// percentNames finds the plain %names in text outside strings, in a way of its
// own.
func percentNames(text string) []string {
	var out []string
	parts := strings.Split(text, "\"")
	for i := 0; i < len(parts); i += 2 {
		for _, p := range strings.Split(parts[i], "%")[1:] {
			end := strings.IndexFunc(p, func(r rune) bool {
				return !strings.ContainsRune("-$._", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
			})
			if end < 0 {
				end = len(p)
			}
			if end > 0 {
				out = append(out, p[:end])
			}
		}
	}
	return out
}

// checkView builds the Program view and compares what must agree.
func checkView(t *testing.T, m *asm.Module, s *sample) {
	t.Helper()
	p, err := ir.Build(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Funcs) != len(m.Funcs()) {
		t.Fatalf("%d functions in the view, %d in the module", len(p.Funcs), len(m.Funcs()))
	}
	located := 0
	for i, g := range p.Funcs {
		f := m.Funcs()[i]
		if g.Name != f.Name() || len(g.Blocks) != len(f.Blocks) {
			t.Errorf("function %d: view %s with %d blocks, module %s with %d", i, g.Name, len(g.Blocks), f.Name(), len(f.Blocks))
		}
		if s.debug && g.Loc.Line > 0 {
			located++
		}
		for j, b := range g.Blocks {
			var succs []string
			for _, k := range b.Succs {
				succs = append(succs, g.Blocks[k].Name)
			}
			if !slices.Equal(succs, f.Blocks[j].Succs()) {
				t.Errorf("@%s, block %s: view goes to %v, module to %v", g.Name, b.Name, succs, f.Blocks[j].Succs())
			}
			if b.Terminator().Op != f.Blocks[j].Term().Op() {
				t.Errorf("@%s, block %s: terminator %s", g.Name, b.Name, b.Terminator().Op)
			}
			for _, in := range b.Instrs {
				if in.Type == "" && in.Op != "unreachable" && in.Op != "fence" && in.Op != "br" {
					t.Errorf("@%s, block %s: %s has no type", g.Name, b.Name, in.Op)
				}
			}
		}
	}
	if s.debug && located == 0 {
		t.Error("no function has a source line")
	}
}
