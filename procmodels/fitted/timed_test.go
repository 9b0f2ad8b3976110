package fitted

import (
	"testing"

	"pathspan/ir"
	"pathspan/procmodels/pipeline"
)

// Functions that were timed by themselves cost that, unless samples told of them; and roundings are functions where blocks are played.
func TestTimedFunctions(t *testing.T) {
	m := model()
	timed := m.Coefficients[len(m.Coefficients)-1]
	for i := range m.Coefficients {
		if IsLibrary(m.Coefficients[i].Feature) {
			timed = m.Coefficients[i]
		}
	}
	name := timed.Feature[len(libraryPrefix):]
	if err := m.AddTimed(map[string]float64{"atan2": 73, "aaa": 5, name: timed.Cycles + 1}); err != nil {
		t.Fatal(err)
	}
	for feature, want := range map[string]float64{"call atan2": 73, "call aaa": 5, timed.Feature: timed.Cycles} {
		if got := m.Cycles(map[string]float64{feature: 1}); got != want {
			t.Errorf("%s costs %v, want %v", feature, got, want)
		}
	}
	again, err := parse("m.yaml", m.Marshal())
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Cycles(map[string]float64{"call atan2": 2}); got != 146 {
		t.Errorf("a file has %v for two calls", got)
	}
	machine, err := pipeline.OutOfOrder(pipeline.Figures{Issue: 4, Window: 64})
	if err != nil {
		t.Fatal(err)
	}
	floor := func(typ, of string) *ir.Instr {
		return &ir.Instr{Op: "call", Type: typ, Call: &ir.Call{Name: "llvm.floor." + of, Callee: -1}}
	}
	for _, c := range []struct {
		scheme Scheme
		in     *ir.Instr
		want   string
	}{
		{Scheme{Machine: machine}, floor("double", "f64"), "call floor"}, {Scheme{Machine: machine}, floor("float", "f32"), "call floorf"}, {Scheme{}, floor("double", "f64"), "convert"},
	} {
		if got := c.scheme.call(c.in); got != c.want {
			t.Errorf("%s is of class %q, want %q", c.in.Call.Name, got, c.want)
		}
	}
}
