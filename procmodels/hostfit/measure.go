package hostfit

// This file measures the suite: how often each kernel runs, its times, its profile.

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"time"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/procmodels/fitted"
	"pathspan/procmodels/pipeline"
	"pathspan/profile"
	"pathspan/workers"
)

// Options say how to measure.
type Options struct {
	Toolchain *toolchain.Toolchain
	Dir       string   // for intermediate files; must exist
	Files     []string // of the suite; nil for all
	Rounds    int      // runs of each program; 0 for DefaultRounds
	// Limit ends the rounds early on a machine that is busy with other things, after
	// leastRounds at least; 0 for DefaultLimit.
	Limit    time.Duration
	Seconds  float64 // about how long each run is to take; 0 for DefaultSeconds
	Timer    Timer   // nil for ProcessTimer
	CPUs     string  // where the system describes caches; "" for Linux's /sys/devices/system/cpu
	Progress func(text string)
}

// What Options stand for when they say nothing.
const (
	DefaultRounds  = 7
	DefaultSeconds = 0.05
	DefaultLimit   = 4 * time.Minute
)

// leastRounds is how many runs of each program there must be to tell noise.
const leastRounds = 3

// Result is what was measured.
type Result struct {
	Samples   []Sample
	ClockMHz  float64
	Startup   float64 // seconds that a process takes which does nothing
	Spread    float64 // median over samples of how many more cycles the median run takes than the least
	Virtual   bool    // the host is a virtual machine, as far as it says
	Compiler  string
	Figures   pipeline.Figures   // of the processor, but how many instructions issue in a cycle
	Calls     map[string]float64 // cycles of functions of the library that were timed by themselves
	Caches    []Cache            // outwards
	Main      float64            // cycles that an access takes longer which no cache has
	Elsewhere [2]float64         // ns that one takes longer whose line is at another processor, to read and to write; zero where that was not measured
}

// Sample is one kernel at one level.
type Sample struct {
	Name    string // integer/sums -O0
	Group   string // integer/sums
	Seconds float64
	Spread  float64
	Bundle  *profile.Bundle
}

// run is one kernel of one program, with how often to run it.
type run struct {
	p      *program
	kernel string
	count  int64
	cycles timing
}

// Measure builds, times and profiles the suite. Programs take turns, so that a change
// of the machine's speed falls on all of them.
func Measure(ctx context.Context, opt Options) (*Result, error) {
	opt.defaults()
	start := time.Now()
	b := &builder{opt.Toolchain, opt.Dir}
	if err := b.unpack(); err != nil {
		return nil, err
	}
	opt.Progress("building the suite")
	programs, err := b.all(ctx, opt.Files)
	if err != nil {
		return nil, err
	}
	empty, err := b.plain(ctx, emptyProgram, "2")
	if err != nil {
		return nil, err
	}
	clock, err := b.plain(ctx, clockProgram, "2")
	if err != nil {
		return nil, err
	}
	figures, err := b.plain(ctx, figuresProgram, "2")
	if err != nil {
		return nil, err
	}
	calls, err := b.plain(ctx, callsProgram, "2")
	if err != nil {
		return nil, err
	}
	var runs []*run
	for _, p := range programs {
		for _, k := range p.kernels {
			runs = append(runs, &run{p: p, kernel: k})
		}
	}
	startup, err := opt.startup(ctx, empty)
	if err != nil {
		return nil, err
	}
	opt.Progress("choosing how often each kernel runs")
	for _, r := range runs {
		if err := opt.choose(ctx, r, startup); err != nil {
			return nil, err
		}
	}
	pace, err := opt.pace(ctx, clock, startup)
	if err != nil {
		return nil, err
	}
	for round := range opt.Rounds {
		if round >= leastRounds && time.Since(start) > opt.Limit {
			break
		}
		opt.Progress(fmt.Sprintf("timing %d programs, round %d of %d", len(runs), round+1, opt.Rounds))
		for _, r := range runs {
			if err := pace.time(ctx, r); err != nil {
				return nil, err
			}
		}
	}
	opt.Progress("timing single operations")
	cycles, err := opt.timeEach(ctx, &program{file: figuresProgram, level: "2", plain: figures}, operations, pace)
	if err != nil {
		return nil, err
	}
	opt.Progress("timing functions of the library")
	called, err := opt.timeEach(ctx, &program{file: callsProgram, level: "2", plain: calls}, timedCalls, pace)
	if err != nil {
		return nil, err
	}
	perCycle := pace.times.least()
	result := &Result{Figures: figuresOf(cycles), Calls: callsOf(called), Startup: startup, ClockMHz: 1 / perCycle / 1e6, Virtual: virtual(), Compiler: opt.Toolchain.Full}
	opt.Progress("timing caches")
	if result.Caches, result.Main, err = opt.ladder(ctx, figures, perCycle); err != nil {
		return nil, err
	}
	opt.Progress("profiling")
	result.Samples = make([]Sample, len(runs))
	errs := make([]error, len(runs))
	// Runs of one program write to one folder.
	workers.Each(len(programs), runtime.GOMAXPROCS(0), func(k int) {
		for i, r := range runs {
			if r.p == programs[k] {
				result.Samples[i], errs[i] = r.sample(ctx, perCycle)
			}
		}
	})
	var spreads timing
	for i := range runs {
		if errs[i] != nil {
			return nil, errs[i]
		}
		spreads = append(spreads, result.Samples[i].Spread)
	}
	result.Spread = fitted.Median(spreads)
	return result, nil
}

