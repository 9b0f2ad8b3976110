package draw

// This file holds layouts of made-up graphs to what the package promises.

import (
	"bytes"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"
)

func overlap(a, b Rect) bool {
	return a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

func within(in, out Rect) bool {
	return in.X >= out.X && in.Y >= out.Y && in.X+in.W <= out.X+out.W && in.Y+in.H <= out.Y+out.H
}

// flaw returns the first thing that is wrong with a drawing, "" for nothing.
func flaw(d *Drawing) string {
	g := d.Graph
	page := Rect{W: d.Width, H: d.Height}
	holds := func(group, of int) bool {
		for ; of >= 0; of = g.Groups[of].Parent {
			if of == group {
				return true
			}
		}
		return false
	}
	for i, r := range d.Nodes {
		if !within(r, page) || r.W <= 0 || r.H <= 0 {
			return fmt.Sprintf("node %d is at %v of %v", i, r, page)
		}
		for k := range i {
			if overlap(r, d.Nodes[k]) {
				return fmt.Sprintf("nodes %d %v and %d %v overlap", k, d.Nodes[k], i, r)
			}
		}
		for gr, box := range d.Groups {
			if holds(gr, g.Nodes[i].Group) {
				if !within(r, box) {
					return fmt.Sprintf("node %d %v reaches out of its group %d %v", i, r, gr, box)
				}
			} else if overlap(r, box) {
				return fmt.Sprintf("node %d %v lies in group %d %v", i, r, gr, box)
			}
			if overlap(r, d.groupLabel[gr]) {
				return fmt.Sprintf("node %d %v covers the label %v of group %d", i, r, d.groupLabel[gr], gr)
			}
		}
	}
	for i, a := range d.Groups {
		if !within(a, page) || !within(d.groupLabel[i], a) && d.groupLabel[i].W > 0 {
			return fmt.Sprintf("group %d is at %v of %v, its label at %v", i, a, page, d.groupLabel[i])
		}
		for k, b := range d.Groups[:i] {
			if a.W > 0 && holds(k, i) {
				if !within(a, b) {
					return fmt.Sprintf("group %d %v reaches out of group %d %v", i, a, k, b)
				}
			} else if overlap(a, b) {
				return fmt.Sprintf("groups %d %v and %d %v overlap", i, a, k, b)
			}
		}
	}
	reach := reachable(g)
	var labels []Rect
	for i := range g.Edges {
		if f := edgeFlaw(d, i, reach); f != "" {
			return fmt.Sprintf("edge %d from %d to %d: %s", i, g.Edges[i].From, g.Edges[i].To, f)
		}
		label := d.Edges[i].Label
		if (label.W > 0) != (g.Edges[i].Label != "") || !within(label, page) {
			return fmt.Sprintf("edge %d has its label %q at %v", i, g.Edges[i].Label, label)
		}
		for k, n := range d.Nodes {
			if overlap(label, n) {
				return fmt.Sprintf("the label of edge %d covers node %d", i, k)
			}
		}
		for _, other := range append(labels, d.groupLabel...) {
			if overlap(label, other) {
				return fmt.Sprintf("the label of edge %d covers another", i)
			}
		}
		labels = append(labels, label)
	}
	return ""
}

// edgeFlaw checks the way of an edge: its ends, its direction, and what it runs through.
func edgeFlaw(d *Drawing, i int, reach [][]bool) string {
	e, r := &d.Graph.Edges[i], &d.Edges[i]
	from, to := d.Nodes[e.From], d.Nodes[e.To]
	first, last := r.Points[0], r.Points[len(r.Points)-1]
	if e.From == e.To {
		if !r.Loop || len(r.Points) != 4 || first.X != from.X+from.W || last.X != first.X || first.Y < from.Y || last.Y > from.Y+from.H || first.Y >= last.Y {
			return fmt.Sprintf("no loop: %v at %v", r, from)
		}
		out := Rect{first.X, first.Y, (r.Points[1].X - first.X) * 3 / 4, last.Y - first.Y}
		for k, n := range d.Nodes {
			if k != e.From && overlap(out, n) {
				return fmt.Sprintf("runs through node %d", k)
			}
		}
		return ""
	}
	if r.Back && !reach[e.To][e.From] {
		return "leads upward without closing a cycle"
	}
	start, end := from.Y+from.H, to.Y
	if r.Back {
		start, end = from.Y, to.Y+to.H
	}
	if first.Y != start || last.Y != end || first.X < from.X || first.X > from.X+from.W || last.X < to.X || last.X > to.X+to.W {
		return fmt.Sprintf("ends at %v and %v, off %v and %v", first, last, from, to)
	}
	for k := range r.Points[1:] {
		p, q := r.Points[k], r.Points[k+1]
		if (p.Y < q.Y) == r.Back || p.Y == q.Y {
			return fmt.Sprintf("%v to %v turns round", p, q)
		}
		// A curve lies in the rectangle of its ends; an edge has no width here.
		piece := Rect{min(p.X, q.X), min(p.Y, q.Y), max(p.X, q.X) - min(p.X, q.X), max(p.Y, q.Y) - min(p.Y, q.Y)}
		piece.W = max(piece.W, 1)
		for n, rect := range d.Nodes {
			if overlap(piece, rect) {
				return fmt.Sprintf("%v to %v runs through node %d %v", p, q, n, rect)
			}
		}
		for n, rect := range d.groupLabel {
			if overlap(piece, rect) {
				return fmt.Sprintf("%v to %v runs through the label of group %d %v", p, q, n, rect)
			}
		}
	}
	return ""
}

func reachable(g *Graph) [][]bool {
	reach := make([][]bool, len(g.Nodes))
	for i := range reach {
		reach[i] = make([]bool, len(g.Nodes))
	}
	for _, e := range g.Edges {
		reach[e.From][e.To] = true
	}
	for k := range reach {
		for i := range reach {
			if reach[i][k] {
				for j := range reach {
					reach[i][j] = reach[i][j] || reach[k][j]
				}
			}
		}
	}
	return reach
}

func layout(t testing.TB, g *Graph) *Drawing {
	t.Helper()
	d, err := Layout(g)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func svgText(t testing.TB, d *Drawing) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.SVG(&b, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLayouts(t *testing.T) {
	for seed := range 160 {
		r := rand.New(rand.NewSource(int64(seed)))
		var g *Graph
		switch seed % 4 {
		case 0, 1:
			g = randomGraph(r, r.Intn(40))
		case 2:
			g = flowGraph(r, 1+r.Intn(80))
		case 3:
			n := r.Intn(50)
			g = layeredGraph(r, n, n*3/2)
		}
		d := layout(t, g)
		if f := flaw(d); f != "" {
			t.Fatalf("seed %d: %s", seed, f)
		}
		together, err := layoutWithin(g, 0)
		if err != nil {
			t.Fatal(err)
		}
		if f := flaw(together); f != "" {
			t.Fatalf("seed %d, edges together: %s", seed, f)
		}
		if again := layout(t, g); !reflect.DeepEqual(d, again) {
			t.Fatalf("seed %d: two layouts of one graph differ", seed)
		}
	}
}

// TestMiddle: what forks and joins stands in the middle, what follows each other in a line.
//
//	   0 - 1
//	 / | | \
//	2  3 4  5
//	 \ | | /
//	   6 - 7
func TestMiddle(t *testing.T) {
	g := &Graph{Groups: []Group{{ID: "box", Parent: -1}}}
	for i := range 8 {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprint("n", i), Lines: []string{strings.Repeat("w", i)}, Group: -1})
	}
	g.Edges = []Edge{{From: 0, To: 1}, {From: 6, To: 7}}
	for i := 2; i < 6; i++ {
		g.Nodes[i].Group = 0
		g.Edges = append(g.Edges, Edge{From: 1, To: i}, Edge{From: i, To: 6})
	}
	d := layout(t, g)
	at := func(i int) int { return d.Nodes[i].X + d.Nodes[i].W/2 }
	if middle := (at(3) + at(4)) / 2; at(0) != at(1) || at(1) != middle || at(6) != middle || at(7) != middle {
		t.Errorf("want all at %d: %d, %d, %d, %d", middle, at(0), at(1), at(6), at(7))
	}
	box := d.Groups[0]
	if box.X != d.Nodes[2].X-groupPad || box.X+box.W != d.Nodes[5].X+d.Nodes[5].W+groupPad {
		t.Errorf("the box %v is wider than %v to %v", box, d.Nodes[2], d.Nodes[5])
	}
}

// TestLongEdges draws a function of which every block may leave: its edges pass two
// million places unless they run together.
func TestLongEdges(t *testing.T) {
	chain := func(n int) *Graph {
		g := &Graph{}
		for i := range n {
			g.Nodes = append(g.Nodes, Node{ID: fmt.Sprintf("n%d", i), Group: -1})
			if i > 0 {
				g.Edges = append(g.Edges, Edge{From: i - 1, To: i}, Edge{From: i - 1, To: n - 1}, Edge{From: i, To: 0})
			}
		}
		return g
	}
	d := layout(t, chain(2000))
	for i := range d.Edges {
		r := &d.Edges[i]
		if to := d.Nodes[d.Graph.Edges[i].To]; r.Back != (d.Graph.Edges[i].To == 0) || r.Points[len(r.Points)-1].X < to.X {
			t.Fatalf("edge %d ends at %v", i, r.Points)
		}
	}
	// Each block leads to one far below it, all different: they cannot run together.
	g := chain(3000)
	g.Edges = g.Edges[:0]
	for i := range 3000 - 1 {
		g.Edges = append(g.Edges, Edge{From: i, To: i + 1}, Edge{From: i, To: min(2999, i+1500)})
	}
	if _, err := Layout(g); err == nil || !strings.Contains(err.Error(), "too much to draw") {
		t.Errorf("got %v", err)
	}
}

func TestEmpty(t *testing.T) {
	for _, g := range []*Graph{{}, {Groups: []Group{{ID: "a", Label: "empty", Parent: -1}}}, {Nodes: []Node{{ID: "a", Group: -1}}}} {
		d := layout(t, g)
		if f := flaw(d); f != "" {
			t.Error(f)
		}
		if d.Width <= 0 || d.Height <= 0 {
			t.Errorf("%d x %d", d.Width, d.Height)
		}
		svgText(t, d)
	}
}

func TestCheck(t *testing.T) {
	node := Node{ID: "a", Group: -1}
	for want, g := range map[string]*Graph{
		`graph "": the id "a" is none, or taken`:                  {Nodes: []Node{node, node}},
		`graph "": the id "" is none, or taken`:                   {Nodes: []Node{{Group: -1}}},
		`graph "": node a: there is no group 0`:                   {Nodes: []Node{{ID: "a"}}},
		`graph "": edge 0: it joins nodes 0 and 1 of 1`:           {Nodes: []Node{node}, Edges: []Edge{{To: 1}}},
		`graph "": group b: its parent 0 does not come before it`: {Groups: []Group{{ID: "b"}}},
	} {
		if _, err := Layout(g); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// FuzzLayout lays out small graphs read from bytes.
func FuzzLayout(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{3, 0, 1, 2, 0, 1, 1, 2, 2, 0})
	f.Add([]byte{5, 2, 1, 2, 1, 2, 0, 0, 1, 1, 3, 1, 2, 2, 4, 4, 1, 3, 3})
	f.Add([]byte{12, 3, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 0, 9, 2, 2, 9, 11, 10})
	f.Fuzz(func(t *testing.T, data []byte) {
		next := func() int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b)
		}
		g := &Graph{}
		nodes, groups := next()%16, next()%5
		for i := range groups {
			b := next()
			g.Groups = append(g.Groups, Group{ID: fmt.Sprintf("g%d", i), Parent: b%(i+1) - 1, Label: []string{"", "label"}[b>>7]})
		}
		for i := range nodes {
			b := next()
			g.Nodes = append(g.Nodes, Node{ID: fmt.Sprintf("n%d", i), Group: b%(groups+1) - 1, Lines: []string{"node"}[:b>>7]})
		}
		for nodes > 0 && len(data) > 0 && len(g.Edges) < 64 {
			a, b := next(), next()
			g.Edges = append(g.Edges, Edge{From: a % nodes, To: b % nodes, Label: []string{"", "12"}[b>>7]})
		}
		if f := flaw(layout(t, g)); f != "" {
			t.Error(f)
		}
	})
}
