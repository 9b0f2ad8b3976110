package record

// This file holds what programs tell of their memory to two other accounts of it: a trace that
// a plain build of random programs writes of its accesses, byte by byte, and clang's own callbacks
// for loads and stores.

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pathspan/memory"
	"pathspan/testdata/programs"
)

// tracing makes the same source write a trace, or be a program to profile.
const tracing = `#include <stdio.h>
#ifdef TRACE
static void ev(char what, int line, const char *array, const volatile void *at, const volatile void *base, int size) {
  printf("%c %d %s %d %d\n", what, line, array, (int)((const volatile char *)at - (const volatile char *)base), size);
}
#define R(a, i) (ev('r', __LINE__, #a, &a[i], a, sizeof a[0]), a[i])
#define W(a, i, v) do { long long w = (v); ev('w', __LINE__, #a, &a[i], a, sizeof a[0]); a[i] = w; } while (0)
#define LOOP(i, n) for (int i = (printf("b %d\n", __LINE__), 0); i < n || (printf("l\n"), 0); printf("n\n"), i++)
#define SECTION(k) printf("s %d\n", k);
#define OVER printf("e\n");
#define HELD printf("k 1\n");
#define GIVEN printf("k 0\n");
#else
#define R(a, i) a[i]
#define W(a, i, v) a[i] = (v)
#define LOOP(i, n) for (int i = 0; i < n; i++)
#define SECTION(k)
#define OVER
#define HELD
#define GIVEN
#endif
`

// randomAccesses writes a program whose arrays are read and written in loops, functions,
// sections, and under a lock.
func randomAccesses(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(tracing)
	types := []string{"signed char", "short", "int", "long long", "double"}
	arrays := 2 + r.IntN(3)
	for a := range arrays {
		fmt.Fprintf(&b, "static volatile %s a%d[40];\n", types[r.IntN(len(types))], a)
	}
	element := func(loops []string) string {
		e := fmt.Sprint(r.IntN(8))
		for _, l := range loops {
			if r.IntN(2) == 0 {
				e += fmt.Sprintf(" + %d * %s", 1+r.IntN(2), l)
			}
		}
		return "(" + e + ") % 40"
	}
	read := func(loops []string) string { return fmt.Sprintf("R(a%d, %s)", r.IntN(arrays), element(loops)) }
	var body func(loops []string, depth, functions int)
	body = func(loops []string, depth, functions int) {
		for range 1 + r.IntN(3) {
			switch k := r.IntN(10); {
			case k == 8: // neighbours, which are told of at once where nothing is in between
				a, n := r.IntN(arrays), 2+r.IntN(5)
				fmt.Fprintf(&b, "{ long b = (%s) %% 33; long long v = 0", element(loops))
				for i := range n {
					fmt.Fprintf(&b, " + R(a%d, b + %d)", a, i)
				}
				fmt.Fprintf(&b, "; W(a%d, %s, v); }\n", r.IntN(arrays), element(loops))
			case k == 9:
				a, n := r.IntN(arrays), 2+r.IntN(5)
				fmt.Fprintf(&b, "{ long b = (%s) %% 33;", element(loops))
				for i := range n {
					fmt.Fprintf(&b, " W(a%d, b + %d, %d);", a, i, i)
				}
				b.WriteString(" }\n")
			case k < 2 && depth < 3:
				l := fmt.Sprintf("i%d", len(loops))
				fmt.Fprintf(&b, "LOOP(%s, %d) {\n", l, 1+r.IntN(6))
				body(append(slices.Clone(loops), l), depth+1, functions)
				b.WriteString("}\n")
			case k == 2 && functions > 0:
				fmt.Fprintf(&b, "f%d();\n", r.IntN(functions))
			case k == 3 && len(loops) > 0:
				fmt.Fprintf(&b, "if (%s %% 2) {\n", loops[len(loops)-1])
				body(loops, depth+1, functions)
				b.WriteString("}\n")
			default:
				fmt.Fprintf(&b, "W(a%d, %s, %s + %s);\n", r.IntN(arrays), element(loops), read(loops), read(loops))
			}
		}
	}
	for f := range 2 {
		fmt.Fprintf(&b, "static __attribute__((noinline)) void f%d(void) {\n", f)
		body(nil, 1, f)
		b.WriteString("}\n")
	}
	b.WriteString("int main(void) {\nLOOP(i, 2) {\n")
	body([]string{"i"}, 1, 2)
	b.WriteString("#pragma omp parallel sections\n{\n")
	for s := range 2 + r.IntN(2) {
		fmt.Fprintf(&b, "#pragma omp section\n{\nSECTION(%d)\n", s)
		body(nil, 1, 2)
		b.WriteString("#pragma omp critical\n{\nHELD\n")
		body(nil, 2, 0)
		b.WriteString("GIVEN\n}\nOVER\n}\n")
	}
	b.WriteString("}\n}\nreturn 0;\n}\n")
	return b.String()
}

