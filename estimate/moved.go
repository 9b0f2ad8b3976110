package estimate

// This file says how many bytes tasks of a graph pass on, where the profile tells of memory.

import (
	"math"

	"pathspan/htg"
	"pathspan/memory"
)

// Edge is one between tasks of a level.
type Edge struct{ From, To int }

// Moved tells, by edge, what sections read of what others wrote before them, by the edges that lead into
// them, and what others read of theirs, by the edges that lead out: distinct bytes of one
// execution of the construct on average, once for each lane that reads them. What serial tasks pass on to each other is not known by
// task. It returns nil where the profile tells nothing of memory.
func (a *Analysis) Moved(level *htg.Graph) map[Edge]float64 {
	d := a.Bundle.Memory
	if d == nil {
		return nil
	}
	all := map[Edge]float64{}
	for i := range level.Groups {
		gr := &level.Groups[i]
		for k := range gr.Sections {
			lane := recordedLane(d, gr.Region, gr.Construct, gr.Sections[k].Section)
			if lane < 0 {
				continue
			}
			in, out := passed(d, lane)
			inside := func(t int) bool { return level.Tasks[t].Group == gr.Index && level.Tasks[t].Section == k }
			for t := range level.Tasks {
				if !inside(t) {
					continue
				}
				for _, p := range level.Tasks[t].Preds {
					if !inside(p) && in > 0 {
						all[Edge{From: p, To: t}] = in
					}
				}
				for _, n := range level.Tasks[t].Succs {
					if !inside(n) && out > 0 {
						all[Edge{From: t, To: n}] = out
					}
				}
			}
		}
	}
	return all
}

// Passed returns what a section, or a loop, reads of other lanes and what they read of it, in distinct bytes of one
// execution; 0 where the profile tells nothing of it.
func (a *Analysis) Passed(region, construct, section int) (in, out float64) {
	if a.Bundle.Memory == nil {
		return 0, 0
	}
	lane := recordedLane(a.Bundle.Memory, region, construct, section)
	if lane < 0 {
		return 0, 0
	}
	return passed(a.Bundle.Memory, lane)
}

// recordedLane finds the lane of a section, or of a loop, -1 where the profile knows none.
func recordedLane(d *memory.Data, region, construct, section int) int {
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

// passed returns what a lane reads of others and what others read of it, in bytes of one execution.
func passed(d *memory.Data, lane int) (in, out float64) {
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
