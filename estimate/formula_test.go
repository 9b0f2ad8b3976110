package estimate_test

// This file holds formulas against estimates, of random programs and of those in
// testdata: on their platform and on others.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/estimate/formula"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/testdata/bench"
	"pathspan/testdata/programs"
)

var everyTechnique = []estimate.Technique{
	estimate.PathBased, estimate.PathBasedUnmapped, estimate.AverageTime, estimate.MaximalTime, estimate.ExecutionBased,
}

// tuned holds the formula of a mapping against estimates: with the platform's own figures,
// and with random ones in all of the sliders' ranges.
func tuned(a *estimate.Analysis, procs estimate.Processors, m *mapping.Resolved, r *rand.Rand, rounds int) (*formula.Formula, error) {
	e, err := a.On(procs)
	if err != nil {
		return nil, err
	}
	f, err := formula.Of(e, m, everyTechnique)
	if err != nil {
		return nil, err
	}
	x := f.Initial()
	if err := agree(f, x, e, m, 1e-12); err != nil {
		return nil, err
	}
	for range rounds {
		for i, in := range f.Inputs {
			x[i] = in.Min + (in.Max-in.Min)*r.Float64()
			if r.Intn(8) == 0 {
				x[i] = in.Min // equal clocks, no overheads
			}
		}
		other, err := a.On(changed(e, f, x))
		if err == nil {
			err = agree(f, x, other, m, 1e-9)
		}
		if err != nil {
			return nil, fmt.Errorf("inputs %v: %w", x, err)
		}
	}
	return f, nil
}

// changed returns the processors of an estimator with a formula's inputs.
func changed(e *estimate.Estimator, f *formula.Formula, x []float64) estimate.Processors {
	p := e.Processors
	p.ClockMHz, p.Overheads = slices.Clone(p.ClockMHz), slices.Clone(p.Overheads)
	for i, in := range f.Inputs {
		for _, name := range in.Processors {
			switch q := p.Platform.Index(name); in.Kind {
			case formula.Create:
				p.Overheads[q].Create = x[i]
			case formula.Sync:
				p.Overheads[q].Sync = x[i]
			case formula.Clock:
				p.ClockMHz[q] = x[i]
			}
		}
	}
	return p
}

func agree(f *formula.Formula, x []float64, e *estimate.Estimator, m *mapping.Resolved, tolerance float64) error {
	got, err := f.Eval(x)
	if err != nil {
		return err
	}
	if len(got)+len(f.Fixed) != len(everyTechnique) {
		return fmt.Errorf("%d techniques have figures and %d have none: want %d", len(got), len(f.Fixed), len(everyTechnique))
	}
	for _, g := range got {
		t, err := estimate.ParseTechnique(g.Technique)
		if err != nil {
			return err
		}
		r, err := e.Estimate(m, t)
		if err != nil {
			return err
		}
		for _, c := range []struct {
			what      string
			got, want float64
		}{{"sequential seconds", g.SequentialSeconds, r.SequentialSeconds}, {"parallel seconds", g.ParallelSeconds, r.ParallelSeconds}} {
			if !(math.Abs(c.got-c.want) <= tolerance*math.Abs(c.want)) {
				return fmt.Errorf("%s by %s: %v, estimated %v", c.what, t, c.got, c.want)
			}
		}
	}
	return nil
}

func TestFormulasOfRandomPrograms(t *testing.T) {
	follow, fixed, rows, executions := 0, map[string]int{}, 0, 0
	for seed := range int64(300) {
		a, procs, ms := estimate.RandomCase(t, seed)
		r := rand.New(rand.NewSource(seed))
		for _, m := range ms {
			f, err := tuned(a, procs, m, r, 3)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			figures, err := f.Eval(f.Initial())
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range f.Techniques {
				follow++
				for _, flat := range x.Rows.Flat {
					rows += len(flat.Rows) / (1 + len(flat.On))
				}
				if x.Technique == "eb" && figures[i].ParallelSeconds != figures[0].ParallelSeconds {
					executions++
				}
			}
			for _, x := range f.Fixed {
				fixed[x.Technique]++
			}
		}
	}
	t.Logf("%d estimates follow the inputs, by %d rows; %d of EB are not PB's; fixed %v", follow, rows, executions, fixed)
	if follow < 1000 || rows < 1000 || executions < 50 || fixed["mt"] != 900 || fixed["pb"] == 0 {
		t.Error("hardly anything is tested")
	}
}

