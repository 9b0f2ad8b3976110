package record

// This file tests how programs are run: streams, arguments, statuses, signals, and
// threads of their own.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/pathprof"
	"pathspan/profile"
	"pathspan/testdata/programs"
	"pathspan/workers"
)

// buildC builds one C program from its text.
func buildC(t testing.TB, level, text string) (*Recorder, *Built) {
	t.Helper()
	tc := anyLLVM(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "prog.c")
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &Recorder{Toolchain: tc, Dir: dir}
	ctx := t.Context()
	b, err := r.Build(ctx, Options{Sources: []string{src}, Level: level})
	if err != nil {
		t.Fatal(err)
	}
	return r, b
}

func TestStreamsArgumentsAndStatusPassThrough(t *testing.T) {
	t.Parallel()
	r, b := buildC(t, "2", `
#include <stdio.h>
int main(int argc, char **argv)
{
	int c, n = 0;
	for (int i = 0; i < argc; i++)
		printf("[%s]", argv[i]);
	while ((c = getchar()) != EOF) {
		putchar(c == 'a' ? 'b' : c);
		n++;
	}
	fprintf(stderr, "%d bytes", n);
	return n % 256;
}`)
	for _, c := range []struct {
		in   string
		args []string
	}{{"", nil}, {"banana\x00\xff\n", []string{"", "a b", "--", "-k"}}, {strings.Repeat("xa", 50000), []string{"$HOME", "*"}}} {
		var out, errs bytes.Buffer
		bundle, status, err := r.Run(context.Background(), b, c.args, Streams{Stdin: strings.NewReader(c.in), Stdout: &out, Stderr: &errs})
		if err != nil {
			t.Fatal(err)
		}
		want := "[./prog]"
		for _, a := range c.args {
			want += "[" + a + "]"
		}
		want += strings.ReplaceAll(c.in, "a", "b")
		if out.String() != want {
			t.Errorf("output %.80q, want %.80q", out.String(), want)
		}
		if !strings.HasSuffix(errs.String(), " bytes") || status.Exit != len(c.in)%256 || status.Signal != 0 {
			t.Errorf("standard error %q, it %s", errs.String(), status)
		}
		run := bundle.Provenance.Runs[0]
		if !slices.Equal(run.Arguments, c.args) || run.ExitStatus != status.Exit {
			t.Errorf("provenance %+v", run)
		}
	}
}

const endless = `
#include <stdio.h>
int main(void)
{
	volatile unsigned long n = 0;
	puts("running");
	fflush(stdout);
	for (;;)
		n = n % 3 ? n + 1 : n + 2;
}`

// runUntilSignal sends the program a signal once it runs.
func runUntilSignal(t *testing.T, sig syscall.Signal) (*profile.Bundle, Status, error) {
	t.Helper()
	r, b := buildC(t, "2", endless)
	out, in := io.Pipe()
	seen := make(chan error, 1)
	go func() {
		line := make([]byte, 8)
		_, err := io.ReadFull(out, line)
		if err == nil {
			time.Sleep(20 * time.Millisecond)
			err = signalProgram(b.Executable, sig)
		}
		seen <- err
		io.Copy(io.Discard, out)
	}()
	bundle, status, err := r.Run(t.Context(), b, nil, Streams{Stdout: in})
	in.Close()
	if err := <-seen; err != nil {
		t.Fatal(err)
	}
	return bundle, status, err
}

// signalProgram finds the process that runs the executable.
func signalProgram(exe string, sig syscall.Signal) error {
	links, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		return err
	}
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && to == exe {
			var pid int
			for _, c := range filepath.Base(filepath.Dir(l)) {
				pid = pid*10 + int(c-'0')
			}
			return syscall.Kill(pid, sig)
		}
	}
	return errors.New("the program does not run")
}

func TestSignalledProgramLeavesItsProfile(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		bundle, status, err := runUntilSignal(t, sig)
		if err != nil {
			t.Fatalf("%s: %v", sig, err)
		}
		if status.Signal != sig || bundle.Provenance.Runs[0].Signal != int(sig) {
			t.Errorf("%s: it %s", sig, status)
		}
	}
}

func TestKilledProgramLeavesNoProfile(t *testing.T) {
	t.Parallel()
	bundle, status, err := runUntilSignal(t, syscall.SIGKILL)
	if !errors.Is(err, ErrNoProfile) || bundle != nil {
		t.Errorf("got %v, want ErrNoProfile", err)
	}
	if status.Signal != syscall.SIGKILL || err != nil && !strings.Contains(err.Error(), "SIGKILL leaves no chance") {
		t.Errorf("it %s: %v", status, err)
	}
}

