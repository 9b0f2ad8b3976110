package procmodels

import (
	"strings"
	"testing"
)

// Long names are found as short ones are: by the longest beginning.
func TestPrefixOfLongName(t *testing.T) {
	table := prefixTable[int]{"*": 1, "_ZN*": 2, "_ZN3std*": 3, "_ZN3stdx": 4}
	pad := strings.Repeat("x", 10000)
	for name, want := range map[string]int{"": 1, "a": 1, "_ZN": 2, "_ZN3stdx": 4, "_ZN3stdxy": 3, "b" + pad: 1, "_ZN" + pad: 2, "_ZN3std" + pad: 3} {
		if got, ok := table.find(name); !ok || got != want {
			t.Errorf("%.20q: %d %v, want %d", name, got, ok, want)
		}
	}
	if _, ok := (prefixTable[int]{"a*": 1, "b": 2}).find("b" + pad); ok {
		t.Error("a name without an entry is found")
	}
}
