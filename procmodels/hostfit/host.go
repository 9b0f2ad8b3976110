package hostfit

// This file makes a model of what was measured, and says how far the machine can be
// trusted to give the same again.

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"pathspan/procmodels/fit"
	"pathspan/procmodels/fitted"
	"pathspan/procmodels/pipeline"
	"pathspan/scratch"
)

// noisy is the spread from which the machine counts as disturbed.
const noisy = 0.05

// Fit fits a model to the result. Options that name the model, its unit and its source
// may be left empty. Unless classes of instructions are to be counted, blocks are played out of
// order with the figures that were measured.
func (r *Result) Fit(ctx context.Context, opt fit.Options, classes bool) (*fitted.Model, error) {
	if !classes {
		var err error
		if opt.Scheme.Machine, err = pipeline.OutOfOrder(r.Figures); err != nil {
			return nil, err
		}
	}
	var samples []fit.Sample
	for _, s := range r.Samples {
		samples = append(samples, fit.Sample{Name: s.Name, Group: s.Group, Weight: 1, Cycles: s.Seconds * r.ClockMHz * 1e6, Counter: fit.Whole(s.Bundle)})
	}
	if opt.Name == "" {
		opt.Name = "host"
	}
	if opt.ClockMHz == 0 {
		opt.ClockMHz = r.ClockMHz
	}
	if opt.Unit == "" {
		opt.Unit = fmt.Sprintf("cycles at %.0f MHz: processor time (user and system) of the plain sequential build, less that of starting a process; caches warm", r.ClockMHz)
	}
	if opt.Source == "" {
		opt.Source = fmt.Sprintf("characterisation suite, %d kernels at -O0 and -O2, timed on %s, built with %s", len(r.Samples)/len(Levels), processor(), r.Compiler)
	}
	opt.Timed = r.Calls
	m, err := fit.Fit(ctx, samples, opt)
	if err != nil {
		return nil, err
	}
	m.Fit.Warnings = append(m.Fit.Warnings, r.Noise()...)
	return m, nil
}

// Noise says what about the machine makes the times doubtful.
func (r *Result) Noise() []string {
	var lines []string
	text := fmt.Sprintf("the median run took %.1f %% longer than the fastest, in half of the programs", 100*r.Spread)
	if r.Spread > noisy {
		text += ": the machine is noisy; stop what else it runs and measure again"
	}
	lines = append(lines, text)
	if r.Virtual {
		lines = append(lines, "the host is a virtual machine: others may have used its processor meanwhile")
	}
	return lines
}

// Save writes the bundles and samples.csv to a folder, for "model fit" to fit again.
func (r *Result) Save(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	w.Write([]string{"name", "bundle", "cycles", "group"})
	for _, s := range r.Samples {
		file := strings.NewReplacer("/", "-", " -", "-").Replace(s.Name) + ".pspan"
		if err := s.Bundle.WriteFile(filepath.Join(dir, file)); err != nil {
			return err
		}
		w.Write([]string{s.Name, file, strconv.FormatFloat(s.Seconds*r.ClockMHz*1e6, 'f', 0, 64), s.Group})
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return scratch.PlaceBytes(filepath.Join(dir, "samples.csv"), 0o644, table.Bytes())
}

// processor names the host's processor as the system does.
func processor() string {
	if model := cpuinfo("model name"); model != "" {
		return model
	}
	return "a processor of kind " + runtime.GOARCH
}

// virtual says whether the system knows itself to be a guest.
func virtual() bool {
	return slices.Contains(strings.Fields(cpuinfo("flags")), "hypervisor")
}

// cpuinfo returns the first value of a key in Linux's list of processors, else "".
func cpuinfo(key string) string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == key {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
