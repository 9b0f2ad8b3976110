package export

// This file says how many bytes tasks of a graph pass on, where the profile tells of memory.

import (
	"math"

	"pathspan/memory"
)

// Edge is one of a task graph.
type Edge struct{ From, To int }

// moved fills in what sections read of what others wrote before them, by the edges that lead into
// them, and what others read of theirs, by the edges that lead out: distinct bytes of one
// execution of the construct on average, once for each lane that reads them. What serial tasks pass on to each other is not known by
// task.
func (g *TaskGraph) moved(s *Subject, at Level) {
	e := s.Estimator
	d := e.Bundle.Memory
	if d == nil {
		return
	}
	level := e.Graphs[at.Function].Levels[at.Level]
	g.Bytes = map[Edge]float64{}
	for i := range level.Groups {
		gr := &level.Groups[i]
		for k := range gr.Sections {
			lane := laneOf(d, gr.Region, gr.Construct, gr.Sections[k].Section)
			if lane < 0 {
				continue
			}
			in, out := crossing(d, lane)
			inside := func(t int) bool { return level.Tasks[t].Group == gr.Index && level.Tasks[t].Section == k }
			for t := range g.Tasks {
				if !inside(t) {
					continue
				}
				for _, p := range g.Tasks[t].Preds {
					if !inside(p) && in > 0 {
						g.Bytes[Edge{p, t}] = in
					}
				}
				for _, n := range g.Tasks[t].Succs {
					if !inside(n) && out > 0 {
						g.Bytes[Edge{t, n}] = out
					}
				}
			}
		}
	}
}

// laneOf finds the lane of a section, or of a loop, -1 where the profile knows none.
func laneOf(d *memory.Data, region, construct, section int) int {
	for l, of := range d.Lanes {
		if of.Region != region || of.Construct != construct {
			continue
		}
		if of.Kind == memory.InLoop || of.Kind == memory.InSection && of.Section == section {
			return l
		}
	}
	return -1
}

// crossing returns what a lane reads of others and what others read of it, in bytes of one execution.
func crossing(d *memory.Data, lane int) (in, out float64) {
	times := 0.0
	for _, s := range d.Spans {
		if s.Lane == lane {
			times += float64(s.Times)
		}
	}
	if times == 0 {
		return 0, 0
	}
	for i := range d.Flows {
		f := &d.Flows[i]
		switch {
		case f.From.Lane == f.To.Lane:
		case f.To.Lane == lane:
			in += float64(f.Distinct)
		case f.From.Lane == lane:
			out += float64(f.Distinct)
		}
	}
	return math.Round(in / times), math.Round(out / times)
}
