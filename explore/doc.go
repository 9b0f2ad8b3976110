// Package explore searches for the best mappings of a profiled program: which processor
// runs each section, and in which order where the order can matter.
//
//	s, err := explore.New(estimator, explore.Options{Evaluations: 100000, Seed: 1})
//	found, err := s.Run(ctx)
//	fmt.Println(found.Best.Metrics.Seconds, found.Proven, found.Gap())
//
// Candidates are valued by table.Fast, by paths or by executions. A search is cut
// into work items that depend on the options and the seed alone, each with a stream of
// random numbers of its own, and what they find is put together in the order of their
// numbers. So the result does not depend on the number of cores, an interrupted search
// goes on from the items that are done, and it ends as if it had not been interrupted.
// With a budget of time instead of evaluations, how many items are done depends on the
// machine.
//
// Where a program comes apart (table.Space), exhaustive search and branch and bound
// take its units one by one, so that the number of candidates is a sum and not a product.
// Limits of memory tie the units together again; a limit of the number of processors is
// met by searching each set of processors, one of each sort.
//
// Where processors make loops in hardware, each way to make them is searched by itself (makings).
//
// The package knows nothing of data transfers, and of memory only what constraints say.
package explore
