package main

// This file profiles the programs in testdata/figures, for tests that ask whether figures
// are right, and runs command lines in this process.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
)

// outcome is what a command line did.
type outcome struct {
	stdout, stderr string
	status         int
}

// pathspan runs a command line with some standard input.
func pathspan(stdin string, args ...string) outcome {
	var out, errs bytes.Buffer
	status := run(args, strings.NewReader(stdin), &out, &errs)
	return outcome{out.String(), errs.String(), status}
}

// succeed runs a command line that must end with status 0, and returns its output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	o := pathspan("", args...)
	if o.status != 0 {
		t.Fatalf("%q: status %d: %s", args, o.status, o.stderr)
	}
	return o.stdout
}

// fail runs a command line that must fail with one line on standard error and nothing on
// standard output, and returns the line.
func fail(t *testing.T, args ...string) string {
	t.Helper()
	o := pathspan("", args...)
	if problem := o.refusal(); problem != "" {
		t.Fatalf("%q: %s", args, problem)
	}
	return strings.TrimSuffix(o.stderr, "\n")
}

// refusal says what is wrong with the way in which a command failed, "" when nothing is.
func (o outcome) refusal() string {
	switch {
	case o.status == 0:
		return "it did not fail"
	case strings.Contains(o.stderr, "internal error") || o.status == statusInternal:
		return "internal error: " + o.stderr
	case o.stdout != "":
		return "it failed after some output: " + o.stdout
	case strings.Count(o.stderr, "\n") != 1 || !strings.HasPrefix(o.stderr, "pathspan: "):
		return "want one line that pathspan says, got: " + o.stderr
	}
	return ""
}

// profiled is a bundle in a folder of the test, and how it was made.
type profiled struct {
	name      string
	source    string // in testdata/figures
	plan      string // there too; "" for none
	arguments []string
	flags     []string // of profile
	merged    []string // names of other bundles: their sum, not a run
}

// file is where the bundle is.
func (p *profiled) file(dir string) string { return filepath.Join(dir, p.name+".pspan") }

// path is where the source is.
func (p *profiled) path() string { return filepath.Join("testdata", "figures", p.source) }

// command is the part of a command line that names what is built, and its arguments.
func (p *profiled) command() []string {
	var args []string
	if p.plan != "" {
		args = []string{"--plan", filepath.Join("testdata", "figures", p.plan)}
	}
	return append(append(args, p.path(), "--"), p.arguments...)
}

// profiledPrograms holds what figures depend on: executions of sections or none, or a part
// of them; regions within regions, recursion, threads; runs that were lost; several runs.
var profiledPrograms = []profiled{
	{name: "sizes", source: "sizes.c", arguments: []string{"20"}},
	{name: "nested", source: "nested.c", flags: []string{"--memory"}},
	{name: "loops", source: "loops.c"},
	{name: "tasks", source: "tasks.c", flags: []string{"--memory"}},
	{name: "taskloops", source: "taskloops.c"},
	{name: "recursion", source: "recursion.c"},
	{name: "planned", source: "planned.c", plan: "planned.yaml"},
	{name: "stages", source: "stages.c", plan: "stages.yaml", flags: []string{"--flow", "--memory"}},
	{name: "threads", source: "threads.c"},
	{name: "killed", source: "killed.c"},
	{name: "never", source: "never.cc"},
	{name: "handler", source: "handler.c"},
	{name: "plain", source: "plain.c"},
	{name: "memory", source: "loops.c", flags: []string{"--memory"}},
	{name: "paths-only", source: "sizes.c", arguments: []string{"50"}, flags: []string{"--paths-only"}},
	{name: "more", source: "sizes.c", arguments: []string{"50"}},
	{name: "merged", source: "sizes.c", merged: []string{"sizes", "more"}},
	{name: "mixed", source: "sizes.c", merged: []string{"sizes", "paths-only"}},
}

// profileAll makes the bundles in a folder of the test, which it returns. It skips the test
// where there is no compiler.
func profileAll(t *testing.T) string {
	t.Helper()
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed: nothing to profile with")
	}
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cacheHome(t))
	t.Setenv("PATHSPAN_CLANG", "")
	t.Setenv("PATHSPAN_PLUGINS", "")
	t.Setenv("PATHSPAN_CACHE", "")
	var wait sync.WaitGroup
	places := make(chan bool, 2) // as many at a time
	failed := make([]error, len(profiledPrograms))
	for i := range profiledPrograms {
		if p := &profiledPrograms[i]; p.merged == nil {
			wait.Go(func() {
				places <- true
				failed[i] = p.make(dir)
				<-places
			})
		}
	}
	wait.Wait()
	for i := range profiledPrograms {
		if p := &profiledPrograms[i]; p.merged != nil && failed[i] == nil {
			failed[i] = p.make(dir)
		}
	}
	for _, err := range failed {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// cacheHome is an empty folder for caches, but for what tools of LLVM made, which the user's has and
// which takes seconds to make.
func cacheHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "pathspan"), 0o755); err != nil {
		t.Fatal(err)
	}
	user, err := record.CacheFolder()
	if err != nil {
		return home
	}
	for _, name := range []string{"runtime", "steps"} {
		if folder := filepath.Join(user, name); os.MkdirAll(folder, 0o755) == nil {
			if err := os.Symlink(folder, filepath.Join(home, "pathspan", name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return home
}

// make makes the bundle. The status of profile may be the program's, which is no failure.
func (p *profiled) make(dir string) error {
	args := append([]string{"profile", "-q", "-o", p.file(dir)}, p.flags...)
	args = append(args, p.command()...)
	if p.merged != nil {
		args = []string{"merge", "-q", "-o", p.file(dir)}
		for _, m := range p.merged {
			args = append(args, filepath.Join(dir, m+".pspan"))
		}
	}
	o := pathspan("", args...)
	if _, err := os.Stat(p.file(dir)); err != nil {
		return fmt.Errorf("%q: status %d: %s", args, o.status, o.stderr)
	}
	return nil
}
