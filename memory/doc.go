// Package memory knows what a program does to its memory, as one run of it told: which place of
// the source read what which other wrote, in which lane and under which locks; what iterations,
// sections and tasks leave to each other; how much memory lies between two uses of a line.
//
//	d, index := memory.Of(program, graphs, how) // what there is to tell of: build/probe writes it
//	d, err = d.Told(records)                    // what build/runtime told
//	d.Flows[0]                                  // 4 KB of image, written in section 1, read at main.c:40
//
// It does not know what that costs, nor on which processor anything runs.
package memory
