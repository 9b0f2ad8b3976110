package htg

// This file draws task graphs, and writes them. Lines of tasks are those of the paper's
// Fig. 5: dotted for compound tasks, dashed for loops, continuous for simple ones.

import (
	"io"

	"pathspan/draw"
	"pathspan/ir"
	"pathspan/profile"
)

// GraphsJSON is the JSON object of the task graphs of a function.
type GraphsJSON struct {
	Schema   string      `json:"schema"`
	Function string      `json:"function"`
	Levels   []levelJSON `json:"levels"`
	Warnings []string    `json:"warnings,omitempty"`
}

type levelJSON struct {
	Level  int         `json:"level"`
	Loop   string      `json:"loop,omitempty"` // name of the loop's header
	Tasks  []taskJSON  `json:"tasks"`
	Groups []groupJSON `json:"groups,omitempty"`
}

type taskJSON struct {
	Label  string   `json:"label"`
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Blocks []string `json:"blocks,omitempty"`
	Level  *int     `json:"body,omitempty"` // level of the loop of a loop task
	Preds  []int    `json:"predecessors"`
	// Executions is absent where the profile is.
	Executions *uint64 `json:"executions,omitempty"`
}

type groupJSON struct {
	Region   string        `json:"region"`
	Line     int           `json:"line,omitempty"` // of the region
	Fork     int           `json:"fork"`
	Join     int           `json:"join"`
	Sections []sectionJSON `json:"sections"`
}

type sectionJSON struct {
	Name  string `json:"name"`
	Tasks []int  `json:"tasks"`
}

// WriteHTG writes the task graphs of all levels of a function of p, with counts where
// its profile is known, else nil.
func WriteHTG(w io.Writer, g *Graphs, p *ir.Program, profile *profile.FuncProfile, format Format) error {
	out := GraphsJSON{Schema: "pathspan.htg/1", Function: g.Func.Name, Warnings: g.Warnings}
	for _, l := range g.Levels {
		out.Levels = append(out.Levels, g.levelJSON(l, p))
	}
	if profile != nil {
		for l, counts := range g.taskCounts(profile) {
			for t := range counts {
				if k := g.Levels[l].Tasks[t].Kind; k != Entry && k != Exit {
					out.Levels[l].Tasks[t].Executions = &counts[t]
				}
			}
		}
	}
	return write(w, format, out, DrawHTG(g, p, profile))
}

func (g *Graphs) levelJSON(l *Graph, p *ir.Program) levelJSON {
	out := levelJSON{Level: l.Level, Loop: g.header(l.Level)}
	for i := range l.Tasks {
		t := &l.Tasks[i]
		j := taskJSON{Label: t.Label, Name: t.Name, Kind: t.Kind.String(), Preds: append([]int{}, t.Preds...)}
		for _, b := range t.Blocks {
			j.Blocks = append(j.Blocks, g.Func.Blocks[b].Name)
		}
		if t.Loop >= 0 {
			level := t.Loop + 1
			j.Level = &level
		}
		out.Tasks = append(out.Tasks, j)
	}
	for i := range l.Groups {
		gr := &l.Groups[i]
		j := groupJSON{Region: p.Regions[gr.Region].Name, Line: p.Regions[gr.Region].Line, Fork: gr.Fork, Join: gr.Join}
		for k := range gr.Sections {
			s := &gr.Sections[k]
			j.Sections = append(j.Sections, sectionJSON{p.Regions[gr.Region].Constructs[gr.Construct].TaskName(s.Section), s.Tasks})
		}
		out.Groups = append(out.Groups, j)
	}
	return out
}

// header names the header of a level's loop.
func (g *Graphs) header(level int) string {
	if level == 0 {
		return ""
	}
	return g.Func.Blocks[g.CFG.Loops[level-1].Header].Name
}

var taskLooks = [...]draw.Node{
	Entry:    {Shape: draw.Plain},
	Exit:     {Shape: draw.Plain},
	Simple:   {Shape: draw.Round, Color: draw.Green},
	Compound: {Shape: draw.Round, Color: draw.Blue, Style: draw.Dotted},
	Loop:     {Shape: draw.Round, Color: draw.Orange, Style: draw.Dashed},
}

