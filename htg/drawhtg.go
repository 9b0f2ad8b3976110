package htg

// This file draws task graphs. Lines of tasks are those of the paper's Fig. 5: dotted
// for compound tasks, dashed for loops, continuous for simple ones.

import (
	"pathspan/draw"
	"pathspan/ir"
	"pathspan/profile"
)

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
	out := &draw.Graph{Title: "task graphs of " + shown(g.Func), Name: "htg " + g.Func.Name}
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
