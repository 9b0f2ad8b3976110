package hostfit

// This file measures this host's model on real programs that are not in its suite.
// `make bench` prints it; it takes some minutes.

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/procmodels"
	"pathspan/procmodels/fit"
	"pathspan/procmodels/fitted"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

const testdata = "../../testdata"

// envModel names a host model to use instead of measuring this host, envRounds how
// often each program runs.
const (
	envModel  = "PATHSPAN_HOST_MODEL"
	envRounds = "PATHSPAN_HOST_ROUNDS"
)

// BenchmarkHostModel fits a model of this host and reports its error on samples left
// out of the fit ("leave-one-out-%"); then, for each real program of testdata at -O0 and
// -O2, what the model estimates for the whole sequential run, off the time of the plain
// build ("error-%"), and the mean of the absolute values. Cycles are by a clock that is timed beside each run: at
// the one that the model was made at, a machine that now goes slower makes all estimates too short.
func BenchmarkHostModel(b *testing.B) {
	tc, err := toolchain.Find("")
	if err != nil {
		b.Skip(err)
	}
	m := hostModel(b, tc)
	list, err := programs.Load(testdata)
	if err != nil {
		b.Fatal(err)
	}
	opt := Options{}
	opt.defaults()
	files := &builder{tc, b.TempDir()}
	if err := files.unpack(); err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	empty, err := files.plain(ctx, emptyProgram, "2")
	if err != nil {
		b.Fatal(err)
	}
	clock, err := files.plain(ctx, clockProgram, "2")
	if err != nil {
		b.Fatal(err)
	}
	startup, err := opt.startup(ctx, empty)
	if err != nil {
		b.Fatal(err)
	}
	beside, err := opt.pace(ctx, clock, startup)
	if err != nil {
		b.Fatal(err)
	}
	for _, level := range Levels {
		var sum, n float64
		for _, p := range list {
			if p.Kind != "real" {
				continue
			}
			b.Run(p.Name+"-O"+level, func(b *testing.B) {
				var e float64
				for range b.N {
					e = errorOn(b, tc, m, p, level, beside)
				}
				b.ReportMetric(100*e, "error-%")
				sum, n = sum+math.Abs(e), n+1
			})
		}
		if n > 0 {
			b.Run("all-O"+level, func(b *testing.B) { b.ReportMetric(100*sum/n, "mean-absolute-error-%") })
		}
	}
}

func hostModel(b *testing.B, tc *toolchain.Toolchain) *fitted.Model {
	if file := os.Getenv(envModel); file != "" {
		m, err := procmodels.Open(file, "")
		if err != nil {
			b.Fatal(err)
		}
		return m.(*fitted.Model)
	}
	var m *fitted.Model
	b.Run("fit", func(b *testing.B) {
		rounds, _ := strconv.Atoi(os.Getenv(envRounds))
		for range b.N {
			result, err := Measure(context.Background(), Options{Toolchain: tc, Dir: b.TempDir(), Rounds: rounds})
			if err != nil {
				b.Fatal(err)
			}
			if m, err = result.Fit(context.Background(), fit.Options{Ridge: -1}, false); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(100*result.Spread, "spread-%")
		}
		b.ReportMetric(100*m.Fit.Error.Mean, "leave-one-out-%")
		b.ReportMetric(100*m.Fit.Error.Median, "leave-one-out-median-%")
	})
	return m
}

// errorOn is the relative error of the estimate for one program.
func errorOn(b *testing.B, tc *toolchain.Toolchain, m *fitted.Model, p *programs.Program, level string, beside *pace) float64 {
	b.Helper()
	ctx := context.Background()
	dir := b.TempDir()
	run := p.Default()
	r := &record.Recorder{Toolchain: tc, Dir: dir}
	built, err := r.Build(ctx, record.Options{Sources: p.Paths(testdata), Level: level, Branches: true})
	if err != nil {
		b.Fatal(err)
	}
	bundle, _, err := r.Run(ctx, built, run.Args, record.Streams{})
	if err != nil {
		b.Fatal(err)
	}
	costs, err := m.Costs(ctx, &procmodels.Subject{Program: bundle.Program, Module: bundle.Module, Run: bundle})
	if err != nil {
		b.Fatal(err)
	}
	driver := tc.Clang
	if p.Language == "c++" {
		driver = tc.ClangXX
	}
	exe := filepath.Join(dir, "plain")
	args := append([]string{"-O" + level, "-fno-vectorize", "-fno-slp-vectorize", "-w", "-o", exe}, p.Paths(testdata)...)
	if out, err := exec.Command(driver, append(args, "-lm", "-lpthread")...).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	var cycles timing
	for range 5 {
		t, err := beside.cyclesOf(ctx, exe, run.Args...)
		if err != nil {
			b.Fatal(err)
		}
		cycles = append(cycles, t)
	}
	measured, estimated := fitted.Median(cycles), total(bundle, costs)
	b.ReportMetric(measured, "measured-cycles")
	b.ReportMetric(estimated, "estimated-cycles")
	return estimated/measured - 1
}

// total is the cycles of a sequential run: what estimate reports for one processor.
func total(b *profile.Bundle, costs *procmodels.Costs) float64 {
	sum := 0.0
	for fi, f := range b.Funcs {
		if f == nil {
			continue
		}
		for bi, n := range f.BlockCounts(len(b.Program.Funcs[fi].Blocks)) {
			sum += float64(n) * costs.Blocks[fi][bi].Cycles
		}
	}
	return sum
}
