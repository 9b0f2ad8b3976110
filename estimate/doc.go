// Package estimate estimates how long a program takes under a mapping of its parallel
// sections, from one profiled sequential run: from the paths that it took (Lattuada, Pilato,
// Ferrandi, "Performance Estimation of Task Graphs based on Path Profiling", section 5.2),
// or from how the work of its sections went together, execution by execution.
//
//	a, err := estimate.Prepare(bundle, "main")  // once per bundle
//	e, err := a.On(estimate.Processors{...})    // once per platform
//	r, err := e.Estimate(m, estimate.PathBased) // as often as wanted
//	fmt.Println(r.Speedup)
//
// A technique makes rows of the profile (package table, [Estimator.Rows]), which say how
// constructs are executed and how often; everything else reads them. What has no rows, and
// the tables that explain a level, are estimated as the paper does:
//
// Levels are estimated from the innermost loop outward, callees before callers. For
// each path of a level, each task's time is the sum of the block costs on the task's
// processor, of the loops in it and of the functions it calls; the tasks are scheduled
// once per path; the path's time counts by the path's frequency. What the paper leaves
// open, or does not cover, is decided so:
//
//   - A level's value per entry is the total over all its recorded paths divided by
//     its entries, which is eq. 11 for a loop whose paths are whole iterations, and
//     conserves time where levels were cut, collapsed, or left by the program's end.
//   - The last, partial traversal of a loop, which paths of the level around it hold,
//     counts in the loop's task. Where it can reach a parallel region it is scheduled
//     by the loop's own graph, like the iterations before it.
//   - A block costs what the model says for its predecessor in the path (entered.go).
//   - Indirect calls reach their profiled targets; functions passed to an external
//     function are called by it (see calls.go).
//   - Recursive functions are the solution of a system of equations.
//   - Inside an active region, a region that the mapping file does not name stays on
//     the processor that meets it, without overhead. A region is active when one of
//     its sections runs on another processor than the one that forks it.
//   - Create and sync are charged once for each group of sections that a path
//     executes, on every processor that the group uses.
//   - A function is valued for each processor that calls it, but once for all calls
//     from there, as in the paper.
//
// Where models know how uncertain their costs are, Spread estimates with many draws of
// them, and intervals and comparisons of mappings follow.
//
// Searches value candidates through a table.Space: its genes are the decisions that make up
// a mapping, Fast values them without allocating, again after each move, and Bounds says
// what no candidate is below.
//
//	s, err := e.NewSpace(0, estimate.PathBased) // once per serial processor
//	f := s.NewFast()        // once per goroutine
//	f.Move(gene, processor)
//	fmt.Println(f.Seconds(), s.Bounds(nil).Combined)
//
// Reduce hands out rows under a mapping, for those who let overheads and clocks vary
// afterwards (package formula).
//
// The package models neither caches nor contention nor transfers of data, and code
// that runs outside of all calls is left out and listed (Unattributed).
package estimate
