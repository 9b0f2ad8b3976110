package record

// This file counts the instructions that programs execute, one by one: what probes cost
// can be held to a figure that no load of the machine changes.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"pathspan/profile"
)

// instructions runs a program step by step and returns how many instructions it executes
// in user mode from its call of __builtin_debugtrap to the next one, where it is killed, or to
// its end. Steps are few: each takes 20 microseconds on machines that are virtual.
func instructions(t testing.TB, exe string, args ...string) int {
	t.Helper()
	runtime.LockOSThread() // the thread that traces is the one that started the program
	defer runtime.UnlockOSThread()
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), "PATHSPAN_FILE="+t.TempDir()+"/counts")
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) {
			t.Skip("programs cannot be traced here:", err)
		}
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	for stops := 0; ; stops++ { // the first at its start, the second at the trap
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil {
			t.Fatal(err)
		}
		if stops > 1 && status.Exited() && status.ExitStatus() == 0 {
			return stops - 1
		}
		if !status.Stopped() || status.StopSignal() != syscall.SIGTRAP {
			syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("%s stopped with %#x", exe, status)
		}
		if stops > 1 && trapped(t, pid) {
			syscall.Kill(pid, syscall.SIGKILL)
			cmd.Wait()
			return stops - 1
		}
		resume := syscall.PtraceSingleStep
		if stops == 0 {
			resume = func(pid int) error { return syscall.PtraceCont(pid, 0) }
		}
		if err := resume(pid); err != nil {
			t.Fatal(err)
		}
	}
}

// trapped reports whether a process that SIGTRAP stopped called __builtin_debugtrap: else it
// made a step, of an instruction or of a system call.
func trapped(t testing.TB, pid int) bool {
	const getSiginfo, byKernel, byBreakpoint = 0x4202, 0x80, 1
	var said [32]int32 // 128 bytes: signal, error, code, and more
	if _, _, err := syscall.Syscall6(syscall.SYS_PTRACE, getSiginfo, uintptr(pid), 0, uintptr(unsafe.Pointer(&said)), 0, 0); err != 0 {
		t.Fatal(err)
	}
	return said[2] == byKernel || said[2] == byBreakpoint && runtime.GOARCH != "amd64"
}

// pathsProgram is a program that may run some functions of 4,096 paths each, and does not.
func pathsProgram(functions int) string {
	var s strings.Builder
	s.WriteString("volatile int never;\n")
	for i := range functions {
		fmt.Fprintf(&s, "__attribute__((noinline)) int many%d(unsigned x)\n{\n\tint s = %d;\n", i, i)
		for bit := range 12 {
			fmt.Fprintf(&s, "\tif (x & %du) s += never; else never = s;\n", 1<<bit)
		}
		s.WriteString("\treturn s;\n}\n")
	}
	s.WriteString("int main(void)\n{\n\t__builtin_debugtrap();\n")
	for i := range functions {
		fmt.Fprintf(&s, "\tif (never == %d) never = many%d(never);\n", i+1, i)
	}
	s.WriteString("\treturn 0;\n}\n")
	return s.String()
}

// endingCost returns what each counter more costs a program when it ends, in instructions.
func endingCost(t testing.TB) float64 {
	_, fewer := buildC(t, "1", pathsProgram(1))
	_, more := buildC(t, "1", pathsProgram(3))
	counters := more.Instr.Planner.Plan.Counters - fewer.Instr.Planner.Plan.Counters
	if counters < 2*4096 {
		t.Fatalf("the larger program has only %d counters more", counters)
	}
	return float64(instructions(t, more.Executable)-instructions(t, fewer.Executable)) / float64(counters)
}

func TestEndingIsCheap(t *testing.T) {
	t.Parallel()
	if cost := endingCost(t); cost > 2 {
		t.Errorf("a process that ends executes %.2f instructions for each counter that is zero, want at most 2", cost)
	} else {
		t.Logf("%.2f instructions a counter", cost)
	}
}

// callsProgram calls each of a number of functions of the C library in turn, through
// pointers: so many calls a round, as many rounds as it is asked for. Each call has a
// site of its own.
func callsProgram(calls int) string {
	var s strings.Builder
	s.WriteString(`
#include <stdlib.h>
#include <ctype.h>
int (*volatile how[])(int) = {abs, tolower, toupper, isalpha};
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1, sum = 0;
	__builtin_debugtrap();
	for (int i = 0; i < rounds; i++) {
`)
	for k := range calls {
		fmt.Fprintf(&s, "\t\tsum += how[%d](i);\n", k%4)
	}
	s.WriteString("\t}\n\t__builtin_debugtrap();\n\treturn sum == -1;\n}\n")
	return s.String()
}

