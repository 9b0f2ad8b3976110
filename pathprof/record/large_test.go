package record

// This file measures what a large program costs: 300 files of 100,000 lines together.
// `make bench` prints it.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"pathspan/pathprof"
	"pathspan/testdata/large"
)

// BenchmarkLargeProgram reports, at -O0 and -O2, how long building the instrumented
// program takes and the most memory that pathspan and any tool it starts have used, the
// sizes of the executable, its template and the bundle, how long reading the bundle
// takes, and the user time of a run over that of the same module without probes.
func BenchmarkLargeProgram(b *testing.B) {
	dir := b.TempDir()
	files, lines := 300, 100_000
	if s := os.Getenv("PATHSPAN_BENCH_LINES"); s != "" { // to see how it grows
		fmt.Sscan(s, &lines)
		files = lines * 3 / 1000
	}
	sources, err := large.Write(dir, files, lines)
	if err != nil {
		b.Fatal(err)
	}
	for _, level := range []string{"0", "2"} {
		b.Run("O"+level, func(b *testing.B) {
			ctx := context.Background()
			r := &Recorder{Toolchain: anyLLVM(b), Dir: b.TempDir()}
			steps, stop := newStopwatch(r), watchMemory()
			var built *Built
			var err error
			for range b.N {
				if built, err = r.Build(ctx, Options{Sources: sources, Level: level, CFlags: []string{"-I" + dir}, SelfContained: true}); err != nil {
					b.Fatal(err)
				}
			}
			steps.report(b)
			own, tools := stop()
			b.ReportMetric(own, "MB-pathspan")
			b.ReportMetric(tools, "MB-tools")
			file := r.path("large.pspan")
			user := func(exe string) time.Duration {
				cmd := exec.Command(exe, fmt.Sprint(200_000_000/lines)) // a second or so
				cmd.Env = append(os.Environ(), "PATHSPAN_FILE="+file)
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				return cmd.ProcessState.UserTime()
			}
			plain := r.path("baseline")
			if err := r.Baseline(ctx, built, plain); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(user(built.Executable))/float64(max(user(plain), time.Millisecond)), "ratio")
			for name, unit := range map[string]string{built.Executable: "MB-executable", plain: "MB-plain", r.path("5-template.bin"): "MB-template", file: "MB-bundle"} {
				info, err := os.Stat(name)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(info.Size())/1e6, unit)
			}
			start := time.Now()
			bundle, err := pathprof.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(start).Seconds(), "s-read")
			start = time.Now()
			ordinary := filepath.Join(r.Dir, "ordinary.pspan")
			if err := bundle.WriteFile(ordinary); err != nil {
				b.Fatal(err)
			}
			start = time.Now()
			if _, err := pathprof.ReadFile(ordinary); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(start).Seconds(), "s-read-ordinary")
			runtime.KeepAlive(bundle)
		})
	}
}

// stopwatch tells how much processor time the steps of a build take, which it names as
// it goes.
type stopwatch struct {
	began time.Time
	last  time.Duration
	step  string
	steps map[string]time.Duration
}

func newStopwatch(r *Recorder) *stopwatch {
	w := &stopwatch{began: time.Now(), last: used(), steps: map[string]time.Duration{}}
	r.Progress = func(share float64, format string, args ...any) {
		w.next(format)
	}
	return w
}

func (w *stopwatch) next(step string) {
	now := used()
	w.steps[w.step] += now - w.last
	w.step, w.last = step, now
}

func (w *stopwatch) report(b *testing.B) {
	w.next("")
	b.ReportMetric(time.Since(w.began).Seconds()/float64(b.N), "s-build")
	for step, d := range w.steps {
		if step != "" {
			b.Logf("%6.2f s of processor time %s", d.Seconds()/float64(b.N), step)
		}
	}
}

// used is the processor time of this process and of those it waited for.
func used() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return sum
}

// watchMemory samples the most memory in MB that this process and any one process that it
// started, directly or not, have had. What the system tells of ended processes would
// count the memory of this one, which they start as copies of.
func watchMemory() (stop func() (self, tools float64)) {
	peakOf := func(pid string) float64 {
		status, err := os.ReadFile("/proc/" + pid + "/status")
		if err != nil {
			return 0
		}
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		var kB float64
		fmt.Sscan(rest, &kB)
		return kB / 1000
	}
	parentOf := func(pid string) string {
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		if _, rest, ok := strings.Cut(string(stat), ") "); ok {
			if f := strings.Fields(rest); len(f) > 1 {
				return f[1]
			}
		}
		return ""
	}
	self := fmt.Sprint(os.Getpid())
	done, result := make(chan bool), make(chan float64)
	go func() {
		most := 0.0
		for {
			select {
			case <-done:
				result <- most
				return
			case <-time.After(20 * time.Millisecond):
			}
			pids, _ := filepath.Glob("/proc/[0-9]*")
			parents := map[string]string{}
			for _, p := range pids {
				parents[filepath.Base(p)] = parentOf(filepath.Base(p))
			}
			for pid := range parents {
				up := parents[pid]
				for up != "" && up != self {
					up = parents[up]
				}
				exe, _ := os.Readlink("/proc/" + pid + "/exe")
				own, _ := os.Executable()
				if up == self && exe != own {
					most = max(most, peakOf(pid))
				}
			}
		}
	}()
	return func() (float64, float64) {
		close(done)
		return peakOf(self), <-result
	}
}
