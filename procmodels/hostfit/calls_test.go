package hostfit

import (
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
