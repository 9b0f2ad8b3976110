package comm

// This file draws who communicates with whom, and lays it out as a matrix.

import (
	"fmt"
	"strconv"
	"strings"

	"pathspan/draw"
)

// Matrix is what each row reads of each: [producer][consumer] in bytes, what a row reads of its
// own on the diagonal. It leaves out rows that neither wrote nor read anything that is shown.
type Matrix struct {
	Names []string    `json:"names"`
	Bytes [][]float64 `json:"bytes"` // an execution of the consumer, where that was asked for
}

// Matrix returns the matrix of a view: of all executions, or of one of the consumer on average.
// Where its executions are not known, it is of all.
func (v *View) Matrix(each bool) *Matrix {
	m := &Matrix{}
	at := make([]int, len(v.Rows))
	shown := v.shown(true)
	for i := range v.Rows {
		if at[i] = -1; shown[i] {
			at[i] = len(m.Names)
			m.Names = append(m.Names, v.Rows[i].Name)
		}
	}
	m.Bytes = make([][]float64, len(m.Names))
	for i := range m.Bytes {
		m.Bytes[i] = make([]float64, len(m.Names))
	}
	add := func(from, to int, bytes uint64) {
		x := float64(bytes)
		if each {
			x, _ = v.Rows[v.counted(to, from)].Each(bytes)
		}
		m.Bytes[at[from]][at[to]] += x
	}
	for i := range v.Rows {
		if v.Rows[i].Own > 0 {
			add(i, i, v.Rows[i].Own)
		}
	}
	for _, e := range v.Edges {
		add(e.From, e.To, e.Bytes)
	}
	return m
}

// counted is the row whose executions an edge is counted by: the consumer's, but that of what
// writes an object.
func (v *View) counted(to, from int) int {
	if v.Rows[to].Kind == string(Object) {
		return from
	}
	return to
}

// Each returns the bytes of an edge an execution of its consumer; of a function that writes an
// object, of the function. It reports whether executions are known.
func (v *View) Each(e *Edge) (float64, bool) { return v.Rows[v.counted(e.To, e.From)].Each(e.Bytes) }

// shown tells rows that are an end of an edge, or that read their own.
func (v *View) shown(own bool) []bool {
	shown := make([]bool, len(v.Rows))
	for i := range v.Rows {
		shown[i] = own && v.Rows[i].Own > 0
	}
	for _, e := range v.Edges {
		shown[e.From], shown[e.To] = true, true
	}
	return shown
}

// Graph draws a view: those who read and write with round ends, objects as boxes. Edges between
// the same two are one, that names its objects. Those of a tenth of all bytes are wide.
func (v *View) Graph(title string, each bool) *draw.Graph {
	g := &draw.Graph{Title: title, Name: "communication"}
	at := make([]int, len(v.Rows))
	shown := v.shown(false)
	for i := range v.Rows {
		if !shown[i] {
			continue
		}
		r := &v.Rows[i]
		at[i] = len(g.Nodes)
		n := draw.Node{ID: "n" + strconv.Itoa(i), Lines: []string{r.Name}, Shape: draw.Round, Color: draw.Blue, Group: -1, Data: map[string]string{"bytes-read": count(r.Read), "bytes-written": count(r.Written)}}
		switch {
		case r.Kind == string(Object):
			n.Shape, n.Color = draw.Box, draw.Orange
			if r.Size > 0 {
				n.Lines = append(n.Lines, Bytes(float64(r.Size)))
			}
		case r.Kind == "outside":
			n.Shape, n.Color = draw.Plain, draw.Ink
		case r.Executions > 0:
			n.Lines = append(n.Lines, "× "+commas(count(r.Executions)))
		}
		n.Title = fmt.Sprintf("%s\nreads %s, writes %s", r.Name, Bytes(float64(r.Read)), Bytes(float64(r.Written)))
		if r.File != "" {
			n.Data["file"], n.Data["line"] = r.File, strconv.Itoa(r.Line)
			n.Title += fmt.Sprintf("\n%s:%d", r.File, r.Line)
		}
		g.Nodes = append(g.Nodes, n)
	}
	type pair struct{ from, to int }
	known := map[pair]int{}
	var bytes []float64
	for k := range v.Edges {
		e := &v.Edges[k]
		x := float64(e.Bytes)
		if each {
			x, _ = v.Each(e)
		}
		p := pair{e.From, e.To}
		i, ok := known[p]
		if !ok {
			i = len(g.Edges)
			known[p] = i
			g.Edges = append(g.Edges, draw.Edge{From: at[e.From], To: at[e.To], Data: map[string]string{}})
			bytes = append(bytes, 0)
		}
		bytes[i] += x
		line := Bytes(x)
		if e.Object != "" {
			line += " of " + e.Object
		}
		if !e.writes {
			line += ", " + distinct(e) + " distinct"
		}
		g.Edges[i].Title = strings.TrimSpace(g.Edges[i].Title + "\n" + line)
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		e.Label = Bytes(bytes[i])
		e.Title = g.Nodes[e.From].Lines[0] + " → " + g.Nodes[e.To].Lines[0] + "\n" + e.Title
		e.Data["bytes"] = strconv.FormatFloat(bytes[i], 'g', -1, 64)
		e.Width = 12
		if total := float64(v.Read); !each && total > 0 {
			e.Width += min(33, int(330*bytes[i]/total))
		}
	}
	return g
}

func distinct(e *Edge) string {
	if e.AtMost {
		return "at most " + Bytes(float64(e.Distinct))
	}
	return Bytes(float64(e.Distinct))
}

func count(n uint64) string { return strconv.FormatUint(n, 10) }

// Bytes writes a number of bytes: "12,288 B", up to a tenth of one where it is a mean.
func Bytes(x float64) string {
	whole, rest, _ := strings.Cut(strconv.FormatFloat(x, 'f', 1, 64), ".")
	if rest == "0" {
		return commas(whole) + " B"
	}
	return commas(whole) + "." + rest + " B"
}

// commas groups digits by three.
func commas(digits string) string {
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
