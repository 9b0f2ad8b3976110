package draw

// This file declares a finished drawing.

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