// accessor is who accessed a byte: a line, in a section (-1 for none), under the lock or not.
type accessor struct {
	line, section int
	held          bool
}

type tracedByte struct {
	writer  accessor
	written int // 0: never
	readers map[accessor]bool
}

// traced is what a trace tells: bytes by what they are told of, as text.
type traced struct {
	flows    map[string]uint64 // and distinct bytes behind a mark
	writes   map[string]uint64
	loops    map[string]uint64 // carried by loops
	sections map[string]uint64 // between sections
	nearest  map[string]uint64 // by what loops carries: the least number of iterations, of those that no other was executed in
}

func newTraced() *traced {
	return &traced{map[string]uint64{}, map[string]uint64{}, map[string]uint64{}, map[string]uint64{}, map[string]uint64{}}
}

func replayTrace(t *testing.T, trace []byte) *traced {
	t.Helper()
	out, all := newTraced(), map[string]*tracedByte{}
	type loop struct {
		line, entered, iteration int
		begins                   []int // of its iterations
	}
	around := map[string]bool{} // loops in which others are executed, as keys begin
	var loops []loop
	now, section, held := 0, -1, false
	var entered, began int // the sections construct, and its section under way
	for s := bufio.NewScanner(bytes.NewReader(trace)); s.Scan(); {
		now++
		f := strings.Fields(s.Text())
		number := func(i int) (n int) { fmt.Sscan(f[i], &n); return n }
		switch f[0] {
		case "b":
			for _, l := range loops {
				around[fmt.Sprint(l.line, " ")] = true
			}
			loops = append(loops, loop{number(1), now, now, nil})
		case "n":
			l := &loops[len(loops)-1]
			l.iteration, l.begins = now, append(l.begins, now)
		case "l":
			loops = loops[:len(loops)-1]
		case "s":
			if section = number(1); section == 0 {
				entered = now
			}
			began = now
		case "e":
			section = -1
		case "k":
			held = number(1) == 1
		case "r", "w":
			who := accessor{number(1), section, held}
			for at := number(3); at < number(3)+number(4); at++ {
				key := fmt.Sprint(f[2], " ", at)
				b := all[key]
				if b == nil {
					b = &tracedByte{readers: map[accessor]bool{}}
					all[key] = b
				}
				kind := memory.OutputDependence
				if f[0] == "r" {
					kind = memory.FlowDependence
				}
				if b.written > 0 {
					for _, l := range loops {
						if l.entered <= b.written && b.written < l.iteration {
							key, far := fmt.Sprint(l.line, kind, f[2], b.writer, who), uint64(0)
							out.loops[key]++
							for _, began := range l.begins {
								if began > b.written {
									far++
								}
							}
							if is := out.nearest[key]; is == 0 || far < is {
								out.nearest[key] = far
							}
						}
					}
					if section >= 0 && entered <= b.written && b.written < began {
						out.sections[fmt.Sprint(kind, f[2], b.writer, who)]++
					}
				}
				if f[0] == "r" {
					out.flows[fmt.Sprint(f[2], b.writer, who)]++
					if !b.readers[who] {
						out.flows["distinct "+fmt.Sprint(f[2], b.writer, who)]++
					}
					b.readers[who] = true
				} else {
					out.writes[fmt.Sprint(f[2], who)]++
					b.writer, b.written, b.readers = who, now, map[accessor]bool{}
				}
			}
		}
	}
	maps.DeleteFunc(out.nearest, func(key string, _ uint64) bool { line, _, _ := strings.Cut(key, " "); return around[line+" "] })
	return out
}

