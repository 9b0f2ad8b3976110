// Package comm says who communicates with whom through a program's memory: how much each
// function, loop nest, section, object or line reads and writes, and how many bytes it reads
// that another wrote last.
//
//	c, err := comm.Of(bundle)                          // profiled with --memory
//	v, err := c.View(comm.Options{By: comm.Function})
//	v.Rows[0].Read                                     // bytes; the row with most comes first
//	v.Edges[0].From, v.Edges[0].To, v.Edges[0].Bytes   // from producer to consumer
//	v.Graph()                                          // for package draw
//
// The profiles are those of I. Ashraf, N. Khammassi, M. Taouil, K. Bertels, "Memory and
// Communication Profiling for Accelerator-Based Platforms", IEEE Trans. Computers 67(7), 2018,
// section 3: flat, by call, matrix and graph, by function, by loop nest, by object. They are
// averages where that paper lists each call: a bundle keeps sums.
//
// Ports of functions and sections, and the memory that they need, are those of L. Cai,
// D. Gajski, "Introduction of Design-Oriented Profiler of SpecC Language", UC Irvine TR 02-07,
// 2002, sections 4.2.3, 4.2.4, 5.3.2 and 5.3.3 (ports.go, storage.go).
//
// The package knows nothing of what communication costs.
package comm
