package draw

// This file writes a graph for Graphviz.

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// DOT writes the graph in Graphviz's language. It reports errors of w.
func (g *Graph) DOT(w io.Writer) error {
	d := &dotText{}
	d.line("digraph %s {", dotID(cmp.Or(g.Name, g.Title)))
	d.depth++
	usual := g.usualShape()
	d.line("node [shape=%s];", dotShapes[usual])
	d.group(g, -1, usual)
	for i := range g.Edges {
		e := &g.Edges[i]
		var attributes []string
		if e.Label != "" {
			attributes = append(attributes, "label="+quote(e.Label))
		}
		if e.Style != Solid {
			attributes = append(attributes, "style="+e.Style.String())
		}
		list := " [" + strings.Join(attributes, ", ") + "]"
		d.line("%s -> %s%s;", dotID(g.Nodes[e.From].ID), dotID(g.Nodes[e.To].ID), strings.TrimSuffix(list, " []"))
	}
	d.depth--
	d.line("}")
	_, err := w.Write(d.Bytes())
	return err
}

var dotShapes = [...]string{Box: "box", Round: "ellipse", Plain: "plaintext"}

// usualShape returns the shape that most nodes have.
func (g *Graph) usualShape() Shape {
	var n [len(dotShapes)]int
	best := Box
	for i := range g.Nodes {
		s := g.Nodes[i].Shape
		n[s]++
		if n[s] > n[best] {
			best = s
		}
	}
	return best
}

// dotText collects DOT statements.
type dotText struct {
	bytes.Buffer
	depth int
}

func (d *dotText) line(format string, args ...any) {
	d.WriteString(strings.Repeat("  ", d.depth))
	fmt.Fprintf(d, format, args...)
	d.WriteString("\n")
}

// group writes the groups within a group and its nodes.
func (d *dotText) group(g *Graph, group int, usual Shape) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Group != group {
			continue
		}
		attributes := "label=" + quote(n.Lines...)
		if n.Shape != usual {
			attributes += ", shape=" + dotShapes[n.Shape]
		}
		if n.Style != Solid {
			attributes += ", style=" + n.Style.String()
		}
		d.line("%s [%s];", dotID(n.ID), attributes)
	}
	for i := range g.Groups {
		gr := &g.Groups[i]
		if gr.Parent != group {
			continue
		}
		d.line("subgraph %s {", dotID("cluster_"+gr.ID))
		d.depth++
		d.line("label=%s;", quote(gr.Label))
		if gr.Style != Solid {
			d.line("style=%s;", gr.Style)
		}
		d.group(g, i, usual)
		d.depth--
		d.line("}")
	}
}

// dotID writes a name as DOT wants it.
func dotID(name string) string {
	if bare.MatchString(name) && !slices.Contains(keywords, strings.ToLower(name)) {
		return name
	}
	return quote(name)
}

var (
	bare     = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)
	keywords = []string{"node", "edge", "graph", "digraph", "subgraph", "strict"}
)

// quote quotes a label; its lines are centred.
func quote(lines ...string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(l)
	}
	return `"` + strings.Join(out, `\n`) + `"`
}