// The programs that executions are hard to tell of and every nth other one of testdata, all
// with PATHSPAN_TEST_ALL=1; further ones in TestVerifyRealPrograms.
func TestFormulasOfRealPrograms(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile the programs with: %v", err)
	}
	all := os.Getenv("PATHSPAN_TEST_ALL") != ""
	list, err := programs.Load("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	const every = 8
	list = slices.DeleteFunc(list, func(p *programs.Program) bool { return strings.HasPrefix(p.Name, "features/") }) // no sections
	for i, p := range list {
		if run := p.Small(); all || i%every == 0 {
			opt := record.Options{Sources: p.Paths("../testdata"), Level: "2"}
			checkFormulas(t, p.Name, tc, opt, run.Args, filepath.Join("../testdata", run.Stdin), run.Stdin != "")
		}
	}
	benches, err := bench.Load()
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range benches {
		if all || i%every == 0 || p.Group == bench.Own {
			sources, err := p.Unpack(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			opt := record.Options{Sources: sources, Level: "2", CFlags: p.CFlags}
			for _, lib := range p.Libs {
				opt.CFlags = append(opt.CFlags, "-l"+lib)
			}
			checkFormulas(t, "bench "+p.Name, tc, opt, p.Args(bench.Small), "", false)
		}
	}
}

func checkFormulas(t *testing.T, name string, tc *toolchain.Toolchain, opt record.Options, args []string, input string, stdin bool) {
	t.Run(name, func(t *testing.T) {
		ctx := t.Context()
		rec := &record.Recorder{Toolchain: tc, Dir: t.TempDir()}
		built, err := rec.Build(ctx, opt)
		if err != nil {
			t.Fatal(err)
		}
		streams := record.Streams{Stdin: new(bytes.Buffer), Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)}
		if stdin {
			text, err := os.ReadFile(input)
			if err != nil {
				t.Fatal(err)
			}
			streams.Stdin = bytes.NewReader(text)
		}
		b, _, err := rec.Run(ctx, built, args, streams)
		if err != nil {
			t.Fatal(err)
		}
		formulasOf(t, b)
	})
}

// largest is the most bytes of JSON that a formula of a program of testdata may take: that
// of one with thousands of different executions that each fork within sections.
const largest = 400_000

// formulasOf tries OpenMP's mapping and random ones on equal and unequal processors.
func formulasOf(t *testing.T, b *profile.Bundle) {
	t.Helper()
	a, err := estimate.Prepare(b, "")
	if err != nil {
		t.Skip(err) // main never ran to an end
	}
	bytes := 0
	pricer := &estimate.Pricer{Program: b.Program, Module: b.Module}
	unequal := mapping.Homogeneous(4, "arm922t")
	unequal.Processors[1].Model, unequal.Processors[2].ClockMHz = "cortex-m4", 333
	r := rand.New(rand.NewSource(1))
	for _, pl := range []*mapping.Platform{mapping.Homogeneous(2, ""), mapping.Homogeneous(4, "cortex-a7"), unequal} {
		procs, err := pricer.Processors(context.Background(), pl)
		if err != nil {
			t.Fatal(err)
		}
		for round := range 3 {
			m := mapping.Default(pl, b.Program)
			if round > 0 {
				shuffle(r, m)
			}
			f, err := tuned(a, procs, m, r, 2)
			if err != nil {
				t.Errorf("%s, mapping %d: %v", pl.Name, round, err)
				continue
			}
			if err := agreesWithFile(a, pricer, pl, f, m, r); err != nil {
				t.Errorf("%s, mapping %d, as a platform file: %v", pl.Name, round, err)
			}
			text, err := json.Marshal(f)
			if err != nil {
				t.Fatal(err)
			}
			bytes = max(bytes, len(text))
		}
	}
	if t.Logf("formulas of up to %d bytes", bytes); bytes > largest {
		t.Errorf("a formula of %d bytes, want %d at most", bytes, largest)
	}
}

// agreesWithFile holds a formula against the estimate on a platform that says what its
// inputs are, as a platform file does: one figure for the overheads of all processors.
func agreesWithFile(a *estimate.Analysis, pricer *estimate.Pricer, pl *mapping.Platform, f *formula.Formula, m *mapping.Resolved, r *rand.Rand) error {
	says := *pl
	says.Processors = slices.Clone(pl.Processors)
	says.CreateDefaulted, says.SyncDefaulted = false, false
	says.Create, says.Sync = float64(r.Intn(2000)), float64(r.Intn(500))
	x := f.Initial()
	for i, in := range f.Inputs {
		switch in.Kind {
		case formula.Create:
			x[i] = says.Create
		case formula.Sync:
			x[i] = says.Sync
		case formula.Clock:
			x[i] = float64(1 + r.Intn(2000))
			for _, name := range in.Processors {
				says.Processors[says.Index(name)].ClockMHz = x[i]
			}
		}
	}
	procs, err := pricer.Processors(context.Background(), &says)
	if err != nil {
		return err
	}
	e, err := a.On(procs)
	if err != nil {
		return err
	}
	return agree(f, x, e, m, 1e-9)
}

// shuffle places sections anywhere, some regions by their names.
func shuffle(r *rand.Rand, m *mapping.Resolved) {
	m.Serial = r.Intn(len(m.Platform.Processors))
	for i := range m.Regions {
		rm := &m.Regions[i]
		rm.Explicit = r.Intn(2) == 0
		for c := range rm.Proc {
			for s := range rm.Proc[c] {
				rm.Proc[c][s] = r.Intn(len(m.Platform.Processors))
			}
		}
	}
}
