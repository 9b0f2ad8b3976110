package estimate_test

// This file verifies estimates of real programs with package pathwise, and that accounts
// of their losses add up.

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/estimate/verify"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/testdata/profiled"
)

// Programs whose profiles have what is hard: nested and recursive regions, callbacks,
// cut and hashed levels, calls that return twice or not at all, irreducible loops.
var hardPrograms = []string{
	"openmp/nested.c", "openmp/recursive_region.c", "features/recursion.c", "openmp/control_in_sections.c", "features/qsort_callback.c",
	"features/setjmp_loop.c", "features/paths_2_70_loop.c", "features/irreducible.c", "features/exceptions.cc",
}

func TestVerifyRealPrograms(t *testing.T) {
	for _, source := range hardPrograms {
		t.Run(source, func(t *testing.T) {
			b := profiled.Program{Source: filepath.Join("../testdata", source)}.Bundle(t)
			verifyBundle(t, b, "")
			formulasOf(t, b)
		})
	}
}

func TestVerifyCommittedBundles(t *testing.T) {
	files, err := filepath.Glob("../cmd/pathspan/testdata/*.pspan")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bundles: %v", err)
	}
	for _, file := range files {
		b, err := profile.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		verifyBundle(t, b, "")
		formulasOf(t, b)
		if b.Program.Func("fun_0") != nil {
			verifyBundle(t, b, "fun_0")
		}
	}
}

// verifyBundle verifies all techniques on equal and unequal processors.
func verifyBundle(t *testing.T, b *profile.Bundle, root string) {
	t.Helper()
	a, err := estimate.Prepare(b, root)
	if err != nil {
		t.Fatal(err)
	}
	unequal := mapping.Homogeneous(3, "arm922t")
	unequal.Processors[1].Model, unequal.Processors[2].ClockMHz = "generic", 333
	pricer := &estimate.Pricer{Program: b.Program}
	for _, pl := range []*mapping.Platform{mapping.Homogeneous(2, ""), unequal} {
		procs, err := pricer.Processors(context.Background(), pl)
		if err != nil {
			t.Fatal(err)
		}
		e, err := a.On(procs)
		if err != nil {
			t.Fatal(err)
		}
		v, err := verify.New(e)
		if err != nil {
			t.Fatal(err)
		}
		m := mapping.Default(pl, b.Program)
		for r := range m.Regions {
			m.Regions[r].Explicit = r%2 == 0
		}
		verified := 0
		for _, technique := range []estimate.Technique{estimate.ExecutionBased, estimate.PathBased, estimate.PathBasedUnmapped, estimate.AverageTime, estimate.MaximalTime} {
			got, err := e.Estimate(m, technique)
			if err != nil {
				t.Fatal(err)
			}
			switch err := v.Result(m, technique, &got); {
			case err == nil:
				verified++
			case !errors.Is(err, verify.ErrNone):
				t.Errorf("%s: %v", technique, err)
			}
		}
		if verified == 0 {
			t.Errorf("no technique is computed a second time")
		}
		x, err := account.Losses(e, m, estimate.ExecutionBased)
		if err != nil {
			t.Fatal(err)
		}
		sum := x.Sequential / x.Ideal
		for _, term := range x.Terms {
			sum += term.Micros
		}
		if math.Abs(sum-x.Parallel) > 1e-9*x.Parallel {
			t.Errorf("the account adds up to %v of %v", sum, x.Parallel)
		}
	}
}
