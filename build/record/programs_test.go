package record

// This file profiles every test program and holds its output, its exit status and
// its counts against what a plain build and LLVM's own profiler give.

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

const testdata = "../../testdata"

// profiled is a test program that was built and run once.
type profiled struct {
	recorder *Recorder
	built    *Built
	bundle   *profile.Bundle
	status   Status
	stdout   string
}

// optionsOf says how to build a program of the manifest.
func optionsOf(p *programs.Program, level string) Options {
	return Options{Sources: p.Paths(testdata), Level: level}
}

// streamsOf opens a run's input. The streams' Stdout is out.
func streamsOf(t testing.TB, run programs.Run, out *bytes.Buffer) Streams {
	t.Helper()
	s := Streams{Stdout: out, Stderr: new(bytes.Buffer)}
	if run.Stdin != "" {
		f, err := os.Open(filepath.Join(testdata, run.Stdin))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		s.Stdin = f
	}
	return s
}

// profileProgram builds and runs a program of the manifest.
func profileProgram(t testing.TB, tc *toolchain.Toolchain, p *programs.Program, run programs.Run, opt Options) *profiled {
	t.Helper()
	ctx := t.Context()
	r := &Recorder{Toolchain: tc, Dir: t.TempDir()}
	built, err := r.Build(ctx, opt)
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	var out bytes.Buffer
	bundle, status, err := r.Run(ctx, built, run.Args, streamsOf(t, run, &out))
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return &profiled{recorder: r, built: built, bundle: bundle, status: status, stdout: out.String()}
}

// checkBehaviour compares output and status with the manifest's.
func (p *profiled) checkBehaviour(t *testing.T, run programs.Run) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(testdata, run.Expect.Stdout))
	if err != nil {
		t.Fatal(err)
	}
	if p.stdout != string(want) {
		t.Errorf("output differs from that of a plain build\n--- got\n%s--- want\n%s", clip(p.stdout), clip(string(want)))
	}
	status := p.status.Exit
	if p.status.Signal != 0 {
		status = 128 + int(p.status.Signal)
	}
	if status != run.Expect.Exit {
		t.Errorf("it %s, want status %d", p.status, run.Expect.Exit)
	}
}

func clip(s string) string {
	if len(s) > 800 {
		return s[:800] + "...\n"
	}
	return s
}

// combination is one LLVM and one level, with the share of the programs tested: every
// nth, starting with program first.
type combination struct {
	llvm       int
	level      string
	nth, first int
	counts     bool // hold the counts against LLVM's
}

// combinations spreads programs, versions and levels so that each program meets -O2 or, the
// next one, -O0, each LLVM and each level meets several, and the tests stay short.
// PATHSPAN_TEST_ALL=1 runs everything.
func combinations() []combination {
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		var all []combination
		for _, v := range []int{14, 16, 19, 22} {
			for _, l := range []string{"0", "1", "2", "3", "s"} {
				all = append(all, combination{llvm: v, level: l, nth: 1, counts: true})
			}
		}
		return all
	}
	return []combination{
		{llvm: 14, level: "2", nth: 2, first: 0, counts: true},
		{llvm: 19, level: "0", nth: 2, first: 1, counts: true},
		{llvm: 22, level: "0", nth: 8, first: 2, counts: true},
		{llvm: 14, level: "0", nth: 16, first: 3, counts: true},
		{llvm: 19, level: "2", nth: 12, first: 1, counts: true},
		{llvm: 16, level: "1", nth: 12, first: 3},
		{llvm: 16, level: "3", nth: 12, first: 4, counts: true},
		{llvm: 22, level: "s", nth: 12, first: 6, counts: true},
		{llvm: 22, level: "2", nth: 8, first: 5, counts: true},
		{llvm: 14, level: "3", nth: 16, first: 11},
		{llvm: 19, level: "1", nth: 16, first: 12},
	}
}

// installed returns the LLVM of that major version, or skips.
func installed(t testing.TB, version int) *toolchain.Toolchain {
	t.Helper()
	for _, tc := range toolchain.All() {
		if tc.Version == version {
			return tc
		}
	}
	t.Skipf("LLVM %d is not installed", version)
	return nil
}

// anyLLVM returns the newest LLVM installed, or skips.
func anyLLVM(t testing.TB) *toolchain.Toolchain {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	return tc
}

func TestPrograms(t *testing.T) {
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range combinations() {
		t.Run(fmt.Sprintf("LLVM%d-O%s", c.llvm, c.level), func(t *testing.T) {
			tc := installed(t, c.llvm)
			runtime := tc.ProfileRuntime(context.Background())
			for i, p := range list {
				if i%c.nth != c.first%c.nth {
					continue
				}
				t.Run(p.Name, func(t *testing.T) {
					if p.Language == "c++" && tc.ClangXX == "" {
						t.Skipf("clang++ %d is not installed", tc.Version)
					}
					t.Parallel()
					run := p.Small()
					got := profileProgram(t, tc, p, run, optionsOf(p, c.level))
					got.checkBehaviour(t, run)
					got.checkFlow(t)
					if k := got.bundle.Incomplete(); k != nil {
						t.Errorf("executions that are kept and those that have paths differ: %+v", k)
					}
					if p.Language == "c" && got.status.Signal == 0 {
						checkCalls(t, got.built, got.bundle)
					}
					if !c.counts {
						return
					}
					if runtime == "" || tc.Profdata == "" {
						t.Skipf("counts not held against LLVM's: its profile runtime is not installed (libclang-rt-%d-dev)", tc.Version)
					}
					if c.level == "0" {
						got.compareWithCoverage(t, p, run)
					}
					if reason := llvmBlind[p.Name]; strings.HasPrefix(reason, "all: ") {
						t.Logf("counts not held against LLVM's: %s", reason[5:])
						return
					}
					got.compareWithLLVM(t, p, run)
				})
			}
		})
	}
}

// TestListsNameProgramsOfTheManifest catches entries of the lists of exceptions that went stale.
func TestListsNameProgramsOfTheManifest(t *testing.T) {
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(llvmBlind)), slices.Collect(maps.Keys(coverageBlind))) {
		if !slices.ContainsFunc(list, func(p *programs.Program) bool { return p.Name == name }) {
			t.Errorf("a list of exceptions names %s, which is no test program", name)
		}
	}
}
