package asm_test

// This file makes each edit on every module of the corpus and has LLVM's
// verifier judge the result.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pathspan/ir/asm"
)

// edits are made one by one on the small programs and one after the other on
// the large one.
var edits = []struct {
	name string
	do   func(t *testing.T, m *asm.Module)
}{
	{"insert on every edge", insertOnEdges},
	{"split every edge", splitEdges},
	{"split every block", splitBlocks},
	{"insert around everything", insertAround},
	{"clone every function", cloneAll},
	{"redirect every call", redirectCalls},
	{"change headers", changeHeaders},
	{"fold branches and remove blocks", foldBranches},
	{"change phis, names and locations", changeDetails},
	{"add to the module", addToModule},
}

func TestEdits(t *testing.T) {
	for _, s := range samples(t) {
		if !s.debug {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(s.source, "stl") {
				m := s.named(t)
				for _, e := range edits {
					e.do(t, m)
				}
				s.verify(t, m)
				return
			}
			text := s.named(t).Bytes()
			for _, e := range edits {
				t.Run(e.name, func(t *testing.T) {
					m := parse(t, text)
					e.do(t, m)
					if string(m.Bytes()) == string(text) {
						t.Error("nothing was edited")
					}
					s.verify(t, m)
				})
			}
		})
	}
}

const hit = "declare void @edge_hit(i32)"

func insertOnEdges(t *testing.T, m *asm.Module) {
	if err := m.AddDecl(hit); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			for k := range b.Succs() {
				n++
				call := fmt.Sprintf("call void @edge_hit(i32 %d)", n)
				at, err := f.InsertOnEdge(b, k, call)
				switch {
				case errors.Is(err, asm.ErrUnsplittable):
					if op := b.Term().Op(); op == "br" || op == "switch" || op == "invoke" && k == 0 {
						t.Errorf("@%s: %v", f.Name(), err)
					}
					if strings.Contains(f.Text(), call+"\n") {
						t.Errorf("@%s: refused, and still inserted", f.Name())
					}
				case err != nil:
					t.Error(err)
				case !strings.Contains(blockText(at), call):
					t.Errorf("@%s: the block returned does not hold the call", f.Name())
				}
			}
		}
	}
}

func blockText(b *asm.Block) string {
	var out strings.Builder
	for _, in := range b.Instrs {
		out.WriteString(in.Text() + "\n")
	}
	return out.String()
}

func splitEdges(t *testing.T, m *asm.Module) {
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			succs := b.Succs()
			for k := range succs {
				nb, err := f.EdgeBlock(b, k)
				if errors.Is(err, asm.ErrUnsplittable) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if b.Succs()[k] != nb.Name() || !slices.Equal(nb.Succs(), []string{succs[k]}) {
					t.Errorf("@%s: edge %s to %s now goes %v, %v", f.Name(), b.Name(), succs[k], b.Succs(), nb.Succs())
				}
			}
		}
	}
}

func splitBlocks(t *testing.T, m *asm.Module) {
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			from := b.StartIndex()
			if from < 0 {
				continue
			}
			// In the middle, then at the start of what is left.
			for _, i := range []int{(from + len(b.Instrs)) / 2, from} {
				if i >= len(b.Instrs) {
					continue
				}
				succs := b.Succs()
				nb, err := f.SplitBlock(b, i, "")
				if errors.Is(err, asm.ErrUnsplittable) && strings.Contains(blockText(b), "musttail") {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(nb.Succs(), succs) || !slices.Equal(b.Succs(), []string{nb.Name()}) {
					t.Errorf("@%s: split %s goes to %v, then %v", f.Name(), b.Name(), b.Succs(), nb.Succs())
				}
			}
		}
	}
}