// callCost returns what an indirect call costs when its site has seen the target before,
// in instructions beside those of the program without probes.
func callCost(t testing.TB) float64 {
	const rounds, calls = 50, 5
	perRound := func(calls int) float64 {
		r, b := buildC(t, "2", callsProgram(calls))
		plain := r.path("baseline")
		if err := r.Baseline(context.Background(), b, plain); err != nil {
			t.Fatal(err)
		}
		extra := func(exe string) int {
			return instructions(t, exe, strconv.Itoa(rounds+10)) - instructions(t, exe, "10")
		}
		return float64(extra(b.Executable)-extra(plain)) / rounds
	}
	return (perRound(calls) - perRound(1)) / (calls - 1)
}

func TestIndirectCallsAreCheap(t *testing.T) {
	t.Parallel()
	if cost := callCost(t); cost > 8 {
		t.Errorf("an indirect call costs %.2f instructions where its site has seen the target, want at most 8", cost)
	} else {
		t.Logf("%.2f instructions an indirect call", cost)
	}
}

// loopProgram executes a loop of N cheap iterations as often as it is asked for, after it was
// executed some times; what it does then is counted, but for the first time and the last.
const loopProgram = `
#include <stdlib.h>
static double a[N + 1], b[N + 1], c[N + 1];
static int x[N + 1];
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1, counted = argc > 2 ? -WARM - rounds : WARM; /* timed programs are not stopped */
	double s = 0;
	long t = 0;
	for (int i = 0; i < N; i++) a[i] = i, b[i] = i * 0.5, x[i] = i * 7919 & 1023;
	for (int r = 0; r < WARM + rounds; r++) {
		if (r == counted + 1 || r == counted + rounds - 1) __builtin_debugtrap();
LOOP
	}
	return s == 1 || t == 1 || c[N / 2] == 1;
}`

type cheapLoop struct {
	name       string
	iterations []int
	text       string
}

// keptArrays keeps what a loop makes: a compiler that inlines the loop leaves out what nobody reads.
const keptArrays = "\n__asm__ volatile(\"\" : : \"r\"(a), \"r\"(b), \"r\"(c) : \"memory\");"

// cheapLoops are what profiling costs most in: little work, many iterations, and executed
// often.
var cheapLoops = []cheapLoop{
	{"static", []int{10, 100, 1000, 100000}, "#pragma omp parallel for\nfor (int i = 0; i < N; i++) c[i] = c[i] + 2.5 * a[i];"},
	{"chunks", []int{100, 1000}, "#pragma omp parallel for schedule(static, 4)\nfor (int i = 0; i < N; i++) c[i] = c[i] + 2.5 * a[i];"},
	{"dynamic", []int{100, 1000}, "#pragma omp parallel for schedule(dynamic)\nfor (int i = 0; i < N; i++) c[i] = c[i] + 2.5 * a[i];"},
	{"reduction", []int{100, 1000}, "#pragma omp parallel for reduction(+ : s)\nfor (int i = 0; i < N; i++) s += a[i] * b[i];"},
	{"branches", []int{100, 1000, 100000}, "#pragma omp parallel for reduction(+ : t)\nfor (int i = 0; i < N; i++) if (x[i] & 64) t += x[i]; else t -= 3 + (x[i] ^ r);"},
	{"triangle", []int{10, 100}, "#pragma omp parallel for\nfor (int i = 0; i < N; i++) { double z = r; for (int j = 0; j <= i; j++) z += a[j] * b[j]; c[i] += z; }" + keptArrays},
	{"varied", []int{200}, "#pragma omp parallel for reduction(+ : t)\nfor (int i = 0; i < N; i++) { int y = x[i] + r; for (int k = y & 7; k > 0; k--) y = y * 5 + 1; t += y & 64 ? y : -3; }"},
}

func cheapProgram(loop string, n int) string {
	warm := 20000
	if n > 1000 {
		warm = 300
	}
	return fmt.Sprintf("#define N %d\n#define WARM %d\n", n, warm) + strings.Replace(loopProgram, "LOOP", loop, 1)
}

// perRound returns the instructions of a round of a program that is told how many.
func perRound(t testing.TB, exe string) float64 {
	const rounds = 2
	return float64(instructions(t, exe, strconv.Itoa(rounds+2))) / rounds
}

