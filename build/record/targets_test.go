package record

// This file holds programs of other machines, which run under an emulator, to plain builds
// for those machines, and how often their blocks run to what LLVM's coverage counts there
// (opt -passes=sancov-module), which calls a function at the begin of each.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/plan"
	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir/asm"
	"pathspan/testdata/programs"
)

// otherMachines are the targets, each with the LLVM that tests build for it by; 0 is the newest.
var otherMachines = []struct {
	triple string
	llvm   int
	level  string
	flags  []string
	first  int // so many of the programs, unless PATHSPAN_TEST_ALL=1 runs them all
}{
	{"aarch64-linux-gnu", 0, "2", nil, 10},
	{"aarch64-linux-gnu", 14, "0", []string{"-mcpu=cortex-a53"}, 2},
	{"riscv64-linux-gnu", 19, "2", nil, 5},
	{"arm-linux-gnueabihf", 0, "2", nil, 6},
	{"arm-linux-gnueabihf", 16, "0", []string{"-mthumb", "-mcpu=cortex-a7"}, 2},
}

// programsElsewhere is a program of each kind: exceptions, jumps, locks in sections, a plan
// with loops, tasks; variable arguments, a signal, C++ objects, processes, threads.
var programsElsewhere = []string{
	"features/exceptions_nested", "features/setjmp_loop", "openmp/locks", "parallel/mandelbrot", "parallel/queens",
	"features/variadic", "features/raise_sigterm", "openmp/objects", "features/fork_child", "features/own_threads", "susan", "parallel/reductions",
}

// elsewhere returns the toolchain for a target, or skips.
func elsewhere(t *testing.T, triple string, llvm int, flags ...string) *toolchain.Toolchain {
	t.Helper()
	tc := anyLLVM(t)
	if llvm != 0 {
		tc = installed(t, llvm)
	}
	tc, err := tc.For(append([]string{"--target=" + triple}, flags...))
	if err == nil {
		err = tc.Ready(true, true)
	}
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	return tc
}

func TestTargets(t *testing.T) {
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	loops, err := programs.Load(filepath.Join(testdata, "parallel"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loops {
		p.Name = "parallel/" + p.Name
		for i := range p.Sources {
			p.Sources[i] = "parallel/" + p.Sources[i]
		}
		list = append(list, p)
	}
	all := os.Getenv("PATHSPAN_TEST_ALL") != ""
	for _, target := range otherMachines {
		t.Run(fmt.Sprintf("%s-LLVM%d-O%s", target.triple, target.llvm, target.level), func(t *testing.T) {
			tc := elsewhere(t, target.triple, target.llvm, target.flags...)
			for i, name := range programsElsewhere {
				if i >= target.first && !all {
					break
				}
				at := slices.IndexFunc(list, func(p *programs.Program) bool { return p.Name == name })
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					testElsewhere(t, tc, list[at], target.level, target.flags)
				})
			}
		})
	}
}

func testElsewhere(t *testing.T, tc *toolchain.Toolchain, p *programs.Program, level string, flags []string) {
	opt, run := optionsOf(p, level), p.Small()
	opt.CFlags = flags
	opt.Memory = !p.Has("threads")
	if p.Name == "parallel/mandelbrot" {
		opt.Sources, opt.Plan = planned(t, opt.Sources[0])
	}
	ours := profileProgram(t, tc, p, run, opt)
	if name, same := tc.Makes(ours.bundle.Program.Triple); !same {
		t.Errorf("the bundle is of %s", name)
	}
	plain, status := plainElsewhere(t, tc, p, level, run)
	if ours.stdout != plain || ours.status != status {
		t.Errorf("it %s, a plain build %s\n--- got\n%s--- want\n%s", ours.status, status, clip(ours.stdout), clip(plain))
	}
	ours.checkFlow(t)
	if k := ours.bundle.Incomplete(); k != nil {
		t.Errorf("executions that are kept and those that have paths differ: %+v", k)
	}
	if opt.Memory && ours.status.Signal == 0 {
		ours.checkMemory(t)
	}
	if p.Name == "features/fork_child" || p.Name == "features/own_threads" {
		return // which count in two processes, or differently each time
	}
	ours.compareWithGuards(t, run, strings.Fields(throughPads[p.Name]))
}

// throughPads lists functions whose landing pads see exceptions in ours that they do not
// catch (build/probe/unwind.go), and which go by otherwise.
var throughPads = map[string]string{"features/exceptions_nested": "_ZN12_GLOBAL__N_16MemberC2Ei"}

