package validate

// This file says what to validate, and validates it.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"pathspan/build/toolchain"
	"pathspan/mapping"
	"pathspan/testdata/bench"
	"pathspan/validate/ledger"
	"pathspan/workers"
)

// Validation says what to validate.
type Validation struct {
	Programs []*bench.Program
	Size     bench.Size
	Levels   []string // of optimisation
	// Platforms to estimate on, by ascending number of processors; all different.
	Platforms []*mapping.Platform
	Toolchain *toolchain.Toolchain
	Dir       string // for intermediate files; must exist
	// Memory has accesses recorded and replayed, for platforms that say what memory takes.
	Memory  bool
	Jobs    int // programs at a time; 1 when smaller. Timed runs are always alone.
	Measure *Measuring
	// References holds figures measured elsewhere; Check says which of them are compared with.
	References []Figure
	// Progress, when given, is called before each step, from several goroutines: which it
	// is, of how many, and what it does.
	Progress func(begun, all int, step string)
	begun    atomic.Int64
}

// Failure is a program that could not be validated.
type Failure struct {
	Program, Level string
	Err            error
}

// String says it in one line.
func (f Failure) String() string { return fmt.Sprintf("%s -O%s: %s", f.Program, f.Level, f.Err) }

// Result is what a validation found.
type Result struct {
	Ledger   *ledger.Ledger
	Failures []Failure // by program and level, as asked for
	// Notes says what was not done, and why.
	Notes []string
}

// Run validates. A program that fails is no error.
func (v *Validation) Run(ctx context.Context) (*Result, error) {
	if len(v.Programs) == 0 || len(v.Levels) == 0 || len(v.Platforms) == 0 {
		return nil, errors.New("validate: nothing to do: want at least one program, level and platform")
	}
	v.begun.Store(0)
	res := &Result{Ledger: &ledger.Ledger{Toolchain: v.Toolchain.Full}}
	for _, p := range v.Programs {
		res.Ledger.Programs = append(res.Ledger.Programs, ledger.Program{Name: p.Name, Group: string(p.Group), Half: string(p.Half), Correlated: p.Correlated, Lost: p.Lost})
	}
	var timer *timer
	if v.Measure != nil {
		var err error
		if timer, err = v.newTimer(ctx); err != nil {
			return nil, err
		}
		res.Notes = append(res.Notes, timer.notes...)
	}
	units := v.units()
	v.each(units, func(u *unit) { u.err = u.validate(ctx, timer) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, u := range units { // one after the other: nothing else may run
		if u.err == nil && timer != nil {
			u.err = u.measure(ctx, timer)
		}
		os.RemoveAll(u.dir)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, u := range units {
		if u.err == nil {
			u.compareFigures()
		}
	}
	share(units)
	for _, u := range units {
		res.Ledger.Rows = append(res.Ledger.Rows, u.rows...)
		res.Ledger.Regions = append(res.Ledger.Regions, u.regions...)
		if u.triple != "" {
			res.Ledger.Target = u.triple
		}
		for _, n := range u.notes {
			if !slices.Contains(res.Notes, n) {
				res.Notes = append(res.Notes, n)
			}
		}
		if u.err != nil {
			res.Failures = append(res.Failures, Failure{u.program.Name, u.level, u.err})
		}
	}
	res.Ledger.Sort()
	res.Ledger.Winners = res.Ledger.FindWinners()
	return res, nil
}

func (v *Validation) units() []*unit {
	var all []*unit
	for _, p := range v.Programs {
		for _, level := range v.Levels {
			all = append(all, &unit{v: v, program: p, level: level, dir: filepath.Join(v.Dir, p.Name+"-O"+level)})
		}
	}
	return all
}

// each calls do for all units, Jobs at a time.
func (v *Validation) each(units []*unit, do func(*unit)) {
	var next atomic.Int64
	var crew workers.Group
	for range min(max(v.Jobs, 1), len(units)) {
		crew.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(units)); i = next.Add(1) - 1 {
				do(units[i])
			}
		})
	}
	crew.Wait()
}

func (v *Validation) progress(format string, args ...any) {
	if v.Progress == nil {
		return
	}
	all := len(v.Programs) * len(v.Levels)
	if v.Measure != nil {
		all *= 2
	}
	v.Progress(int(v.begun.Add(1)), all, fmt.Sprintf(format, args...))
}
