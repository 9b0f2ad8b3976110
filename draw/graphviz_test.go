package draw

// This file compares drawings with those of Graphviz, where it is installed: how many
// edges cross.

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

type spot struct{ x, y float64 }

// line is an edge as a drawing shows it, in short straight pieces.
type line struct {
	from, to int
	spots    []spot
}

// bezier appends a curve in pieces.
func bezier(into []spot, c [4]spot) []spot {
	const pieces = 10
	for i := 1; i <= pieces; i++ {
		t := float64(i) / pieces
		a, b, d, e := (1-t)*(1-t)*(1-t), 3*t*(1-t)*(1-t), 3*t*t*(1-t), t*t*t
		into = append(into, spot{a*c[0].x + b*c[1].x + d*c[2].x + e*c[3].x, a*c[0].y + b*c[1].y + d*c[2].y + e*c[3].y})
	}
	return into
}

// ourLines returns the edges between different nodes of a drawing.
func ourLines(d *Drawing) []line {
	var out []line
	for i := range d.Edges {
		e, r := &d.Graph.Edges[i], &d.Edges[i]
		if r.Loop {
			continue
		}
		at := func(p Point) spot { return spot{float64(p.X), float64(p.Y)} }
		l := line{e.From, e.To, []spot{at(r.Points[0])}}
		for k, q := range r.Points[1:] {
			p := r.Points[k]
			middle := (p.Y + q.Y) / 2
			l.spots = bezier(l.spots, [4]spot{at(p), at(Point{p.X, middle}), at(Point{q.X, middle}), at(q)})
		}
		out = append(out, l)
	}
	return out
}

// dotLines returns those of Graphviz's drawing of the same graph.
func dotLines(t *testing.T, g *Graph) []line {
	t.Helper()
	var source bytes.Buffer
	if err := g.DOT(&source); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("dot", "-Tplain")
	cmd.Stdin = &source
	plain, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	index := map[string]int{}
	for i := range g.Nodes {
		index[g.Nodes[i].ID] = i
	}
	var out []line
	for s := bufio.NewScanner(bytes.NewReader(plain)); s.Scan(); {
		f := strings.Fields(s.Text())
		if f[0] != "edge" || f[1] == f[2] {
			continue
		}
		n, err := strconv.Atoi(f[3])
		if err != nil || len(f) < 4+2*n {
			t.Fatalf("dot wrote %q", s.Text())
		}
		var points []spot
		for i := range n {
			x, errX := strconv.ParseFloat(f[4+2*i], 64)
			y, errY := strconv.ParseFloat(f[5+2*i], 64)
			if errX != nil || errY != nil {
				t.Fatalf("dot wrote %q", s.Text())
			}
			points = append(points, spot{x, y})
		}
		l := line{index[f[1]], index[f[2]], points[:1:1]}
		for i := 0; i+3 < n; i += 3 {
			l.spots = bezier(l.spots, [4]spot(points[i:i+4]))
		}
		out = append(out, l)
	}
	return out
}

// crossed counts where edges cross that have no node in common.
func crossed(lines []line) int {
	side := func(a, b, c spot) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }
	n := 0
	for i, a := range lines {
		for _, b := range lines[:i] {
			if a.from == b.from || a.from == b.to || a.to == b.from || a.to == b.to {
				continue
			}
			for k := range a.spots[1:] {
				p, q := a.spots[k], a.spots[k+1]
				for m := range b.spots[1:] {
					r, s := b.spots[m], b.spots[m+1]
					if max(p.x, q.x) < min(r.x, s.x) || max(r.x, s.x) < min(p.x, q.x) {
						continue
					}
					if side(p, q, r)*side(p, q, s) < 0 && side(r, s, p)*side(r, s, q) < 0 {
						n++
					}
				}
			}
		}
	}
	return n
}

// TestCrossingsOfGraphviz holds our crossings to Graphviz's, over a set of graphs of each
// kind: control flow, without cycles, and any.
func TestCrossingsOfGraphviz(t *testing.T) {
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("skipped: Graphviz's dot is not installed; apt-get install graphviz")
	}
	for _, kind := range []struct {
		name   string
		graph  func(r *rand.Rand) *Graph
		factor float64 // of Graphviz's crossings that ours may be
	}{
		{"flow", func(r *rand.Rand) *Graph { return flowGraph(r, 20+r.Intn(60)) }, 1.1},
		{"layered", func(r *rand.Rand) *Graph { n := 20 + r.Intn(40); return layeredGraph(r, n, n*3/2) }, 1.1},
		{"any", func(r *rand.Rand) *Graph {
			g := randomGraph(r, 10+r.Intn(30))
			g.Groups = nil
			for i := range g.Nodes {
				g.Nodes[i].Group = -1
			}
			return g
		}, 1.1},
		{"groups", func(r *rand.Rand) *Graph { return sectionsGraph(r, 3+r.Intn(5)) }, 1.1},
	} {
		t.Run(kind.name, func(t *testing.T) {
			ours, theirs := 0, 0
			for seed := range 25 {
				g := kind.graph(rand.New(rand.NewSource(int64(seed))))
				d := layout(t, g)
				if f := flaw(d); f != "" {
					t.Fatalf("seed %d: %s", seed, f)
				}
				ours += crossed(ourLines(d))
				theirs += crossed(dotLines(t, g))
			}
			t.Logf("%d crossings, Graphviz has %d", ours, theirs)
			if float64(ours) > kind.factor*float64(theirs)+5 {
				t.Errorf("%d crossings, Graphviz has %d", ours, theirs)
			}
		})
	}
}

// sectionsGraph makes up a task graph: stages of a fork, sections that are chains with
// edges among them, and a join; each stage a group.
func sectionsGraph(r *rand.Rand, stages int) *Graph {
	g := &Graph{Title: "sections"}
	node := func(group int) int {
		g.Nodes = append(g.Nodes, Node{ID: fmt.Sprintf("t%d", len(g.Nodes)), Lines: []string{fmt.Sprintf("Task%d", len(g.Nodes))}, Group: group})
		return len(g.Nodes) - 1
	}
	edge := func(from, to int) { g.Edges = append(g.Edges, Edge{From: from, To: to}) }
	last := node(-1)
	for s := range stages {
		g.Groups = append(g.Groups, Group{ID: fmt.Sprintf("s%d", s), Label: "sections", Parent: -1})
		join := node(-1)
		for range 2 + r.Intn(4) {
			at := node(s)
			edge(last, at)
			for range r.Intn(4) {
				next := node(s)
				edge(at, next)
				if r.Intn(4) == 0 {
					edge(last, next)
				}
				at = next
			}
			edge(at, join)
		}
		last = join
	}
	return g
}