// planned takes the pragmas out of a source, and gives the plan that stands for them.
func planned(t *testing.T, source string) ([]string, *plan.Plan) {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	file := strings.TrimSuffix(source, ".c") + ".plan.yaml"
	pragmas, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Parse(filepath.Base(file), pragmas)
	if err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), filepath.Base(source))
	if err := os.WriteFile(bare, regexp.MustCompile(`(?m)^.*#pragma omp.*$`).ReplaceAll(text, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{bare}, p
}

// plainElsewhere runs what clang makes of the program alone, without OpenMP.
func plainElsewhere(t *testing.T, tc *toolchain.Toolchain, p *programs.Program, level string, run programs.Run) (string, Status) {
	t.Helper()
	driver, exe := tc.Clang, filepath.Join(t.TempDir(), "plain")
	if p.Language == "c++" {
		driver = tc.ClangXX
	}
	args := append(append([]string{"-w", "-O" + level, "-o", exe}, p.Paths(testdata)...), "-lm", "-lpthread")
	if _, err := tc.Run(t.Context(), toolchain.Cmd{Path: driver, Args: args}); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	status, err := (&Recorder{Toolchain: tc}).execute(t.Context(), exe, run.Args, streamsOf(t, run, &out), nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), status
}

// guardCounter counts guards in a file, however the program ends.
const guardCounter = `
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static uint64_t *counts;
void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {}
void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  if (!counts) {
    int fd = open(getenv("GUARDS"), O_RDWR);
    counts = mmap(0, lseek(fd, 0, SEEK_END), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (counts == MAP_FAILED) abort();
  }
  counts[*guard]++;
}
`

var (
	guardArray = regexp.MustCompile(`(?m)^(@__sancov_gen_[.\d]*) = (.*)\[(\d+) x i32\] zeroinitializer(.*)$`)
	guardNamed = regexp.MustCompile(`@__sancov_gen_[.\d]*`)
	lastNumber = regexp.MustCompile(`(?:i32|i64) (\d+)\)`)
)

// compareWithGuards counts the run with LLVM's coverage, and compares every block.
func (p *profiled) compareWithGuards(t *testing.T, run programs.Run, blind []string) {
	t.Helper()
	r, b, ctx := p.recorder, p.built, t.Context()
	m, err := asm.Parse(b.Module)
	if err != nil {
		t.Fatal(err)
	}
	if err := probe.StripMarks(m); err != nil {
		t.Fatal(err)
	}
	if err := r.write("10-bare.ll", m.Bytes()); err != nil {
		t.Fatal(err)
	}
	args := []string{"-S", "-passes=sancov-module", "-sanitizer-coverage-level=2", "-sanitizer-coverage-trace-pc-guard", "-sanitizer-coverage-prune-blocks=0",
		"10-bare.ll", "-o", "10-calls.ll"}
	if err := r.tool(ctx, r.Toolchain.Opt, args, "10-calls.ll", "10-bare.ll"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(r.path("10-calls.ll"))
	if err != nil {
		t.Fatal(err)
	}
	if m, err = asm.Parse(text); err != nil {
		t.Fatal(err)
	}
	// Each guard is given a number, by which the file has its count.
	first, count := map[string]int{}, 0
	text = guardArray.ReplaceAllFunc(text, func(line []byte) []byte {
		part := guardArray.FindSubmatch(line)
		n, _ := strconv.Atoi(string(part[3]))
		first[string(part[1])] = count
		var values []string
		for range n {
			values = append(values, fmt.Sprintf("i32 %d", count))
			count++
		}
		return fmt.Appendf(nil, "%s = %s[%d x i32] [%s]%s", part[1], part[2], n, strings.Join(values, ", "), part[4])
	})
	if err := r.write("10-guards.ll", text); err != nil {
		t.Fatal(err)
	}
	if err := r.write("10-counter.c", []byte(guardCounter)); err != nil {
		t.Fatal(err)
	}
	counter := []string{"-O1", "-c", "10-counter.c", "-o", "10-counter.o"}
	if err := r.tool(ctx, r.Toolchain.Clang, counter, "10-counter.o", "10-counter.c"); err != nil {
		t.Fatal(err)
	}
	covered := *b
	covered.objects = []string{r.path("10-counter.o")}
	exe := filepath.Join(t.TempDir(), "covered")
	if err := r.link(ctx, &covered, "10-guards.ll", exe); err != nil {
		t.Fatal(err)
	}
	if err := r.write("guards", make([]byte, 8*count)); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := r.execute(ctx, exe, run.Args, streamsOf(t, run, &out), []string{"GUARDS=" + r.path("guards")}); err != nil {
		t.Fatal(err)
	}
	if out.String() != p.stdout {
		t.Error("the output under LLVM's coverage differs")
	}
	counts, err := os.ReadFile(r.path("guards"))
	if err != nil {
		t.Fatal(err)
	}
	compared, ran := 0, 0
	for fn, f := range b.Program.Funcs {
		if blindTo(blind, f.Name) {
			continue
		}
		ours := make([]uint64, len(f.Blocks))
		if g := countsOf(p.bundle, fn); g != nil {
			ours = g.blocks
		}
		for k, block := range f.Blocks {
			at := m.Func(f.Name).Block(block.Name)
			if at == nil {
				t.Errorf("%s: LLVM has no block %s", f.Name, block.Name)
				continue
			}
			for _, in := range at.Instrs {
				c := in.Call()
				if c == nil || c.Callee != "__sanitizer_cov_trace_pc_guard" {
					continue
				}
				number := first[guardNamed.FindString(in.Text())]
				if offset := lastNumber.FindStringSubmatch(in.Text()); offset != nil {
					n, _ := strconv.Atoi(offset[1])
					if strings.Contains(in.Text(), "inttoptr") { // then it is in bytes
						n /= 4
					}
					number += n
				}
				want := binary.LittleEndian.Uint64(counts[8*number:])
				compared++
				if want > 0 {
					ran++
				}
				if ours[k] != want {
					t.Errorf("%s: block %s ran %d times, LLVM's coverage says %d", f.Name, block.Name, ours[k], want)
				}
			}
		}
	}
	if compared < len(b.Program.Funcs) || ran == 0 {
		t.Errorf("%d blocks were compared, %d of them ran", compared, ran)
	}
}
