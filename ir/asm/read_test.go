package asm_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"pathspan/ir/asm"
)

func load(t *testing.T, name string) *asm.Module {
	t.Helper()
	src, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, src)
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		src, want string
		line      int
	}{
		{"BC\xc0\xde\x35\x14", "bitcode", 1},
		{"; x\n\ndefine void @f() {\nentry:\n  ret void\n", "function @f has no closing brace", 3},
		{"define void @f() {\n  ret void\n}\ndefine void @g() {\n", "function @g has no closing brace", 4},
	} {
		_, err := asm.Parse([]byte(c.src))
		var se *asm.SyntaxError
		if !errors.As(err, &se) || se.Line != c.line || !strings.Contains(se.Msg, c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: error %v, want line %d, %s", c.src, err, c.line, c.want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, spelled := range map[string]string{
		"x": "%x", "a.b-c$_1": "%a.b-c$_1", "a b": `%"a b"`, "\x01foo": `%"\01foo"`, "q\"\\": `%"q\22\5C"`,
		"7": `%"7"`, "7a": `%"7a"`, "ü": `%"\C3\BC"`, "": `%""`,
	} {
		if got := asm.LocalRef(name); got != spelled {
			t.Errorf("LocalRef(%q) = %s, want %s", name, got, spelled)
		}
		m := parse(t, []byte("define void @f(i32 "+spelled+") {\nentry:\n  ret void\n}\n"))
		if got := m.Funcs()[0].Params()[0].Name; got != name {
			t.Errorf("%s is read as %q", spelled, got)
		}
	}
	m := load(t, "typed.ll")
	for _, name := range []string{"\x01verbatim", "with space", "0", "tls", "alias", "ifn"} {
		if m.Global(name) == nil {
			t.Errorf("no global %q", name)
		}
	}
	if f := m.Func("odd \"name\""); f == nil || f.Block("un wind") == nil || f.Block("first block") != f.Blocks[0] {
		t.Error("quoted names are not found")
	}
}

// Blocks without a label get the numbers that LLVM counts: parameters, blocks
// and values that are not void, in the order of the text.
func TestNumbering(t *testing.T) {
	m := parse(t, []byte(`define i32 @f(i32 %0, i32 %named, i32 %1) {
  call void @g()
  %3 = call i32 @h()
  %4 = call i32 @h()
  br label %5

5:
  %6 = add i32 %1, %4
  br label %7

7:
  ret i32 %6
}

declare void @g()
declare i32 @h()
`))
	f := m.Func("f")
	var names []string
	for _, b := range f.Blocks {
		names = append(names, b.Name())
	}
	if !slices.Equal(names, []string{"2", "5", "7"}) {
		t.Errorf("blocks %v", names)
	}
	if err := f.CheckEditable(); !errors.Is(err, asm.ErrUnnamed) {
		t.Errorf("CheckEditable() = %v", err)
	}
	if err := f.Blocks[0].InsertAtEnd("call void @g()"); !errors.Is(err, asm.ErrUnnamed) {
		t.Errorf("edit of unnamed values: %v", err)
	}
	m.NameValues()
	if err := f.CheckEditable(); err != nil {
		t.Error(err, m.Func("f").Text())
	}
	if text := f.Text(); strings.Contains(text, "%6") || !strings.Contains(text, "br label %bb3\n") ||
		!strings.Contains(text, "%i2 = call i32 @h()") || !strings.Contains(text, "%i4 = add i32 %arg1, %i2") {
		t.Errorf("named:\n%s", f.Text())
	}
	if err := f.Blocks[0].InsertAtEnd("call i32 @h()"); err == nil {
		t.Error("a new value without a name was taken")
	}
}

