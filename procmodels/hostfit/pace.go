package hostfit

// This file counts the cycles of runs by a clock that is measured around each of them: processors go faster and slower within
// seconds, by a fifth and more where others share them, and what runs meanwhile then takes longer by as much.

import (
	"context"
	"strconv"
)

// clockAdditions is the length of the chain in clock.c for one unit of its argument, clockCount how many units are timed.
const (
	clockAdditions = 32
	clockCount     = 1_000_000
)

// pace is how long cycles take.
type pace struct {
	timer   Timer
	clock   string // the program
	startup float64
	times   timing // of a cycle, one after the other
}

// pace measures once.
func (opt *Options) pace(ctx context.Context, clock string, startup float64) (*pace, error) {
	p := &pace{timer: opt.Timer, clock: clock, startup: startup}
	return p, p.measure(ctx)
}

func (p *pace) measure(ctx context.Context) error {
	t, err := p.timer.Time(ctx, p.clock, strconv.Itoa(clockCount))
	if err != nil {
		return err
	}
	if t -= p.startup; t <= 0 {
		return errTooFast
	}
	p.times = append(p.times, t/(clockAdditions*clockCount))
	return nil
}

// time runs a kernel, and adds the cycles that it takes.
func (p *pace) time(ctx context.Context, r *run) error {
	cycles, err := p.cyclesOf(ctx, r.p.plain, r.kernel, strconv.FormatInt(r.count, 10))
	if err == nil {
		r.cycles = append(r.cycles, cycles)
	}
	return err
}

// cyclesOf runs a program and returns the cycles that it takes as the clock goes before or after, whichever is faster: what
// disturbs the clock makes it slower.
func (p *pace) cyclesOf(ctx context.Context, exe string, args ...string) (float64, error) {
	t, err := p.timer.Time(ctx, exe, args...)
	if err == nil {
		err = p.measure(ctx)
	}
	if err != nil {
		return 0, err
	}
	return (t - p.startup) / p.times[len(p.times)-2:].least(), nil
}