// TestLoopsThatRunOftenAreCheap: most of their executions go by without being told of. The
// limits are 1.15 from a hundred iterations on, but for what paths alone cost where iterations
// branch, or executions differ. A loop of ten is held to what an execution costs.
func TestLoopsThatRunOftenAreCheap(t *testing.T) {
	t.Parallel()
	for _, of := range []struct {
		name       string
		iterations int
		limit      float64
	}{
		{"static", 10, 2.7}, {"static", 100, 1.05}, {"static", 1000, 1}, {"chunks", 100, 1.17}, {"chunks", 1000, 1.15}, {"dynamic", 100, 1.05}, {"dynamic", 1000, 1},
		{"reduction", 100, 1.15}, {"reduction", 1000, 1.05}, {"branches", 100, 1.3}, {"branches", 1000, 1.25}, {"varied", 200, 1.5},
	} {
		n, limit := of.iterations, of.limit
		text := cheapLoops[slices.IndexFunc(cheapLoops, func(l cheapLoop) bool { return l.name == of.name })].text
		t.Run(fmt.Sprintf("%s/%d", of.name, n), func(t *testing.T) {
			t.Parallel()
			r, b := buildC(t, "2", cheapProgram(text, n))
			if r.Toolchain.Version < 15 {
				t.Skip("what pointers with types are passed to is not inlined")
			}
			plain, err := r.Plain(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			if cost := perRound(t, b.Executable) / perRound(t, plain); cost > limit {
				t.Errorf("%d cheap iterations execute %.2f times the instructions, want at most %g", n, cost, limit)
			} else {
				t.Logf("%.2f times the instructions", cost)
			}
		})
	}
}

// wayAround is a function that may end the program in one of its loops, and mostly returns
// before it comes there.
const wayAround = `
#include <stdlib.h>
volatile int never;
__attribute__((noinline)) static void check(int x) { if (x == never - 1) exit(1); }
__attribute__((noinline)) static int step(int x)
{
	if (x >= 0) return x + 1;
	for (int i = 0; i < -x; i++) check(i);
	return never;
}
int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 1, x = never;
	__builtin_debugtrap();
	for (int i = 0; i < rounds; i++) x = step(x);
	__builtin_debugtrap();
	return x == -1;
}`

// TestWaysAroundRecordsAreCheap: what publishes nothing on its way pays nothing for it.
func TestWaysAroundRecordsAreCheap(t *testing.T) {
	t.Parallel()
	r, b := buildC(t, "2", wayAround)
	plain := r.path("baseline")
	if err := r.Baseline(context.Background(), b, plain); err != nil {
		t.Fatal(err)
	}
	extra := func(exe string) int { return instructions(t, exe, "60") - instructions(t, exe, "10") }
	// The call counts its path, the caller its iteration and publishes itself around the call.
	// LLVM 14 and 22 save the registers of the loop at the function's entry all the same: seven
	// of them are pushed and popped on the way that needs none.
	limit := 6.0
	if r.Toolchain.Version != 19 {
		limit += 16
	}
	if cost := float64(extra(b.Executable)-extra(plain)) / 50; cost > limit {
		t.Errorf("%.2f instructions a call, want at most %g", cost, limit)
	} else {
		t.Logf("%.2f instructions a call", cost)
	}
}

// manyTargets calls 40 functions from one site, in an order that no small table holds,
// with threads or without.
const manyTargets = `
#include <pthread.h>
#define EACH(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) \
	X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36) X(37) X(38) X(39)
#define FUNCTION(n) static int f##n(int x) { return x % (n + 2) ? x + n : x - n; }
EACH(FUNCTION)
#define NAME(n) f##n,
int (*volatile how[])(int) = {EACH(NAME)};
static void *work(void *p)
{
	unsigned x = 1, sum = 0;
	for (int i = 0; i < 20000; i++) {
		x = x * 1103515245u + 12345;
		sum += how[x >> 16 & 1 ? x >> 17 & 3 : (x >> 17) % 40](i);
	}
	*(unsigned *)p = sum;
	return 0;
}
int main(void)
{
	unsigned sum[3];
	START
	return sum[0] == 1;
}`

// TestManyTargets: each target's calls are exactly its invocations, whatever their order.
func TestManyTargets(t *testing.T) {
	t.Parallel()
	for how, start := range map[string]string{
		"alone":   "for (int i = 0; i < 3; i++) work(&sum[i]);",
		"threads": "pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &sum[i]); for (int i = 0; i < 3; i++) pthread_join(t[i], 0);",
	} {
		t.Run(how, func(t *testing.T) {
			r, b := buildC(t, "2", strings.Replace(manyTargets, "START", start, 1))
			bundle, _, err := r.Run(context.Background(), b, nil, Streams{})
			if err != nil {
				t.Fatal(err)
			}
			checkTargets(t, bundle, 3*20000)
		})
	}
}

// checkTargets holds the targets of a program's indirect calls against how often each
// function ran that is called in no other way.
func checkTargets(t *testing.T, bundle *profile.Bundle, want uint64) {
	t.Helper()
	calls := make(map[int]uint64)
	var all uint64
	for _, target := range bundle.Targets {
		calls[target.Target] += target.Count
		all += target.Count
	}
	if all != want {
		t.Errorf("%d indirect calls, want %d", all, want)
	}
	seen := 0
	for fn, f := range bundle.Program.Funcs {
		if !strings.HasPrefix(f.Name, "f") {
			continue
		}
		seen++
		if n := bundle.Funcs[fn].Invocations(); n == 0 || n != calls[fn] {
			t.Errorf("%s ran %d times, and was called %d times", f.Name, n, calls[fn])
		}
	}
	if seen != 40 {
		t.Errorf("%d functions, want 40", seen)
	}
}
