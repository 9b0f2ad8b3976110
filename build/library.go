// Package build holds what makes a bundle of a program's sources, each step a package of
// its own: plan and toolchain find and compile them, openmp makes their regions sequential,
// probe writes counters into them, record drives the steps and cc takes them inside of a
// project's own build. The package itself carries the C sources that profiled programs are
// linked with.
//
// It compiles nothing and prices nothing.
package build

import "embed"

// Library holds the C sources of the run-time libraries: runtime/profile.c (counts,
// with file.c for where they go, earlier.c for those of earlier runs and, in programs that
// have marks alone, [Executions] for the work of sections), runtime/flow.c (the flow of data), runtime/replay.c (a stream of events), runtime/ends.c (what
// both do however the program ends), runtime/openmp.c with serial.c or team.c
// (OpenMP on one thread, or on those of a mapping, with loops.c for how those share
// iterations), runtime/inlined.c (bitcode that programs with loops inline), runtime/clock.c (for timed runs), and
// runtime/include/omp.h for compilers installed without one. What files share is declared in
// runtime/library.h, openmp.h, serial.h, loops.h, executions.h, following.h, quiet.h and raw.h.
//
//go:embed runtime
var Library embed.FS

// Executions are the sources that follow the work of sections, and keep how it went together.
func Executions() []string {
	return []string{"executions.c", "following.c", "samples.c", "room.c", "laneparts.c", "streaks.c", "blocks.c", "tasklanes.c", "heldlocks.c", "lockaddresses.c", "updates.c", "executionsfile.c", "forest.c"}
}
