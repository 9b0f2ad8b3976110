package draw

// This file writes a drawing as SVG 1.1.

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// SVG lays a graph out and writes it as SVG.
func (g *Graph) SVG(w io.Writer) error {
	d, err := Layout(g)
	if err != nil {
		return err
	}
	return d.SVG(w, Options{})
}

// SVG writes the drawing as one element that needs nothing else: no script, no font, no
// other file. Each node is a <g class="node"> that can have the focus, with data-id and
// its Data; each edge a <g class="edge"> with data-from and data-to; each group a
// <g class="group">. It reports errors of w.
func (d *Drawing) SVG(w io.Writer, opt Options) error {
	s := &svg{d: d, opt: opt}
	s.write()
	_, err := w.Write(s.Bytes())
	return err
}

type svg struct {
	bytes.Buffer
	d   *Drawing
	opt Options
}

func (s *svg) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// text escapes text for contents and attributes.
func text(t string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(t)) //nolint:errcheck // a Builder does not fail
	return b.String()
}

// px writes tenths of a pixel as pixels.
func px(v int) string { return strconv.FormatFloat(float64(v)/10, 'f', -1, 64) }

func (s *svg) write() {
	d, g, p := s.d, s.d.Graph, text(s.opt.Prefix)
	s.line(`<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-labelledby="%stitle %[1]sdesc" width="%s" height="%s" viewBox="0 0 %[2]s %s">`,
		p, px(d.Width), px(d.Height))
	s.line(`<title id="%stitle">%s</title>`, p, text(g.Title))
	s.line(`<desc id="%sdesc">%s</desc>`, p, text(s.description()))
	s.line("<style>\n%s</style>", text(styleSheet(s.opt)))
	s.line(`<defs>`)
	for _, tip := range []string{"tip", "tip-back"} {
		s.line(`<marker id="%s%s" markerUnits="userSpaceOnUse" markerWidth="9" markerHeight="8" refX="8.5" refY="4" orient="auto"><path class="%[2]s" d="M0 .5 9 4 0 7.5Z"/></marker>`, p, tip)
	}
	s.line(`</defs>`)
	s.line(`<g class="groups">`)
	for i := range g.Groups {
		if d.Groups[i].W > 0 {
			s.group(i)
		}
	}
	s.line("</g>\n<g class=\"edges\">")
	for i := range g.Edges {
		s.edge(i)
	}
	s.line("</g>\n<g class=\"nodes\">")
	for i := range g.Nodes {
		s.node(i)
	}
	s.line("</g>\n</svg>")
}

func (s *svg) description() string {
	var counts []string
	g := s.d.Graph
	for i, n := range []int{len(g.Nodes), len(g.Edges), len(g.Groups)} {
		what := []string{"node", "edge", "group"}[i]
		if n != 1 {
			what += "s"
		}
		if i < 2 || n > 0 {
			counts = append(counts, fmt.Sprint(n, " ", what))
		}
	}
	return strings.Join(counts, ", ")
}

// data returns the attributes for scripts.
func data(d map[string]string) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(d)) {
		fmt.Fprintf(&b, ` data-%s="%s"`, k, text(d[k]))
	}
	return b.String()
}

// title writes what a pointer shows: the title, or the label where there is none.
func (s *svg) title(title, label string) {
	if t := cmp.Or(title, label); t != "" {
		s.line(`<title>%s</title>`, text(t))
	}
}

func (s *svg) group(i int) {
	g, r := &s.d.Graph.Groups[i], s.d.Groups[i]
	s.line(`<g class="group %s" data-id="%s"%s>`, g.Style, text(g.ID), data(g.Data))
	s.title(g.Title, g.Label)
	s.line(`<rect class="box-of" x="%s" y="%s" width="%s" height="%s" rx="6"/>`, px(r.X), px(r.Y), px(r.W), px(r.H))
	if g.Label != "" {
		l := s.d.groupLabel[i]
		s.line(`<text x="%s" y="%s">%s</text>`, px(l.X), px(l.Y+115), text(shortenTitle(g.Label)))
	}
	s.line(`</g>`)
}

func (s *svg) node(i int) {
	n, r := &s.d.Graph.Nodes[i], s.d.Nodes[i]
	class := n.Style.String()
	if n.Color != Ink {
		class += " " + n.Color.String()
	}
	if n.Shape == Plain {
		class += " plain"
	}
	s.line(`<g class="node %s" tabindex="0" aria-label="%s" data-id="%s"%s>`, class, text(strings.Join(n.Lines, ", ")), text(n.ID), data(n.Data))
	s.title(n.Title, strings.Join(n.Lines, "\n"))
	rx := map[Shape]int{Box: 30, Plain: 30, Round: min(r.H/2, 200)}[n.Shape]
	s.rect("shape", r, rx)
	if n.Shape != Plain && n.Color != Ink {
		s.rect("tint", r, rx)
	}
	lines := s.d.lines[i]
	y := r.Y + (r.H-len(lines)*lineHeight)/2 + 115
	for k, l := range lines {
		class := ""
		if k == 0 && len(lines) > 1 {
			class = ` class="head"`
		}
		if l != "" {
			s.line(`<text%s x="%s" y="%s">%s</text>`, class, px(r.X+r.W/2), px(y+k*lineHeight), text(l))
		}
	}
	s.line(`</g>`)
}

func (s *svg) rect(class string, r Rect, rx int) {
	s.line(`<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="%s"/>`, class, px(r.X), px(r.Y), px(r.W), px(r.H), px(rx))
}

func (s *svg) edge(i int) {
	g := s.d.Graph
	e, r := &g.Edges[i], &s.d.Edges[i]
	class, tip := e.Style.String(), "tip"
	if r.Back {
		class, tip = class+" back", "tip-back"
	}
	s.line(`<g class="edge %s" data-from="%s" data-to="%s"%s>`, class, text(g.Nodes[e.From].ID), text(g.Nodes[e.To].ID), data(e.Data))
	s.title(e.Title, e.Label)
	width := ""
	if e.Width > 0 {
		width = fmt.Sprintf(` style="stroke-width:%s"`, px(e.Width))
	}
	s.line(`<path class="line"%s marker-end="url(#%s%s)" d="%s"/>`, width, text(s.opt.Prefix), tip, r.path())
	if r.Label.W > 0 {
		s.line(`<text x="%s" y="%s">%s</text>`, px(r.Label.X), px(r.Label.Y+110), text(shorten(e.Label)))
	}
	s.line(`</g>`)
}

// path returns the way as SVG path data.
func (r *Route) path() string {
	at := func(p Point) string { return px(p.X) + " " + px(p.Y) }
	var b strings.Builder
	b.WriteString("M" + at(r.Points[0]))
	if r.Loop {
		return b.String() + "C" + at(r.Points[1]) + " " + at(r.Points[2]) + " " + at(r.Points[3])
	}
	for i, q := range r.Points[1:] {
		p := r.Points[i]
		if p.X == q.X {
			b.WriteString("V" + px(q.Y))
			continue
		}
		middle := (p.Y + q.Y) / 2
		b.WriteString("C" + at(Point{p.X, middle}) + " " + at(Point{q.X, middle}) + " " + at(q))
	}
	return b.String()
}
