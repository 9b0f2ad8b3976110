package page

// This file draws the task graphs of a document.

import (
	"bytes"
	"fmt"
	"html/template"
	"path"
	"strconv"
	"strings"

	"pathspan/draw"
	"pathspan/ir"
	"pathspan/report"
	"pathspan/report/document"
)

// graph is the drawing of a function's levels and the table that says the same.
type graph struct {
	ID, Name string
	ShareOf  string // of a function that calls itself, else ""
	At       at
	SVG      template.HTML
	Rows     []taskRow
}

type taskRow struct {
	Level                         int
	Label, Kind, Processor, After string
	At                            at
	Share, Seconds                float64
}

func newGraphs(d *document.Document) ([]graph, error) {
	var all []graph
	for i := range d.Graphs {
		g := &d.Graphs[i]
		x := graph{ID: fmt.Sprintf("graph-%d", i), Name: report.Demangled(g.Function), At: newAt(d, g.File, g.Line, g.Line), Rows: taskRows(d, g)}
		x.At.Text, x.ShareOf = x.Name, g.ShareOf
		drawing, err := draw.Layout(drawable(d, g, fmt.Sprintf("g%d", i)))
		if err != nil {
			return nil, err
		}
		var text bytes.Buffer
		if err := drawing.SVG(&text, draw.Options{Embedded: true, Prefix: x.ID + "-"}); err != nil {
			return nil, err
		}
		x.SVG = template.HTML(text.String())
		all = append(all, x)
	}
	return all, nil
}

// kindStyles are the lines of the paper's Fig. 5: dotted for compound tasks, dashed for
// loops, continuous for simple ones.
var kindStyles = map[string]draw.Style{"compound": draw.Dotted, "loop": draw.Dashed}

// drawable turns all levels of a function into one graph, a box each. Identifiers begin
// with id, as a page may hold several.
func drawable(d *document.Document, g *document.Graph, id string) *draw.Graph {
	out := &draw.Graph{Title: "task graph of " + report.Demangled(g.Function)}
	for li := range g.Levels {
		l := &g.Levels[li]
		level := len(out.Groups)
		out.Groups = append(out.Groups, draw.Group{ID: fmt.Sprintf("%s-level%d", id, l.Level), Label: levelLabel(g, l), Title: levelTitle(l), Parent: -1})
		first := len(out.Nodes)
		groups := make([]int, len(l.Groups))     // of the level: of the drawing
		sections := make([][]int, len(l.Groups)) // of the level's group: of the drawing
		for k := range l.Groups {
			gr := &l.Groups[k]
			parent := level
			if gr.Parent >= 0 && gr.Parent < k {
				parent = parentOf(l, k, groups, sections)
			}
			groups[k] = len(out.Groups)
			out.Groups = append(out.Groups, draw.Group{
				ID: fmt.Sprintf("%s-l%d-region%d", id, l.Level, k), Label: "sections at line " + strconv.Itoa(gr.Line), Title: gr.Name, Parent: parent, Style: draw.Dotted,
			})
			for s := range gr.Sections {
				sections[k] = append(sections[k], len(out.Groups))
				out.Groups = append(out.Groups, draw.Group{
					ID: fmt.Sprintf("%s-l%d-region%d-section%d", id, l.Level, k, s), Label: ir.SectionLabel(gr.Sections[s].Name), Title: gr.Sections[s].Name, Parent: groups[k],
				})
			}
		}
		for k := range l.Tasks {
			t := &l.Tasks[k]
			in := level
			if t.Group >= 0 && t.Group < len(groups) {
				in = groups[t.Group]
				if t.Section >= 0 && t.Section < len(sections[t.Group]) {
					in = sections[t.Group][t.Section]
				}
			}
			out.Nodes = append(out.Nodes, taskNode(d, t, fmt.Sprintf("%s-l%d-t%d", id, l.Level, k), in))
		}
		for _, e := range l.Edges {
			edge := draw.Edge{From: first + e.From, To: first + e.To}
			if e.Bytes > 0 {
				edge.Label = report.Count(int(e.Bytes), "byte")
				edge.Title = edge.Label + " of one execution, that the section at this edge reads of others or they of it"
			}
			out.Edges = append(out.Edges, edge)
		}
	}
	return out
}

