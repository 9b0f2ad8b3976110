package record

// This file holds how often functions were entered against clang's own counters, which
// the front end places (-fprofile-instr-generate -fcoverage-mapping). They count on
// entry, so they know the activations that longjmp, exceptions and the program's end
// leave, and lie in a mapped file, so that a signal cannot lose them.

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/testdata/programs"
)

// coverageBlind lists programs whose entries clang counts otherwise: all of them, with
// the reason, or some functions'.
var coverageBlind = map[string]string{
	"features/fork_child":  "all: clang's mapped file adds the child's counts to its parent's",
	"openmp/class_clauses": "all: clang without OpenMP copies no objects",
	// Clang counts no constructor that is one try block.
	"features/exceptions_nested": "functions: _ZN12_GLOBAL__N_16MemberC2Ei",
	// A signal ends the program in a function that calls nothing, and so keeps no record.
	"features/null_dereference": "functions: sum_values",
}

// compareWithCoverage does so for a program that was built with -O0, where every function
// is still there.
func (p *profiled) compareWithCoverage(t *testing.T, prog *programs.Program, run programs.Run) {
	t.Helper()
	if reason, all := strings.CutPrefix(coverageBlind[prog.Name], "all: "); all {
		t.Logf("entries not held against clang's: %s", reason)
		return
	}
	blind := strings.Fields(strings.TrimPrefix(coverageBlind[prog.Name], "functions: "))
	want := p.coverageEntries(t, prog, run)
	compared := 0
	for fn, f := range p.bundle.Program.Funcs {
		entries, known := want[f.Name]
		if !known || blindTo(blind, f.Name) {
			continue // made by clang, or of OpenMP
		}
		compared++
		var ours uint64
		if prof := p.bundle.Funcs[fn]; prof != nil {
			ours = prof.Invocations()
		}
		if ours != entries {
			t.Errorf("%s: entered %d times, clang's coverage says %d", f.Name, ours, entries)
		}
	}
	if compared == 0 {
		t.Error("no function was compared")
	}
}

var entryLine = regexp.MustCompile(`(?m)^  (\S.*):\n    Hash: .*\n    Counters: .*\n    Function count: (\d+)$`)

// coverageEntries builds the program with clang's coverage, runs it and returns how often
// each function was entered, by its linker name.
func (p *profiled) coverageEntries(t *testing.T, prog *programs.Program, run programs.Run) map[string]uint64 {
	t.Helper()
	tc, dir := p.recorder.Toolchain, t.TempDir()
	driver := tc.Clang
	if prog.Language == "c++" {
		driver = tc.ClangXX
	}
	args := []string{"-w", "-O0", "-fprofile-instr-generate", "-fcoverage-mapping", "-fprofile-update=atomic",
		"-mllvm", "-runtime-counter-relocation", "-o", filepath.Join(dir, "covered")}
	args = append(append(args, prog.Paths(testdata)...), "-lm", "-lpthread")
	ctx := context.Background()
	if _, err := tc.Run(ctx, toolchain.Cmd{Path: driver, Args: args}); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(dir, "covered"), run.Args...)
	var out bytes.Buffer
	s := streamsOf(t, run, &out)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Stdin, s.Stdout, s.Stderr
	cmd.Env = append(os.Environ(), "LLVM_PROFILE_FILE="+filepath.Join(dir, "counts%c.profraw"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if out.String() != p.stdout && !prog.Has("openmp-only") {
		t.Errorf("the output under clang's coverage differs")
	}
	text, err := exec.Command(tc.Profdata, "show", "--all-functions", filepath.Join(dir, "counts.profraw")).Output()
	if err != nil {
		t.Fatal(err)
	}
	entries, seen := map[string]uint64{}, map[string]int{}
	for _, m := range entryLine.FindAllStringSubmatch(string(text), -1) {
		name := m[1]
		if i := strings.LastIndexAny(name, ";:"); i >= 0 && !strings.HasPrefix(name, "_Z") {
			name = name[i+1:]
		}
		n, err := strconv.ParseUint(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seen[name]++
		entries[name] = n
	}
	for name, n := range seen {
		if n > 1 {
			delete(entries, name) // static functions of several files
		}
	}
	return entries
}
