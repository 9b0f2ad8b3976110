// Package formula holds the estimates of one mapping as something small over what a reader
// of a report may change: what creating and synchronising tasks costs, and the processors'
// clocks. A page evaluates it again for other figures, without pathspan:
//
//	f, err := formula.Of(e, m, []estimate.Technique{estimate.ExecutionBased})
//	x := f.Initial()                 // the platform's own figures
//	x[0] = 500                       // cycles to create tasks
//	figures, err := f.Eval(x)        // what Estimate gives on such a platform
//
// For a fixed mapping the cycles of all rows (package table) are constants. So a formula is
// those rows, reduced to what each processor does: where nothing inside sections is spread,
// a row is its weight and the cycles of each processor, of which the longest counts; rows
// that are equal then are one, and of processors that share their inputs only the one with
// most to do is kept, so that on equal processors all rows are one. Where regions inside
// sections compete for processors, the order of events depends on clocks and overheads;
// such rows are kept as trees and played again.
//
// Techniques without rows, and rows that say only on average what is inside sections, have
// no formula: Fixed says which and why.
//
// Inputs must not change more than they say: the clock of a group of processors that have
// one model and clock changes for all of them, and changes no number of cycles, as a
// platform file's clock does. Models, mapping, number of processors and profile are fixed.
// An overhead input stands for all processors where they are equal, as one in a platform
// file does. Where models of processors know different ones, each model has an input; the
// same figures in all of them are what a platform file says.
//
// Intervals and shares of default costs are no part of it.
package formula
