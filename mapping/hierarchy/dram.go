package hierarchy

// This file says what a transfer from DRAM takes (Y. Choi, Performance Debugging Frameworks for
// FPGA High-Level Synthesis, UCLA 2019, section 3.2.4).

import "math"

// DRAM are the times of a module whose rows are closed behind each access, in ns, and what may
// be slower than it.
type DRAM struct {
	RAS, RCD, CAS, RP float64
	Controller        float64 // t_CO: what the controller adds to each access
	Pins              float64 // #dq: data pins, bits that are sent at once
	DataMHz           float64 // f_addr: how often these are sent
	BusBits, BusMHz   float64 // bitw and f_bus, of the bus to the processors; 0 where it is not the limit
	GBs               float64 // DBW_C: the most that the controller sustains, in 10^9 bytes a second; 0 where it is not the limit
	Latency           float64 // DLAT: between the request and the first data, besides what the module takes
}

// Access returns how long the module is busy with a transfer, in ns (eq. 3.12).
func (d *DRAM) Access(bytes float64) float64 {
	sent := math.Ceil(bytes * 8 / d.Pins) // len
	return max(d.RAS, d.RCD+d.CAS+sent/d.DataMHz*1e3) + d.RP + d.Controller
}

// Bandwidth returns the bytes in a ns of transfers of such a length (eq. 3.11, 3.13, 3.14).
func (d *DRAM) Bandwidth(bytes float64) float64 {
	b := bytes / d.Access(bytes)
	if d.BusBits > 0 {
		b = min(b, d.BusBits/8*d.BusMHz/1e3)
	}
	if d.GBs > 0 {
		b = min(b, d.GBs)
	}
	return b
}

// Transfer returns what who waits for a transfer waits, in ns (eq. 3.10).
func (d *DRAM) Transfer(bytes float64) float64 { return bytes/d.Bandwidth(bytes) + d.Latency }
