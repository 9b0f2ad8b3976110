// Package suggest says where a profiled program would gain from running in parallel: which
// loops, sequences of statements and recursions, what the whole program would save on a
// platform, and what is in the way.
//
//	a, err := suggest.Of(estimator, mapping, suggest.Options{Limit: 10})
//	a.Suggestions[0].Place.Line // the loop that saves most
//	a.Suggestions[0].Saves      // seconds of the whole program, alone
//	a.Suggestions[1].Together   // speed-up with both
//
// Prospects are valued in the program as a whole. Its time is that of its blocks, of the
// loops in its functions and of the calls between them, on average, as package estimate has
// it; a prospect that is taken has its parallel time in place of its own. So what lies in
// a prospect that is taken gains nothing by itself, and a function that is also called
// elsewhere does there. Regions that the program has already take what the estimate says.
//
// A profile of paths knows how often an iteration took which way, and not in which order.
// So loops are valued with iterations that are alike, and each says how far they can differ:
// its worst order under the schedule that is suggested (Graham, "Bounds on multiprocessing
// timing anomalies", SIAM J. Appl. Math. 17(2), 1969, for those that are handed out).
//
// Whether iterations of a loop depend on one another, and what statements read of each other, is
// known where a run recorded the program's memory (package depend), of that run. Else, and of
// calls, it is left to whoever reads the suggestion.
package suggest
