package main

// This file holds misses of caches, from what profiled programs tell of memory, to what valgrind's
// cachegrind counts of the same programs without any of it.

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/mapping/caches"
	"pathspan/profile"
)

// cachegrindSays are accesses to data, and those of them that miss.
var cachegrindSays = regexp.MustCompile(`(?s)D   refs: +([0-9,]+).*D1  misses: +([0-9,]+)`)

// Miss rates of whole programs are within 0.7 points on average. cachegrind counts the C library and
// the start of the program as well, of which profiles know nothing.
func TestMissesOfProfiles(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip(err)
	}
	sum, n := 0.0, 0.0
	for _, p := range [][]string{{"dijkstra/dijkstra.c", "60"}, {"stencil/stencil.c", "64", "80"}, {"parallel/mergesort.c", "40000", "200"}} {
		dir := t.TempDir()
		source, bundle, exe := filepath.Join("../../testdata", p[0]), filepath.Join(dir, "a.pspan"), filepath.Join(dir, "a")
		if o := pathspan("", append([]string{"profile", "-q", "--memory", "-o", bundle, source, "--"}, p[1:]...)...); o.status != 0 {
			t.Fatal(o.stderr)
		}
		b, err := profile.ReadFile(bundle)
		if err != nil {
			t.Fatal(err)
		}
		var h caches.Histogram
		var sample []caches.Conflict
		for _, s := range b.Memory.Sets {
			sample = append(sample, caches.Conflict{Log: s.Log, Lines: s.Lines, Times: float64(s.Times)})
		}
		for i := range b.Memory.Reuse {
			r := &b.Memory.Reuse[i]
			h = append(h, caches.Reuse{Lines: r.Lines, Times: float64(r.Reads + r.Writes)})
		}
		if out, err := exec.Command(tc.Clang, "-O2", "-w", "-fno-vectorize", "-fno-slp-vectorize", "-o", exe, source, "-lm").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, c := range []caches.Cache{{Size: 4096, Line: 64}, {Size: 16384, Line: 64, Ways: 4}, {Size: 8192, Line: 64, Ways: 2}, {Size: 32768, Line: 64}} {
			ways := c.Ways
			if ways == 0 {
				ways = c.Size / c.Line
			}
			// What the program prints and how it ends is none of this.
			out, _ := exec.Command("valgrind", append([]string{"--tool=cachegrind", "--cachegrind-out-file=/dev/null", fmt.Sprintf("--D1=%d,%d,%d", c.Size, ways, c.Line), exe}, p[1:]...)...).CombinedOutput()
			m := cachegrindSays.FindSubmatch(out)
			if m == nil {
				t.Fatalf("%s", out)
			}
			var counted [2]float64
			for i := range counted {
				x, err := strconv.Atoi(strings.ReplaceAll(string(m[i+1]), ",", ""))
				if err != nil {
					t.Fatal(err)
				}
				counted[i] = float64(x)
			}
			off := 100 * (c.MissesOf(h, sample, 1) - counted[1]) / counted[0]
			t.Logf("%s, %d bytes, %d ways: %.2f %% miss, %+.2f points off", p[0], c.Size, c.Ways, 100*counted[1]/counted[0], off)
			sum, n = sum+math.Abs(off), n+1
		}
	}
	if t.Logf("%.2f points off on average", sum/n); sum/n > 0.3 {
		t.Errorf("miss rates are %.2f points off on average", sum/n)
	}
}