func TestInstructions(t *testing.T) {
	m := load(t, "typed.ll")
	f := m.Func("odd \"name\"")
	byResult := map[string]*asm.Instr{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			byResult[in.Result()] = in
		}
	}
	for _, c := range []struct{ result, op, typ, resultType, uses string }{
		{"p", "alloca", "%struct.node", "%struct.node*", ""},
		{"q", "getelementptr", "%struct.node*", "double*", "p"},
		{"r", "load", "double", "double", "q"},
		{"c", "fcmp", "double", "i1", "r"},
		{"v", "select", "<2 x i32>", "<2 x i32>", "c"},
		{"e", "extractelement", "i32", "i32", "v"},
		{"i", "insertelement", "<2 x i32>", "<2 x i32>", "v e"},
		{"s", "shufflevector", "<4 x i32>", "<4 x i32>", "v i"},
		{"x", "cmpxchg", "i32", "{ i32, i1 }", ""},
		{"o", "extractvalue", "i1", "i1", "x"},
		{"n", "atomicrmw", "i32", "i32", "e"},
		{"w", "invoke", "i8", "i8", "the arg"},
		{"a", "va_arg", "i32", "i32", "the arg"},
		{"z", "call", "i32", "i32", "a a"},
		{"lp", "landingpad", "{ i8*, i32 }", "{ i8*, i32 }", ""},
	} {
		in := byResult[c.result]
		if in == nil {
			t.Errorf("no %%%s", c.result)
			continue
		}
		if got := strings.Join(in.Uses(), " "); in.Op() != c.op || in.Type() != c.typ || in.ResultType() != c.resultType || got != c.uses {
			t.Errorf("%s: %s type %q result %q uses %q, want %s %q %q %q", in.Text(), in.Op(), in.Type(), in.ResultType(), got, c.op, c.typ, c.resultType, c.uses)
		}
	}
	inv := byResult["w"].Call()
	if inv.Callee != "callee" || inv.Indirect || inv.RetAttrs != "zeroext" || inv.Args[0].Attrs != "nonnull" || inv.Attrs != "#1" {
		t.Errorf("invoke: %+v", inv)
	}
	if got := byResult["w"].Succs(); !slices.Equal(got, []string{"normal", "un wind"}) {
		t.Errorf("invoke goes to %v", got)
	}
	call := byResult["z"].Call()
	if call.Callee != "printf" || call.FnType != "i32 (i8*, ...)" || call.Tail != "tail" || len(call.Args) != 3 ||
		call.Args[2].Value != "0x3FF0000000000000" {
		t.Errorf("call: %+v", call)
	}
	if got := byResult["z"].GlobalRefs(); !slices.Equal(got, []string{"printf", "with space"}) {
		t.Errorf("globals %v", got)
	}
	sw := f.Block("normal").Term()
	if got := sw.Succs(); !slices.Equal(got, []string{"last", "last", "un reach"}) || sw.Type() != "i32" || sw.Cases()[0].Value != "-1" || sw.Attachment("!prof") != "!1" {
		t.Errorf("switch goes to %v, %v", got, sw.Cases())
	}
	if got := m.Func("computed").Block("one").Term(); !slices.Equal(got.Succs(), []string{"three", "two"}) || !got.Call().Asm {
		t.Errorf("callbr goes to %v", got.Succs())
	}
	if !byResult["z"].HasCallAttr("nounwind") || byResult["z"].HasCallAttr("noinline") || !byResult["w"].HasCallAttr("noinline") {
		t.Error("attributes of calls through groups")
	}
}

func TestScalable(t *testing.T) {
	f := load(t, "opaque.ll").Func("scalable")
	if gep := f.Blocks[0].Instrs[4]; gep.ResultType() != "ptr addrspace(3)" {
		t.Errorf("%s results in %q", gep.Text(), gep.ResultType())
	}
	if p := f.Params()[2]; p.Name != "arg two" || p.Attrs != "noundef nonnull align 8 dereferenceable(16)" {
		t.Errorf("parameter %+v", p)
	}
}

