package validate

// This file times programs on this machine: one at a time, sequential and parallel runs
// in turn.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"pathspan/build/record"
	"pathspan/mapping"
	"pathspan/measure"
	"pathspan/validate/ledger"
)

// Measuring says how to measure.
type Measuring struct {
	Repeat int    // runs of each program, sequential and parallel
	Host   string // name of this machine in the ledger
}

// timer is what the measured runs of all programs share.
type timer struct {
	host      *measure.Host
	counts    []int                      // numbers of processors that are measured
	overheads map[int]*measure.Overheads // by number of processors
	notes     []string
}

// newTimer finds out what this machine can measure, and its overheads while nothing
// else runs.
func (v *Validation) newTimer(ctx context.Context) (*timer, error) {
	host, err := measure.ThisHost()
	if err != nil {
		return nil, err
	}
	t := &timer{host: host, overheads: map[int]*measure.Overheads{}}
	var skipped []int
	for _, pl := range v.Platforms {
		n := len(pl.Processors)
		if _, _, enough := host.Place(n); !enough || n < 2 {
			skipped = append(skipped, n)
			continue
		}
		t.counts = append(t.counts, n)
		if !pl.CreateDefaulted && !pl.SyncDefaulted {
			continue
		}
		dir := filepath.Join(v.Dir, fmt.Sprintf("overheads-%d", n))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if t.overheads[n], err = measure.MeasureOverheads(ctx, &record.Recorder{Toolchain: v.Toolchain, Dir: dir}, n); err != nil {
			return nil, err
		}
		o := t.overheads[n]
		t.notes = append(t.notes, fmt.Sprintf("overheads on %d processors, measured: %.2f us to create, %.2f us to synchronise", n, micro(o.Create.Median), micro(o.Sync.Median)))
	}
	if skipped != nil {
		t.notes = append(t.notes, fmt.Sprintf("this machine has %s: %s not measured", cores(host.Cores), numbers(skipped)))
	}
	return t, nil
}

func micro(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }

func cores(n int) string {
	if n == 1 {
		return "1 core"
	}
	return fmt.Sprintf("%d cores", n)
}

// numbers lists numbers of processors as the subject of a sentence.
func numbers(n []int) string {
	s := ""
	for i, x := range n {
		switch {
		case i > 0 && i == len(n)-1:
			s += " and "
		case i > 0:
			s += ", "
		}
		s += fmt.Sprint(x)
	}
	if len(n) == 1 && n[0] == 1 {
		return "1 processor is"
	}
	return s + " processors are"
}

// timedBuild is what a unit times.
type timedBuild struct{ plain, parallel string }

func (u *unit) buildTimed(ctx context.Context) error {
	var err error
	if u.timed.plain, err = u.recorder.Plain(ctx, u.built); err != nil {
		return err
	}
	u.timed.parallel, err = u.recorder.Parallel(ctx, u.built)
	return err
}

// measure times the program under the mappings of all platforms that this machine can
// run, and compares what was estimated with this machine's overheads.
func (u *unit) measure(ctx context.Context, t *timer) error {
	if len(t.counts) == 0 {
		return nil
	}
	u.v.progress("%s -O%s, timed", u.program.Name, u.level)
	var out bytes.Buffer
	plan := &measure.Plan{
		Recorder: u.recorder, Plain: u.timed.plain, Parallel: u.timed.parallel,
		Args: u.program.Args(u.v.Size), Repeat: max(1, u.v.Measure.Repeat), Stdout: &out, Stderr: io.Discard,
	}
	var targets []*target
	for _, g := range u.targets {
		n := len(g.procs.Platform.Processors)
		if !slices.Contains(t.counts, n) || g.file != nil {
			continue
		}
		g, err := u.withOverheads(g, t.overheads[n])
		if err != nil {
			return err
		}
		m := measure.Mapping{Name: fmt.Sprintf("OpenMP's static schedule on %d processors", n), Resolved: g.m}
		m.CPUs, m.Spin, _ = t.host.Place(n)
		plan.Mappings = append(plan.Mappings, m)
		targets = append(targets, g)
	}
	res, err := plan.Run(ctx)
	if err != nil {
		return err
	}
	if err := u.expected("the measured run", out.Bytes(), record.Status{}); err != nil {
		return err
	}
	if res.OneThread {
		u.notes = append(u.notes, u.program.Name+": sequential times are those of the parallel program on one thread, whose clauses change what it computes")
	}
	sequential := res.Sequential.Summary()
	for i, g := range targets {
		parallel, over := res.Parallel[i].Summary(), t.overheads[len(g.procs.Platform.Processors)]
		for k := range g.results {
			row := u.row(g, k)
			row.Reference, row.Host = ledger.Measured, u.v.Measure.Host
			row.ReferenceSequentialSeconds, row.ReferenceParallelSeconds = sequential.Median.Seconds(), parallel.Median.Seconds()
			row.ReferenceSpread = max(sequential.Spread, parallel.Spread)
			if over != nil {
				hertz := g.procs.ClockMHz[g.m.Serial] * 1e6
				row.Create, row.Sync = over.Create.Median.Seconds()*hertz, over.Sync.Median.Seconds()*hertz
			}
			u.add(row)
		}
	}
	return nil
}

// withOverheads estimates anew with measured overheads, where the platform has defaults. The processor that meets a region forks
// and joins it, and has its own sections there as soon as it forked; the others are created and synchronised.
func (u *unit) withOverheads(g *target, o *measure.Overheads) (*target, error) {
	if o == nil {
		return g, nil
	}
	pl, procs := *g.procs.Platform, g.procs
	create, sync, of := o.ByKind()
	for _, k := range mapping.OverheadKinds {
		if over := k.Of(&pl.Other); !over.Given {
			over.Cycles = of[k.Key].Seconds() * procs.ClockMHz[g.m.Serial] * 1e6
		}
	}
	procs.Platform, procs.Overheads = &pl, nil
	for i := range pl.Processors {
		over, of := g.procs.Overheads[i], func(d time.Duration) float64 {
			if i == g.m.Serial {
				return 0
			}
			return d.Seconds() * procs.ClockMHz[i] * 1e6
		}
		if pl.CreateDefaulted {
			over.Create = of(create)
		}
		if pl.SyncDefaulted {
			over.Sync = of(sync)
		}
		procs.Overheads = append(procs.Overheads, over)
	}
	return u.on(procs, nil)
}
