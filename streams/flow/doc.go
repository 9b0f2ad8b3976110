// Package flow tells how much parallelism is in the flow of data of a program, whatever runs
// it: when each execution of a statement starts at the earliest, if statements are processes
// with channels without bounds between them. After W. van Teijlingen, *Determining Performance
// Boundaries and Automatic Loop Optimization of High-Level System Specifications* (Delft),
// section 4.2: absolute, with one resource a statement, is the slow bound of a design,
// unbounded, with one resource an execution, the fast one. Its algorithms 1 to 3 as printed do
// not give its results; ready in schedule.go does.
//
//	for (i) { a[i] = source(); }  for (i) { x[i] = foo(a[i]); y[i] = bar(a[i]); }
//	for (i) { sink(x[i], y[i]); }            4 times each: 14 cycles, or 8
//
// Latencies are fixed, channels hold any number of tokens, and what is written again does not
// wait for who reads it: each token has a place of its own. Package flow chooses no design.
package flow
