// Package depend says what of a profiled program is not independent: iterations of loops,
// sections of a construct and tasks that meet in memory, one of them writing.
//
//	d, err := depend.Of(bundle)   // profiled with --memory
//	d.Races()                     // what OpenMP lets run at the same time and does not order
//	d.Loop(fn, header)            // whether iterations of any loop could run at the same time
//
// What a run did in memory is recorded, for each pair of places the first that came between
// them. What optimised code keeps in registers from one iteration to the next is read off the
// module: counters, sums and the like, and what is none of these.
//
// It speaks of the recorded run alone: other inputs may meet elsewhere. Reductions, ordered
// parts, what is done under a common lock, atomic accesses of both sides, and variables of
// which each thread has its own are no races. Of code of a region outside
// of its constructs, which every thread executes, it needs the word of build/openmp that threads do
// the same there.
package depend
