package bench_test

// This file builds and runs every benchmark, plainly and with probes, and holds
// output, regions and estimates to what the index says. The long runs are made where
// PATHSPAN_TEST_ALL is set.

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/testdata/bench"
)

var update = flag.Bool("update", false, "write the expected outputs anew, from plain builds")

// newest returns the newest LLVM, or skips.
func newest(t *testing.T) *toolchain.Toolchain {
	t.Helper()
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip(toolchain.ErrNoClang)
	}
	return slices.MaxFunc(all, func(a, b *toolchain.Toolchain) int { return a.Version - b.Version })
}

func TestPrograms(t *testing.T) {
	list, err := bench.Load()
	if err != nil {
		t.Fatal(err)
	}
	tc := newest(t)
	for _, p := range list {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			dir := t.TempDir()
			sources, err := p.Unpack(dir)
			if err != nil {
				t.Fatal(err)
			}
			checkPlain(ctx, t, tc, p, sources)
			checkProfiled(ctx, t, tc, p, sources)
		})
	}
}

// sizes lists the runs to make.
func sizes() []bench.Size {
	if *update || os.Getenv("PATHSPAN_TEST_ALL") != "" {
		return bench.Sizes()
	}
	return []bench.Size{bench.Tiny, bench.Small}
}

// checkPlain compiles a program as one without OpenMP, and without a warning.
func checkPlain(ctx context.Context, t *testing.T, tc *toolchain.Toolchain, p *bench.Program, sources []string) {
	exe := filepath.Join(t.TempDir(), p.Name)
	args := append([]string{"-O2", "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-o", exe}, p.CFlags...)
	args = append(args, sources...)
	for _, lib := range p.Libs {
		args = append(args, "-l"+lib)
	}
	if said, err := exec.CommandContext(ctx, tc.Clang, args...).CombinedOutput(); err != nil || len(said) > 0 {
		t.Fatalf("plain build: %v\n%s", err, said)
	}
	for _, size := range sizes() {
		got, err := exec.CommandContext(ctx, exe, p.Args(size)...).Output()
		if err != nil {
			t.Fatalf("%s run: %v", size, err)
		}
		if *update {
			name := filepath.Join(string(p.Group), p.Name+"."+string(size)+".expected")
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		compare(t, p, size, got)
	}
	if err := exec.CommandContext(ctx, exe, "other").Run(); err == nil {
		t.Error("it accepts an argument that it does not know")
	}
}

func compare(t *testing.T, p *bench.Program, size bench.Size, got []byte) {
	t.Helper()
	want, err := p.Expected(size)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s run: output\n%swant\n%s", size, got, want)
	}
}

// checkProfiled builds a program as pathspan does, runs it once, and estimates.
func checkProfiled(ctx context.Context, t *testing.T, tc *toolchain.Toolchain, p *bench.Program, sources []string) {
	r := &record.Recorder{Toolchain: tc, Dir: t.TempDir()}
	built, err := r.Build(ctx, record.Options{Sources: sources, Level: "2", CFlags: p.CFlags})
	if err != nil {
		t.Fatal(err)
	}
	if len(built.Notes) > 0 {
		t.Errorf("notes on the OpenMP constructs: %q", built.Notes)
	}
	if got := sections(built.Program); !slices.Equal(got, p.Regions) {
		t.Errorf("sections of the regions %v, want %v", got, p.Regions)
	}
	for _, size := range sizes() {
		var out bytes.Buffer
		bundle, status, err := r.Run(ctx, built, p.Args(size), record.Streams{Stdout: &out})
		if err != nil || status.Exit != 0 || status.Signal != 0 {
			t.Fatalf("%s run with probes: %v, it %s", size, err, status)
		}
		if !*update {
			compare(t, p, size, out.Bytes())
		}
		if size == bench.Small {
			checkEstimates(ctx, t, p, bundle)
		}
	}
}

// sections counts those of each region, in the order of the source.
func sections(program *ir.Program) []int {
	regions := slices.Clone(program.Regions)
	slices.SortFunc(regions, func(a, b ir.Region) int { return a.Line - b.Line })
	var counts []int
	for _, region := range regions {
		n := 0
		for _, construct := range region.Constructs {
			n += len(construct.Sections)
		}
		counts = append(counts, n)
	}
	return counts
}

// checkEstimates holds the speed-ups of the techniques to their bounds, and those of
// correlated sections to what tells the techniques apart.
func checkEstimates(ctx context.Context, t *testing.T, p *bench.Program, bundle *profile.Bundle) {
	a, err := estimate.Prepare(bundle, estimate.DefaultRoot)
	if err != nil {
		t.Fatal(err)
	}
	platform := mapping.Homogeneous(4, mapping.DefaultModel)
	pricer := &estimate.Pricer{Program: bundle.Program, Module: bundle.Module}
	procs, err := pricer.Processors(ctx, platform)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	speedup := map[estimate.Technique]float64{}
	for _, technique := range []estimate.Technique{estimate.PathBased, estimate.AverageTime, estimate.MaximalTime} {
		r, err := e.Estimate(mapping.Default(platform, bundle.Program), technique)
		if err != nil {
			t.Fatal(err)
		}
		speedup[technique] = r.Speedup
		if r.Speedup < 0.9 || r.Speedup > 4 {
			t.Errorf("%s: speed-up %.3f on four processors", technique, r.Speedup)
		}
	}
	pb, at := speedup[estimate.PathBased], speedup[estimate.AverageTime]
	switch {
	case p.Name == "dijkstra":
		if pb > 1 || at < 3 {
			t.Errorf("false parallelism: PB %.3f, AT %.3f; want no speed-up and a large one", pb, at)
		}
	case p.Group == bench.Paper && p.Correlated && at < pb+0.03:
		t.Errorf("correlated sections: PB %.3f, AT %.3f; want AT to promise more", pb, at)
	case p.Group == bench.Paper && !p.Correlated && (at > 1.01*pb || at < 0.99*pb):
		t.Errorf("no correlation: PB %.3f, AT %.3f; want them equal", pb, at)
	}
}
