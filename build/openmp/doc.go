// Package openmp makes the OpenMP parallel regions of an LLVM module sequential
// and delimits their sections, so that one run of one thread passes through all
// sections, while each section is optimised as the parallel program would
// optimise it.
//
// It works on what clang makes of OpenMP (LLVM 14 to 22), not on source text: a
// call of __kmpc_fork_call names the outlined function of a region, and in it a
// call of __kmpc_for_static_init_4 whose location is flagged as "sections" is
// followed by a loop around a switch over section numbers.
//
// The driver runs two stages around the optimiser:
//
//	m, err := asm.Parse(linked)         // after opt -passes=instnamer
//	r, err := openmp.Lower(m)           // r.Regions, r.Notes
//	...                                 // opt -passes=default<O2>,instnamer
//	m, err = asm.Parse(optimised)
//	err = openmp.Delimit(m, r)
//	...                                 // opt -passes=always-inline,globaldce,...
//	m, err = asm.Parse(inlined)
//	err = openmp.SplitMarks(m)          // ir.Build can now read the markers
//
// [Lower] turns each region into a function of its own and each section into
// another, which the optimiser can neither look into nor inline: in the parallel
// program they are reached through the run-time library. [Delimit] puts markers
// around their calls and lets them be laid back into their callers. For
//
//	#pragma omp parallel sections
//	{
//		#pragma omp section
//		left();
//		#pragma omp section
//		right();
//	}
//
// the final code is: mark(1, 0, 0, 0), mark(3, 0, 0, 0), left, mark(4, 0, 0, 0),
// mark(3, 0, 0, 1), right, mark(4, 0, 0, 1), mark(2, 0, 0, 0). Calls of the run-time
// library that are left (locks, barriers, loops) go to the serial run-time
// library in build/runtime.
//
// Worksharing loops keep the code that clang wrote for them, with marks around: their
// iterations are one section. What one thread does alone (single, master, masked) is a
// section if it makes tasks. Tasks run where they are created, between marks of their own,
// wherever that is: mark(24, 0, t, 0), task t, mark(25, 0, t, 0).
//
// What it does not do: it does not model offloading, or sections and loops
// outside the text of a parallel region. They run sequentially, and a
// note says so for each. It does not recognise the code of LLVM's OpenMPIRBuilder
// (flang, clang -fopenmp-enable-irbuilder), which is noted as well.
package openmp
