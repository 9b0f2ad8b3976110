package validate

// This file builds, profiles and estimates one program at one level.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/build/record"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/report"
	"pathspan/testdata/bench"
	"pathspan/validate/ledger"
)

// unit is a program at a level.
type unit struct {
	v       *Validation
	program *bench.Program
	level   string
	dir     string

	recorder *record.Recorder
	built    *record.Built
	bundle   *profile.Bundle
	analysis *estimate.Analysis
	targets  []*target
	timed    timedBuild

	printed []byte // by the first run of a program that is in no index
	triple  string
	rows    []ledger.Row
	against []comparison // of rows, with references that are not replay
	regions []ledger.Region
	notes   []string
	err     error
}

// target is a platform with the program priced and mapped on it.
type target struct {
	procs   estimate.Processors
	mapping string           // the file's name in references; "" for OpenMP's static schedule
	file    *mapping.Mapping // and what it holds
	e       *estimate.Estimator
	m       *mapping.Resolved
	results []estimate.Result // by technique
	// without is the results without memory, nil where accesses are in none.
	without []estimate.Result
	memory  bool   // accesses are replayed
	plain   played // as replayed without memory
	full    played // and with it, where it is replayed
}

// validate builds, profiles, estimates and replays the program, and builds what is to be
// timed.
func (u *unit) validate(ctx context.Context, t *timer) error {
	u.v.progress("%s -O%s", u.program.Name, u.level)
	if err := u.build(ctx); err != nil {
		return err
	}
	if err := u.estimate(ctx); err != nil {
		return err
	}
	if err := u.replay(ctx); err != nil {
		return err
	}
	if t == nil {
		os.RemoveAll(u.dir) // what is not needed any more
		return nil
	}
	return u.buildTimed(ctx)
}

func (u *unit) build(ctx context.Context) error {
	src := filepath.Join(u.dir, "src")
	if err := os.MkdirAll(src, 0o755); err != nil {
		return err
	}
	sources, err := u.program.Unpack(src)
	if err != nil {
		return err
	}
	u.recorder = &record.Recorder{Toolchain: u.v.Toolchain, Dir: u.dir}
	u.built, err = u.recorder.Build(ctx, record.Options{Sources: sources, Level: u.level, CFlags: u.flags(), Plan: u.program.Plan, Memory: u.v.Memory, Branches: u.v.Measure != nil})
	if err != nil {
		return err
	}
	u.triple = u.built.Program.Triple
	var out bytes.Buffer
	var status record.Status
	u.bundle, status, err = u.recorder.Run(ctx, u.built, u.program.Args(u.v.Size), record.Streams{Stdout: &out, Stderr: io.Discard})
	if err != nil {
		return err
	}
	return u.expected("the profiled run", out.Bytes(), status)
}

// flags are what the program is compiled and linked with.
func (u *unit) flags() []string {
	var flags []string
	if t := u.v.Toolchain.Target; t != nil {
		flags = append(flags, "--target="+t.Name)
		// An index says what programs print on a machine that rounds every product: jpeg, for one, writes two symbols
		// less where products are fused. Of other programs it is the first run that says so, built as anybody's.
		if u.program.Group != bench.Given {
			flags = append(flags, "-ffp-contract=off")
		}
	}
	flags = append(flags, u.program.CFlags...)
	for _, lib := range u.program.Libs {
		flags = append(flags, "-l"+lib)
	}
	return flags
}

// expected compares what a run printed with what the index says, of a program that is in
// none with what its first run printed.
func (u *unit) expected(run string, out []byte, status record.Status) error {
	want, err := u.program.Expected(u.v.Size)
	if u.program.Group == bench.Given {
		if u.printed == nil {
			u.printed = append([]byte{}, out...)
		}
		want = u.printed
	}
	switch {
	case err != nil:
		return err
	case status != (record.Status{}):
		return fmt.Errorf("%s %s", run, status)
	case !bytes.Equal(out, want):
		return fmt.Errorf("%s prints something else than expected: %s", run, firstDifference(want, out))
	}
	return nil
}

