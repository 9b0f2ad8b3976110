package explore

// This file holds searches under constraints against brute force.

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/visible"
)

// feasible visits the genes of all candidates and their metrics.
func feasible(t *testing.T, e *estimate.Estimator, serial int, visit func(genes []int32, seconds float64)) {
	t.Helper()
	space, err := e.NewSpace(serial, estimate.PathBased)
	if err != nil {
		t.Fatal(err)
	}
	f := space.NewFast()
	genes := make([]int32, len(space.Genes))
	for {
		f.Set(genes)
		visit(genes, f.Seconds())
		i := 0
		for ; i < len(genes); i++ {
			if genes[i]++; int(genes[i]) < space.Genes[i].Values {
				break
			}
			genes[i] = 0
		}
		if i == len(genes) {
			return
		}
	}
}

func TestConstraints(t *testing.T) {
	tight := 0
	for seed := range uint64(150) {
		e := random(t, seed)
		n := len(e.Platform.Processors)
		if !small(e, 2000) || n < 2 {
			continue
		}
		r := rand.New(rand.NewPCG(seed, 9))
		space, err := e.NewSpace(0, estimate.PathBased)
		if err != nil {
			t.Fatal(err)
		}
		name := func(g int) string { return space.Genes[g].Name }
		proc := func(p int) string { return e.Platform.Processors[p].Name }
		var c Constraints
		pinned, pin := r.IntN(len(space.Genes)), r.IntN(n)
		if r.IntN(2) == 0 {
			c.Pin = []Rule{{name(pinned), proc(pin), "test"}}
		} else {
			pinned = -1
		}
		never := -1
		if r.IntN(3) == 0 && n > 2 {
			if never = 1 + r.IntN(n-1); never != pin {
				c.Forbid = []Rule{{"", proc(never), "test"}}
			} else {
				never = -1
			}
		}
		if r.IntN(2) == 0 {
			c.MaxProcessors = 1 + r.IntN(n)
			if pinned >= 0 && pin != 0 {
				c.MaxProcessors = max(c.MaxProcessors, 2)
			}
		}
		demand, memory := make([]float64, len(space.Genes)), make([]float64, n)
		for p := range memory {
			memory[p] = math.Inf(1)
		}
		if r.IntN(2) == 0 {
			for g := range demand {
				demand[g] = float64(r.IntN(100))
				c.Demand = append(c.Demand, Amount{name(g), demand[g], "test"})
			}
			for p := range memory {
				memory[p] = 50 + float64(r.IntN(300))
				c.Memory = append(c.Memory, Amount{proc(p), memory[p], "test"})
			}
		}
		free, best, energetic := math.Inf(1), math.Inf(1), math.Inf(1)
		f := space.NewFast()
		w := e.Platform.Power()
		fastest := math.Inf(1)
		feasible(t, e, 0, func(_ []int32, x float64) { fastest = min(fastest, x) })
		limit := f.Seconds() / (1 + 0.5*(f.Seconds()/fastest-1))
		feasible(t, e, 0, func(genes []int32, seconds float64) {
			free = min(free, seconds)
			used, load := map[int32]bool{0: true}, make([]float64, n)
			for g, v := range genes {
				if g == pinned && int(v) != pin || int(v) == never {
					return
				}
				used[v] = true
				load[v] += demand[g]
			}
			for p := range load {
				if load[p] > memory[p] {
					return
				}
			}
			if c.MaxProcessors > 0 && len(used) > c.MaxProcessors {
				return
			}
			best = min(best, seconds)
			if seconds <= limit {
				f.Set(genes)
				busy := make([]float64, n)
				f.BusySeconds(busy)
				energetic = min(energetic, w.Joules(seconds, busy))
			}
		})
		for _, algorithm := range Algorithms() {
			s, err := New(e, Options{Algorithm: algorithm, Constraints: c, Evaluations: 2000, Seed: seed})
			if err != nil {
				if math.IsInf(best, 1) {
					continue
				}
				t.Fatalf("seed %d: %v", seed, err)
			}
			found, err := s.Run(context.Background())
			if err != nil {
				if !strings.HasPrefix(err.Error(), "no mapping meets") || math.IsInf(best, 1) {
					continue
				}
				t.Fatalf("seed %d, %s: %v, but one takes %v s", seed, algorithm, err, best)
			}
			got := found.Best.Metrics.Seconds
			proves := algorithm == "exhaustive" || algorithm == "branch-and-bound"
			if got < best*(1-1e-9) || (found.Proven || proves) && !closeTo(got, best) || found.Bounds.Combined > best*(1+1e-9) {
				t.Fatalf("seed %d, %s, %+v: %v s (proven %v, bound %v), by brute force %v", seed, algorithm, c, got, found.Proven, found.Bounds.Combined, best)
			}
		}
		if best > free*(1+1e-9) && !math.IsInf(best, 1) {
			tight++
		}
		if math.IsInf(energetic, 1) {
			continue
		}
		c.MinSpeedup = space.NewFast().Seconds() / limit
		found := run(t, e, Options{Algorithm: "exhaustive", Objective: Energy, Constraints: c, Evaluations: 1e6})
		if !closeTo(found.Best.Metrics.Joules, energetic) || !found.Proven {
			t.Fatalf("seed %d, %+v: %v J (proven %v), by brute force %v", seed, c, found.Best.Metrics.Joules, found.Proven, energetic)
		}
	}
	if tight < 20 {
		t.Errorf("only %d cases in which the constraints matter", tight)
	}
}

