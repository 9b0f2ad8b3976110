package pathprof

// This file carries the run-time libraries that profiled programs are linked with.

import "embed"

// Runtime holds the C sources of the run-time libraries: runtime/profile.c (counts,
// with file.c for where they go, earlier.c for those of earlier runs and executions.c for
// the work of sections), runtime/replay.c (a stream of events), runtime/ends.c (what
// both do however the program ends), runtime/openmp.c with serial.c or team.c
// (OpenMP on one thread, or on those of a mapping, with loops.c for how those share
// iterations), runtime/clock.c (for timed runs), and
// runtime/include/omp.h for compilers installed without one. What files share is declared in
// runtime/library.h, openmp.h, loops.h, executions.h and raw.h.
//
//go:embed runtime
var Runtime embed.FS
