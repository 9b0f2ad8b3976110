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
	Banks             float64 // how many accesses the module works on at a time, at least 1
	Latency           float64 // DLAT: between the request and the first data, besides what the module takes
}

// Access returns how long a bank is busy with a transfer, in ns (eq. 3.12).
func (d *DRAM) Access(bytes float64) float64 {
	return max(d.RAS, d.RCD+d.CAS+d.sending(bytes)) + d.RP + d.Controller
}

// sending is how long a transfer keeps the data pins, in ns: len/f_addr.
func (d *DRAM) sending(bytes float64) float64 { return math.Ceil(bytes*8/d.Pins) / d.DataMHz * 1e3 }

// Bandwidth returns the bytes in a ns of transfers of such a length, one after the other (eq. 3.11, 3.13, 3.14).
func (d *DRAM) Bandwidth(bytes float64) float64 { return d.limited(bytes, d.Access(bytes)) }

// limited is the bandwidth of transfers that keep the module busy for so many ns each.
func (d *DRAM) limited(bytes, busy float64) float64 {
	b := bytes / busy
	if d.BusBits > 0 {
		b = min(b, d.BusBits/8*d.BusMHz/1e3)
	}
	if d.GBs > 0 {
		b = min(b, d.GBs)
	}
	return b
}

// Occupied returns how long a transfer keeps others waiting, in ns (t_BO of eq. 3.16): banks work
// beside each other, and share what the data pass through.
func (d *DRAM) Occupied(bytes float64) float64 {
	return bytes / d.limited(bytes, max(d.Access(bytes)/d.Banks, d.sending(bytes)))
}

// Transfer returns what who waits for a transfer waits, in ns (eq. 3.10).
func (d *DRAM) Transfer(bytes float64) float64 { return bytes/d.Bandwidth(bytes) + d.Latency }
