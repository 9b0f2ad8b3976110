package estimate_test

// This file holds what the techniques without rows make of worksharing loops: their threads
// share the iterations.

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/testdata/profiled"
)

const uniformLoop = `
double a[4000];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 4000; i++) {
    double s = 0;
    for (int j = 0; j <= 60; j++)
      s += j * 0.5 / (i + 1);
    a[i] = s;
  }
  return a[7] < 0;
}
`

// on prices a bundle, whose loops have teams, for a platform.
func onPlatform(t *testing.T, b *profile.Bundle, pl *mapping.Platform) *estimate.Estimator {
	t.Helper()
	a, err := estimate.Prepare(b.WithTeams(len(pl.Processors)), "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&estimate.Pricer{Program: a.Bundle.Program, Module: b.Module}).Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func speedup(t *testing.T, e *estimate.Estimator, m *mapping.Resolved, technique estimate.Technique) float64 {
	t.Helper()
	r, err := e.Estimate(m, technique)
	if err != nil {
		t.Fatal(err)
	}
	return r.Speedup
}

func TestThreadsOfLoopsShareTheirTime(t *testing.T) {
	b := profiled.Text(t, "loops.c", uniformLoop)
	for _, n := range []int{1, 2, 4, 7} {
		e := onPlatform(t, b, mapping.Homogeneous(n, ""))
		prog := e.Bundle.Program
		m := mapping.Default(e.Platform, prog)
		for _, technique := range estimate.Techniques() {
			if x := speedup(t, e, m, technique); math.Abs(x-float64(n)) > 0.01*float64(n) {
				t.Errorf("%s on %d processors: %.4f", technique, n, x)
			}
			if x := speedup(t, e, mapping.OnOne(e.Platform, 0, prog), technique); technique != estimate.PathBasedUnmapped && math.Abs(x-1) > 1e-9 {
				t.Errorf("%s on one of %d processors: %.9f", technique, n, x)
			}
		}
	}
	// The slow one of two ends last, unless its share is as small as its speed.
	pl := mapping.Homogeneous(2, "")
	pl.Processors[1].ClockMHz = mapping.DefaultClockMHz / 4
	e := onPlatform(t, b, pl)
	m := mapping.Default(pl, e.Bundle.Program)
	for _, x := range []struct {
		shares []float64
		want   float64
	}{{nil, 0.5}, {[]float64{4, 1}, 1.25}, {[]float64{1, 0}, 1}, {[]float64{0, 1}, 0.25}} {
		m.Regions[0].Loops[0].Shares = x.shares
		for _, technique := range estimate.Techniques() {
			if got := speedup(t, e, m, technique); math.Abs(got-x.want) > 0.01 {
				t.Errorf("%s with shares %v: %.4f, want %.2f", technique, x.shares, got, x.want)
			}
		}
	}
}

// No technique finds more than what the processors can do together: with a processor for
// each section, as unmapped, that is one for each section or thread.
func TestLoopsStayBelowTheSumOfSpeeds(t *testing.T) {
	for _, name := range []string{"mixed.c", "nested.c"} {
		t.Run(name, func(t *testing.T) {
			staysBelow(t, profiled.Program{Source: filepath.Join("..", "testdata", "loops", name)}.Bundle(t))
		})
	}
}

func staysBelow(t *testing.T, b *profile.Bundle) {
	for n := 1; n <= 5; n++ {
		for _, slow := range []float64{1, 0.5} {
			pl := mapping.Homogeneous(n, "")
			speeds := 0.0
			for i := range pl.Processors {
				speed := 1.0
				if i%2 == 1 {
					speed = slow
				}
				pl.Processors[i].ClockMHz = speed * mapping.DefaultClockMHz
				speeds += speed
			}
			e := onPlatform(t, b, pl)
			m := mapping.Default(pl, e.Bundle.Program)
			for _, named := range []bool{false, true} {
				for r := range m.Regions {
					m.Regions[r].Explicit = named
				}
				for _, technique := range estimate.Techniques() {
					most := speeds
					if technique == estimate.PathBasedUnmapped {
						most = float64(max(n, 2) * 2) // threads, and two sections each
					}
					if x := speedup(t, e, m, technique); x > most*(1+1e-9) || x < 0.2 {
						t.Errorf("%s on %d processors of %g together, regions named %v: %.4f", technique, n, speeds, named, x)
					}
				}
			}
		}
	}
}
