package asm_test

import (
	"strings"
	"testing"

	"pathspan/ir/asm"
)

// Edits one by one, with the text they leave.
func TestSmallEdits(t *testing.T) {
	const before = `declare i32 @g(i32)
@table = internal global [1 x ptr] [ptr blockaddress(@jumps, %a)]

define dso_local i32 @f(i32 %x) #0 {
entry:
  %y = call i32 @g(i32 %x) #1, !dbg !0 ; a comment
  switch i32 %y, label %out [
    i32 1, label %out
  ], !dbg !0

out:                                              ; preds = %entry, %entry
  ret i32 %y
}

define void @jumps() {
a:
  %p = load ptr, ptr @table
  indirectbr ptr %p, [label %b]

b:                                                ; preds = %a
  ret void
}

attributes #0 = { nounwind }
attributes #1 = { cold nounwind }

!0 = !DILocation(line: 1, scope: !1)
!1 = !{}
`
	entry := func(m *asm.Module) *asm.Block { return m.Func("f").Blocks[0] }
	for _, c := range []struct {
		name string
		do   func(m *asm.Module) error
		has  string // in the module afterwards
		not  string // not in it, "" when nothing is asked
	}{
		{"replace a call", func(m *asm.Module) error { return entry(m).Instrs[0].SetText("%z = add i32 %x, 1") },
			"entry:\n  %z = add i32 %x, 1 ; a comment\n", "@g(i32 %x)"},
		{"callee", func(m *asm.Module) error { entry(m).Instrs[0].SetCallee("@h"); return nil },
			"%y = call i32 @h(i32 %x) #1, !dbg !0 ; a comment\n", ""},
		{"switch to branch", func(m *asm.Module) error {
			if m.Func("f").NumPreds("out") != 2 {
				t.Error("edges before")
			}
			err := entry(m).Instrs[1].SetText("br label %out")
			if m.Func("f").NumPreds("out") != 1 {
				t.Error("edges after")
			}
			return err
		}, "  br label %out\n\nout:\n", "switch"},
		{"switch edge", func(m *asm.Module) error {
			if _, err := m.Func("f").AddBlock("more", "br label %out"); err != nil {
				return err
			}
			return m.Func("f").RetargetSucc(entry(m), 1, "more")
		}, "  switch i32 %y, label %out [\n    i32 1, label %more\n  ], !dbg !0\n", "; preds = %entry,"},
		{"insert after", func(m *asm.Module) error { return entry(m).InsertAfter(0, "%a = add i32 %y, 1\n%b = mul i32 %a, 2") },
			"; a comment\n  %a = add i32 %y, 1\n  %b = mul i32 %a, 2\n  switch", ""},
		{"insert a switch", func(m *asm.Module) error {
			return entry(m).Replace(1, "switch i32 %y, label %out [\n i32 3, label %out\n ]")
		}, "  switch i32 %y, label %out [\n i32 3, label %out\n ]\n", "i32 1, label"},
		{"location", func(m *asm.Module) error { entry(m).Instrs[0].RemapMeta(map[int]int{0: 12}); return nil },
			"#1, !dbg !12 ;", ""},
		{"no location", func(m *asm.Module) error { entry(m).Instrs[1].SetDbg(-1); return nil },
			"  ]\n", "], !dbg"},
		{"call attribute of a shared group", func(m *asm.Module) error { entry(m).Instrs[0].RemoveCallAttr("nounwind"); return nil },
			"(i32 %x) #2, !dbg !0", "#2 = { nounwind"},
		{"linkage", func(m *asm.Module) error { return m.Func("f").SetLinkage("weak_odr") },
			"define weak_odr dso_local i32 @f(i32 %x) #0 {\n", ""},
		{"subprogram", func(m *asm.Module) error { m.Func("f").SetDbg(7); return nil }, "i32 @f(i32 %x) #0 !dbg !7 {\n", ""},
		{"function attribute", func(m *asm.Module) error { return m.Func("f").AddAttr("noinline") }, "(i32 %x) noinline #0 {\n", ""},
		{"last attribute of a group", func(m *asm.Module) error { m.Func("f").RemoveAttr("nounwind"); return nil },
			"i32 @f(i32 %x) {\n", "@f(i32 %x) #"},
		{"node", func(m *asm.Module) error { return m.SetMeta(1, "distinct !{!0}") }, "!1 = distinct !{!0}\n", "!1 = !{}"},
		{"define what is declared", func(m *asm.Module) error {
			_, err := m.AddFunc("define i32 @g(i32 %v) {\nentry:\n  ret i32 %v\n}")
			return err
		}, "define i32 @g(i32 %v) {\n", "declare i32 @g"},
		{"unsplittable only edge", func(m *asm.Module) error {
			_, err := m.Func("jumps").InsertOnEdge(m.Func("jumps").Blocks[0], 0, "call void @hit()")
			return err
		}, "  call void @hit()\n  indirectbr", ""},
	} {
		m := parse(t, []byte(before))
		if err := c.do(m); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		after := string(m.Bytes())
		if !strings.Contains(after, c.has) || c.not != "" && strings.Contains(after, c.not) {
			t.Errorf("%s: want %q and not %q in\n%s", c.name, c.has, c.not, after)
		}
	}
	// What is no instruction, block or attribute is refused and changes nothing.
	m := parse(t, []byte(before))
	f := m.Func("f")
	for i, err := range []error{
		entry(m).Instrs[0].SetText("%a = add i32 1, 2\n%b = add i32 1, 2"), entry(m).Instrs[0].SetText(""),
		entry(m).InsertBefore(9, "ret void"), entry(m).InsertBefore(0, "label:"), entry(m).InsertBefore(0, "}"), entry(m).InsertBefore(0, "x ("),
		entry(m).Replace(2), f.RetargetSucc(entry(m), 2, "out"), f.SetLinkage("loose"), f.AddAttr("two attributes"),
		m.SetMeta(99, "!{}"), m.AddDecl("define void @x()"), m.AddGlobal("x"),
		second(f.AddBlock("out", "ret i32 0")), second(f.SplitBlock(entry(m), 9, "")), second(f.SplitBlock(entry(m), 1, "out")),
		second(m.CloneFunc(f, "g")), second(m.CloneFunc(m.Func("jumps"), "jumps2")), second(m.AddFunc("declare void @x()")), second(m.AddFunc("define void @x() {\n ret void\n")), second(m.AddFunc("define void @x() {\n ret void\n}\nrest")),
	} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("wrong edit %d: error %v", i, err)
		}
	}
	if string(m.Bytes()) != before {
		t.Errorf("wrong edits changed the module:\n%s", m.Bytes())
	}
}

func second[T any](_ T, err error) error { return err }

// Text that never closes its brackets costs time that grows with its length,
// not with its square; a square would take minutes here.
func TestUnclosed(t *testing.T) {
	for _, line := range []string{"define @x(\n", "define @x\n", "x (\n", "!1 = !{\n", "x\"\n", "define void @f() {\n  x (\n}\n", "define void @f() {\n x (\n}\n  (\n"} {
		src := strings.Repeat(line, 200000)
		if m, err := asm.Parse([]byte(src)); err != nil {
			t.Errorf("%q: %v", line, err)
		} else if string(m.Bytes()) != src {
			t.Errorf("%q does not print back", line)
		}
	}
	if _, err := asm.Parse([]byte("define void @f() {\n" + strings.Repeat("  x (\n", 200000) + "}\n")); err != nil {
		t.Error(err)
	}
}
