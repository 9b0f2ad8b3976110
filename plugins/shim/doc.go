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
// Write makes a SHIM 2.0 file, of which Load gives the same System, and Write10 a 1.0
// file, as far as 1.0 can say it. FromModel makes a System of any other model.
//
// The package registers the scheme "shim" with procmodels; importing it is enough.
//
// It reads no power configurations, contention groups, voltages, custom
// instructions or vendor extensions, and writes none. Its models price instructions by
// opcode, and accesses by the memory that the reference chooses; latencies of
// communications are read for others to use and are in no block's cost.
package shim
