package main

// This file tests the commands on programs of other machines: what estimate says of them to
// what replay plays, with bundles that the programs wrote themselves and bundles of profile.

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// emulated returns the toolchain for a target, or skips.
func emulated(t *testing.T, triple string) *toolchain.Toolchain {
	t.Helper()
	tc, err := toolchain.Find("")
	if err == nil {
		tc, err = tc.For([]string{"--target=" + triple})
	}
	if err == nil {
		err = tc.Ready(true, true)
	}
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	return tc
}

// parallelCycles asks a command for those of each number of processors.
func parallelCycles(t *testing.T, args ...string) map[int]float64 {
	t.Helper()
	said := succeed(t, append(args, "-p", "2,3", "--json")...)
	var out struct {
		Estimates []struct {
			Processors int
			Cycles     float64 `json:"parallel_cycles"`
		}
	}
	if err := json.Unmarshal([]byte(said), &out); err != nil || len(out.Estimates) != 2 {
		t.Fatalf("%q: %v, %s", args, err, said)
	}
	cycles := map[int]float64{}
	for _, e := range out.Estimates {
		cycles[e.Processors] = e.Cycles
	}
	return cycles
}

func estimatesAreReplayed(t *testing.T, bundle string) {
	t.Helper()
	got, want := parallelCycles(t, "estimate", "--technique", "eb", bundle), parallelCycles(t, "replay", "-q", bundle)
	for n, cycles := range want {
		if math.Abs(got[n]/cycles-1) > 0.001 {
			t.Errorf("%d processors: estimated %.0f cycles, replayed %.0f", n, got[n], cycles)
		}
	}
}

// TestDropInElsewhere has a program built as a project builds it, whose bundle is that of
// profile, and held to replay.
func TestDropInElsewhere(t *testing.T) {
	for triple, spelled := range map[string][]string{
		"aarch64-linux-gnu":   {"--target=aarch64-unknown-linux-gnu"},
		"riscv64-linux-gnu":   {"-target", "riscv64-linux-gnu"},
		"arm-linux-gnueabihf": {"--target=arm-linux-gnueabihf", "-mcpu=cortex-a9"},
	} {
		t.Run(triple, func(t *testing.T) {
			tc := emulated(t, triple)
			dir := t.TempDir()
			t.Setenv("PATHSPAN_FILE", filepath.Join(dir, "own.pspan"))
			source, object, exe := filepath.Join("..", "..", "testdata", "susan", "susan.c"), filepath.Join(dir, "susan.o"), filepath.Join(dir, "susan")
			if tc.Version < 17 {
				spelled = []string{"--target=" + triple} // clang finds no linker by another name
			}
			succeed(t, append(append([]string{"cc"}, spelled...), "-O2", "-c", source, "-o", object)...)
			succeed(t, append(append([]string{"cc"}, spelled...), object, "-o", exe)...)
			cmd := tc.Command(t.Context(), exe, "./susan", []string{"4"})
			printed, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			bundle := filepath.Join(dir, "profiled.pspan")
			said := succeed(t, append([]string{"profile", "-q", "-o", bundle, "--target=" + triple, source}, "--", "4")...)
			if said != string(printed) {
				t.Errorf("it prints %q, built in a project %q", said, printed)
			}
			estimatesAreReplayed(t, filepath.Join(dir, "own.pspan"))
			memoryElsewhere(t, tc, triple, spelled)
			shown := succeed(t, "inspect", bundle)
			if arch, _, _ := strings.Cut(triple, "-"); !regexp.MustCompile(`(?m)^made for   ` + arch + `.*-linux-gnu`).MatchString(shown) {
				t.Errorf("inspect shows\n%s", shown)
			}
			if shown := succeed(t, "estimate", bundle); !strings.Contains(shown, "note: the program is one of "+triple) {
				t.Errorf("estimate shows\n%s", shown)
			}
			if line := fail(t, "measure", bundle); !strings.Contains(line, "is a program of "+triple) {
				t.Errorf("measure says %q", line)
			}
		})
	}
}

// memoryElsewhere has a program tell of memory that a project builds for another machine: what profile tells.
func memoryElsewhere(t *testing.T, tc *toolchain.Toolchain, triple string, spelled []string) {
	t.Helper()
	dir, source := t.TempDir(), filepath.Join("..", "..", "testdata", "parallel", "queens.c")
	exe, own, profiled := filepath.Join(dir, "queens"), filepath.Join(dir, "own.pspan"), filepath.Join(dir, "profiled.pspan")
	t.Setenv("PATHSPAN_FILE", own)
	t.Setenv("PATHSPAN_CC_FLAGS", "--memory")
	succeed(t, append(append([]string{"cc"}, spelled...), "-O2", source, "-o", exe)...)
	if out, err := tc.Command(t.Context(), exe, "./queens", []string{"5"}).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	succeed(t, "profile", "-q", "--memory", "-o", profiled, "--target="+triple, source, "--", "5")
	var said [2]string
	for i, file := range []string{own, profiled} {
		said[i] = succeed(t, "comm", file, "--graph", "--format", "csv")
	}
	if said[0] != said[1] || strings.Count(said[0], "\n") < 4 {
		t.Errorf("built in a project it tells\n%s\nprofiled\n%s", said[0], said[1])
	}
}

// TestEstimatesElsewhere holds loops and tasks of other machines to replay.
func TestEstimatesElsewhere(t *testing.T) {
	for _, c := range []struct {
		triple, source string
		arguments      []string
	}{
		{"arm-linux-gnueabihf", "mandelbrot.c", []string{"24", "2"}},
		{"riscv64-linux-gnu", "queens.c", []string{"6"}},
	} {
		t.Run(c.triple+"/"+c.source, func(t *testing.T) {
			emulated(t, c.triple)
			bundle := filepath.Join(t.TempDir(), "p.pspan")
			succeed(t, append([]string{"profile", "-q", "-o", bundle, "--target", c.triple, filepath.Join("../../testdata/parallel", c.source), "--"}, c.arguments...)...)
			estimatesAreReplayed(t, bundle)
		})
	}
}

// TestMissingToolsOfTargets says in one line what to install, before anything runs.
func TestMissingToolsOfTargets(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip(toolchain.ErrNoClang)
	}
	clang, err := toolchain.Find("")
	if err != nil {
		t.Fatal(err)
	}
	// A folder of programs in which there is neither linker nor emulator.
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(path, filepath.Join(bin, "sh")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	t.Setenv("PATHSPAN_CLANG", clang.Clang)
	for _, args := range [][]string{
		{"profile", "--target=riscv64-linux-gnu", "absent.c"},
		{"replay", "--target=riscv64-linux-gnu", "absent.c"},
		{"cc", "--target=riscv64-linux-gnu", "absent.c"},
	} {
		line := fail(t, args...)
		if !strings.Contains(line, "binutils-riscv64-linux-gnu") || !strings.Contains(line, "apt-get install") || strings.Contains(line, "qemu-user") != (args[0] != "cc") {
			t.Errorf("%q says %q", args, line)
		}
	}
}
