// Package draw draws directed graphs in layers: it places nodes, groups and edges and
// writes the picture as SVG, or the graph as DOT.
//
//	d, err := draw.Layout(&draw.Graph{
//		Title: "two tasks",
//		Nodes: []draw.Node{{ID: "a", Lines: []string{"Task0"}, Group: -1}, {ID: "b", Lines: []string{"Task1"}, Group: -1}},
//		Edges: []draw.Edge{{From: 0, To: 1}},
//	})
//	err = d.SVG(os.Stdout, draw.Options{})
//
// Edges lead downward but for those that close a cycle. No two nodes overlap, no edge
// runs through a node, and the box of a group holds its nodes and no others. All is
// computed in whole numbers (tenths of a CSS pixel), so that the same graph gives the
// same bytes on every machine.
//
// The layout is that of K. Sugiyama, S. Tagawa, M. Toda, "Methods for Visual
// Understanding of Hierarchical System Structures" (1981), with the steps of later
// papers, which the files name. Fonts are not measured: widths come from a table that
// suits common sans-serif fonts. The package knows nothing of what the graphs mean.
package draw
