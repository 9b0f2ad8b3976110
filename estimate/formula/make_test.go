package formula_test

// This file tests which inputs a formula has.

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/formula"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/profile"
)

const bundle = "../../cmd/pathspan/testdata/fun0a.pspan"

// prepare prepares a committed bundle, after a change of the processors.
func prepare(t testing.TB, pl *mapping.Platform, change func(p *estimate.Processors)) *estimate.Estimator {
	t.Helper()
	b, err := profile.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	a, err := estimate.Prepare(b, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&estimate.Pricer{Program: b.Program, Module: b.Module}).Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&p)
	}
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// of is the formula of OpenMP's mapping.
func of(t testing.TB, e *estimate.Estimator) *formula.Formula {
	t.Helper()
	f, err := formula.Of(e, mapping.Default(e.Platform, e.Bundle.Program), []estimate.Technique{estimate.PathBased})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestInputs(t *testing.T) {
	unequal := mapping.Homogeneous(5, "arm922t")
	unequal.Processors[1].Model, unequal.Processors[4].ClockMHz = "generic", 333
	unequal.Create, unequal.CreateDefaulted = 70, false
	for _, c := range []struct {
		name string
		pl   *mapping.Platform
		with func(p *estimate.Processors)
		want string
	}{
		{"equal", mapping.Homogeneous(4, "arm922t"), nil, `
			creating tasks, cycles: 50, 0 to 1000
			synchronising tasks, cycles: 10, 0 to 1000
			clock of cpu0-cpu3 (arm922t), MHz: 200, 50 to 800`},
		{"unequal", unequal, nil, `
			creating tasks, cycles: 70, 0 to 1000
			synchronising tasks, cycles: 10, 0 to 1000
			clock of cpu0, cpu2, cpu3 (arm922t), MHz: 200, 50 to 800
			clock of cpu1 (generic), MHz: 100, 25 to 400
			clock of cpu4 (arm922t), MHz: 333, 83 to 1300`},
		{"overheads of models", unequal, func(p *estimate.Processors) {
			p.Overheads[1] = procmodels.Overheads{Create: 70, Sync: 12345.6}
		}, `
			creating tasks, cycles: 70, 0 to 1000
			synchronising tasks on cpu0, cpu2-cpu4 (arm922t), cycles: 10, 0 to 1000
			synchronising tasks on cpu1 (generic), cycles: 12345.6, 0 to 120000
			clock of cpu0, cpu2, cpu3 (arm922t), MHz: 200, 50 to 800
			clock of cpu1 (generic), MHz: 100, 25 to 400
			clock of cpu4 (arm922t), MHz: 333, 83 to 1300`},
	} {
		var got []string
		f := of(t, prepare(t, c.pl, c.with))
		for _, in := range f.Inputs {
			got = append(got, fmt.Sprintf("%s: %g, %g to %g", in.Name, in.Value, in.Min, in.Max))
		}
		var want []string
		for _, line := range strings.Split(strings.TrimSpace(c.want), "\n") {
			want = append(want, strings.TrimSpace(line))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n%s", c.name, strings.Join(got, "\n"))
		}
		if in := f.Inputs[f.Processors[f.Serial].Clock]; in.Kind != formula.Clock || !slices.Contains(in.Processors, "cpu0") {
			t.Errorf("%s: the serial clock is %s", c.name, in.Name)
		}
	}
}

// On equal processors all rows are one.
func TestEqualProcessorsLeaveOneRow(t *testing.T) {
	rows := of(t, prepare(t, mapping.Homogeneous(4, "arm922t"), nil)).Techniques[0].Rows
	if len(rows.Flat) != 1 || len(rows.Flat[0].Rows) != 2 || rows.Forks != nil {
		t.Errorf("%+v", rows)
	}
}

func TestMakingTwiceGivesTheSame(t *testing.T) {
	pl := mapping.Homogeneous(3, "arm922t")
	pl.Processors[1].Model = "generic"
	if f, g := of(t, prepare(t, pl, nil)), of(t, prepare(t, pl, nil)); !reflect.DeepEqual(f, g) {
		t.Errorf("%+v, then %+v", f, g)
	}
}

func TestInputsThatAreNone(t *testing.T) {
	f := of(t, prepare(t, mapping.Homogeneous(2, "arm922t"), nil)) // create, sync, clock
	for _, x := range [][]float64{nil, {1, 2}, {-1, 2, 3}, {1, 2, 0}, {1, 2, math.Inf(1)}, {math.NaN(), 2, 3}} {
		if out, err := f.Eval(x); err == nil {
			t.Errorf("inputs %v: %v", x, out)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	pl := mapping.Homogeneous(3, "arm922t")
	pl.Processors[1].Model = "generic"
	e := prepare(b, pl, nil)
	for b.Loop() {
		of(b, e)
	}
}