// told is the same of a profile.
func (p *profiled) told() *traced {
	out, d := newTraced(), p.bundle.Memory
	who := func(w memory.Who) accessor {
		if w.Place < 0 {
			return accessor{}
		}
		a := accessor{d.Places[w.Place].Loc.Line, -1, w.Guard > 0}
		if l := d.Lanes[w.Lane]; l.Kind == memory.InSection {
			a.section = l.Section
		}
		return a
	}
	name := func(o int) string {
		if d.Objects[o].Kind != memory.Global {
			return ""
		}
		return d.Objects[o].Name
	}
	for _, f := range d.Flows {
		if n := name(f.Object); n != "" {
			out.flows[fmt.Sprint(n, who(f.From), who(f.To))] += f.Bytes
			if f.Distinct > 0 {
				out.flows["distinct "+fmt.Sprint(n, who(f.From), who(f.To))] += f.Distinct
			}
		}
	}
	for _, w := range d.Writes {
		if n := name(w.Object); n != "" {
			out.writes[fmt.Sprint(n, who(w.By))] += w.Bytes
		}
	}
	for _, c := range d.Carried {
		n := name(c.Object)
		if n == "" || c.Kind == memory.AntiDependence {
			continue
		}
		if c.Loop < 0 {
			out.sections[fmt.Sprint(c.Kind, n, who(c.From), who(c.To))] += c.Bytes
			continue
		}
		l := d.Loops[c.Loop]
		key := fmt.Sprint(p.bundle.Program.Funcs[l.Func].Blocks[l.Header].Terminator().Loc.Line, c.Kind, n, who(c.From), who(c.To))
		out.loops[key] += c.Bytes
		if is := out.nearest[key]; is == 0 || c.Nearest < is {
			out.nearest[key] = c.Nearest
		}
	}
	return out
}

// TestMemoryAgainstTraces runs random programs, on this machine and as those of others: at -O0 all
// is as the trace has it; at -O2 all but iterations, which the optimiser unrolls.
func TestMemoryAgainstTraces(t *testing.T) {
	machines := slices.Concat(slices.Repeat([]string{""}, 12), []string{"aarch64-linux-gnu", "riscv64-linux-gnu", "arm-linux-gnueabihf"})
	var rows [2]atomic.Int64
	var farther atomic.Int64
	t.Cleanup(func() {
		if farther.Load() < 20 {
			t.Errorf("%d dependences are from more than one iteration before", farther.Load())
		}
		if rows[0].Load() == 0 || rows[1].Load() == 0 {
			t.Errorf("%d reads and %d writes are told of at once; there should be some of both", rows[0].Load(), rows[1].Load())
		}
	})
	for seed, machine := range machines {
		t.Run(fmt.Sprint(seed, machine), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			tc, dir := anyLLVM(t), t.TempDir()
			source, exe := filepath.Join(dir, "random.c"), filepath.Join(dir, "trace")
			if err := os.WriteFile(source, []byte(randomAccesses(r)), 0o644); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command(tc.Clang, "-w", "-DTRACE", "-o", exe, source).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			trace, err := exec.Command(exe).Output()
			if err != nil {
				t.Fatal(err)
			}
			want := replayTrace(t, trace)
			if machine != "" {
				tc = elsewhere(t, machine, 0)
			}
			for _, level := range []string{"0", "2"} {
				program := profileProgram(t, tc, nil, programs.Run{}, Options{Sources: []string{source}, Level: level, Memory: true})
				text, err := os.ReadFile(program.recorder.path("5-probes.ll"))
				if err != nil {
					t.Fatal(err)
				}
				for i, call := range []string{"call void @__pathspan_read_row(", "call void @__pathspan_write_row("} {
					rows[i].Add(int64(bytes.Count(text, []byte(call))))
				}
				got := program.told()
				if level != "0" { // a line may be several places, and each reads a byte for the first time
					notDistinct := func(k string, _ uint64) bool { return strings.HasPrefix(k, "distinct ") }
					maps.DeleteFunc(got.flows, notDistinct)
					maps.DeleteFunc(want.flows, notDistinct)
				}
				compareTraced(t, level, "flows", got.flows, want.flows)
				compareTraced(t, level, "writes", got.writes, want.writes)
				compareTraced(t, level, "dependences of sections", got.sections, want.sections)
				if level == "0" {
					compareTraced(t, level, "dependences of loops", got.loops, want.loops)
					maps.DeleteFunc(got.nearest, func(key string, _ uint64) bool { return want.nearest[key] == 0 })
					compareTraced(t, level, "iterations between", got.nearest, want.nearest)
					for _, n := range want.nearest {
						if n > 1 {
							farther.Add(1)
						}
					}
				}
			}
		})
	}
}