// firstDifference shows the first line that differs.
func firstDifference(want, got []byte) string {
	a, b := strings.Split(string(want), "\n"), strings.Split(string(got), "\n")
	for i := range a {
		switch {
		case i >= len(b):
			return fmt.Sprintf("it ends before line %d", i+1)
		case a[i] != b[i]:
			return fmt.Sprintf("line %d is %.60q instead of %.60q", i+1, b[i], a[i])
		}
	}
	return fmt.Sprintf("it goes on behind line %d", len(a))
}

// estimate prices and estimates the program on all platforms.
func (u *unit) estimate(ctx context.Context) error {
	var err error
	most := 1
	for _, pl := range u.v.Platforms {
		most = max(most, len(pl.Processors))
	}
	u.bundle = u.bundle.WithTeams(most) // loops have a section for each thread
	if u.analysis, err = estimate.Prepare(u.bundle, ""); err != nil {
		return err
	}
	pricer := estimate.NewPricer(u.bundle)
	for _, pl := range u.v.Platforms {
		procs, err := pricer.Processors(ctx, pl)
		if err != nil {
			return err
		}
		t, err := u.on(procs, nil)
		if err != nil {
			return err
		}
		u.targets = append(u.targets, t)
		if err := u.mapped(procs); err != nil {
			return err
		}
		for _, n := range report.MemoryNotes(t.e) {
			u.notes = append(u.notes, u.program.Name+": "+n)
		}
	}
	for _, w := range slices.Concat(report.Omissions(u.bundle), pricer.Warnings) {
		u.notes = append(u.notes, u.program.Name+": "+w)
	}
	return nil
}

// mapped adds a target for each mapping file that references have of the program on as many processors.
func (u *unit) mapped(procs estimate.Processors) error {
	had := map[*mapping.Mapping]bool{}
	for i := range u.v.References {
		f := &u.v.References[i]
		if f.File == nil || had[f.File] || !u.of(f) || f.Processors != len(procs.Costs) {
			continue
		}
		had[f.File] = true
		t, err := u.on(procs, f.File)
		if err != nil {
			return err
		}
		t.mapping = f.Mapping
		u.targets = append(u.targets, t)
	}
	return nil
}

// on estimates with all techniques, under OpenMP's static schedule where file is nil.
func (u *unit) on(procs estimate.Processors, file *mapping.Mapping) (*target, error) {
	t := &target{procs: procs, file: file}
	var err error
	if t.m, err = mapping.Resolve(procs.Platform, file, u.bundle.Program); err != nil {
		return nil, err
	}
	if t.e, err = u.analysis.On(procs); err != nil {
		return nil, err
	}
	if t.results, err = allTechniques(t.e, t.m); err != nil || !t.e.KnowsMemory() {
		return t, err
	}
	bare := *procs.Platform
	bare.Hierarchy, procs.Platform = nil, &bare
	e, err := u.analysis.On(procs)
	if err != nil {
		return nil, err
	}
	m, err := mapping.Resolve(&bare, file, u.bundle.Program)
	if err != nil {
		return nil, err
	}
	t.without, err = allTechniques(e, m)
	return t, err
}

func allTechniques(e *estimate.Estimator, m *mapping.Resolved) (all []estimate.Result, err error) {
	for _, technique := range estimate.Techniques() {
		r, err := e.Estimate(m, technique)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// row is the row of a technique without a reference.
func (u *unit) row(t *target, k int) ledger.Row {
	r := &t.results[k]
	over := t.procs.Overheads[t.m.Serial]
	return ledger.Row{
		Program: u.program.Name, Size: string(u.v.Size), Level: u.level, Processors: r.Processors, Mapping: t.mapping, Technique: r.Technique,
		Model: modelName(&t.procs), Memory: t.e.KnowsMemory(), Create: over.Create, Sync: over.Sync, Speedup: r.Speedup,
		SequentialCycles: r.SequentialCycles, ParallelCycles: r.ParallelCycles, SequentialSeconds: r.SequentialSeconds, ParallelSeconds: r.ParallelSeconds,
	}
}

func (u *unit) add(r ledger.Row) {
	r.Finish()
	u.rows = append(u.rows, r)
}

// modelName names the models of the processors, each once.
func modelName(p *estimate.Processors) string {
	var names []string
	for _, c := range p.Costs {
		if !slices.Contains(names, c.Model) {
			names = append(names, c.Model)
		}
	}
	return strings.Join(names, "+")
}
