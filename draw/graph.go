package draw

// This file declares what is to be drawn, and a finished drawing.

import (
	"fmt"
)

// Graph is a directed graph with labels. It may have cycles, edges of a node to
// itself, several edges between two nodes, and parts without a connection.
type Graph struct {
	Title string
	// Name names the graph in DOT, where it is not the Title.
	Name   string
	Nodes  []Node
	Edges  []Edge
	Groups []Group
}

// Node is a node of a graph.
type Node struct {
	ID    string   // unique among nodes and groups
	Lines []string // of the label; long ones are shortened in the middle in drawings
	// Title is what a pointer on the node shows; the whole label where it is empty.
	Title string
	Shape Shape
	Style Style
	Color Color
	Group int // index into Graph.Groups, -1 for none
	// Data become attributes data-KEY, for scripts of a page: file, line and such.
	// Keys are of small letters, digits and '-'.
	Data map[string]string
}

// Edge is an edge of a graph.
type Edge struct {
	From, To int // indices into Graph.Nodes
	Label    string
	Title    string // what a pointer on the edge shows, the label where it is empty
	Style    Style
	// Width is that of the line in tenths of a pixel, 0 for the usual width.
	Width int
	Data  map[string]string
}

// Group is a set of nodes that are drawn in a box. One that holds no node is not drawn.
type Group struct {
	ID     string
	Label  string
	Title  string // what a pointer on the label shows, the label where it is empty
	Parent int    // index of the group that holds this one, which comes before it; -1 for none
	Style  Style
	Data   map[string]string
}

// Shape is the outline of a node.
type Shape uint8

// The shapes: a box, one with round ends (an ellipse in DOT), and none.
const (
	Box Shape = iota
	Round
	Plain
)

// Style is the style of a line.
type Style uint8

// The styles of lines.
const (
	Solid Style = iota
	Dashed
	Dotted
)

var styleNames = [...]string{Solid: "solid", Dashed: "dashed", Dotted: "dotted"}

func (s Style) String() string { return styleNames[s] }

// Color is a colour of M. Okabe and K. Ito's palette, which the colour-blind can tell
// apart ("Color Universal Design", 2008).
type Color uint8

// The colours; Ink is that of text.
const (
	Ink Color = iota
	Blue
	Orange
	Green
	Vermilion
	Purple
	Sky
)

var colorNames = [...]string{Ink: "ink", Blue: "blue", Orange: "orange", Green: "green", Vermilion: "vermilion", Purple: "purple", Sky: "sky"}

func (c Color) String() string { return colorNames[c] }

// check reports the first thing that makes the graph none.
func (g *Graph) check() error {
	ids := map[string]bool{"": true}
	for i, gr := range g.Groups {
		if ids[gr.ID] {
			return fmt.Errorf("the id %q is none, or taken", gr.ID)
		}
		ids[gr.ID] = true
		if gr.Parent < -1 || gr.Parent >= i {
			return fmt.Errorf("group %s: its parent %d does not come before it", gr.ID, gr.Parent)
		}
	}
	for _, n := range g.Nodes {
		if ids[n.ID] {
			return fmt.Errorf("the id %q is none, or taken", n.ID)
		}
		ids[n.ID] = true
		if n.Group < -1 || n.Group >= len(g.Groups) {
			return fmt.Errorf("node %s: there is no group %d", n.ID, n.Group)
		}
	}
	for i, e := range g.Edges {
		if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(g.Nodes) {
			return fmt.Errorf("edge %d: it joins nodes %d and %d of %d", i, e.From, e.To, len(g.Nodes))
		}
	}
	return nil
}

// Drawing is a graph with places. Lengths are tenths of a CSS pixel; y grows downward.
type Drawing struct {
	Graph         *Graph
	Width, Height int
	Nodes         []Rect  // by node
	Groups        []Rect  // by group; empty for a group without nodes
	Edges         []Route // by edge

	lines      [][]string // by node: its label as drawn
	groupLabel []Rect     // by group; empty for none
}

// Rect is a rectangle.
type Rect struct{ X, Y, W, H int } // left, top, width, height

// Point is a place.
type Point struct{ X, Y int }

// Route is the way of an edge.
type Route struct {
	// Points are the ends of pieces, from the border of one node to that of the other.
	// A piece that changes x is drawn as a curve that is vertical at both ends.
	Points []Point
	// Back says that the edge closes a cycle and leads upward.
	Back bool
	// Loop says that the edge leads from a node to itself; Points are then the four
	// control points of one curve.
	Loop bool
	// Label is the place of the label, empty when there is none.
	Label Rect
}
