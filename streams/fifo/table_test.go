package fifo_test

// This file holds shares of stalls, and on whose account they are, to published tables: three
// forms of quicksort (003, figures 3.4 to 3.6), in cycles of each of 128 batches. The figures are
// rounded to thousands of cycles, and so are shares to what these leave open.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pathspan/streams/fifo"
)

// stage is a module that does one batch at a time.
func stage(name string, thousands float64, reads, writes string) string {
	cycles := math.Round(thousands * 1000 / 128)
	return fmt.Sprintf("  %s: {iterations: 128, ii: %.0f, latency: %.0f, reads: {%s}, writes: {%s}}\n", name, cycles, cycles,
		strings.ReplaceAll(reads, "X", "0"), strings.ReplaceAll(writes, "X", fmt.Sprint(cycles-1)))
}

func TestStallTables(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"one after the other", `fifos: {a: {depth: 1}, b: {depth: 1}, free: {depth: 1, initial: 1}}
modules:
` + stage("load", 145, "free: X", "a: X") + stage("comp", 7750, "a: X", "b: X") + stage("store", 140, "b: X", "free: X"),
			"load 98.2 comp 96.5 store 1.7; comp 3.5 load 1.8 store 1.7; store 98.3 load 1.8 comp 96.5"},
		{"unrolled", `fifos: {a0: {depth: 1}, a7: {depth: 1}, a27: {depth: 1}, b0: {depth: 1}, b7: {depth: 1}, b27: {depth: 1}, free: {depth: 1, initial: 1}}
modules:
` + stage("load", 132, "free: X", "a0: X, a7: X, a27: X") + stage("comp0", 247, "a0: X", "b0: X") + stage("comp7", 231, "a7: X", "b7: X") +
			stage("comp27", 258, "a27: X", "b27: X") + stage("store", 131, "b0: X, b7: X, b27: X", "free: X"),
			"load 74.8 comp27 49.5 store 25.2; comp0 52.6 load 25.2 comp27 2.2 store 25.2; comp7 55.7 load 25.2 comp27 5.3 store 25.2; comp27 50.5 load 25.2 store 25.2; store 74.8 load 25.2 comp27 49.5"},
		{"two buffers", `fifos: {a0: {depth: 1, initial: 1}, a7: {depth: 1, initial: 1}, a27: {depth: 1, initial: 1}, b0: {depth: 1, initial: 1}, b7: {depth: 1, initial: 1}, b27: {depth: 1, initial: 1}}
modules:
` + stage("loadstore", 299, "b0: X, b7: X, b27: X", "a0: X, a7: X, a27: X") + stage("comp0", 266, "a0: X", "b0: X") + stage("comp7", 250, "a7: X", "b7: X") + stage("comp27", 277, "a27: X", "b27: X"),
			"loadstore 0.0; comp0 11.0 loadstore 11.0; comp7 16.4 loadstore 16.4; comp27 7.4 loadstore 7.4"},
	} {
		n := read(t, x.text)
		r := simulate(t, n)
		modules := strings.Split(x.want, "; ")
		if r.Deadlock != nil || len(modules) != len(n.Modules) {
			t.Fatalf("%s: %+v", x.name, r)
		}
		for i, want := range modules {
			words := strings.Fields(want)
			causes := map[string]float64{}
			for k := 2; k < len(words); k += 2 {
				var share float64
				fmt.Sscan(words[k+1], &share)
				causes[words[k]] = share
			}
			var all, stalled float64
			fmt.Sscan(words[1], &all)
			for c, m := range n.Modules {
				share := 100 * float64(r.Modules[i].Causes[c]+r.Modules[i].After[c]) / float64(r.Cycles)
				stalled += share
				if math.Abs(share-causes[m.Name]) > 0.15 {
					t.Errorf("%s: %s stalls for %.2f%% on account of %s, want %.1f", x.name, n.Modules[i].Name, share, m.Name, causes[m.Name])
				}
			}
			if words[0] != n.Modules[i].Name || math.Abs(stalled-all) > 0.15 {
				t.Errorf("%s: %s stalls for %.2f%%, want %s", x.name, n.Modules[i].Name, stalled, want)
			}
		}
		if x.name == "one after the other" {
			if by := n.Composed(); by.Sequential != r.Cycles {
				t.Errorf("by formula (3.1) %d cycles, %d played", by.Sequential, r.Cycles)
			}
		}
	}
}

// TestComposed: the closed formulas (3.1 to 3.3), by hand for three loops, and where they are exact.
func TestComposed(t *testing.T) {
	n := read(t, `fifos: {a: {depth: 4}, b: {depth: 4}}
modules:
  x: {iterations: 100, ii: 1, latency: 3, writes: {a: 2}}
  y: {iterations: 100, ii: 2, latency: 5, reads: {a: 0}, writes: {b: 4}}
  z: {iterations: 100, ii: 1, latency: 4, reads: {b: 0}}
`)
	if got, want := n.Composed(), (fifo.Composed{Sequential: 102 + 203 + 103, Parallel: 203, Pipeline: 203 + 12}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	// The pipeline takes what its longest loop does, and what data take through the others before
	// and behind it: the formula also counts the latency of the longest twice.
	if r := simulate(t, n); r.Cycles != 203+3+4 {
		t.Errorf("%d cycles", r.Cycles)
	}
}
