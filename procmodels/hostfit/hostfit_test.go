package hostfit

// This file measures a part of the suite with a timer that only pretends to.

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/procmodels/fit"
)

const (
	fakeStartup = 0.002
	fakeMHz     = 500
)

// fakeTimer gives each kernel and level a time of its own for one repetition. Every
// third run of a program is disturbed.
type fakeTimer struct {
	runs map[string]int
	fail string // a kernel whose time is always that of an empty program
}

func (f *fakeTimer) perCount(key string) float64 {
	h := fnv.New32a()
	h.Write([]byte(key))
	return 1e-6 * (1 + float64(h.Sum32()%100)/10)
}

func (f *fakeTimer) Time(_ context.Context, exe string, args ...string) (float64, error) {
	base := filepath.Base(exe)
	key := base + strings.Join(args[:min(1, len(args))], "")
	f.runs[key]++
	t := fakeStartup
	switch {
	case strings.HasPrefix(base, emptyProgram):
	case strings.HasPrefix(base, clockProgram):
		n, _ := strconv.ParseFloat(args[0], 64)
		t += n * clockAdditions / (fakeMHz * 1e6)
	case args[0] == f.fail:
	default:
		n, _ := strconv.ParseFloat(args[1], 64)
		t += n * f.perCount(base+args[0])
	}
	if !strings.HasPrefix(base, emptyProgram) && f.runs[key]%3 == 0 {
		t *= 1.5
	}
	return t, nil
}

func TestMeasure(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	timer := &fakeTimer{runs: map[string]int{}}
	var progress []string
	opt := Options{Toolchain: tc, Dir: t.TempDir(), Files: []string{"library"}, Rounds: 3, Seconds: 0.002, Timer: timer,
		Progress: func(s string) { progress = append(progress, s) }}
	r, err := Measure(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Startup != fakeStartup || math.Abs(r.ClockMHz-fakeMHz) > 1e-6*fakeMHz {
		t.Errorf("start-up %v s, clock %v MHz: want %v and %v", r.Startup, r.ClockMHz, fakeStartup, fakeMHz)
	}
	if want := 2 * 10; len(r.Samples) != want || len(progress) < 5 {
		t.Fatalf("%d samples, %d lines of progress; want %d samples", len(r.Samples), len(progress), want)
	}
	for _, s := range r.Samples {
		kernel, level, _ := strings.Cut(s.Name, " -O")
		file, kernel, _ := strings.Cut(kernel, "/")
		n, _ := strconv.ParseFloat(s.Bundle.Provenance.Runs[0].Arguments[1], 64)
		want := n * timer.perCount(file+"-O"+level+kernel)
		if math.Abs(s.Seconds-want) > 1e-9 {
			t.Errorf("%s: %v s for %v repetitions, want %v without start-up and disturbance", s.Name, s.Seconds, n, want)
		}
		if s.Seconds < 0.0015 || s.Seconds > 0.004 || s.Bundle.Provenance.OptLevel != "-O"+level || s.Group != file+"/"+kernel {
			t.Errorf("%s: group %s, %s, %v s", s.Name, s.Group, s.Bundle.Provenance.OptLevel, s.Seconds)
		}
	}
	called := map[string]float64{}
	for _, name := range timedCalls {
		called[name] = timer.perCount(callsProgram+"-O2"+name) * fakeMHz * 1e6
	}
	for name, want := range callsOf(called) {
		if math.Abs(r.Calls[name]-want) > 1e-3*(want+called["snprintf"]) {
			t.Errorf("%s takes %v cycles, want %v", name, r.Calls[name], want)
		}
	}
	m, err := r.Fit(context.Background(), fit.Options{Ridge: 0.01}, true)
	if err != nil {
		t.Fatal(err)
	}
	if m.Fit.Groups != 10 || m.ClockMHz != r.ClockMHz || !strings.Contains(m.Unit, "cycles at 500 MHz") {
		t.Errorf("%d groups, clock %v, unit %q", m.Fit.Groups, m.ClockMHz, m.Unit)
	}
	if got, want := m.Cycles(map[string]float64{"call atan2": 1}), r.Calls["atan2"]; got != want {
		t.Errorf("atan2, of which no sample tells, costs %v, want %v", got, want)
	}
	checkSaved(t, r)
}

// checkSaved holds the samples that were saved and read again against the result.
func checkSaved(t *testing.T, r *Result) {
	t.Helper()
	dir := t.TempDir()
	if err := r.Save(dir); err != nil {
		t.Fatal(err)
	}
	saved, err := fit.ReadSamples(filepath.Join(dir, "samples.csv"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(saved) != len(r.Samples) {
		t.Fatalf("%d samples saved of %d", len(saved), len(r.Samples))
	}
	for i, s := range saved {
		if want := r.Samples[i].Seconds * r.ClockMHz * 1e6; math.Abs(s.Cycles-want) > 1 || s.Name != r.Samples[i].Name || s.Group != r.Samples[i].Group {
			t.Errorf("sample %d was saved as %s, %v cycles; it has %v", i, s.Name, s.Cycles, want)
		}
	}
}

func TestTooFast(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	opt := Options{Toolchain: tc, Dir: t.TempDir(), Files: []string{"library"}, Rounds: 1, Timer: &fakeTimer{map[string]int{}, "cells"}}
	_, err = Measure(context.Background(), opt)
	if !errors.Is(err, errTooFast) || !strings.HasPrefix(err.Error(), "library/cells -O0: ") {
		t.Errorf("error %v", err)
	}
}

func TestNoise(t *testing.T) {
	quiet, loud := &Result{Spread: 0.01}, &Result{Spread: 0.2, Virtual: true}
	if n := quiet.Noise(); len(n) != 1 || strings.Contains(n[0], "noisy") {
		t.Errorf("a quiet machine: %q", n)
	}
	if n := loud.Noise(); len(n) != 2 || !strings.Contains(n[0], "20.0 %") || !strings.Contains(n[0], "noisy") || !strings.Contains(n[1], "virtual") {
		t.Errorf("a noisy guest: %q", n)
	}
}

func TestTiming(t *testing.T) {
	if x := (timing{4, 2, 3}); x.least() != 2 || x.spread() != 0.5 {
		t.Errorf("least %v, spread %v", x.least(), x.spread())
	}
}

// Every file of the suite must list its kernels, each once in the suite.
func TestKernels(t *testing.T) {
	total := 0
	for _, file := range Files {
		source, err := os.ReadFile(filepath.Join("suite", file+".c"))
		if err != nil {
			t.Fatal(err)
		}
		kernels := kernelsOf(source)
		if n := strings.Count(string(source), "KERNEL "); n != len(kernels) {
			t.Errorf("%s has %d kernels and lists %d", file, n, len(kernels))
		}
		total += len(kernels)
	}
	if total < 40 {
		t.Errorf("the suite has %d kernels", total)
	}
}