// Any serial processor: the best over each.
func TestAnySerialProcessor(t *testing.T) {
	other := 0
	for seed := range uint64(60) {
		e := random(t, seed)
		if !small(e, 700) {
			continue
		}
		best, first := math.Inf(1), math.Inf(1)
		for p := range e.Platform.Processors {
			feasible(t, e, p, func(_ []int32, seconds float64) { best = min(best, seconds) })
			if p == 0 {
				first = best
			}
		}
		for _, algorithm := range []string{"exhaustive", "branch-and-bound"} {
			f := run(t, e, Options{Algorithm: algorithm, AnySerial: true, Evaluations: 1e6})
			if !closeTo(f.Best.Metrics.Seconds, best) || !f.Proven || f.Bounds.Combined > best*(1+1e-9) {
				t.Fatalf("seed %d, %s: %v s, by brute force %v", seed, algorithm, f.Best.Metrics.Seconds, best)
			}
		}
		if best < first*(1-1e-9) {
			other++
		}
	}
	if other < 5 {
		t.Errorf("only %d programs for which the first processor is not the best", other)
	}
}

func TestConstraintFiles(t *testing.T) {
	c, err := parseConstraints("c.yaml", []byte(`schema: pathspan.constraints/1
pin: {"a.c:f:1/2": beta}
forbid:
  dsp0: all
  dsp1: ["a.c:f:1/1", "a.c:f:1/3"]
max_processors: 4
memory: {beta: 65536}
demand: {"a.c:f:1/2": 20000}
min_speedup: 1.2
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Pin) != 1 || c.Pin[0].Processor != "beta" || len(c.Forbid) != 3 || c.Forbid[0].Section != "" || c.Forbid[2].Section != "a.c:f:1/3" ||
		c.MaxProcessors != 4 || c.Memory[0].Bytes != 65536 || c.Demand[0].Bytes != 20000 || c.MinSpeedup != 1.2 {
		t.Errorf("%+v", c)
	}
	for text, want := range map[string]string{
		"pins: {}":                `"pin"`,
		"pin: [a]":                "pin",
		"forbid: {a: some}":       "forbid",
		"max_processors: 0":       "max_processors",
		"memory: {a: 0}":          "memory",
		"memory: {a: many}":       "memory",
		"demand: {a: -1}":         "demand",
		"min_speedup: 0":          "min_speedup",
		"schema: pathspan.else/1": "schema",
	} {
		if _, err := parseConstraints("c.yaml", []byte(text+"\n")); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "c.yaml:1:") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzConstraints(f *testing.F) {
	f.Add("pin: {a: b}\nforbid: {c: all, d: [e]}\nmax_processors: 2\n")
	f.Add("memory: {a: 5}\ndemand: {b: 1}\nmin_speedup: 1e3")
	f.Add("forbid: all")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := parseConstraints("c.yaml", []byte(text))
		if (c == nil) == (err == nil) || err != nil && !visible.IsLine(err.Error()) {
			t.Errorf("%v, %q", c, err)
		}
		if again, _ := parseConstraints("c.yaml", []byte(text)); !reflect.DeepEqual(again, c) {
			t.Errorf("%v, read again %v", c, again)
		}
	})
}

func FuzzState(f *testing.F) {
	f.Add([]byte(`{"schema":"pathspan.explore.state/1","question":"x","items":{"0":{"evaluations":1,"complete":true}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		st, err := ReadState(data)
		if err != nil {
			return
		}
		text, err := st.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ReadState(text); err != nil || !reflect.DeepEqual(again, st) {
			t.Errorf("%+v, written and read again %+v, %v", st, again, err)
		}
	})
}