func compareTraced(t *testing.T, level, what string, got, want map[string]uint64) {
	t.Helper()
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if got[k] != want[k] {
			t.Errorf("-O%s: %s: %s: %d bytes, want %d", level, what, k, got[k], want[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[k]; !ok {
			t.Errorf("-O%s: %s: %s: %d bytes that the trace does not have", level, what, k, got[k])
		}
	}
}

// counting is what clang's callbacks call: bytes by where they were called from.
const counting = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static struct { uintptr_t pc; long long n[2]; } sums[1 << 16];
static void add(uintptr_t pc, int writes, int bytes) {
  unsigned i = (unsigned)(pc * 0x9e3779b9u) >> 16;
  while (sums[i].pc && sums[i].pc != pc) i = (i + 1) & 0xffff;
  sums[i].pc = pc;
  sums[i].n[writes] += bytes;
}
#define CALLBACK(n) \
  void __sanitizer_cov_load##n(void *p) { add((uintptr_t)__builtin_return_address(0), 0, n); } \
  void __sanitizer_cov_store##n(void *p) { add((uintptr_t)__builtin_return_address(0), 1, n); }
CALLBACK(1) CALLBACK(2) CALLBACK(4) CALLBACK(8) CALLBACK(16)
void __sanitizer_cov_trace_pc(void) {}
static void tell(void) {
  FILE *f = fopen(getenv("COUNTED"), "w");
  for (int i = 0; i < 1 << 16; i++)
    if (sums[i].pc) fprintf(f, "%lu %lld %lld\n", sums[i].pc, sums[i].n[0], sums[i].n[1]);
  fclose(f);
}
__attribute__((constructor)) static void start(void) { atexit(tell); }
`

// TestMemoryAgainstClang compares the bytes that functions load and store at -O0 with what
// clang's own instrumentation of a plain build counts. Functions that call the library are left
// out, as clang does not see what that accesses.
func TestMemoryAgainstClang(t *testing.T) {
	tc := anyLLVM(t)
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Language != "c" || p.Has("threads") || !slices.Contains([]string{"cipher", "dijkstra-all", "fft", "features/recursion", "features/number_types", "features/state_machine", "packet"}, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			dir, run := t.TempDir(), p.Small()
			counter, exe, counted := filepath.Join(dir, "count.c"), filepath.Join(dir, "count"), filepath.Join(dir, "counted")
			if err := os.WriteFile(counter, []byte(counting), 0o644); err != nil {
				t.Fatal(err)
			}
			object := filepath.Join(dir, "count.o")
			commands := [][]string{{"-w", "-O1", "-c", "-o", object, counter},
				append([]string{"-w", "-O0", "-no-pie", "-fsanitize-coverage=func,trace-pc,trace-loads,trace-stores", "-o", exe, object, "-lm"}, p.Paths(testdata)...)}
			for _, args := range commands {
				if out, err := exec.Command(tc.Clang, args...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			plain := exec.Command(exe, run.Args...)
			plain.Env = append(os.Environ(), "COUNTED="+counted)
			plain.Stdin = streamsOf(t, run, new(bytes.Buffer)).Stdin
			if err := plain.Run(); err != nil {
				t.Fatal(err)
			}
			want := countedBy(t, exe, counted)
			opt := optionsOf(p, "0")
			opt.Memory = true
			got := profileProgram(t, tc, p, run, opt)
			d, compared := got.bundle.Memory, 0
			sums := make([][2]int64, len(got.bundle.Program.Funcs))
			for _, f := range d.Flows {
				sums[d.Places[f.To.Place].Func][0] += int64(f.Bytes)
			}
			for _, w := range d.Writes {
				sums[d.Places[w.By.Place].Func][1] += int64(w.Bytes)
			}
			for fi, f := range got.bundle.Program.Funcs {
				library := false
				for _, b := range f.Blocks {
					for _, c := range b.Calls() {
						library = library || c.Callee < 0
					}
				}
				if library || sums[fi] == [2]int64{} {
					continue
				}
				compared++
				if sums[fi] != want[f.Name] {
					t.Errorf("%s: reads and writes %d bytes; clang counts %d", f.Name, sums[fi], want[f.Name])
				}
			}
			if compared == 0 {
				t.Error("no function can be compared")
			}
		})
	}
}

// countedBy adds up by function.
func countedBy(t *testing.T, exe, counted string) map[string][2]int64 {
	t.Helper()
	f, err := elf.Open(exe)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(counted)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][2]int64{}
	for line := range strings.Lines(string(text)) {
		var pc uint64
		var n [2]int64
		fmt.Sscan(line, &pc, &n[0], &n[1])
		for _, s := range symbols {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && pc > s.Value && pc <= s.Value+s.Size {
				sum := out[s.Name]
				out[s.Name] = [2]int64{sum[0] + n[0], sum[1] + n[1]}
			}
		}
	}
	return out
}
