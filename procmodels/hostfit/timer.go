package hostfit

// This file times programs.

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"

	"pathspan/procmodels/fitted"
)

// Timer runs a program once and says how much processor time it took, in seconds.
type Timer interface {
	Time(ctx context.Context, exe string, args ...string) (float64, error)
}

// ProcessTimer is the Timer of real measurements: user and system time of the process
// as the system accounts for it when it ends. The programs of the suite make next to no
// system calls; the system splits time between the two by sampling, their sum is exact.
type ProcessTimer struct{}

// Time implements Timer.
func (ProcessTimer) Time(ctx context.Context, exe string, args ...string) (float64, error) {
	cmd := exec.CommandContext(ctx, exe, args...)
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return 0, fmt.Errorf("%s: %w", filepath.Base(exe), err)
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), nil
}

// timing is the times of one program's runs.
type timing []float64

// least is the measure: whatever disturbs a run makes it longer.
func (t timing) least() float64 { return slices.Min(t) }

// spread is how far the median run is above the least, relative to it.
func (t timing) spread() float64 {
	return fitted.Median(t)/t.least() - 1
}

var errTooFast = errors.New("a program of the suite takes no time that can be measured; the system's accounting of processor time is too coarse")
