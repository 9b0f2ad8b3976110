package explore

// This file tests that searches repeat: on any number of cores, and interrupted.

import (
	"context"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"pathspan/estimate"
)

func larger(t testing.TB) *estimate.Estimator {
	r := rand.New(rand.NewPCG(7, 7))
	b, costs := synthetic(r, 4, 7, 12)
	return on(t, b, 5, costs(), costs())
}

// cases are searches of every algorithm.
var cases = []Options{
	{Algorithm: "exhaustive", Evaluations: 30000},
	{Algorithm: "exhaustive", Evaluations: 1e7, Pareto: []Objective{Time, Energy}},
	{Algorithm: "branch-and-bound", Evaluations: 30000},
	{Algorithm: "branch-and-bound", Objective: Energy, Evaluations: 30000},
	{Algorithm: "list", Evaluations: 2000},
	{Algorithm: "annealing", Evaluations: 20000},
	{Algorithm: "genetic", Evaluations: 20000, AnySerial: true},
	{Algorithm: "ants", Evaluations: 20000, Pareto: []Objective{Speedup, Processors, Energy}},
	{Algorithm: "random", Evaluations: 20000, Constraints: Constraints{MaxProcessors: 3}},
	{Algorithm: "branch-and-bound", Evaluations: 20000, Constraints: Constraints{MaxProcessors: 3}},
}

func TestSeedsRepeatOnAnyNumberOfCores(t *testing.T) {
	e := larger(t)
	for _, o := range cases {
		o.Seed = 5
		var first Found
		for i, cores := range []int{1, 2, 4, 2} {
			old := runtime.GOMAXPROCS(cores)
			f := *run(t, e, o)
			runtime.GOMAXPROCS(old)
			if i == 0 {
				first = f
			} else if !reflect.DeepEqual(f, first) {
				t.Errorf("%s on %d cores: %+v, then %+v", o.Algorithm, cores, first, f)
			}
		}
	}
}

func TestSeedsMatter(t *testing.T) {
	e := larger(t)
	seen := map[float64]bool{}
	for seed := range uint64(5) {
		f := run(t, e, Options{Algorithm: "random", Evaluations: 500, Seed: seed})
		seen[f.Best.Metrics.Seconds] = true
	}
	if len(seen) < 2 {
		t.Error("five seeds find the same")
	}
}

// A search is stopped again and again, its state written and read, until it ends: with
// the result of one that was never stopped.
func TestInterruptedEqualsUninterrupted(t *testing.T) {
	e := larger(t)
	for _, o := range cases {
		o.Seed = 3
		want := *run(t, e, o)
		var state *State
		stops := 0
		for {
			ctx, cancel := context.WithCancel(context.Background())
			o.State = state
			s, err := New(e, o)
			if err != nil {
				t.Fatal(err)
			}
			// Stop when some items more are done.
			have := 0
			if state != nil {
				have = len(state.Items)
			}
			run := *s.choice
			var done atomic.Int64
			s.choice = &algorithm{run.name, run.items, func(w *worker) {
				run.run(w)
				if done.Add(1) == int64(1+have%2) {
					cancel()
					s.stop.Store(true) // which the context does soon
				}
			}}
			f, err := s.Run(ctx)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if f.Best == nil || f.Mapping == nil {
				t.Fatalf("%s: nothing when stopped", o.Algorithm)
			}
			if !f.Interrupted {
				if got := *f; !reflect.DeepEqual(got, want) {
					t.Errorf("%s, stopped %d times: %+v, want %+v", o.Algorithm, stops, got, want)
					t.Logf("%v %v; %v %v; %v %v; %v %v", got.Best, want.Best, len(got.Front), len(want.Front), got.Proven, want.Proven, got.Evaluations, want.Evaluations)
				}
				break
			}
			if stops++; stops > 1000 {
				t.Fatalf("%s does not end", o.Algorithm)
			}
			data, err := s.State.Marshal()
			if err != nil {
				t.Fatal(err)
			}
			if state, err = ReadState(data); err != nil {
				t.Fatal(err)
			}
		}
		if stops == 0 && o.Algorithm != "list" {
			t.Errorf("%s was never stopped", o.Algorithm)
		}
	}
}

func TestDamagedStates(t *testing.T) {
	for _, text := range []string{"", "{", "[]", `{"schema":"x"}`, `{"schema":"pathspan.explore.state/1","items":{"0":null}}`, `{"schema":"pathspan.explore.state/1","other":1}`} {
		if _, err := ReadState([]byte(text)); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	e := larger(t)
	for _, text := range []string{
		`{"0":{"evaluations":1,"complete":true,"best":{"problem":0,"genes":[1],"metrics":{"seconds":1,"processors":1,"joules":0},"violation":0}}}`,
		`{"0":{"evaluations":1,"complete":true,"best":{"problem":7,"genes":[],"metrics":{"seconds":1,"processors":1,"joules":0},"violation":0}}}`,
		`{"0":{"evaluations":1,"complete":true,"parts":[{"genes":[99,0,0,0,0,0,0],"seconds":1,"joules":0}]}}`,
		`{"99999":{"evaluations":1,"complete":true,"parts":[{"genes":[0],"seconds":1,"joules":0}]}}`,
	} {
		st, err := ReadState([]byte(`{"schema":"pathspan.explore.state/1","question":"","items":` + text + `}`))
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(e, Options{Algorithm: "exhaustive", State: st})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(context.Background()); err == nil {
			t.Errorf("state with %s was taken", text)
		}
	}
}
