// Package compare shows where processor models differ most on a profiled program: by
// source line, and by opcode where the models price instructions one by one.
//
//	c, err := compare.Run(ctx, bundle, []compare.Candidate{{"arm922t", a}, {"cortex-m4", m}})
//	fmt.Println(c.Pairs[0].Lines[0].Where) // the line with the largest difference
//
// Blocks are weighted by how often they ran. The total of a model is the time of all
// functions that ran on one processor. The package knows nothing of tasks or mappings;
// package estimate does.
package compare
