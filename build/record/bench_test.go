package record

// This file measures what profiling costs: how much slower an instrumented program
// runs, and how long analysis and instrumentation take. `make bench` prints it.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/pathprof"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

// overheadRuns is how often each program runs with and without probes, in turn.
const overheadRuns = 7

// BenchmarkOverhead reports, per real program at -O2 with its ordinary arguments,
// the user time of the run with probes over that of the same module without
// ("ratio", the median over pairs of runs), and median and worst of all programs.
func BenchmarkOverhead(b *testing.B) { overheads(b, false) }

// BenchmarkMemory reports the same of runs that tell of memory as well, of the time that passes too, and the most memory
// that they have at a time over that of the module without.
func BenchmarkMemory(b *testing.B) { overheads(b, true) }

func overheads(b *testing.B, memory bool) {
	list, err := programs.Load(testdata)
	if err != nil {
		b.Fatal(err)
	}
	tc := anyLLVM(b)
	var ratios, passed, peaks []float64
	for _, p := range list {
		if p.Kind != "real" {
			continue
		}
		b.Run(p.Name, func(b *testing.B) {
			ctx := context.Background()
			r := &Recorder{Toolchain: tc, Dir: b.TempDir()}
			opt := optionsOf(p, "2")
			opt.Memory = memory
			built, err := r.Build(ctx, opt)
			if err != nil {
				b.Fatal(err)
			}
			plain := r.path("baseline")
			if err := r.Baseline(ctx, built, plain); err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			var ratio, elapsed float64
			for range b.N {
				ratio, elapsed = pairedRatios(b, p.Default(), built.Executable, plain, r.path("raw.prof"))
			}
			b.ReportMetric(ratio, "ratio")
			ratios = append(ratios, ratio)
			if memory {
				b.ReportMetric(elapsed, "elapsed-ratio")
				passed = append(passed, elapsed)
				peak := peaksOf(b, r)
				more := peak(built.Executable, p.Default()) / peak(plain, p.Default())
				b.ReportMetric(more, "peak-ratio")
				peaks = append(peaks, more)
			}
		})
	}
	if len(ratios) == 0 {
		return
	}
	b.Run("all", func(b *testing.B) {
		slices.Sort(ratios)
		b.ReportMetric(median(ratios), "median-ratio")
		b.ReportMetric(ratios[len(ratios)-1], "worst-ratio")
		if memory {
			slices.Sort(passed)
			b.ReportMetric(median(passed), "median-elapsed-ratio")
			b.ReportMetric(passed[len(passed)-1], "worst-elapsed-ratio")
			slices.Sort(peaks)
			b.ReportMetric(median(peaks), "median-peak-ratio")
			b.ReportMetric(peaks[len(peaks)-1], "worst-peak-ratio")
		}
	})
}

// peakProgram runs another and says how much memory it had at most: a process that this test
// starts itself counts what the test had when it was started.
const peakProgram = `#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv) {
  struct rusage used;
  int status;
  pid_t child = argc > 1 ? fork() : -1;
  if (child == 0) {
    execv(argv[1], argv + 1);
    _exit(127);
  }
  if (child < 0 || wait4(child, &status, 0, &used) != child || status) return 1;
  fprintf(stderr, "\n%ld\n", used.ru_maxrss);
  return 0;
}
`

// peaksOf returns what runs a program and tells its memory in KiB.
func peaksOf(b *testing.B, r *Recorder) func(exe string, run programs.Run) float64 {
	b.Helper()
	source, program := r.path("peak.c"), r.path("peak")
	if err := os.WriteFile(source, []byte(peakProgram), 0o644); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command(r.Toolchain.Clang, "-O1", "-o", program, source).CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return func(exe string, run programs.Run) float64 {
		cmd := exec.Command(program, append([]string{exe}, run.Args...)...)
		cmd.Env = append(os.Environ(), "PATHSPAN_FILE="+r.path("raw.prof"))
		var said bytes.Buffer
		cmd.Stderr = &said
		defer feed(b, cmd, run)()
		if err := cmd.Run(); err != nil {
			b.Fatalf("%v\n%s", err, &said)
		}
		lines := strings.Fields(said.String())
		kib, err := strconv.ParseFloat(lines[len(lines)-1], 64)
		if err != nil {
			b.Fatal(err)
		}
		return kib
	}
}

