package fitted

import (
	"testing"
)

// Functions that were timed by themselves cost that, unless samples told of them.
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
}
