// Package formula records an estimate of one mapping as a small computation over what a
// reader of a report may change: what creating and synchronising tasks costs, and the
// processors' clocks. A page evaluates it again for other figures, without pathspan:
//
//	f, err := formula.Record(e, m, []estimate.Technique{estimate.PathBased})
//	x := f.Initial()                 // the platform's own figures
//	x[0] = 500                       // cycles to create tasks
//	seconds, err := f.Eval(x)        // by output; what Estimate gives on such a platform
//
// For a fixed mapping the cycles of all blocks are constants, and times are sums, products
// with constants and maxima of them; recursive functions are the least solution of
// equations of this kind. What depends on the mapping alone (which regions are active, who
// shares a processor, what the profile knows) is decided when recording. What depends on
// the inputs stays a step of the computation: which section is the longest on which path,
// whether EB takes PB's value, whether a recursion has a solution.
//
// A time is a linear form: a coefficient for each cycle time, for each overhead, and for
// each maximum that could not be decided. As all are 0 or more, a form whose coefficients
// are all at least another's is at least as long whatever the inputs are. So most maxima
// are decided when recording, on equal processors nearly all, and the thousands of paths
// and classes of a profile add up to few terms. Nothing is left out for that, and figures
// agree with Estimate up to the order of additions, which Record checks.
//
// Inputs must not change more than they say: the clock of a group of processors that have
// one model and clock changes for all of them, and changes no number of cycles, as a
// platform file's clock does. Models, mapping, number of processors and profile are fixed.
// An overhead input stands for all processors where they are equal, as one in a platform
// file does. Where models of processors know different ones, each model has an input; the
// same figures in all of them are what a platform file says.
//
// Outputs are seconds. Cycles, as pathspan estimate prints them, are those of the serial
// processor: seconds times its clock, the input SerialClock.
//
// Intervals and shares of default costs are not recorded.
package formula
