package hierarchy

import (
	"slices"
	"testing"
)

// TestSays: what a file describes is there in words, and no more.
func TestSays(t *testing.T) {
	m, err := readBoth(pads)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"L1: 4096 bytes, each of big, small0, lines of 64 bytes, any line lies anywhere",
		"local memory pad: each of small0, 65536 bytes, copies at the ends of sections; 5 cycles longer",
		"local memory far: each of small1, each access to what others use crosses",
		"main memory: 80 ns",
		"link between main memory and small0: 4 GB/s behind 10 ns",
		"link between small0 and small1: 0.5 GB/s behind 10 ns",
	}
	if got := m.Says(names); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// With fewer processors what only the others reach is not there.
	fewer := []string{want[0], want[1], want[3], want[4]}
	if got := m.Says(names[:2]); !slices.Equal(got, fewer) {
		t.Errorf("%q, want %q", got, fewer)
	}
}
