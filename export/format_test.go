package export

// This file tests how formats are found.

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, file, want, err string }{
		{"", "a.pb.gz", "pprof", ""},
		{"", "a.pprof", "pprof", ""},
		{"", "a.xml", "sdf3", ""},
		{"", "a.trace.json", "chrome", ""},
		{"", "a.cilkscale.csv", "cilkscale", ""},
		{"csv", "a.xml", "csv", ""},
		{"", "a.json", "", "-o a.json: the name does not say which format"},
		{"", "a.csv", "", "-o a.csv: the name does not say which format"},
		{"", "", "", "--format: none given"},
		{"pprog", "", "", "did you mean pprof?"},
	} {
		f, err := Find(c.name, c.file)
		if f.Name != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("Find(%q, %q) is %q, %v; want %q, %q", c.name, c.file, f.Name, err, c.want, c.err)
		}
	}
}

func TestRounder(t *testing.T) {
	var r rounder
	sum := int64(0)
	for range 1000 {
		n := r.next(0.3337)
		if n < 0 || n > 1 {
			t.Fatalf("0.3337 becomes %d", n)
		}
		sum += n
	}
	if sum != 334 {
		t.Errorf("the sum is %d, want 334", sum)
	}
}

func TestComment(t *testing.T) {
	if got := comment("a --- b-"); strings.Contains(got, "--") {
		t.Errorf("%q holds two hyphens in a row", got)
	}
}
