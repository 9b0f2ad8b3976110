package draw

// This file declares what is to be drawn.

import (
	"fmt"
	"strings"
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
	ID    string   // unique among nodes and groups; letters, digits, '_' and '-'
	Lines []string // of the label; long ones are shortened in the middle in drawings
	// Title is what a pointer on the node shows; the whole label where it is empty.
	Title string
	Shape Shape
	Style Style
	Color Color
	Group int    // index into Graph.Groups, -1 for none
	Href  string // what a click opens, "" for nothing
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
	// Weight says how much the edge is to be short and straight; 0 counts as 1.
	Weight int
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

// Check reports the first thing that makes the graph impossible to draw.
func (g *Graph) Check() error {
	ids := map[string]bool{}
	id := func(what string, i int, id string) error {
		if ids[id] {
			return fmt.Errorf("%s %d: the id %q is taken", what, i, id)
		}
		ids[id] = true
		for _, c := range id {
			if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
				return fmt.Errorf("%s %d: the id %q has a character other than letters, digits, _ and -", what, i, id)
			}
		}
		if id == "" {
			return fmt.Errorf("%s %d: it has no id", what, i)
		}
		return nil
	}
	data := func(what string, i int, data map[string]string) error {
		for k := range data {
			if k == "" || k == "id" || strings.Trim(k, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
				return fmt.Errorf("%s %d: data cannot have the key %q", what, i, k)
			}
		}
		return nil
	}
	for i := range g.Groups {
		gr := &g.Groups[i]
		if err := data("group", i, gr.Data); err != nil {
			return err
		}
		if err := id("group", i, gr.ID); err != nil {
			return err
		}
		if gr.Parent < -1 || gr.Parent >= i {
			return fmt.Errorf("group %s: its parent %d does not come before it", gr.ID, gr.Parent)
		}
		if int(gr.Style) >= len(styleNames) {
			return fmt.Errorf("group %s: there is no style %d", gr.ID, gr.Style)
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if err := data("node", i, n.Data); err != nil {
			return err
		}
		if err := id("node", i, n.ID); err != nil {
			return err
		}
		switch {
		case n.Group < -1 || n.Group >= len(g.Groups):
			return fmt.Errorf("node %s: there is no group %d", n.ID, n.Group)
		case n.Shape > Plain:
			return fmt.Errorf("node %s: there is no shape %d", n.ID, n.Shape)
		case int(n.Style) >= len(styleNames):
			return fmt.Errorf("node %s: there is no style %d", n.ID, n.Style)
		case int(n.Color) >= len(colorNames):
			return fmt.Errorf("node %s: there is no colour %d", n.ID, n.Color)
		}
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		if err := data("edge", i, e.Data); err != nil {
			return err
		}
		switch {
		case e.From < 0 || e.From >= len(g.Nodes) || e.To < 0 || e.To >= len(g.Nodes):
			return fmt.Errorf("edge %d: it joins nodes %d and %d of %d", i, e.From, e.To, len(g.Nodes))
		case e.Weight < 0 || e.Weight > maxWeight || e.Width < 0:
			return fmt.Errorf("edge %d: weight %d, width %d", i, e.Weight, e.Width)
		case int(e.Style) >= len(styleNames):
			return fmt.Errorf("edge %d: there is no style %d", i, e.Style)
		}
	}
	return nil
}

// maxWeight bounds weights, so that sums of them cannot overflow.
const maxWeight = 1000
