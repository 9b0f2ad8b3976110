package fifo_test

// This file plays a network without FIFOs.

import "testing"

func TestNoFIFOs(t *testing.T) {
	r := simulate(t, read(t, "fifos: {}\nmodules:\n  m: {iterations: 3, ii: 1, latency: 2}\n"))
	if r.Cycles != 4 || r.Deadlock != nil {
		t.Errorf("%+v", r)
	}
}
