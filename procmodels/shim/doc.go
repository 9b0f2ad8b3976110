// Package shim reads, checks and writes descriptions of multicore systems in SHIM
// (Software-Hardware Interface for Multi-many-core, IEEE 2804), versions 1.0 and
// 2.0, and makes processor models of them.
//
//	sys, warnings, err := shim.Load("board.xml")
//	for _, m := range sys.Masters() {
//		fmt.Println(m.Name, m.Arch, sys.ClockOf(m), "Hz")
//	}
//	model, err := procmodels.Open("shim:board.xml#Core_0_0_0", "")
//
// Load is lenient: it takes what it can use and warns of the rest. Lint is strict:
// it holds the file against the schema and asks whether the figures can be true.
// Write makes a SHIM 2.0 file; Load of what Write wrote gives the same System.
//
// The package registers the scheme "shim" with procmodels; importing it is enough.
//
// It reads no power configurations, contention groups, voltages, custom
// instructions or vendor extensions, and writes none. It writes no SHIM 1.0, which
// is another structure and not only other names. Its models price instructions by
// opcode; latencies of memories and communications are read for others to use and
// are in no block's cost.
package shim
