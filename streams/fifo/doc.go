// Package fifo plays networks of modules that pass data through FIFOs of finite depth, cycle by
// cycle, as hardware does that high-level synthesis makes: where modules stall and on whose
// account, where they deadlock, and how deep FIFOs have to be. After Y.-k. Choi, *Performance
// Debugging Frameworks for FPGA High-Level Synthesis* (Los Angeles), chapters 4 (the simulator)
// and 5.3 (where stalls come from).
//
// A module is a pipelined loop: an iteration starts II cycles behind the one before, and reads
// and writes FIFOs in fixed cycles of its own. What is written in a cycle can be read in the
// next, and so is a place that is freed; a module does all that is due in a cycle or stands
// still.
//
//	source: {iterations: 4, ii: 1, latency: 1, writes: {data: 0}}
//	sink:   {iterations: 4, ii: 2, latency: 1, reads: {data: 0}}
//
// With a depth of 1 they take 8 cycles: written in 0, 2, 4 and 6, read in 1, 3, 5 and 7.
//
//	n, err := fifo.Read("network.yaml", text)
//	r, err := fifo.Simulate(n)               // r.Cycles, r.Modules[0].Causes, r.Deadlock
//	d, err := fifo.Depths(n, fifo.Want{})    // d.Best.Depths: the fewest bits that are as fast as any
//
// Nothing of what FIFOs carry is known, so what depends on data has to be written down as a
// pattern. Memory and its bandwidth are not modelled.
package fifo