// timeEach returns the cycles that a repetition of each chain, stream or function takes, which are repeated until they take as long
// as a kernel: what a process takes to start is told from them no better than to a tenth.
func (opt *Options) timeEach(ctx context.Context, p *program, names []string, pace *pace) (map[string]float64, error) {
	cycles := map[string]float64{}
	for _, name := range names {
		r := &run{p: p, kernel: name}
		if err := opt.choose(ctx, r, pace.startup); err != nil {
			return nil, err
		}
		for range opt.Rounds {
			if err := pace.time(ctx, r); err != nil {
				return nil, err
			}
		}
		cycles[name] = max(0, fitted.Median(r.cycles)) / float64(r.count)
	}
	return cycles, nil
}

func (opt *Options) defaults() {
	if opt.Files == nil {
		opt.Files = Files
	}
	if opt.Rounds == 0 {
		opt.Rounds = DefaultRounds
	}
	if opt.Seconds == 0 {
		opt.Seconds = DefaultSeconds
	}
	if opt.Limit == 0 {
		opt.Limit = DefaultLimit
	}
	if opt.CPUs == "" {
		opt.CPUs = "/sys/devices/system/cpu"
	}
	if opt.Timer == nil {
		opt.Timer = ProcessTimer{}
	}
	if opt.Progress == nil {
		opt.Progress = func(string) {}
	}
}

// startup is what a process costs that does nothing: the median, for it is small and
// the programs' own is as often long as short.
func (opt *Options) startup(ctx context.Context, empty string) (float64, error) {
	var t timing
	for range 21 {
		s, err := opt.Timer.Time(ctx, empty)
		if err != nil {
			return 0, err
		}
		t = append(t, s)
	}
	return fitted.Median(t), nil
}

// choose finds how often to run a kernel for it to take about opt.Seconds: more often
// until its time can be told from noise, then in proportion.
func (opt *Options) choose(ctx context.Context, r *run, startup float64) error {
	r.count = 64
	for range 12 {
		t, err := opt.Timer.Time(ctx, r.p.plain, r.kernel, strconv.FormatInt(r.count, 10))
		if err != nil {
			return err
		}
		factor := 16.0
		if t -= startup; t > 0 {
			factor = min(16, opt.Seconds/t)
		}
		enough := t > opt.Seconds/8
		r.count = max(1, int64(math.Round(float64(r.count)*factor)))
		if enough {
			return nil
		}
	}
	return fmt.Errorf("%s/%s -O%s: %w", r.p.file, r.kernel, r.p.level, errTooFast)
}

// sample profiles the kernel with the arguments that were timed. Its time is that of its cycles at the least time that one took.
func (r *run) sample(ctx context.Context, perCycle float64) (Sample, error) {
	group := r.p.file + "/" + r.kernel
	s := Sample{Name: group + " -O" + r.p.level, Group: group, Seconds: fitted.Median(r.cycles) * perCycle}
	if s.Seconds <= 0 {
		return s, errTooFast
	}
	s.Spread = r.cycles.spread()
	var out bytes.Buffer
	bundle, status, err := r.p.recorder.Run(ctx, r.p.built, []string{r.kernel, strconv.FormatInt(r.count, 10)}, record.Streams{Stdout: &out, Stderr: &out})
	if err != nil {
		return s, fmt.Errorf("suite: %s: %w", s.Name, err)
	}
	if status.Exit != 0 {
		return s, fmt.Errorf("suite: %s %s", s.Name, status)
	}
	s.Bundle = bundle
	return s, nil
}
