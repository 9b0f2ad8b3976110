// Package measure times a program on this machine: the plain sequential build, and the
// real parallel one with its sections and loops on pinned threads, under any mapping.
//
//	cpus, free, err := measure.Processors(2)
//	plan := measure.Plan{Recorder: r, Plain: plain, Parallel: parallel, Args: args, Repeat: 10}
//	plan.Mappings = append(plan.Mappings, measure.Mapping{Name: "split.yaml", Resolved: m, CPUs: cpus})
//	result, err := plan.Run(ctx)
//
// Sequential and parallel runs alternate, so that what disturbs the machine for a
// while disturbs both. Every run must print what the plain build prints.
//
// A program that makes tasks runs with LLVM's OpenMP library, which takes nothing of a mapping
// but how many threads there are.
//
// A platform's processors are all this machine's: their models, clocks and overheads
// play no part here. Package estimate and package replay are where they count.
package measure
