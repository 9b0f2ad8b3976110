// Package loops says which iterations of an OpenMP worksharing loop each thread of a team
// executes, and in which chunks, as clang and LLVM's OpenMP runtime (libomp) have it:
//
//	s, err := loops.Parse("dynamic,4")
//	for d := loops.NewDispenser(s, 10, 3); ; {
//		c, more := d.Next() // [0,4), [4,8), [8,10), whoever asks
//		...
//	}
//	loops.Schedule{}.Share(10, 3, 0).All() // of thread 0 [0,4), of 1 [4,7), of 2 [7,10)
//
// Iterations are counted from 0 in the order of the sequential loop, whatever the type, the
// direction and the stride of the loop's variable. A nest under collapse is one loop over all
// its iterations, the innermost index running fastest. nowait, lastprivate and reductions change nothing here.
//
// What this package claims of libomp is what its versions 14, 16 and 19 did on x86-64 under
// programs of clang 14, 16, 19 and 22 (records of it are in testdata), and why is in the
// sources that the comments name, files of llvm-project/openmp/runtime/src. Settings that few
// people know (KMP_SCHEDULE, KMP_FORCE_MONOTONIC_DYNAMIC_SCHEDULE) are left at their defaults.
// On processors with two kinds of cores, recent versions give threads on the faster ones
// larger first shares of what is stolen from; that is not modelled. Nor is that libomp
// computes in the type of the loop: beyond 2^31 iterations in 32 bits, or with chunks so large
// that their sums leave the type, it loses or repeats iterations, and this package does not.
//
// By default, then, a loop is split like this:
//
//	no schedule, static         equal shares, the larger ones first
//	static,c                    chunks go round
//	dynamic, dynamic,c          chunks shared out in advance, then stolen (Schedule.Steals)
//	guided, guided,c            remaining iterations by twice the threads, down to c
//	auto                        analytical guided: n*x^k remain after k chunks
//	runtime, no OMP_SCHEDULE    static
//	runtime, OMP_SCHEDULE=...   the same, but dynamic chunks are handed out one after another
//	ordered                     likewise
//	a team of one               the whole loop in one chunk
//
// Play plays a schedule on a clock, for threads of different speeds. Of programs the
// package knows the names of schedules, of platforms and mapping files nothing.
package loops