func insertAround(t *testing.T, m *asm.Module) {
	if err := m.AddDecl(hit); err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Funcs() {
		slot := f.FreshName("slot")
		entry := f.Blocks[0]
		ptr := m.Pointer("i32")
		if err := entry.InsertAtStart(fmt.Sprintf("%s = alloca i32, align 4\nstore i32 0, %s %s", asm.LocalRef(slot), ptr, asm.LocalRef(slot))); err != nil {
			t.Fatal(err)
		}
		for _, b := range f.Blocks {
			if b.StartIndex() < 0 {
				continue
			}
			v := f.FreshName("v")
			if b != entry {
				if err := b.InsertAtStart(fmt.Sprintf("%s = load i32, %s %s", asm.LocalRef(v), ptr, asm.LocalRef(slot)),
					fmt.Sprintf("call void @edge_hit(i32 %s)", asm.LocalRef(v))); err != nil {
					t.Fatal(err)
				}
			}
			if err := b.InsertAtEnd(fmt.Sprintf("store i32 1, %s %s", ptr, asm.LocalRef(slot))); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func cloneAll(t *testing.T, m *asm.Module) {
	for _, f := range slices.Clone(m.Funcs()) {
		if strings.Contains(f.Text(), "blockaddress(") || strings.Contains(f.Text(), "indirectbr ") {
			continue
		}
		c, err := m.CloneFunc(f, f.Name()+".clone")
		if err != nil {
			t.Fatal(err)
		}
		if f.Dbg() >= 0 && (c.Dbg() == f.Dbg() || m.Meta(c.Dbg()).Str("name") != m.Meta(f.Dbg()).Str("name")) {
			t.Errorf("@%s: clone has subprogram !%d %s", f.Name(), c.Dbg(), m.Meta(c.Dbg()).Str("name"))
		}
		if len(c.Blocks) != len(f.Blocks) || c.FnType() != f.FnType() || c.Linkage() != "internal" {
			t.Errorf("@%s: clone has %d blocks, type %s, linkage %s", f.Name(), len(c.Blocks), c.FnType(), c.Linkage())
		}
		if m.Func(c.Name()) != c {
			t.Errorf("@%s: clone is not found by its name", f.Name())
		}
	}
}

// redirectCalls makes every direct call of a function that is only declared
// go to a function of ours with the same type.
func redirectCalls(t *testing.T, m *asm.Module) {
	n := 0
	for _, f := range m.Funcs() {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c := in.Call()
				if c == nil || c.Value != asm.GlobalRef(c.Callee) || strings.HasPrefix(c.Callee, "llvm.") {
					continue
				}
				d := m.Decl(c.Callee)
				if d == nil {
					continue
				}
				params := strings.TrimPrefix(d.FnType(), d.RetType()+" ")
				to := "to." + c.Callee
				if err := m.AddDecl("declare " + d.RetType() + " " + asm.GlobalRef(to) + params); err != nil {
					t.Fatal(err)
				}
				if !in.SetCallee(asm.GlobalRef(to)) || in.Call().Callee != to {
					t.Errorf("@%s: not redirected: %s", f.Name(), in.Text())
				}
				in.RemoveCallAttr("nounwind")
				if in.HasCallAttr("nounwind") {
					t.Errorf("@%s: attributes of %s", f.Name(), in.Text())
				}
				n++
			}
		}
	}
	if n == 0 {
		// Programs that call nothing outside: make one such call.
		if err := m.AddDecl(hit); err != nil {
			t.Fatal(err)
		}
		if err := m.Funcs()[0].Blocks[0].InsertAtEnd("call void @edge_hit(i32 0)"); err != nil {
			t.Fatal(err)
		}
	}
}

func changeHeaders(t *testing.T, m *asm.Module) {
	has := map[*asm.Func]bool{}
	for _, f := range m.Funcs() {
		has[f] = f.HasAttr("uwtable")
	}
	for i, f := range m.Funcs() {
		if f.Linkage() == "external" {
			for _, l := range []string{"internal", "", "weak"} {
				if err := f.SetLinkage(l); err != nil {
					t.Fatal(err)
				}
			}
			if f.Linkage() != "weak" {
				t.Errorf("@%s: linkage %s", f.Name(), f.Linkage())
			}
		}
		for _, a := range []string{"alwaysinline", "optnone", "optsize", "minsize"} {
			f.RemoveAttr(a)
		}
		if i%2 == 0 {
			f.RemoveAttr("uwtable")
			delete(has, f)
			if f.HasAttr("uwtable") {
				t.Errorf("@%s: uwtable is still there: %s", f.Name(), f.Header())
			}
		}
		for _, a := range []string{"noinline", "cold", "\"of-ours\"=\"1\"", "\"of-ours\"=\"2\""} {
			if err := f.AddAttr(a); err != nil {
				t.Fatal(err)
			}
		}
		if a, ok := f.Attr("of-ours"); !ok || a.Text != `"of-ours"="2"` {
			t.Errorf("@%s: attribute of-ours is %v in %s", f.Name(), a, f.Header())
		}
	}
	for f, want := range has {
		if f.HasAttr("uwtable") != want {
			t.Errorf("@%s: lost uwtable to an edit of another function", f.Name())
		}
	}
}

// foldBranches makes every conditional branch take its first way, and removes
// what is then unreachable.
func foldBranches(t *testing.T, m *asm.Module) {
	for _, f := range m.Funcs() {
		if strings.Contains(f.Text(), "blockaddress") || takesAddress(m, f) {
			continue
		}
		for _, b := range f.Blocks {
			succs := b.Succs()
			if len(succs) != 2 || b.Term().Op() != "br" {
				continue
			}
			if succs[0] == succs[1] || f.Block(succs[1]) == nil {
				continue
			}
			if err := f.Block(succs[1]).RemovePhiPred(b.Name()); err != nil {
				t.Fatal(err)
			}
			if err := b.Replace(b.Index(b.Term()), "br label "+asm.LocalRef(succs[0])); err != nil {
				t.Fatal(err)
			}
		}
		reached := map[string]bool{}
		work := []*asm.Block{f.Blocks[0]}
		for len(work) > 0 {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if reached[b.Name()] {
				continue
			}
			reached[b.Name()] = true
			for _, s := range b.Succs() {
				work = append(work, f.Block(s))
			}
		}
		var gone []string
		for _, b := range slices.Clone(f.Blocks) {
			if reached[b.Name()] {
				continue
			}
			for _, in := range b.Instrs {
				if in.Result() != "" {
					gone = append(gone, in.Result())
				}
			}
			if err := f.RemoveBlock(b); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range gone { // in debug records
			replaceUses(f, name, "poison")
		}
	}
}

// takesAddress reports whether a variable holds addresses of f's blocks.
func takesAddress(m *asm.Module, f *asm.Func) bool {
	for _, g := range m.Globals() {
		if strings.Contains(g.Text(), "blockaddress("+asm.GlobalRef(f.Name())+",") {
			return true
		}
	}
	return false
}

func replaceUses(f *asm.Func, name, value string) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			in.ReplaceUse(name, value)
		}
	}
}

