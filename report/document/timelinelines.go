package document

// This file names the paths of timelines by the lines that they run.

import (
	"slices"

	"pathspan/estimate"
	"pathspan/htg"
)

// nameTimeline sets the texts of a timeline's paths.
func (b *builder) nameTimeline(t *estimate.Timeline) {
	fn := slices.IndexFunc(b.e.Graphs, func(g *htg.Graphs) bool {
		return g != nil && b.prog.Funcs[g.Func.Index].Source == t.Function && t.Level < len(g.Levels) &&
			slices.ContainsFunc(g.Levels[t.Level].Groups, func(x htg.Group) bool { return x.Region == t.Region && x.Construct == t.Construct })
	})
	for k := range t.Paths {
		p := &t.Paths[k]
		p.Text = ""
		if fn < 0 || b.e.Bundle.Funcs[fn] == nil {
			continue
		}
		steps := b.e.Bundle.Funcs[fn].Levels[p.Level].Paths[p.Path].Steps
		p.Text = linesText(b.lines(b.prog.Funcs[fn], b.e.Graphs[fn], steps))
	}
}
