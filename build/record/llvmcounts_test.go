package record

// This file holds our counts against LLVM's: opt -passes=pgo-instr-gen counts on
// the same costed module, and opt -passes=pgo-instr-use writes its counts into it.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir/asm"
	"pathspan/testdata/programs"
)

// llvmBlind lists programs whose counts LLVM cannot know, with the reason. LLVM
// counts a part of the edges and derives the rest from flow conservation, which
// does not hold in functions that are left other than by returning. An entry
// that starts with "all: " leaves no profile of LLVM's; of the others, the
// functions named after the colon are not compared.
var llvmBlind = map[string]string{
	"features/abort_after_print":  "all: abort writes no profile",
	"features/exit_now":           "all: _exit writes no profile",
	"features/main_never_returns": "all: every function is under way when the program ends",
	"features/null_dereference":   "all: a signal writes no profile",
	"features/quick_exit":         "all: quick_exit writes no profile",
	"features/raise_sigterm":      "all: a signal writes no profile",
	"features/uncaught":           "all: terminate writes no profile",
	"features/exit_deep":          "all: every function is under way when the program ends",
	"features/threads":            "all: how often a thread waits differs from run to run",
	// A longjmp leaves activations behind, and returns into others again.
	"features/setjmp_once": "functions: evaluate sum factor",
	"features/setjmp_loop": "functions: main resume_in_frame",
	// Destructors that run after LLVM's runtime wrote its counts.
	"features/global_constructors": "functions: _ZN12_GLOBAL__N_16WorkerD2Ev _ZN12_GLOBAL__N_14spinEi",
	"features/atexit_handlers":     "functions: destroy spin",
	// Exceptions pass its landing pad, which catches others, and leave no trace there.
	"features/exceptions_nested": "functions: _ZN12_GLOBAL__N_16MemberC2Ei",
}

// branchWeights is what LLVM says of one module.
type branchWeights struct {
	entries map[string]uint64            // by function; absent without a count
	weights map[string]map[string]weight // by function and block
}

type weight struct {
	counts []uint64
	labels []string
}

// compareWithLLVM counts the run with LLVM's profiler and compares every function.
func (p *profiled) compareWithLLVM(t *testing.T, prog *programs.Program, run programs.Run) {
	t.Helper()
	text := p.llvmProfile(t, run)
	got, err := readWeights(text)
	if err != nil {
		t.Fatal(err)
	}
	blind := strings.Fields(strings.TrimPrefix(llvmBlind[prog.Name], "functions: "))
	compared := 0
	for fn, f := range p.bundle.Program.Funcs {
		if blindTo(blind, f.Name) {
			continue
		}
		ours := countsOf(p.bundle, fn)
		if ours != nil && (ours.incomplete || ours.unclear) {
			continue // on the stack when the program ended: flow is not conserved
		}
		entries, known := got.entries[f.Name]
		if !known {
			if ours != nil {
				t.Errorf("%s: LLVM has no count", f.Name)
			}
			continue
		}
		compared++
		var our uint64
		if ours != nil {
			our = ours.blocks[0]
		}
		if our != entries {
			t.Errorf("%s: entered %d times, LLVM says %d", f.Name, our, entries)
		}
		for b, block := range f.Blocks {
			w, ok := got.weights[f.Name][block.Name]
			if !ok {
				if ours != nil && len(block.Succs) > 1 && ours.blocks[b] > 0 && annotated(block.Terminator().Op) {
					t.Errorf("%s: block %s ran %d times, LLVM has no weights", f.Name, block.Name, ours.blocks[b])
				}
				continue
			}
			if ours == nil {
				t.Errorf("%s: never ran, LLVM says block %s branched", f.Name, block.Name)
				continue
			}
			llvm := make(map[int]uint64) // edges between the same blocks are summed
			for k, label := range w.labels {
				llvm[f.BlockNamed(label)] += w.counts[k]
			}
			want := make(map[int]uint64)
			var most uint64
			for _, s := range block.Succs {
				want[s] = ours.edges[[2]int{b, s}]
				most = max(most, want[s])
			}
			scale := uint64(1)
			if most > 1<<32-1 {
				scale = most/(1<<32-1) + 1
			}
			for _, s := range block.Succs {
				if want[s]/scale != llvm[s] {
					t.Errorf("%s: edge %s -> %s taken %d times, LLVM says %d (scale %d)", f.Name, block.Name, f.Blocks[s].Name, want[s], llvm[s], scale)
				}
			}
		}
	}
	if compared == 0 && len(blind) == 0 {
		t.Error("no function was compared")
	}
}

// annotated reports whether LLVM writes weights at such a terminator.
func annotated(op string) bool { return op == "br" || op == "switch" }

func blindTo(blind []string, name string) bool {
	return slices.Contains(blind, name)
}

