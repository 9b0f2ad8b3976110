package estimate

// This file holds the serial part against an account of losses: with everything spread,
// what the processors lose to serial code is what they could have done meanwhile.

import (
	"math/rand"
	"testing"

	"pathspan/estimate/pathwise"
)

func TestSerialSecondsOfTheWorkedExample(t *testing.T) {
	e := fun0Literal(t, 'a').estimator("fun_0", 2)
	s, err := e.SerialSeconds(0, PathBased)
	if err != nil || !near(s*e.ClockMHz[0]*1e6, 5) {
		t.Errorf("%v cycles outside of sections, want 5: %v", s*e.ClockMHz[0]*1e6, err)
	}
}

func TestSerialSecondsOfRandomPrograms(t *testing.T) {
	compared := 0
	for seed := range int64(150) {
		l := randomLiteral(t, seed, false, 3)
		a, err := Prepare(l.bundle, "f0")
		if err != nil {
			t.Fatal(err)
		}
		e, err := a.On(unequal(rand.New(rand.NewSource(seed)), 3, l.costs))
		if err != nil {
			t.Fatal(err)
		}
		m := randomMapping(rand.New(rand.NewSource(seed)), e)
		for r := range m.Regions { // every region forks
			for _, proc := range m.Regions[r].Proc {
				for s := range proc {
					proc[s] = (m.Serial + 1) % 3
				}
			}
		}
		x := losses(t, e, m)
		if len(x.Used) < 2 || x.Ideal <= 1 {
			continue
		}
		got, err := e.SerialSeconds(m.Serial, PathBased)
		if err != nil {
			t.Fatal(err)
		}
		compared++
		if want := x.Terms[pathwise.Serial].Micros * 1e-6 * x.Ideal / (x.Ideal - 1); !near(got, want) {
			t.Errorf("seed %d: %v s, by the account of losses %v", seed, got, want)
		}
	}
	if compared < 40 {
		t.Errorf("only %d programs compared", compared)
	}
}
