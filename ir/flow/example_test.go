package flow_test

// This file shows the package at work on the function of its documentation.

import (
	"fmt"

	"pathspan/ir/flow"
)

func ExampleAnalyzeGraph() {
	c := flow.AnalyzeGraph([][]int{{1}, {2, 3}, {1}, nil})
	fmt.Println(c.Order)
	for _, l := range c.Loops {
		fmt.Println("header", l.Header, "latches", l.Latches, "exits", l.Exits)
	}
	fmt.Println(c.IsBack(flow.Edge{From: 2, Index: 0}))
	for _, r := range c.Regions {
		fmt.Println(r.Name, r.Blocks, c.RegionDeps(r.Index))
	}
	// Output:
	// [0 1 2 3]
	// header 1 latches [{2 0}] exits [{1 1}]
	// true
	// A [] []
	// B [0 1 3] [{-1 0}]
	// C [2] [{1 0}]
}