// llvmProfile runs the costed module under LLVM's profiler and returns the module
// annotated with the counts.
func (p *profiled) llvmProfile(t *testing.T, run programs.Run) []byte {
	t.Helper()
	r, tc, ctx := p.recorder, p.recorder.Toolchain, context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	tool := func(path string, args ...string) {
		t.Helper()
		_, err := tc.Run(ctx, toolchain.Cmd{Path: path, Args: args, Dir: r.Dir})
		must(err)
	}
	plain, err := asm.Parse(p.built.Module)
	if err != nil {
		t.Fatal(err)
	}
	if err := probe.StripMarks(plain); err != nil {
		t.Fatal(err)
	}
	const base = "llvm.base.ll"
	must(r.write(base, withoutWeights(plain)))
	must(r.tool(ctx, tc.Opt, []string{"-passes=pgo-instr-gen,instrprof", "-instrprof-atomic-counter-update-all", base, "-o", "llvm.bc"}, "llvm.bc", base))
	var objects []string
	for _, source := range []string{"openmp.c", "tasks.c", "serial.c"} {
		object, err := r.object(ctx, source)
		if err != nil {
			t.Fatal(err)
		}
		objects = append(objects, object)
	}
	driver := tc.Clang
	if p.built.cxx {
		driver = tc.ClangXX
	}
	must(r.code(ctx, []string{"-O0", "-Wno-override-module", "-Xclang", "-disable-llvm-passes", "-fprofile-instr-generate"}, "llvm.bc", "llvm.o"))
	tool(driver, append(append([]string{"-fprofile-instr-generate", "llvm.o"}, objects...), "-o", "llvm", "-lm", "-lpthread", "-ldl")...)
	cmd := exec.Command(r.path("llvm"), run.Args...)
	var out bytes.Buffer
	s := streamsOf(t, run, &out)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Stdin, s.Stdout, s.Stderr
	// A child that the program forks writes a file of its own.
	cmd.Env = append(os.Environ(), "LLVM_PROFILE_FILE="+filepath.Join(r.Dir, "llvm-%p.profraw"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if out.String() != p.stdout {
		t.Errorf("the output under LLVM's profiler differs")
	}
	tool(tc.Profdata, "merge", "-o", "llvm.profdata", fmt.Sprintf("llvm-%d.profraw", cmd.Process.Pid))
	use := []string{"-S", "-passes=pgo-instr-use", "-pgo-test-profile-file=llvm.profdata", "-pgo-fix-entry-count=false", base, "-o", "llvm.use.ll"}
	must(r.tool(ctx, tc.Opt, use, "llvm.use.ll", base, "llvm.profdata"))
	text, err := os.ReadFile(r.path("llvm.use.ll"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// withoutWeights drops the weights that the compiler guessed from the module: LLVM
// leaves them where it counted nothing.
func withoutWeights(m *asm.Module) []byte {
	for _, f := range m.Funcs() {
		for _, b := range f.Blocks {
			b.Term().SetAttachment("!prof", "")
		}
	}
	return m.Bytes()
}

var (
	entryCount   = regexp.MustCompile(`!"(?:synthetic_)?function_entry_count", i64 (-?\d+)`)
	headerProf   = regexp.MustCompile(`!prof !(\d+)`)
	weightOf     = regexp.MustCompile(`i32 (-?\d+)`)
	weightOfNode = regexp.MustCompile(`!"branch_weights"`)
)

// readWeights reads the counts from a module that pgo-instr-use annotated.
func readWeights(text []byte) (*branchWeights, error) {
	m, err := asm.Parse(text)
	if err != nil {
		return nil, err
	}
	node := func(ref string) string {
		id, err := strconv.Atoi(strings.TrimPrefix(ref, "!"))
		if err != nil || m.Meta(id) == nil {
			return ""
		}
		return m.Meta(id).Text
	}
	out := &branchWeights{entries: make(map[string]uint64), weights: make(map[string]map[string]weight)}
	for _, f := range m.Funcs() {
		ref := headerProf.FindStringSubmatch(f.Header())
		if ref == nil {
			continue
		}
		count := entryCount.FindStringSubmatch(node(ref[1]))
		if count == nil {
			continue
		}
		if out.entries[f.Name()], err = strconv.ParseUint(count[1], 10, 64); err != nil {
			return nil, err
		}
		out.weights[f.Name()] = make(map[string]weight)
		for _, b := range f.Blocks {
			text := node(b.Term().Attachment("!prof"))
			if !weightOfNode.MatchString(text) {
				continue
			}
			w := weight{labels: b.Term().Succs()}
			for _, n := range weightOf.FindAllStringSubmatch(text, -1) {
				v, err := strconv.ParseInt(n[1], 10, 64)
				if err != nil {
					return nil, err
				}
				w.counts = append(w.counts, uint64(uint32(v)))
			}
			if len(w.counts) != len(w.labels) {
				continue // an invoke has a single weight
			}
			out.weights[f.Name()][b.Name()] = w
		}
	}
	return out, nil
}