func TestStaleRawProfileIsRefused(t *testing.T) {
	t.Parallel()
	r, a := buildC(t, "1", "int main(void) { return 0; }")
	_, b := buildC(t, "1", "int main(int n, char **v) { return n > 2; }")
	if _, _, err := r.Run(context.Background(), a, nil, Streams{}); err != nil {
		t.Fatal(err)
	}
	if _, err := profile.Collect(a.Instr, r.path("raw.prof"), a.Applied); err != nil {
		t.Fatal(err)
	}
	if _, err := profile.Collect(b.Instr, r.path("raw.prof"), b.Applied); err == nil || !strings.Contains(err.Error(), "of another module") {
		t.Errorf("the profile of another build gives %v", err)
	}
}

// TestOnePathOfManyIsCounted executes one path alone of a function with too many to have a counter each: that whose number
// is 0, and others.
func TestOnePathOfManyIsCounted(t *testing.T) {
	t.Parallel()
	text := "#include <stdlib.h>\nstatic volatile int seen;\n__attribute__((noinline)) static void many(unsigned x)\n{\n"
	for bit := range 28 {
		text += fmt.Sprintf("\tif (x & 1u << %d) seen = %d;\n", bit, bit)
	}
	text += "}\nint main(int argc, char **argv) { for (int i = 0; i < 8; i++) many((unsigned)strtoul(argv[1], 0, 0)); return 0; }\n"
	for _, threads := range []bool{false, true} {
		r, b := buildC(t, "1", text)
		if threads {
			opt := b.Options
			opt.Threads = true
			var err error
			if b, err = r.Build(t.Context(), opt); err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range []string{"0", "0xffffffff", "0x5555555"} {
			bundle, _, err := r.Run(t.Context(), b, []string{x}, Streams{})
			if err != nil {
				t.Fatal(err)
			}
			f := bundle.Funcs[b.Program.Func("many").Index]
			if f == nil || f.Invocations() != 8 || !f.Levels[0].Hashed || len(bundle.Lost) > 0 {
				t.Errorf("threads %t, %s: many has %+v, lost %+v", threads, x, f, bundle.Lost)
			}
		}
	}
}

// TestThreadsLoseNoCounts counts what five threads do at once: the numbers are those
// of the source, worked out by hand.
func TestThreadsLoseNoCounts(t *testing.T) {
	t.Parallel()
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Name != "features/own_threads" {
			continue
		}
		run := p.Small()
		for range 3 {
			got := profileProgram(t, anyLLVM(t), p, run, optionsOf(p, "0"))
			got.checkBehaviour(t, run)
			program := got.bundle.Program
			step := got.bundle.Funcs[program.Func("shared_step").Index]
			if n := step.Invocations(); n != 5*20000 {
				t.Errorf("shared_step ran %d times, want 5 threads of 20000 calls", n)
			}
			worker := got.bundle.Funcs[program.Func("worker").Index]
			if n := worker.Invocations(); n != 5 {
				t.Errorf("worker ran %d times, want 5", n)
			}
		}
		return
	}
	t.Fatal("own_threads is gone")
}

// TestCountsOfFunctionsWithoutMemory: the compiler knows that these functions
// neither read nor write memory, which is no longer so with probes.
func TestCountsOfFunctionsWithoutMemory(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"1", "2", "3", "s"} {
		r, b := buildC(t, level, `
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((noinline, const)) int square(int n) { return n % 3 ? n * n : 0; }
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10, sum = 0;
	for (int i = 0; i < 10; i++)
		sum += square(n);
	printf("%d %d\n", fib(n), sum);
	return 0;
}`)
		ctx := context.Background()
		bundle, _, err := r.Run(ctx, b, []string{"16"}, Streams{})
		if err != nil {
			t.Fatal(err)
		}
		checkCalls(t, b, bundle)
	}
}

