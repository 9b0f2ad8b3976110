package openmp

// This file holds what is said of lines that all threads execute to small regions as clang writes them.

import (
	"fmt"
	"slices"
	"testing"

	"pathspan/ir/asm"
)

// region is a module with one parallel region. Its lines are those of the body, from 1 on.
func everywhereOf(t *testing.T, body ...string) []string {
	t.Helper()
	text, meta := "", ""
	for i, line := range body {
		text += line
		if line[len(line)-1] != ':' {
			text += fmt.Sprintf(", !dbg !%d", 100+i)
			meta += fmt.Sprintf("!%d = !DILocation(line: %d, scope: !4)\n", 100+i, i+1)
		}
		text += "\n"
	}
	m, err := asm.Parse([]byte("@x = global i32 0\n@y = global i32 0\n@a = global [9 x i32] zeroinitializer\n@l = global i32 0\n" +
		"define i32 @main() {\nentry:\n  call void (ptr, i32, ptr, ...) @__kmpc_fork_call(ptr @l, i32 0, ptr @body)\n  ret i32 0\n}\n" +
		"define internal void @body(ptr %n, ptr %b) !dbg !4 {\nentry:\n" + text + "}\n" +
		"declare void @__kmpc_fork_call(ptr, i32, ptr, ...)\ndeclare i32 @__kmpc_master(ptr, i32)\ndeclare void @__kmpc_end_master(ptr, i32)\ndeclare void @__kmpc_barrier(ptr, i32)\ndeclare i32 @omp_get_thread_num()\n" +
		"!llvm.dbg.cu = !{!0}\n!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)\n!1 = !DIFile(filename: \"a.c\", directory: \"/\")\n!4 = distinct !DISubprogram(name: \"body\", file: !1, line: 1, unit: !0)\n" + meta))
	if err != nil {
		t.Fatal(err)
	}
	if err := MarkEverywhere(m, true); err != nil {
		t.Fatal(err)
	}
	return m.NamedStrings(asm.Everywhere)
}

func TestEverywhere(t *testing.T) {
	master := []string{"  %m = call i32 @__kmpc_master(ptr @l, i32 0)", "  %is = icmp ne i32 %m, 0", "  br i1 %is, label %then, label %on", "then:",
		"  store i32 1, ptr @x", "  call void @__kmpc_end_master(ptr @l, i32 0)", "  br label %on", "on:"}
	for name, c := range map[string]struct {
		body, want []string
	}{
		"all write it":      {[]string{"  store i32 1, ptr @x", "  ret void"}, []string{"write 1 a.c"}},
		"own variable":      {[]string{"  %v = alloca i32", "  store i32 1, ptr %v", "  ret void"}, nil},
		"by number":         {[]string{"  %t = call i32 @omp_get_thread_num()", "  %is = icmp eq i32 %t, 0", "  br i1 %is, label %then, label %on", "then:", "  store i32 1, ptr @x", "  br label %on", "on:", "  ret void"}, nil},
		"number says where": {[]string{"  %t = call i32 @omp_get_thread_num()", "  %at = getelementptr [9 x i32], ptr @a, i32 0, i32 %t", "  store i32 1, ptr %at", "  ret void"}, nil},
		"number through a variable": {[]string{"  %v = alloca i32", "  %t = call i32 @omp_get_thread_num()", "  store i32 %t, ptr %v", "  %w = load i32, ptr %v", "  %is = icmp eq i32 %w, 0",
			"  br i1 %is, label %then, label %on", "then:", "  store i32 1, ptr @x", "  br label %on", "on:", "  ret void"}, nil},
		"master, then all":          {append(slices.Clone(master), "  %v = load i32, ptr @x", "  ret void"), []string{"flow 5 a.c\n9 a.c"}},
		"master, barrier, then all": {append(slices.Clone(master), "  call void @__kmpc_barrier(ptr @l, i32 0)", "  %v = load i32, ptr @x", "  ret void"), nil},
	} {
		want := append(slices.Clone(c.want), "body body")
		if got := everywhereOf(t, c.body...); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