// Exception handling of Windows is not understood: it is carried along, its edges are found
// and left alone.
func TestFunclets(t *testing.T) {
	m := parse(t, []byte(`define void @pads(i32 %n) personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw(i32 %n)
          to label %exit unwind label %dispatch

dispatch:                                         ; preds = %entry
  %cs = catchswitch within none [label %handler1, label %handler2] unwind label %cleanup

handler1:                                         ; preds = %dispatch
  %h1 = catchpad within %cs [ptr null, i32 64, ptr null]
  call void @may_throw(i32 1) [ "funclet"(token %h1) ]
  catchret from %h1 to label %exit

handler2:                                         ; preds = %dispatch
  %h2 = catchpad within %cs [ptr @vt, i32 0, ptr null]
  catchret from %h2 to label %exit

cleanup:                                          ; preds = %dispatch
  %cl = cleanuppad within none []
  cleanupret from %cl unwind to caller

exit:                                             ; preds = %handler2, %handler1, %entry
  ret void
}
`))
	f := m.Func("pads")
	for block, want := range map[string][]string{
		"entry": {"exit", "dispatch"}, "dispatch": {"handler1", "handler2", "cleanup"},
		"handler1": {"exit"}, "cleanup": nil,
	} {
		if got := f.Block(block).Succs(); !slices.Equal(got, want) {
			t.Errorf("%s goes to %v, want %v", block, got, want)
		}
	}
	for block, k := range map[string]int{"entry": 1, "dispatch": 1} {
		if _, err := f.EdgeBlock(f.Block(block), k); !errors.Is(err, asm.ErrUnsplittable) {
			t.Errorf("edge %d of %s: %v", k, block, err)
		}
	}
}

// What no LLVM has is carried along, and what can be said of it is said.
func TestFuture(t *testing.T) {
	m := load(t, "future.ll")
	f := m.Func("f")
	if f == nil || len(m.Funcs()) != 1 || len(f.Blocks) != 3 {
		t.Fatalf("functions %v", m.Funcs())
	}
	odd := f.Blocks[0].Instrs[0]
	if !odd.Opaque() || odd.Op() != "teleport" || odd.Result() != "n" || !slices.Equal(odd.Uses(), []string{"a", "a"}) ||
		!slices.Equal(odd.Labels(), []string{"there"}) || !slices.Equal(odd.GlobalRefs(), []string{"x"}) {
		t.Errorf("%s: uses %v, labels %v, globals %v", odd.Text(), odd.Uses(), odd.Labels(), odd.GlobalRefs())
	}
	if !odd.ReplaceUse("a", "%b c") || odd.Text() != `%n = teleport i32 %b c, ptr @x, label %there unless %b c !weird` {
		t.Errorf("replaced: %s", odd.Text())
	}
	if !f.Blocks[0].Instrs[1].IsDebug() {
		t.Error("a debug record of a new kind is not taken for one")
	}
	if got := f.Blocks[0].Succs(); !slices.Equal(got, []string{"there", "here"}) {
		t.Errorf("entry goes to %v", got)
	}
	if n := m.Meta(1); n.Kind != "DINewNode" || n.Field("b") != `"c("` || n.Ref("a") != 0 || n.Field("d") != "{e, f}" {
		t.Errorf("node %+v", n)
	}
}

func TestPointers(t *testing.T) {
	for _, c := range []struct {
		src    string
		opaque bool
	}{
		{"declare void @f(i8*)\n", false},
		{"declare void @f(ptr)\n", true},
		{"@s = constant [3 x i8] c\"ptr\"\n@p = global i32* null\n", false},
		{"!llvm.ident = !{!0}\n!0 = !{!\"Debian clang version 14.0.6\"}\n", false},
		{"!llvm.ident = !{!0}\n!0 = !{!\"clang version 19.1.7\"}\n", true},
		{"", true},
	} {
		m := parse(t, []byte(c.src))
		want := "i64*"
		if c.opaque {
			want = "ptr"
		}
		if m.OpaquePointers() != c.opaque || m.Pointer("i64") != want {
			t.Errorf("%q: opaque %v, %s", c.src, m.OpaquePointers(), m.Pointer("i64"))
		}
	}
}