// DrawHTG draws the task graphs of all levels of a function of p: a group a level, in it
// one for each sections construct. Titles and data tell how often tasks ran, where the
// function's profile is known, else nil. Task t of level l has the id "t<l>_<t>", and
// as data its level, task (index), label, name, kind, body (level of a loop's body),
// executions, file and line.
func DrawHTG(g *Graphs, p *ir.Program, profile *profile.FuncProfile) *draw.Graph {
	out := &draw.Graph{Title: "task graphs of " + shown(g.Func), Name: "htg " + g.Func.Shown()}
	var counts [][]uint64
	if profile != nil {
		counts = g.taskCounts(profile)
	}
	for i, l := range g.Levels {
		var c []uint64
		if counts != nil {
			c = counts[i]
		}
		g.drawLevel(out, l, p, c)
	}
	return out
}

func (g *Graphs) drawLevel(out *draw.Graph, l *Graph, p *ir.Program, counts []uint64) {
	level := len(out.Groups)
	group := draw.Group{ID: "level" + itoa(l.Level), Label: shown(g.Func), Parent: -1, Data: map[string]string{"level": itoa(l.Level)}}
	if l.Level > 0 {
		group.Label = "level " + itoa(l.Level) + ": loop at " + blockLabel(g.Func.Blocks[g.CFG.Loops[l.Level-1].Header])
	}
	out.Groups = append(out.Groups, group)
	for i := range l.Groups {
		gr := &l.Groups[i]
		region := &p.Regions[gr.Region]
		line := region.Constructs[gr.Construct].Line
		parent := level
		if gr.Parent >= 0 {
			parent = level + 1 + gr.Parent
		}
		out.Groups = append(out.Groups, draw.Group{ID: "sections" + itoa(l.Level) + "_" + itoa(i), Label: "sections, line " + itoa(line), Parent: parent, Style: draw.Dashed,
			Title: tooltip("sections construct at line "+itoa(line), "region "+region.Label()),
			Data:  map[string]string{"region": region.Name, "file": region.File, "line": itoa(line)}})
	}
	first := len(out.Nodes)
	for i := range l.Tasks {
		t := &l.Tasks[i]
		n := taskLooks[t.Kind]
		n.ID, n.Lines, n.Group = "t"+itoa(l.Level)+"_"+itoa(i), []string{t.Label}, level
		if t.Group >= 0 {
			n.Group = level + 1 + t.Group
		}
		n.Data = located(map[string]string{"level": itoa(l.Level), "task": itoa(i), "label": t.Label, "kind": t.Kind.String()}, p, g.taskLoc(t))
		if t.Kind != Entry && t.Kind != Exit {
			n.Lines = append(n.Lines, t.Name)
			n.Data["name"] = t.Name
			body, executions := "", ""
			if t.Loop >= 0 {
				body = "level " + itoa(t.Loop+1)
				n.Lines = append(n.Lines, body)
				n.Data["body"] = itoa(t.Loop + 1)
				body = "a loop, its body is " + body
			}
			if counts != nil {
				executions = ran(counts[i])
				n.Data["executions"] = count(counts[i])
			}
			n.Title = tooltip(t.Label+", "+t.Kind.String()+" task", t.Name, body, executions)
		}
		out.Nodes = append(out.Nodes, n)
	}
	for i := range l.Tasks {
		for _, s := range l.Tasks[i].Succs {
			out.Edges = append(out.Edges, draw.Edge{From: first + i, To: first + s})
		}
	}
}

// taskLoc returns where a task's code starts in the source, line 0 where it has none.
func (g *Graphs) taskLoc(t *Task) ir.Loc {
	blocks := t.Blocks
	if t.Loop >= 0 {
		blocks = g.CFG.Loops[t.Loop].Blocks
	}
	for _, b := range blocks {
		if l := blockLoc(g.Func.Blocks[b]); l.Line > 0 {
			return l
		}
	}
	return ir.Loc{File: -1}
}