// TestPathsUnderWay ends a program deep inside loops, branches and recursion: the
// paths under way account for every call.
func TestPathsUnderWay(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"0", "2"} {
		r, b := buildC(t, level, `
#include <stdio.h>
#include <stdlib.h>
static long left;
__attribute__((noinline)) static void step(void) { if (--left < 0) exit(3); }
__attribute__((noinline)) static int leaf(int x) { if (x % 7) step(); return x / 2; }
__attribute__((noinline)) static int work(int n)
{
	int sum = 0;
	if (n % 2)
		step();
	for (int i = 0; i < n; i++) {
		if (i % 3 == 1)
			step();
		for (int j = 0; j < 3; j++) {
			if (j != 1)
				sum += leaf(i + j);
			else
				step();
		}
		while (sum % 5) {
			step();
			sum++;
		}
	}
	return n < 2 ? sum : work(n - 1) + work(n - 2);
}
int main(int argc, char **argv)
{
	left = argc > 1 ? atol(argv[1]) : 100;
	for (int i = 0; ; i++) {
		if (i % 2)
			work(i);
		else
			work(i + 1);
		step();
	}
}`)
		for left := range 60 {
			n := left*left/7 + left
			bundle, status, err := r.Run(context.Background(), b, []string{strconv.Itoa(n)}, Streams{})
			if err != nil {
				t.Fatal(err)
			}
			if status.Exit != 3 || len(bundle.Notes) > 0 {
				t.Fatalf("-O%s %d: it %s, notes %q", level, n, status, bundle.Notes)
			}
			p := &profiled{bundle: bundle, status: status}
			p.checkFlow(t)
			checkCalls(t, b, bundle)
			step := bundle.Program.Func("step").Index
			if got := bundle.Funcs[step].Invocations(); got != uint64(n)+1 {
				t.Fatalf("-O%s: step ran %d times, want %d", level, got, n+1)
			}
			if t.Failed() {
				t.Fatalf("-O%s after %d steps", level, n)
			}
		}
	}
}

// checkCalls checks that every function ran as often as the blocks that call it,
// for functions whose address nothing takes.
func checkCalls(t *testing.T, built *Built, bundle *profile.Bundle) {
	t.Helper()
	calls, maybe := make([]uint64, len(bundle.Funcs)), make([]uint64, len(bundle.Funcs))
	otherwise := make([]bool, len(bundle.Funcs))
	for _, fn := range built.Applied.Targets {
		otherwise[fn] = true
	}
	for fn, f := range bundle.Program.Funcs {
		otherwise[fn] = otherwise[fn] || f.Name == "main"
		counts := countsOf(bundle, fn)
		for i, block := range f.Blocks {
			first := true
			for k := range block.Instrs {
				call := block.Instrs[k].Call
				if call == nil || strings.HasPrefix(call.Name, "llvm.") {
					continue
				}
				if call.Callee >= 0 && counts != nil && !first {
					// The program may have ended in a call before this one.
					maybe[call.Callee] += underWayIn(bundle.Funcs[fn], pathprof.Step(i))
				}
				first = false
				if call.Callee >= 0 && counts != nil {
					calls[call.Callee] += counts.blocks[i]
				}
			}
		}
	}
	for fn, f := range bundle.Program.Funcs {
		var ran uint64
		if bundle.Funcs[fn] != nil {
			ran = bundle.Funcs[fn].Invocations()
		}
		if !otherwise[fn] && (ran > calls[fn] || ran < calls[fn]-maybe[fn]) {
			t.Errorf("%s ran %d times, but was called %d times", f.Name, ran, calls[fn])
		}
	}
}

// underWayIn returns how many activations were in the block when the program ended.
func underWayIn(f *profile.FuncProfile, block pathprof.Step) uint64 {
	var n uint64
	for i := range f.Levels {
		for j := range f.Levels[i].Paths {
			if p := &f.Levels[i].Paths[j]; p.End == pathprof.EndIncomplete && p.Steps[len(p.Steps)-1] == block {
				n += p.Count
			}
		}
	}
	return n
}

// A panic of who follows a program's events reaches whoever runs it, and the program is
// not stopped by it.
func TestPanicsOfFollowers(t *testing.T) {
	exe := filepath.Join(t.TempDir(), "writes")
	if err := os.WriteFile(exe, []byte("#!/bin/sh\nhead -c 3000000 /dev/zero >&3\necho done\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r := &Recorder{Toolchain: new(toolchain.Toolchain)}
	p := workers.Catch(func() {
		r.Follow(context.Background(), &Built{Program: new(ir.Program)}, exe, nil, Streams{Stdout: &out}, func(io.Reader) error { panic("an event") })
	})
	if p == nil || p.Value != "an event" || out.String() != "done\n" {
		t.Errorf("Follow panics with %v; the program printed %q", p, &out)
	}
}
