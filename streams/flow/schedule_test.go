package flow_test

// This file holds schedules of random traces to what must hold of any.

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pathspan/streams"
	"pathspan/streams/flow"
)

func random(t *testing.T, rng *rand.Rand) (*streams.Trace, []flow.Cost) {
	trace := &streams.Trace{Statements: make([]streams.Statement, 1+rng.IntN(4))}
	for i := range 1 + rng.IntN(60) {
		from := map[int32]bool{}
		for range rng.IntN(3) {
			if i > 0 {
				from[int32(rng.IntN(i))] = true
			}
		}
		var list []int32
		for p := range from {
			list = append(list, p)
		}
		if err := trace.Add(rng.IntN(len(trace.Statements)), streams.Does(rng.IntN(8)), list...); err != nil {
			t.Fatal(err)
		}
	}
	var costs []flow.Cost
	for range trace.Statements {
		costs = append(costs, flow.Cost{Interval: int64(1 + rng.IntN(4)), Latency: int64(1 + rng.IntN(5))})
	}
	return trace, costs
}

// TestRandom plays traces cycle by cycle: nothing is read before it is written, a unit starts
// no earlier than its interval allows, and profiles are what is in each stage in each cycle.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		trace, costs := random(t, rng)
		placings := make([]flow.Placing, len(costs))
		for i := range placings {
			placings[i] = flow.Placing{Units: rng.IntN(4), How: flow.How(rng.IntN(3))}
		}
		var took []int64 // what single executions take
		if rng.IntN(2) == 0 {
			for range trace.Len() {
				took = append(took, int64(rng.IntN(9)))
			}
		}
		cost := func(i int) flow.Cost {
			if took != nil && took[i] > 0 {
				return flow.Cost{Interval: took[i], Latency: took[i]}
			}
			return costs[trace.Of(i)]
		}
		slow, fast := flow.Each(trace, costs, took, flow.Absolute(trace)), flow.Each(trace, costs, took, flow.Unbounded(trace))
		s := flow.Each(trace, costs, took, placings)
		if s.Finish < fast.Finish || fast.Finish > slow.Finish {
			t.Fatalf("%d cycles between %d and %d", s.Finish, fast.Finish, slow.Finish)
		}
		type unit struct {
			of   int
			unit int32
		}
		last, busy := map[unit]int64{}, map[int]int64{}
		active := make([]int, s.Finish+1)
		for i := range trace.Len() {
			of := trace.Of(i)
			for _, p := range trace.Producers(i) {
				if at := s.Start[p] + cost(int(p)).Latency + flow.WriteLatency; s.Start[i]-flow.ReadLatency < at {
					t.Fatalf("execution %d reads in cycle %d what is written until %d", i, s.Start[i]-flow.ReadLatency, at)
				}
			}
			at := unit{of, s.Unit[i]}
			if before, ok := last[at]; ok && s.Start[i] < before {
				t.Fatalf("unit %v starts in cycle %d, and again in %d", at, before, s.Start[i])
			}
			last[at] = s.Start[i] + cost(i).Interval
			busy[of] += cost(i).Latency
			if n := placings[of].Units; n > 0 && int(s.Unit[i]) >= n {
				t.Fatalf("unit %d of %d", s.Unit[i], n)
			}
			for c := s.Start[i]; c < s.Start[i]+cost(i).Latency; c++ {
				active[c]++
			}
		}
		for of, u := range s.Uses() {
			n := int64(max(1, u.Executions))
			if u.Latency != (busy[of]+n-1)/n || u.Least > u.Latency || u.Most < u.Latency || u.Utilisation < 0 || u.Utilisation > 1 {
				t.Fatalf("statement %d: %+v of %d cycles", of, u, busy[of])
			}
		}
		steps := s.Profile(flow.Executing, -1)
		now := 0
		for c, want := range active {
			if len(steps) > 0 && steps[0].At == int64(c) {
				now, steps = steps[0].Active, steps[1:]
			}
			if now != want {
				t.Fatalf("cycle %d: %d execute, the profile has %d", c, want, now)
			}
		}
	}
}

// TestVCD reads waveforms back: what they say of each cycle is what the profile says.
func TestVCD(t *testing.T) {
	trace, costs := random(t, rand.New(rand.NewPCG(5, 6)))
	s := flow.Of(trace, costs, flow.Absolute(trace))
	var names []string
	for i := range costs {
		names = append(names, fmt.Sprint("a b", i))
	}
	var out, again bytes.Buffer
	if err := s.VCD(&out, names); err != nil {
		t.Fatal(err)
	}
	s.VCD(&again, names)
	if !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Error("two waveforms of one schedule differ")
	}
	signal, scope, at := map[string]string{}, []string{}, int64(0)
	got := map[string][]flow.Step{}
	for line := range strings.Lines(out.String()) {
		w := strings.Fields(line)
		switch {
		case w[0] == "$scope":
			scope = append(scope, w[2])
		case w[0] == "$upscope":
			scope = scope[:len(scope)-1]
		case w[0] == "$var":
			signal[w[3]] = strings.Join(append(scope, w[4]), ".")
		case line[0] == '#':
			var next int64
			if fmt.Sscanf(line, "#%d", &next); next < at {
				t.Fatalf("time goes from %d back to %d", at, next)
			}
			at = next
		case line[0] == 'b':
			var v int
			if _, err := fmt.Sscanf(w[0], "b%b", &v); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			if list := got[signal[w[1]]]; len(list) > 0 || v > 0 {
				got[signal[w[1]]] = append(list, flow.Step{At: at, Active: v})
			}
		}
	}
	for stage, what := range []string{"read", "execute", "write"} {
		for i := range costs {
			name := fmt.Sprintf("flow.a_b%d.%s", i, what)
			if want := s.Profile(flow.Stage(stage), i); fmt.Sprint(got[name]) != fmt.Sprint(want) {
				t.Errorf("%s: %v, want %v", name, got[name], want)
			}
		}
	}
	if want := s.Profile(flow.Executing, -1); fmt.Sprint(got["flow.executing"]) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got["flow.executing"], want)
	}
	if at != s.Finish {
		t.Errorf("it ends in cycle %d, want %d", at, s.Finish)
	}
}