func TestGlobals(t *testing.T) {
	m := load(t, "typed.ll")
	for _, c := range []struct{ name, kind, linkage, aliasee string }{
		{"x", "global", "external", ""}, {"with space", "constant", "internal", ""}, {"tls", "global", "external", ""},
		{"alias", "alias", "weak", "straight"}, {"ifn", "ifunc", "external", "resolver"}, {"0", "constant", "private", ""},
	} {
		g := m.Global(c.name)
		if g.Kind() != c.kind || g.Linkage() != c.linkage || g.Aliasee() != c.aliasee {
			t.Errorf("@%s: %s %s %q", c.name, g.Linkage(), g.Kind(), g.Aliasee())
		}
	}
	if got := m.NamedType("struct.node"); got != "{ i32, %struct.node*, [4 x { i8, double }] }" {
		t.Errorf("type %s", got)
	}
	if m.NamedType("quoted type") != "<{ i8, i32 }>" || m.NamedType("later") != "opaque" || m.NamedType("none") != "" {
		t.Error("named types")
	}
	if m.Decl("with_dbg").HasAttr("allocsize") || !m.Decl("with_dbg").HasAttr("a{b") {
		t.Error("attributes of a declaration")
	}
}

func TestMetadata(t *testing.T) {
	m := parse(t, []byte(`!named = !{!0, !2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, flags: "-g, (x)", enums: !{}, isOptimized: true)
!1 = !DIFile(filename: "a, \22b\22.c", directory: "/d")
!2 = !DILocation(line: 12, column: 3, scope: !5, inlinedAt: !4)
!4 = distinct !{!4, !"loop !9", i32 5}
`))
	if n := m.Meta(0); !strings.HasPrefix(n.Text, "distinct ") || n.Kind != "DICompileUnit" || n.Ref("file") != 1 || n.Str("flags") != "-g, (x)" || n.Field("isOptimized") != "true" {
		t.Errorf("unit %+v", n)
	}
	if n := m.Meta(1); n.Str("filename") != `a, "b".c` || n.Str("directory") != "/d" {
		t.Errorf("file %+v", n)
	}
	if n := m.Meta(2); n.Int("line") != 12 || n.Int("column") != 3 || n.Ref("scope") != 5 || n.Ref("inlinedAt") != 4 || n.Int("none") != 0 || n.Ref("none") != -1 {
		t.Errorf("location %+v", n)
	}
	if n := m.Meta(4); n.Kind != "" || !slices.Equal(n.Refs(), []int{4}) {
		t.Errorf("tuple %+v refers to %v", n, n.Refs())
	}
	if m.Meta(3) != nil || m.Meta(3).Str("x") != "" || m.NextMetaID() != 5 || !slices.Equal(m.NamedMeta("named"), []int{0, 2}) {
		t.Error("numbers of nodes")
	}
}

// RehomeScopes copies what belongs to the subprogram, through inlined
// locations and loop nodes, and leaves types, files and other subprograms.
func TestRehomeScopesToACopy(t *testing.T) {
	m := parse(t, []byte(`!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, globals: !20)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0, retainedNodes: !3)
!3 = !{!4}
!4 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 2, type: !6)
!5 = distinct !DILexicalBlock(scope: !2, file: !1, line: 2)
!6 = !DICompositeType(tag: DW_TAG_structure_type, name: "local", scope: !2, file: !1)
!7 = !DILocation(line: 3, scope: !5)
!8 = distinct !DISubprogram(name: "inlined", scope: !1, file: !1, line: 9, unit: !0)
!9 = !DILocation(line: 10, scope: !8, inlinedAt: !10)
!10 = distinct !DILocation(line: 4, scope: !5)
!11 = distinct !{!11, !7, !7, !12}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !DILocation(line: 11, scope: !8)
!20 = !{!21}
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "static", scope: !2, file: !1)
`))
	ids := m.RehomeScopes(2, -1, []int{7, 9, 11, 13, 4})
	var cloned []int
	for _, id := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20, 21, 22} {
		if _, ok := ids[id]; ok {
			cloned = append(cloned, id)
		}
	}
	if want := []int{2, 3, 4, 5, 7, 9, 10, 11}; !slices.Equal(cloned, want) {
		t.Errorf("cloned %v, want %v", cloned, want)
	}
	if n := m.Meta(ids[9]); n.Ref("scope") != 8 || n.Ref("inlinedAt") != ids[10] || m.Meta(ids[10]).Ref("scope") != ids[5] || m.Meta(ids[5]).Ref("scope") != ids[2] {
		t.Errorf("inlined location became %s", n.Text)
	}
	if n := m.Meta(ids[11]); !slices.Equal(n.Refs(), []int{ids[11], ids[7], ids[7], 12}) || !strings.HasPrefix(n.Text, "distinct ") {
		t.Errorf("loop became %s", n.Text)
	}
	moved := m.RehomeScopes(2, 8, []int{7, 13})
	if moved[2] != 8 || m.Meta(moved[7]).Ref("scope") != moved[5] || m.Meta(moved[5]).Ref("scope") != 8 {
		t.Errorf("moved %v", moved)
	}
	if _, ok := moved[13]; ok {
		t.Error("a location of another subprogram was copied")
	}
}