// feed opens what a run reads, and returns what closes it.
func feed(b *testing.B, cmd *exec.Cmd, run programs.Run) func() {
	b.Helper()
	if run.Stdin == "" {
		return func() {}
	}
	f, err := os.Open(filepath.Join(testdata, run.Stdin))
	if err != nil {
		b.Fatal(err)
	}
	cmd.Stdin = f
	return func() { f.Close() }
}

// BenchmarkEnding reports what ending a process costs for each counter that is zero.
func BenchmarkEnding(b *testing.B) {
	for range b.N {
		b.ReportMetric(endingCost(b), "instructions/counter")
	}
}

// BenchmarkCheapLoops reports what loops of cheap iterations cost that are executed often,
// over the program as a compiler builds it that knows no OpenMP: instructions and user time,
// and the instructions where paths alone are counted.
func BenchmarkCheapLoops(b *testing.B) {
	for _, loop := range cheapLoops {
		for _, n := range loop.iterations {
			b.Run(fmt.Sprintf("%s/%d", loop.name, n), func(b *testing.B) {
				text := cheapProgram(loop.text, n)
				ctx := b.Context()
				r, profiled := buildC(b, "2", text)
				plain, err := r.Plain(ctx, profiled)
				if err != nil {
					b.Fatal(err)
				}
				options := profiled.Options
				options.PathsOnly = true
				counted := &Recorder{Toolchain: r.Toolchain, Dir: b.TempDir()}
				alone, err := counted.Build(ctx, options)
				if err != nil {
					b.Fatal(err)
				}
				for range b.N {
					own := perRound(b, plain)
					b.ReportMetric(own, "instructions")
					b.ReportMetric(perRound(b, profiled.Executable)/own, "x-instructions")
					b.ReportMetric(perRound(b, alone.Executable)/own, "x-paths")
					rounds := strconv.Itoa(int(5e8 / own))
					user, _ := pairedRatios(b, programs.Run{Args: []string{rounds, "timed"}}, profiled.Executable, plain, r.path("raw.prof"))
					b.ReportMetric(user, "x-time")
				}
			})
		}
	}
}

// BenchmarkTemplate reports how large what a program carries to write bundles is, beside
// the text of its module.
func BenchmarkTemplate(b *testing.B) {
	for range b.N {
		template, module := templateOf(b)
		b.ReportMetric(float64(len(template)), "bytes")
		b.ReportMetric(100*float64(len(template))/float64(len(module)), "%module")
	}
}

// BenchmarkIndirectCall reports what counting a call costs whose target the site has seen.
func BenchmarkIndirectCall(b *testing.B) {
	for range b.N {
		b.ReportMetric(callCost(b), "instructions/call")
	}
}

// pairedRatios runs a and c in turn and returns the medians of their user times' ratios, and of those of the time that
// passed.
func pairedRatios(b *testing.B, run programs.Run, a, c, raw string) (user, elapsed float64) {
	b.Helper()
	timed := func(exe string) (user, elapsed float64) {
		cmd := exec.Command(exe, run.Args...)
		cmd.Env = append(os.Environ(), "PATHSPAN_FILE="+raw)
		defer feed(b, cmd, run)()
		start := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		return float64(max(cmd.ProcessState.UserTime(), time.Millisecond)), float64(time.Since(start))
	}
	timed(a)
	timed(c)
	var users, passed []float64
	for range overheadRuns {
		user, elapsed := timed(a)
		user2, elapsed2 := timed(c)
		users, passed = append(users, user/user2), append(passed, elapsed/elapsed2)
	}
	slices.Sort(users)
	slices.Sort(passed)
	return median(users), median(passed)
}

