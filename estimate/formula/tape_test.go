package formula

// This file tests tapes: random computations against a reading of their definition, and
// what is no tape.

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
)

// random builds a computation over an overhead and two clocks, and its outputs. Systems
// have a solution: no unknown counts more than it gives.
func random(seed int64) (*Formula, *builder, []linear) {
	r := rand.New(rand.NewSource(seed))
	b := &builder{known: map[string]int32{}, clock: []int{1, 2}, create: []int{0, 0}, sync: []int{0, 0}}
	known := []linear{b.Cycles(1, 0), b.Cycles(1, 1), b.Create(0), b.Sync(1)}
	form := func(from []linear, scale float64) linear {
		var parts []weighted
		for range 1 + r.Intn(4) {
			parts = append(parts, weighted{Weight: scale * float64(1+r.Intn(20)) / 8, Value: from[r.Intn(len(from))]})
		}
		return b.Sum(parts)
	}
	several := func(from []linear, n int, scale float64) (out []linear) {
		for range n {
			out = append(out, form(from, scale))
		}
		return out
	}
	for range 30 {
		switch r.Intn(8) {
		case 0:
			known = append(known, b.single(form(known, 1)))
		case 1:
			known = append(known, b.Max(several(known, 4, 1)))
		case 2:
			var unknowns, values []linear
			for range 1 + r.Intn(3) {
				unknowns = append(unknowns, b.Unknown())
			}
			for range unknowns { // 1/64 of 20/8 of at most 4 of them
				part := b.Max(several(unknowns, 3, 1./64))
				if r.Intn(2) == 0 {
					part = b.Sum([]weighted{{Weight: 1, Value: b.Max([]linear{part, form(known, 1)})}, {Weight: 1. / 64, Value: unknowns[0]}})
				}
				values = append(values, b.Sum([]weighted{{Weight: 1, Value: form(known, 1)}, {Weight: 1, Value: part}}))
			}
			b.Solve("f", unknowns, values)
			known = append(known, unknowns...)
		default:
			known = append(known, b.Max(several(known, 2+r.Intn(3), 1)))
		}
	}
	outputs := several(known, 5, 1)
	f := &Formula{Inputs: []Input{{Kind: Create, Value: 50, Max: 1000}, {Kind: Clock, Value: 100, Min: 25, Max: 400}, {Kind: Clock, Value: 200, Min: 50, Max: 800}}, Outputs: make([]Output, len(outputs))}
	tape, err := encode(b.nodes, outputs)
	if err != nil {
		panic(err)
	}
	f.Tape = tape
	if err := f.read(); err != nil {
		panic(err)
	}
	return f, b, outputs
}

// direct computes the nodes one after the other. Systems are iterated until they stand.
func direct(nodes []node, outputs []linear, x []float64) []float64 {
	v := make([]float64, len(nodes))
	sum := func(f linear) float64 {
		y := 0.0
		for _, t := range f {
			y += t.coef * v[t.node]
		}
		return y
	}
	for pass := range 400 {
		for i, n := range nodes {
			switch n.op {
			case opSeconds:
				v[i] = 1e-6 / x[n.input]
			case opProduct:
				v[i] = x[n.input] * v[n.node]
			case opSum:
				v[i] = sum(n.forms[0])
			case opMax:
				v[i] = 0
				for _, f := range n.forms {
					v[i] = max(v[i], sum(f))
				}
			case opUnknown:
				if pass == 0 {
					v[i] = 0
				}
			case opSolve:
				for k, u := range n.ids {
					v[u] = sum(n.forms[k])
				}
			}
		}
	}
	var out []float64
	for _, f := range outputs {
		out = append(out, sum(f))
	}
	return out
}

func TestTapesOfRandomComputations(t *testing.T) {
	for seed := range int64(200) {
		f, b, outputs := random(seed)
		r := rand.New(rand.NewSource(seed))
		x := f.Initial()
		for range 5 {
			got, err := f.Eval(x)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range direct(b.nodes, outputs, x) {
				if math.Abs(got[i]-want) > 1e-12*want {
					t.Fatalf("seed %d, inputs %v, output %d: %v, want %v", seed, x, i, got[i], want)
				}
			}
			for i, in := range f.Inputs {
				x[i] = in.Min + (in.Max-in.Min)*r.Float64()
			}
		}
	}
}