func changeDetails(t *testing.T, m *asm.Module) {
	for _, f := range m.Funcs() {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if pairs := in.Phi(); pairs != nil {
					slices.Reverse(pairs)
					if err := in.SetPhi(pairs); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(in.Phi(), pairs) {
						t.Errorf("@%s: phi is %s", f.Name(), in.Text())
					}
				}
				if op := in.Op(); op == "add" || op == "load" || op == "phi" {
					old, to := in.Result(), f.FreshName("new name")
					in.SetResult(to)
					replaceUses(f, old, asm.LocalRef(to))
				}
				// Each location becomes one of its own.
				if id := in.Dbg(); id >= 0 {
					in.SetDbg(m.AddMeta(m.Meta(id).Text))
					if in.Dbg() == id {
						t.Errorf("@%s: location unchanged: %s", f.Name(), in.Text())
					}
				}
				if tbaa := in.Attachment("!tbaa"); tbaa != "" {
					in.SetAttachment("!tbaa", "")
					in.SetAttachment("!tbaa", tbaa)
				}
			}
		}
		// A block called otherwise.
		if last := f.Blocks[len(f.Blocks)-1]; len(f.Blocks) > 1 && last.StartIndex() >= 0 {
			if _, err := f.SplitBlock(last, last.StartIndex(), f.FreshName("odd \"name\"\\")); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func addToModule(t *testing.T, m *asm.Module) {
	ptr := m.Pointer("i32")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(m.AddGlobal("@ours = internal global i32 0, align 4"))
	check(m.AddGlobal("@ours = internal global i32 1, align 4"))
	check(m.AddDecl("declare void @exit(i32)"))
	f, err := m.AddFunc(fmt.Sprintf("define internal void @start() {\nentry:\n  %%v = load i32, %s @ours\n  br label %%next\n\nnext:\n  ret void\n}", ptr))
	check(err)
	_, err = f.InsertOnEdge(f.Blocks[0], 0, fmt.Sprintf("store i32 %%v, %s @ours", ptr))
	check(err)
	if _, err := m.AddFunc("define void @start() {\n ret void\n}"); err == nil {
		t.Error("a second @start was taken")
	}
	next := m.NextMetaID()
	id := m.AddMeta(fmt.Sprintf("distinct !{!%d, !\"ours\"}", next))
	if id != next || m.Meta(id).Refs()[0] != id {
		t.Errorf("metadata !%d, want !%d", id, next)
	}
	group := m.AddAttrGroup("nounwind \"of\"=\"ours\"")
	if m.AddAttrGroup("nounwind \"of\"=\"ours\"") != group || len(m.AttrGroupAttrs(group)) != 2 {
		t.Error("attribute group was added twice")
	}
	g, err := m.AddFunc(fmt.Sprintf("define void @with_group() #%d {\nentry:\n  call void @start()\n  ret void\n}", group))
	check(err)
	gone, err := m.AddFunc("define void @gone() {\nentry:\n  ret void\n}")
	check(err)
	m.RemoveFunc(gone)
	if m.Func("gone") != nil || m.Func("with_group") != g || !g.HasAttr("of") {
		t.Error("functions are not found as they should be")
	}
	names := map[string]int{}
	for _, f := range m.Funcs() {
		names[f.Name()]++
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if names[name] != 1 {
			t.Errorf("@%s is listed %d times", name, names[name])
		}
	}
}
