// Package pathwise estimates mappings a second time, slowly and straight from the
// definitions (Lattuada, Pilato, Ferrandi, "Performance Estimation of Task Graphs
// based on Path Profiling", section 5.2), so that what package estimate computes fast
// can be verified by a program that shares no code with it:
//
//	p, err := pathwise.New(pathwise.Subject{Bundle: b, Root: main, Costs: ..., ClockMHz: ..., Overheads: ...})
//	f, err := p.Estimate(resolved, pathwise.PathBased)
//	fmt.Println(f.SequentialCycles / f.ParallelCycles)
//
// Every path of every level is walked on its own, nothing is merged; averages and maxima
// are taken as they are defined; callees and inner loops are valued where they are met.
//
// No region may be executed inside a section of another one: those compete for processors,
// which paths do not tell. What runs in a section then stays on its processor, so that a
// level takes its tasks one after the other, and of each construct the processor that has
// most to do.
//
// It imports the task graphs (htg) and the bundle, and nothing of package estimate,
// whose doc.go states the definitions. It computes no intervals and explains no tables,
// and it is made to be read, not to be asked a million times.
package pathwise
