package record

// This file tests how programs are run: streams, arguments, statuses, signals, and
// threads of their own.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pathspan/pathprof"
	"pathspan/testdata/programs"
)

// buildC builds one C program from its text.
func buildC(t *testing.T, level, text string) (*Recorder, *Built) {
	t.Helper()
	tc := anyLLVM(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "prog.c")
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &Recorder{Toolchain: tc, Dir: dir}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
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
func runUntilSignal(t *testing.T, sig syscall.Signal) (*pathprof.Bundle, Status, error) {
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
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	bundle, status, err := r.Run(ctx, b, nil, Streams{Stdout: in})
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
	if _, err := a.Instr.Collect(r.path("raw.prof"), a.Applied); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Instr.Collect(r.path("raw.prof"), b.Applied); err == nil || !strings.Contains(err.Error(), "of another module") {
		t.Errorf("the profile of another build gives %v", err)
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
		for fn, f := range bundle.Program.Funcs {
			g := countsOf(bundle, fn)
			if f.Name == "main" || g == nil {
				continue
			}
			var calls uint64 // as the callers' blocks say
			for caller, c := range bundle.Program.Funcs {
				counts := countsOf(bundle, caller)
				for i, block := range c.Blocks {
					for k := range block.Instrs {
						if call := block.Instrs[k].Call; call != nil && call.Callee == fn {
							calls += counts.blocks[i]
						}
					}
				}
			}
			if g.blocks[0] != calls || calls == 0 {
				t.Errorf("-O%s: %s ran %d times, but was called %d times", level, f.Name, g.blocks[0], calls)
			}
		}
	}
}