// Edits of a phi's block on a diamond whose switch has two edges to the same
// block:
//
//	entry --0,1--> join
//	      --2----> side --> join
func TestDuplicateEdges(t *testing.T) {
	m := parse(t, []byte(`define i32 @f(i32 %n) {
entry:
  switch i32 %n, label %side [
    i32 0, label %join
    i32 1, label %join
  ]

side:                                             ; preds = %entry
  br label %join

join:                                             ; preds = %side, %entry, %entry
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %side ]
  ret i32 %r
}
`))
	f := m.Func("f")
	entry, join := f.Block("entry"), f.Block("join")
	if got := len(join.Preds()); got != 3 {
		t.Errorf("%d edges into join", got)
	}
	nb, err := f.InsertOnEdge(entry, 1, "call void @hit(i32 1)")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := entry.Succs(), []string{"side", nb.Name(), "join"}; !slices.Equal(got, want) {
		t.Errorf("entry goes to %v, want %v", got, want)
	}
	want := []asm.Incoming{{Value: "1", Block: nb.Name()}, {Value: "1", Block: "entry"}, {Value: "2", Block: "side"}}
	if got := join.Instrs[0].Phi(); !slices.Equal(got, want) {
		t.Errorf("phi %v, want %v", got, want)
	}
	if at, err := f.InsertOnEdge(entry, 0, "call void @hit(i32 2)"); err != nil || at.Name() != "side" {
		t.Errorf("edge to a block with one predecessor: %v %v", at, err)
	}
	if at, err := f.InsertOnEdge(f.Block("side"), 0, "call void @hit(i32 3)"); err != nil || at.Name() != "side" {
		t.Errorf("edge from a block with one successor: %v %v", at, err)
	}
	if strings.Contains(f.Text(), "; preds") {
		t.Error("the list of predecessors is still there, and wrong")
	}
}

func TestFreshName(t *testing.T) {
	m := parse(t, []byte("define void @f(i32 %x, i32 %y.1) {\nentry:\n  %y = add i32 %x, 1\n  ret void\n}\n"))
	f := m.Func("f")
	for _, c := range [][2]string{{"x", "x.1"}, {"x", "x.2"}, {"y", "y.2"}, {"entry", "entry.1"}, {"free", "free"}, {"free", "free.1"}} {
		if got := f.FreshName(c[0]); got != c[1] {
			t.Errorf("FreshName(%s) = %s, want %s", c[0], got, c[1])
		}
	}
	if m.FreshName("f") != "f.1" || m.FreshName("g") != "g" {
		t.Error("fresh names of globals")
	}
}

// A computed goto through a constant table is cloned with its table; a table
// that may be written elsewhere is refused.
func TestCloneComputedLabels(t *testing.T) {
	m := load(t, "typed.ll")
	if _, err := m.CloneFunc(m.Func("computed"), "copy"); err == nil || !strings.Contains(err.Error(), "computed labels") {
		t.Errorf("a function that jumps to computed labels: %v", err)
	}
}
