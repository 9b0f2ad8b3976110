package asm

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// FuzzParse holds the reader to its promises on any input: no panic, what is
// accepted prints back byte for byte, and no edit panics.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.ll")
	if err != nil || len(files) == 0 {
		f.Fatal("no seeds in testdata", err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
		// Each function alone makes a small seed for the mutator.
		m, err := Parse(src)
		if err != nil {
			f.Fatal(name, err)
		}
		for _, fn := range m.Funcs() {
			f.Add([]byte(fn.Text()))
		}
	}
	for _, s := range []string{"", "\n", "define", "define @", "define void @f() {", "define void @f() {\n}",
		"define void @f() {\nret void }\n}", "@x = global \"", "!0 = !{", "x {\ny }", "define void @f() {\n%", "define void @f(%0){\n%x = = \n}",
		"define void @f() {\n  br label %\n}\n", "define void @f() {\nx:\n  invoke void @f()\n to label\n unwind\n}\n",
		"\"", "%", "declare void @f(", "attributes #0 = {", "define i32 @f() {\n  call i32 @g()\n  br label %2\n  ret i32 0\n}\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, err := Parse(src)
		if err != nil {
			if _, ok := err.(*SyntaxError); !ok {
				t.Fatalf("error is no *SyntaxError: %v", err)
			}
			return
		}
		if !bytes.Equal(m.Bytes(), src) {
			t.Fatalf("printed differently:\n%q\n%q", src, m.Bytes())
		}
		readEverything(m)
		if !bytes.Equal(m.Bytes(), src) {
			t.Fatalf("reading changed the module:\n%q\n%q", src, m.Bytes())
		}
		editEverything(m)
		if _, err := Parse(m.Bytes()); err != nil {
			t.Logf("edited module does not read back: %v", err) // its syntax was unknown before
		}
	})
}

// readEverything asks for all there is to ask.
func readEverything(m *Module) {
	m.OpaquePointers()
	m.NextMetaID()
	for id := range 10 {
		n := m.Meta(id)
		n.Refs()
		n.Field("scope")
		m.AttrGroupAttrs(id)
	}
	for _, d := range m.Decls() {
		d.FnType()
		d.HasAttr("nounwind")
	}
	for _, g := range m.Globals() {
		g.Kind()
		g.Aliasee()
		g.Refs()
	}
	for _, f := range m.Funcs() {
		f.FnType()
		f.Linkage()
		f.HasAttr("nounwind")
		f.Named()
		for _, b := range f.Blocks {
			b.Name()
			b.Succs()
			b.StartIndex()
			for _, in := range b.Instrs {
				in.Type()
				in.ResultType()
				in.Uses()
				in.Labels()
				in.GlobalRefs()
				in.MetaRefs()
				in.Phi()
				in.Cases()
				in.Attachment("!tbaa")
				in.HasCallAttr("nounwind")
			}
		}
	}
}

// editEverything tries every edit wherever it can stand, and ignores errors.
func editEverything(m *Module) {
	m.NameValues()
	m.AddDecl("declare void @hit(i32)")
	for _, f := range slices.Clone(m.Funcs()) {
		m.CloneFunc(f, m.FreshName(f.Name()+".clone"))
		f.SetLinkage("weak")
		f.SetLinkage("internal")
		f.AddAttr("\"a\"=\"b\"")
		f.RemoveAttr("nounwind")
		f.SetDbg(3)
		f.SetDbg(-1)
		for _, b := range slices.Clone(f.Blocks) {
			for k := range b.Succs() {
				f.InsertOnEdge(b, k, "call void @hit(i32 1)")
				f.EdgeBlock(b, k)
			}
			if i := b.StartIndex(); i >= 0 {
				f.SplitBlock(b, i, "")
			}
			b.InsertAtStart("call void @hit(i32 2)")
			b.InsertAtEnd("call void @hit(i32 3)")
		}
		for _, b := range slices.Clone(f.Blocks) {
			for i, in := range slices.Clone(b.Instrs) {
				in.SetDbg(4)
				in.SetDbg(-1)
				in.RemoveCallAttr("nounwind")
				in.SetPhi(in.Phi())
				for _, u := range in.Uses() {
					in.ReplaceUse(u, "poison")
				}
				in.SetResult("r")
				b.Delete(i / 2)
			}
		}
		for _, b := range slices.Clone(f.Blocks) {
			f.RemoveBlock(b)
		}
	}
}
