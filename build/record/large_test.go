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
	"syscall"
	"testing"
	"time"

	"pathspan/profile"
	"pathspan/testdata/large"
)

// BenchmarkLargeProgram reports, at -O0 and -O2, how long building the instrumented
// program takes and the most memory that pathspan and any tool it starts have used, the
// sizes of the executable, its template and the bundle, how long reading the bundle
// takes, and the user time of a run over that of the same module without probes.
func BenchmarkLargeProgram(b *testing.B) {
	dir := b.TempDir()
	files, lines := large.Size()
	sources, err := large.Write(dir, files, lines)
	if err != nil {
		b.Fatal(err)
	}
	for _, level := range []string{"0", "2"} {
		b.Run("O"+level, func(b *testing.B) {
			ctx := context.Background()
			r := &Recorder{Toolchain: anyLLVM(b), Dir: b.TempDir()}
			steps, stop := newStopwatch(r), large.WatchMemory()
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
			bundle, err := profile.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(time.Since(start).Seconds(), "s-read")
			ordinary := filepath.Join(r.Dir, "ordinary.pspan")
			if err := bundle.WriteFile(ordinary); err != nil {
				b.Fatal(err)
			}
			start = time.Now()
			if _, err := profile.ReadFile(ordinary); err != nil {
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