func TestFormulasAreReadAsWritten(t *testing.T) {
	f, _, _ := random(1)
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	var g Formula
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	want, err := f.Eval(f.Initial())
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.Eval(g.Initial())
	if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// One recursion x = 2 cycles + 2x has no solution that is a time, one of x/2 has 4 cycles.
func TestRecursionWithoutASolution(t *testing.T) {
	for _, c := range []struct {
		coef, want float64
	}{{2, math.NaN()}, {1, math.NaN()}, {0.5, 4e-6}} {
		b := &builder{known: map[string]int32{}, clock: []int{0}}
		x := b.Unknown()
		b.Solve("f", []linear{x}, []linear{b.Sum([]weighted{{Weight: 2, Value: b.Cycles(1, 0)}, {Weight: c.coef, Value: x}})})
		tape, err := encode(b.nodes, []linear{x})
		if err != nil {
			t.Fatal(err)
		}
		f := &Formula{Inputs: []Input{{Kind: Clock, Value: 1}}, Outputs: make([]Output, 1), Tape: tape}
		if err := f.read(); err != nil {
			t.Fatal(err)
		}
		got, err := f.Eval([]float64{1})
		switch {
		case math.IsNaN(c.want) && (err == nil || !strings.Contains(err.Error(), "no solution")):
			t.Errorf("coefficient %g: %v, %v", c.coef, got, err)
		case !math.IsNaN(c.want) && (err != nil || math.Abs(got[0]-c.want) > 1e-18):
			t.Errorf("coefficient %g: %v, %v, want %v", c.coef, got, err, c.want)
		}
	}
}

func TestInputsThatAreNone(t *testing.T) {
	f, _, _ := random(1)
	for _, x := range [][]float64{nil, {1, 2}, {-1, 2, 3}, {1, 0, 3}, {1, 2, math.Inf(1)}, {math.NaN(), 2, 3}} {
		if out, err := f.Eval(x); err == nil {
			t.Errorf("inputs %v: %v", x, out)
		}
	}
}

// tapes gives texts of formulas that are almost whole.
func tapes(use func(text []byte)) {
	f, _, _ := random(3)
	write := func(tape []float64) {
		g := Formula{Inputs: f.Inputs, Outputs: f.Outputs, Tape: tape}
		text, err := json.Marshal(&g)
		if err != nil {
			panic(err)
		}
		use(text)
	}
	write(f.Tape)
	for i := range f.Tape {
		write(f.Tape[:i])
		for _, x := range []float64{-1, 0, 0.5, 7, 1e18} {
			tape := append([]float64(nil), f.Tape...)
			tape[i] = x
			write(tape)
		}
	}
	write(append(append([]float64(nil), f.Tape...), 1))
}

// What is no tape is an error or another computation, and ends either way.
func TestDamagedTapes(t *testing.T) {
	refused := 0
	tapes(func(text []byte) {
		if damaged(t, text) {
			refused++
		}
	})
	if f, _, _ := random(3); refused < len(f.Tape) {
		t.Errorf("%d tapes refused of which %d are cut", refused, len(f.Tape))
	}
}

func damaged(t *testing.T, text []byte) (refused bool) {
	t.Helper()
	var f Formula
	if err := json.Unmarshal(text, &f); err != nil {
		return true
	}
	values, err := f.Eval(f.Initial())
	if err != nil && !strings.HasPrefix(err.Error(), "formula: ") {
		t.Errorf("%v", err)
	}
	if again, _ := f.Eval(f.Initial()); fmt.Sprint(again) != fmt.Sprint(values) || err == nil && len(values) != len(f.Outputs) {
		t.Errorf("%v, again %v, of %d outputs", values, again, len(f.Outputs))
	}
	return false
}

func FuzzFormula(f *testing.F) {
	n := 0
	tapes(func(text []byte) {
		if n++; n%97 == 1 {
			f.Add(text)
		}
	})
	f.Fuzz(func(t *testing.T, text []byte) { damaged(t, text) })
}

// The size of a program with 4,096 classes of executions on three unequal processors.
func BenchmarkEval(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	build := &builder{known: map[string]int32{}, clock: []int{1, 2, 3}, create: []int{0, 0, 0}, sync: []int{0, 0, 0}}
	var sum []weighted
	for range 4096 {
		var loads []linear
		for p := range 3 {
			loads = append(loads, build.Sum([]weighted{{Weight: 1, Value: build.Cycles(float64(r.Intn(1e6)), p)}, {Weight: 1, Value: build.Create(p)}}))
		}
		sum = append(sum, weighted{Weight: float64(1 + r.Intn(9)), Value: build.Max(loads)})
	}
	tape, err := encode(build.nodes, []linear{build.Sum(sum)})
	if err != nil {
		b.Fatal(err)
	}
	f := &Formula{Inputs: []Input{{Value: 50}, {Value: 100}, {Value: 200}, {Value: 300}}, Outputs: make([]Output, 1), Tape: tape}
	if err := f.read(); err != nil {
		b.Fatal(err)
	}
	text, err := json.Marshal(f)
	if err != nil {
		b.Fatal(err)
	}
	x := f.Initial()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Eval(x); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(text)), "bytes")
}
