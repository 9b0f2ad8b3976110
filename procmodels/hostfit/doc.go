// Package hostfit fits a processor model of the machine it runs on: a suite of small
// programs is built at -O0 and -O2, each is timed as the plain sequential program that
// it is, profiled once with the same arguments, and package fit does the rest:
//
//	result, err := hostfit.Measure(ctx, hostfit.Options{Toolchain: tc, Dir: tmp})
//	model, err := result.Fit(fitOptions)
//
// Times are processor time, the least of several runs, less what starting a process
// costs. The clock is measured by a chain of additions, for what the system says of it
// need not be true while it varies. How noisy the machine was is said in the model.
//
// The package measures one processor of the host, running alone: nothing of several
// threads, or of input and output. Models say what hits the first cache; what others take
// is measured beside them, for a platform ([Result.Platform]).
package hostfit
