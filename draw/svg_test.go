package draw

// This file reads SVG and DOT back with other readers, and lets a browser measure text.

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math/rand"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/encoding"
	"gonum.org/v1/gonum/graph/encoding/dot"
	"gonum.org/v1/gonum/graph/multi"

	"pathspan/testdata/chromium"
)

// element is an XML element.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []element  `xml:",any"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// find returns the elements of a class, e and what it holds.
func (e *element) find(class string) []*element {
	var out []*element
	if strings.HasPrefix(e.attr("class")+" ", class+" ") {
		out = append(out, e)
	}
	for i := range e.Children {
		out = append(out, e.Children[i].find(class)...)
	}
	return out
}

func (e *element) child(name string) *element {
	for i := range e.Children {
		if e.Children[i].XMLName.Local == name {
			return &e.Children[i]
		}
	}
	return &element{}
}

func parse(t *testing.T, text string) *element {
	t.Helper()
	var root element
	if err := xml.Unmarshal([]byte(text), &root); err != nil {
		t.Fatalf("no XML: %v\n%s", err, text)
	}
	return &root
}

// TestSVG reads drawings back: all nodes, edges and groups are there, with what they say.
func TestSVG(t *testing.T) {
	for seed := range 50 {
		r := rand.New(rand.NewSource(int64(seed)))
		g := randomGraph(r, r.Intn(25))
		g.Title = `<"A&B">` + "\x01'"
		for i := range g.Nodes {
			g.Nodes[i].Data = map[string]string{"file": `a<b>&"c".c`, "line": fmt.Sprint(i)}
		}
		d := layout(t, g)
		root := parse(t, svgText(t, d))
		if got := root.child("title").Text; got != "<\"A&B\">\uFFFD'" {
			t.Fatalf("title %q", got)
		}
		if root.attr("role") != "img" || root.attr("aria-labelledby") != "title desc" || root.child("title").attr("id") != "title" || root.child("desc").attr("id") != "desc" {
			t.Fatal("the drawing has no title for those who cannot see it")
		}
		nodes := root.find("node")
		if len(nodes) != len(g.Nodes) {
			t.Fatalf("%d nodes, want %d", len(nodes), len(g.Nodes))
		}
		for i, n := range nodes {
			if n.attr("data-id") != g.Nodes[i].ID || n.attr("data-file") != `a<b>&"c".c` || n.attr("data-line") != fmt.Sprint(i) || n.attr("tabindex") != "0" {
				t.Fatalf("node %d: %v", i, n.Attrs)
			}
			shape := n.find("shape")[0]
			if r := d.Nodes[i]; shape.attr("x") != px(r.X) || shape.attr("y") != px(r.Y) || shape.attr("width") != px(r.W) || shape.attr("height") != px(r.H) {
				t.Fatalf("node %d is at %v, want %v", i, shape.Attrs, r)
			}
		}
		edges := map[string]int{}
		for _, e := range g.Edges {
			edges[g.Nodes[e.From].ID+" "+g.Nodes[e.To].ID+" "+e.Label]++
		}
		for _, e := range root.find("edge") {
			key := e.attr("data-from") + " " + e.attr("data-to") + " " + e.child("text").Text
			if edges[key]--; edges[key] < 0 {
				t.Fatalf("edge %q is one too many", key)
			}
			if e.child("path").attr("d") == "" {
				t.Fatalf("edge %q has no way", key)
			}
		}
		for key, n := range edges {
			if n != 0 {
				t.Fatalf("edge %q is missing", key)
			}
		}
		for _, gr := range root.find("group") {
			if gr.find("box-of")[0].attr("width") == "0" {
				t.Fatal("a group without nodes is drawn")
			}
		}
	}
}

