package openmp_test

// This file takes programs through the whole pipeline, from source to an
// executable that checks its own markers.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"pathspan/build/openmp"
	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/ir/asm"
)

const runtimeDir = "../../build/runtime"

// markChecker is what programs of these tests link for the markers: it ends them
// with status 99 when markers do not nest, and counts them when asked to.
const markChecker = `
#include <stdio.h>
#include <stdlib.h>
static int stack[100000][4], depth, count;
__attribute__((destructor)) static void report(void)
{
	const char *f = getenv("MARKS");
	FILE *o = f ? fopen(f, "w") : 0;
	if (o) { fprintf(o, "%d\n", count); fclose(o); }
}
void __pathspan_mark(int kind, int region, int construct, int section)
{
	int here[4] = {kind, region, construct, section};
	count++;
	if (kind == 26) return; /* a taskwait */
	if (kind == 1 || kind == 3 || kind == 24 || kind == 27) { /* regions, sections, tasks, groups */
		if (depth == 100000) _Exit(98);
		if (kind == 3 && (depth == 0 || stack[depth - 1][0] != 1 || stack[depth - 1][1] != region)) _Exit(97);
		for (int i = 0; i < 4; i++) stack[depth][i] = here[i];
		depth++;
		return;
	}
	if (depth == 0) _Exit(99);
	depth--;
	if (stack[depth][0] != kind - 1) _Exit(99);
	for (int i = 1; i < 4; i++) if (stack[depth][i] != here[i]) _Exit(99);
}
`

// pipeline holds what programs of one LLVM version share.
type pipeline struct {
	tc  *toolchain.Toolchain
	dir string
	obj []string // runtime and marker checker, compiled
}

func newPipeline(t *testing.T, tc *toolchain.Toolchain) *pipeline {
	t.Helper()
	p := &pipeline{tc: tc, dir: t.TempDir()}
	checker := filepath.Join(p.dir, "marks.c")
	if err := os.WriteFile(checker, []byte(markChecker), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, src := range []string{checker, filepath.Join(runtimeDir, "openmp.c"), filepath.Join(runtimeDir, "tasks.c"), filepath.Join(runtimeDir, "serial.c")} {
		o := filepath.Join(p.dir, filepath.Base(src)+".o")
		p.tool(t, tc.Clang, "-O1", "-c", src, "-o", o)
		p.obj = append(p.obj, o)
	}
	return p
}

func (p *pipeline) tool(t *testing.T, path string, args ...string) {
	t.Helper()
	ctx := t.Context()
	if _, err := p.tc.Run(ctx, toolchain.Cmd{Path: path, Args: args}); err != nil {
		t.Fatalf("LLVM %d: %v\n%s", p.tc.Version, err, detail(err))
	}
}

func detail(err error) string {
	if e, ok := err.(*toolchain.Error); ok {
		return e.Stderr
	}
	return ""
}

// built is a program at the end of the pipeline.
type built struct {
	result  *openmp.Result
	lowered string // module after Lower
	module  *asm.Module
	view    *ir.Program
	exe     string
}

// build takes sources through all stages.
func (p *pipeline) build(t *testing.T, level string, link []string, sources ...string) *built {
	t.Helper()
	dir := t.TempDir()
	if d := os.Getenv("OPENMP_TEST_KEEP"); d != "" {
		dir = d
	}
	file := func(name string) string { return filepath.Join(dir, name) }
	ctx := context.Background()
	var parts []string
	driver := p.tc.Clang
	for i, s := range sources {
		out := file(fmt.Sprintf("part%d.ll", i))
		if toolchain.IsCXX(s) {
			driver = p.tc.ClangXX
		}
		std := "-std=gnu11"
		if toolchain.IsCXX(s) {
			std = "-std=gnu++17"
		}
		_, err := p.tc.Compile(ctx, toolchain.Compile{Source: s, Output: out, Level: level, OpenMP: true,
			IncludeAfter: filepath.Join(runtimeDir, "include"), Extra: []string{std, "-w"}})
		if err != nil {
			t.Fatalf("LLVM %d: %v\n%s", p.tc.Version, err, detail(err))
		}
		parts = append(parts, out)
	}
	linked := parts[0]
	if len(parts) > 1 {
		linked = file("linked.ll")
		p.tool(t, p.tc.Link, append([]string{"-S", "-o", linked}, parts...)...)
	}
	return p.finish(t, dir, level, linked, driver, link)
}

// finish takes a linked module through the rest of the pipeline.
func (p *pipeline) finish(t *testing.T, dir, level, linked, driver string, link []string) *built {
	t.Helper()
	b := &built{}
	file := func(name string) string { return filepath.Join(dir, name) }
	opt := func(passes, in, out string) {
		t.Helper()
		p.tool(t, p.tc.Opt, toolchain.OptArgs(passes, false, file(in), file(out))...)
	}
	m := parse(t, linked)
	m.NameValues()
	some, err := openmp.LayIn(m)
	if err != nil {
		t.Fatal(err)
	}
	if some {
		write(t, m, file("orphans.ll"))
		opt("verify,always-inline,globaldce,function(instnamer)", "orphans.ll", "laid-in.ll")
		m = parse(t, file("laid-in.ll"))
		if err := openmp.LaidIn(m); err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Funcs() {
			if f.HasAttr("pathspan-spared") {
				t.Fatalf("function @%s is still kept from being laid into others", f.Name())
			}
		}
	}
	if b.result, err = openmp.Lower(m); err != nil {
		t.Fatal(err)
	}
	b.lowered = string(m.Bytes())
	write(t, m, file("lowered.ll"))
	if level != "0" {
		opt("default<O"+level+">,instnamer", "lowered.ll", "optimised.ll")
	} else {
		opt("verify", "lowered.ll", "optimised.ll")
	}
	m = parse(t, file("optimised.ll"))
	if err := openmp.Delimit(m, b.result); err != nil {
		t.Fatal(err)
	}
	if err := probe.SplitReturnsTwice(m); err != nil {
		t.Fatal(err)
	}
	write(t, m, file("delimited.ll"))
	opt("verify,always-inline,globaldce,verify,function(instnamer),function(fix-irreducible,loop-simplify,break-crit-edges,instnamer),verify",
		"delimited.ll", "final.ll")
	b.module = parse(t, file("final.ll"))
	if err := openmp.SplitMarks(b.module); err != nil {
		t.Fatal(err)
	}
	write(t, b.module, file("split.ll"))
	if b.view, err = ir.Build(b.module); err != nil {
		t.Fatal(err)
	}
	b.exe = file("program")
	args := append([]string{"-w", file("split.ll")}, p.obj...)
	args = append(args, "-o", b.exe)
	for _, l := range link {
		args = append(args, "-l"+l)
	}
	p.tool(t, driver, args...)
	return b
}

func parse(t *testing.T, name string) *asm.Module {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := asm.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func write(t *testing.T, m *asm.Module, name string) {
	t.Helper()
	if err := os.WriteFile(name, m.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// run runs the program and returns its output and status.
func run(t *testing.T, exe string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), exe, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
