// Package pathprof counts whole paths, once, on the sequential program.
//
// It numbers the hierarchical paths of every function (Lattuada, Pilato,
// Ferrandi, section 5.1; after Ball and Larus, "Efficient path profiling",
// MICRO 1996), plans the probes that count them at run time, and turns numbers back
// into paths. Package profile keeps the counts.
//
// A function has one level for its body (level 0) and one for each loop. A
// level's paths start where the level is entered and end where an iteration (or
// the function) ends; a path of an outer level runs through the last, partial
// traversal of each loop it meets and leaves the completed iterations before it
// to the loop's own level, where the paper writes L*. So for
//
//	while (i < n) { if (c) f(); i++; }
//	return i;
//
// level 0 has one path (entry, L*, test, return) and the loop's level two, with
// and without the call.
//
// The package does not schedule or cost anything, and it never sees assembly
// text: it plans probes as data, which package build/probe writes into the module.
package pathprof
