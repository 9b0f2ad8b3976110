package htg

// This file writes task graphs.

import (
	"io"

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