// parentOf returns the box that holds a group within a group: the section with its fork.
func parentOf(l *document.GraphLevel, k int, groups []int, sections [][]int) int {
	outer := l.Groups[k].Parent
	for s, sec := range l.Groups[outer].Sections {
		for _, t := range sec.Tasks {
			if t == l.Groups[k].Fork || t == l.Groups[k].Join {
				return sections[outer][s]
			}
		}
	}
	return groups[outer]
}

// levelLabel names a level in its box, levelTitle in full.
func levelLabel(g *document.Graph, l *document.GraphLevel) string {
	if l.Loop == "" {
		return "body, entered " + often(l.Entries)
	}
	loop := path.Base(l.Loop)
	if file, line, ok := place(l.Loop); ok && (file == g.File || path.Base(file) == path.Base(g.File)) {
		loop = "line " + strconv.Itoa(line)
	}
	return fmt.Sprintf("level %d: loop at %s, entered %s", l.Level, loop, often(l.Entries))
}

func levelTitle(l *document.GraphLevel) string {
	if l.Loop == "" {
		return ""
	}
	return fmt.Sprintf("level %d: loop at %s, entered %s", l.Level, l.Loop, often(l.Entries))
}

// processorColors tell processors apart, besides the name that each task carries.
var processorColors = []draw.Color{draw.Blue, draw.Orange, draw.Green, draw.Vermilion, draw.Purple, draw.Sky}

func taskNode(d *document.Document, t *document.Task, id string, group int) draw.Node {
	n := draw.Node{ID: id, Lines: []string{t.Label}, Title: t.Label, Group: group, Shape: draw.Round, Style: kindStyles[t.Kind]}
	if t.Kind == "entry" || t.Kind == "exit" {
		n.Shape = draw.Plain
		return n
	}
	var where []string
	if t.Line > 0 {
		lines := "line " + strconv.Itoa(t.Line)
		if t.LastLine > t.Line {
			lines = fmt.Sprintf("lines %d-%d", t.Line, t.LastLine)
		}
		where = append(where, lines)
	}
	if t.CodeOf != "" {
		where = append(where, "code of "+t.CodeOf)
	}
	if t.Body > 0 {
		where = append(where, "level "+strconv.Itoa(t.Body))
	}
	if len(where) > 0 {
		n.Lines = append(n.Lines, strings.Join(where, ", "))
	}
	share := report.Percent(t.Share)
	if on := processor(d, t.Processor); on != "" {
		share += " on " + on
		n.Color = processorColors[t.Processor%len(processorColors)]
	}
	n.Lines = append(n.Lines, share)
	n.Title = fmt.Sprintf("%s, %s, %s, %s", t.Label, t.Kind, report.Seconds(t.Seconds), share)
	if t.Line > 0 && hasSource(d, t.File) {
		n.Data = map[string]string{"file": t.File, "line": strconv.Itoa(t.Line), "last": strconv.Itoa(max(t.Line, t.LastLine))}
		if lines := stretchText(t.Lines, t.File); lines != "" {
			n.Data["lines"] = lines
		}
	}
	return n
}

func taskRows(d *document.Document, g *document.Graph) []taskRow {
	var rows []taskRow
	for li := range g.Levels {
		l := &g.Levels[li]
		before := make([][]string, len(l.Tasks))
		for _, e := range l.Edges {
			before[e.To] = append(before[e.To], l.Tasks[e.From].Label)
		}
		for k := range l.Tasks {
			t := &l.Tasks[k]
			r := taskRow{Level: l.Level, Label: t.Label, Kind: t.Kind, At: newAt(d, t.File, t.Line, t.LastLine), After: strings.Join(before[k], ", "), Share: t.Share, Seconds: t.Seconds}
			real := t.Kind != "entry" && t.Kind != "exit"
			if !real {
				r.At = at{}
			} else if t.CodeOf != "" {
				r.At = at{Text: "code of " + t.CodeOf}
			}
			if real {
				r.Processor = processor(d, t.Processor)
			}
			rows = append(rows, r)
		}
	}
	return rows
}
