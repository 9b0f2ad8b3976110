package fifo_test

// This file holds the simulator to published figures, and to what follows from the published
// description.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/streams/fifo"
)

func read(t *testing.T, text string) *fifo.Network {
	t.Helper()
	n, err := fifo.Read("network.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func simulate(t *testing.T, n *fifo.Network) *fifo.Result {
	t.Helper()
	r, err := fifo.Simulate(n)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// mpath is toy_mpath (figures 4.4 and 4.5).
func mpath(iterations, depth int, pipeline string) string {
	text := "fifos:\n"
	for _, f := range []string{"fifo1", "fifo2", "fifo3", "fifo4"} {
		text += fmt.Sprintf("  %s: {depth: %d}\n", f, depth)
	}
	return text + strings.NewReplacer("N", fmt.Sprint(iterations), "P", pipeline).Replace(`modules:
  M1: {iterations: N, ii: 1, latency: 1, writes: {fifo1: 0, fifo2: 0}}
  M2: {iterations: N, ii: 1, latency: 5, pipeline: P, reads: {fifo1: 0}, writes: {fifo3: 4}}
  M3: {iterations: N, ii: 1, latency: 15, pipeline: P, reads: {fifo2: 0}, writes: {fifo4: 14}}
  M4: {iterations: N, ii: 1, latency: 1, reads: {fifo3: 0, fifo4: 0}}
`)
}

// TestPaths: 2.25 cycles an element, 1.125, and 1.
func TestPaths(t *testing.T) {
	for _, x := range []struct {
		depth            int
		period, elements int64
	}{{2, 18, 8}, {6, 18, 16}, {7, 1, 1}, {8, 1, 1}} {
		r := simulate(t, read(t, mpath(4000000, x.depth, "flush")))
		if r.Deadlock != nil || r.Period*x.elements != r.Each[3]*x.period {
			t.Errorf("depth %d: %+v", x.depth, r)
		}
	}
}

// TestArtificialDeadlock: pipelines that stall as a whole, and a depth of 2 (section 4.2.2).
func TestArtificialDeadlock(t *testing.T) {
	n := read(t, mpath(4000000, 2, "stall"))
	d := simulate(t, n).Deadlock
	if d == nil {
		t.Fatal("no deadlock")
	}
	var got []string
	for _, w := range d.Waits {
		got = append(got, fmt.Sprintf("%s %s full:%t", n.Modules[w.Module].Name, n.FIFOs[w.FIFO].Name, w.Full))
	}
	if want := "[M1 fifo1 full:true M2 fifo3 full:true M3 fifo2 full:false M4 fifo4 full:false]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	var circle []string
	for _, w := range d.Cycle {
		circle = append(circle, n.Modules[w.Module].Name)
	}
	if fmt.Sprint(circle) != "[M1 M2 M4 M3]" {
		t.Errorf("cycle %v", circle)
	}
}