// TestOptions: drawings on one page share no ids, and leave colours to it when told to.
func TestOptions(t *testing.T) {
	d := layout(t, &Graph{Title: "t", Nodes: []Node{{ID: "a", Group: -1}}, Edges: []Edge{{}}})
	var own, embedded bytes.Buffer
	for w, opt := range map[io.Writer]Options{&own: {Prefix: "x-"}, &embedded: {Prefix: "y-", Embedded: true}} {
		if err := d.SVG(w, opt); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range regexp.MustCompile(` id="([^"]*)"|url\(#([^)]*)\)`).FindAllStringSubmatch(own.String(), -1) {
		if !strings.HasPrefix(id[1]+id[2], "x-") {
			t.Errorf("id %v without the prefix", id)
		}
	}
	if !strings.Contains(own.String(), "prefers-color-scheme:dark") || strings.Contains(embedded.String(), "prefers-color-scheme") {
		t.Error("colours by scheme belong into drawings that stand alone, and there only")
	}
	for name, text := range map[string]string{"own": own.String(), "embedded": embedded.String()} {
		if strings.Contains(text, "$") {
			t.Errorf("%s: a colour has no name", name)
		}
		if again := regexp.MustCompile(`(href|src)="?http|@import|url\([^#]`).FindString(text); again != "" {
			t.Errorf("%s: the drawing needs another file: %s", name, again)
		}
	}
}

func TestShorten(t *testing.T) {
	for in, want := range map[string]string{
		"short": "short",
		strings.Repeat("a", 30) + strings.Repeat("b", 30): strings.Repeat("a", 12) + "…" + strings.Repeat("b", 25),
		"tab\tand\nline": "tab and line",
		"\xff":           "?",
	} {
		if got := shorten(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	long := strings.Repeat("namespace::", 20)
	root := parse(t, svgText(t, layout(t, &Graph{Nodes: []Node{{ID: "a", Lines: []string{long}, Group: -1}}})))
	if n := root.find("node")[0]; n.child("title").Text != long || len([]rune(n.child("text").Text)) != maxRunes {
		t.Error("a shortened label is whole nowhere, or not short")
	}
}

// dotGraph is what gonum's reader builds: it keeps ids and labels.
type dotGraph struct {
	*multi.DirectedGraph
	id string
}

type dotNode struct {
	graph.Node
	id, label string
}

type dotEdge struct {
	graph.Line
	label, style string
}

func (g *dotGraph) NewNode() graph.Node { return &dotNode{Node: g.DirectedGraph.NewNode()} }
func (g *dotGraph) SetDOTID(id string)  { g.id = id }
func (n *dotNode) SetDOTID(id string)   { n.id = id }
func (g *dotGraph) NewLine(from, to graph.Node) graph.Line {
	return &dotEdge{Line: g.DirectedGraph.NewLine(from, to)}
}

func (n *dotNode) SetAttribute(a encoding.Attribute) error {
	if a.Key == "label" {
		n.label = a.Value
	}
	return nil
}

func (e *dotEdge) SetAttribute(a encoding.Attribute) error {
	switch a.Key {
	case "label":
		e.label = a.Value
	case "style":
		e.style = a.Value
	}
	return nil
}

// TestDOT reads DOT back with gonum's reader.
func TestDOT(t *testing.T) {
	for seed := range 50 {
		r := rand.New(rand.NewSource(int64(seed)))
		g := randomGraph(r, r.Intn(25))
		g.Name = "a graph"
		for i := range g.Nodes {
			if i%3 == 0 {
				g.Nodes[i].ID = fmt.Sprintf("%d-x", i)
			}
			g.Nodes[i].Lines = append(g.Nodes[i].Lines, `say "x\y"`)
		}
		var text bytes.Buffer
		if err := g.DOT(&text); err != nil {
			t.Fatal(err)
		}
		read := &dotGraph{DirectedGraph: multi.NewDirectedGraph()}
		if err := dot.UnmarshalMulti(text.Bytes(), read); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text.String())
		}
		if read.id != "a graph" && read.id != `"a graph"` {
			t.Errorf("the graph is called %s", read.id)
		}
		want := map[string]int{}
		for i := range g.Nodes {
			want["node "+g.Nodes[i].ID+" "+strings.Join(g.Nodes[i].Lines, "\n")]++
		}
		for _, e := range g.Edges {
			want[fmt.Sprintf("edge %s %s %s %s", g.Nodes[e.From].ID, g.Nodes[e.To].ID, e.Label, e.Style)]++
		}
		plain := func(s string) string {
			if strings.HasPrefix(s, `"`) {
				s = s[1 : len(s)-1]
			}
			return strings.NewReplacer(`\n`, "\n", `\\`, `\`, `\"`, `"`).Replace(s)
		}
		for it := read.Nodes(); it.Next(); {
			n := it.Node().(*dotNode)
			want["node "+plain(n.id)+" "+plain(n.label)]--
		}
		for it := read.Edges(); it.Next(); {
			for lines := it.Edge().(multi.Edge).Lines; lines.Next(); {
				e := lines.Line().(*dotEdge)
				style := e.style
				if style == "" {
					style = "solid"
				}
				want[fmt.Sprintf("edge %s %s %s %s", plain(e.From().(*dotNode).id), plain(e.To().(*dotNode).id), plain(e.label), style)]--
			}
		}
		for what, n := range want {
			if n != 0 {
				t.Fatalf("seed %d: %q was read %d times too seldom:\n%s", seed, what, n, text.String())
			}
		}
	}
}

// TestTextFits lets a browser measure labels: each fits its node.
func TestTextFits(t *testing.T) {
	browser := chromium.Find(t)
	g := &Graph{Title: "labels"}
	for i, l := range []string{"Task0", "fun0.c:fun_0#1/2a", "std::vector<int>::push_back", "WWWWWWWWWWWWWWWW", "mmmmm@@@%%%", "iiiiil.,:;", "_ZNSt3mapIiE", "× 1,234,567"} {
		for k, lines := range [][]string{{l}, {l, "x"}, {"x", l}} {
			g.Nodes = append(g.Nodes, Node{ID: fmt.Sprintf("n%d-%d", i, k), Lines: lines, Group: -1, Shape: Shape(i % 2)})
		}
	}
	page := `<!DOCTYPE html><body>` + svgText(t, layout(t, g)) + `<p id="result"></p><script>
const wide=[];let n=0;
for(const g of document.querySelectorAll('.node')){const b=g.querySelector('.shape').getBBox();
for(const t of g.querySelectorAll('text')){const c=t.getBBox();n++;if(c.x<b.x+2||c.x+c.width>b.x+b.width-2||c.y<b.y||c.y+c.height>b.y+b.height)wide.push(t.textContent)}}
document.getElementById('result').textContent='measured '+n+' too wide: '+wide.join('|')+'.';</script>`
	out := chromium.DumpDOM(t, browser, page)
	if want := "measured 40 too wide: ."; !strings.Contains(out, `<p id="result">`+want+`</p>`) {
		t.Errorf("want %q in\n%s", want, out[strings.LastIndex(out, "<p id"):])
	}
}
