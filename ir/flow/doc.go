// Package flow analyses the control flow of one function: dominators,
// postdominators, the loop forest, a topological order of what is left when
// back edges are removed, and control dependence regions. Path profiling
// numbers the paths of each loop over these results, and the estimator sums
// costs per region.
//
//	c := flow.AnalyzeGraph([][]int{{1}, {2, 3}, {1}, nil}) // while loop: 1 is the header
//	c.Order                                                // [0 1 2 3]
//	c.Loops[0].Header, c.Loops[0].Latches                  // 1, [{2 0}]
//	c.IsBack(flow.Edge{From: 2, Index: 0})                 // true
//	c.Regions[1].Blocks                                    // [0 1 3], executed whenever the function is
//
// Blocks are dense indices and block 0 is the entry. An edge is named by its
// source block and successor index, since two successors of a switch may be the
// same block. Irreducible loops are handled, not refused: see Loop. Everything
// but dominators (of gonum/graph/flow) is computed here, in time close to linear
// in the edges and in the size of the result.
//
// The package does not look at instructions: a call that never returns or
// returns twice is an edge like any other or none. It neither changes the graph
// nor canonicalises it.
package flow
