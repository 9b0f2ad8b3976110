package hostfit

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// The program that times functions has those that are asked for.
func TestTimedCalls(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("suite", callsProgram+".c"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile(`of\((?:double|float), (\w+), (\w+)\(`).FindAllSubmatch(source, -1) {
		if string(m[1]) != string(m[2]) {
			t.Errorf("%s times %s", m[1], m[2])
		}
		listed = append(listed, string(m[1]))
	}
	if !slices.Equal(listed, timedCalls) {
		t.Errorf("the program times %v, asked for are %v", listed, timedCalls)
	}
}

// What conversions and bytes take is what calls take longer that have them.
func TestPartsOfCalls(t *testing.T) {
	got := callsOf(map[string]float64{"memcpy": 20, "copies": 120.05, "snprintf": 100, "format_d": 150, "format_x": 90, "format_s": 130, "format_f": 700, "strtol": 40, "strtod": 80, "sin": 50})
	want := map[string]float64{"memcpy": 20, "bytes moved": 0.1, "snprintf": 100, "format %d": 50, "format %x": 0, "format %s": 30, "format %f": 600, "strtol": 40, "strtod": 80,
		"atol": 40, "atoi": 40, "strtoll": 40, "atof": 80, "sin": 50}
	for name, cycles := range want {
		if math.Abs(got[name]-cycles) > 1e-9 {
			t.Errorf("%s takes %v, want %v", name, got[name], cycles)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%v, want %v", got, want)
	}
}