// median returns the median of sorted values.
func median(v []float64) float64 {
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// bigModule returns a module of about the given size: the costed module of a real
// program, its functions repeated under other names.
func bigModule(built *Built, megabytes int) []byte {
	module := string(built.Module)
	start := strings.Index(module, "\ndefine ") + 1
	end := strings.LastIndex(module, "\n}\n") + 3
	bodies := module[start:end]
	var names []string
	for _, f := range built.Program.Funcs {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	ref := regexp.MustCompile(`@("[^"]*"|[-a-zA-Z$._0-9]+)`)
	comdat := regexp.MustCompile(`(?m)^(define .*?) comdat(\([^)]*\))?`)
	bodies = comdat.ReplaceAllString(bodies, "$1")
	var out strings.Builder
	out.WriteString(module[:end])
	for copy := 1; out.Len()+len(module)-end < megabytes<<20; copy++ {
		suffix := fmt.Sprintf(".copy%d", copy)
		out.WriteString(ref.ReplaceAllStringFunc(bodies, func(s string) string {
			name := strings.Trim(s[1:], `"`)
			if _, defined := slices.BinarySearch(names, name); !defined {
				return s
			}
			return `@"` + name + suffix + `"`
		}))
	}
	out.WriteString(module[end:])
	return []byte(out.String())
}

// BenchmarkInstrument reads a large module, builds its view, numbers it, writes the
// probes into it and prints it: time, throughput, and the largest heap.
func BenchmarkInstrument(b *testing.B) {
	list, err := programs.Load(testdata)
	if err != nil {
		b.Fatal(err)
	}
	i := slices.IndexFunc(list, func(p *programs.Program) bool { return p.Name == "features/library" })
	r := &Recorder{Toolchain: anyLLVM(b), Dir: b.TempDir()}
	built, err := r.Build(context.Background(), optionsOf(list[i], "2"))
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{5, 10, 20} {
		text := bigModule(built, size)
		b.Run(fmt.Sprintf("%dMB", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var most uint64
			b.ResetTimer()
			for range b.N {
				stop, peak := make(chan struct{}), make(chan uint64)
				go watchHeap(stop, peak)
				m, err := asm.Parse(text)
				if err != nil {
					b.Fatal(err)
				}
				p, err := ir.Build(m)
				if err != nil {
					b.Fatal(err)
				}
				in := pathprof.Instrument(p, sha256.Sum256(text), pathprof.Options{})
				if _, err := probe.Apply(m, &in.Planner.Plan); err != nil {
					b.Fatal(err)
				}
				if len(m.Bytes()) < len(text) {
					b.Fatal("the module shrank")
				}
				close(stop)
				most = max(most, <-peak)
			}
			b.ReportMetric(float64(most)/(1<<20), "peak-MB")
		})
	}
}

// watchHeap samples the memory held from the system until stop is closed.
func watchHeap(stop chan struct{}, peak chan uint64) {
	var most uint64
	var s runtime.MemStats
	for {
		runtime.ReadMemStats(&s)
		most = max(most, s.Sys-s.HeapReleased)
		select {
		case <-stop:
			peak <- most
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// BenchmarkReadBundle reads the bundle of a C++ program with the standard library.
func BenchmarkReadBundle(b *testing.B) {
	list, err := programs.Load(testdata)
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range list {
		if p.Name != "susan" && p.Name != "features/library" {
			continue
		}
		got := profileProgram(b, anyLLVM(b), p, p.Small(), optionsOf(p, "2"))
		var buf bytes.Buffer
		if err := got.bundle.Write(&buf); err != nil {
			b.Fatal(err)
		}
		b.Run(p.Name, func(b *testing.B) {
			b.SetBytes(int64(buf.Len()))
			b.ResetTimer()
			for range b.N {
				if _, err := profile.Read(buf.Bytes()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
