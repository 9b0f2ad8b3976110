package htg

// This file derives from a function's paths how often its edges and tasks ran.

import (
	"slices"

	"pathspan/ir/flow"
	"pathspan/profile"
)

// edgeCounts returns how often control went from one block to another, by all edges
// between the two together.
func edgeCounts(c *flow.CFG, f *profile.FuncProfile) map[[2]int]uint64 {
	n := map[[2]int]uint64{}
	for i := range f.Levels {
		for j := range f.Levels[i].Paths {
			p := &f.Levels[i].Paths[j]
			at, loop := -1, -1 // the block before, and the first loop met since
			for _, s := range p.Steps {
				if l := s.Loop(); l >= 0 {
					if loop < 0 {
						loop = l
					}
					continue
				}
				b := int(s)
				switch {
				case at < 0:
				case loop >= 0 && !c.InLoop(loop, b):
					// The loop counts by itself how it was left; here it was entered.
					n[[2]int{at, c.Loops[loop].Header}] += p.Count
				default:
					n[[2]int{at, b}] += p.Count
				}
				at, loop = b, -1
			}
			switch {
			case at >= 0 && loop >= 0:
				n[[2]int{at, c.Loops[loop].Header}] += p.Count
			case at >= 0 && p.Edge >= 0 && p.Edge < len(c.Succs[at]):
				n[[2]int{at, c.Succs[at][p.Edge]}] += p.Count
			}
		}
	}
	return n
}

// taskCounts returns how often each task of each level ran: in how many paths, of its
// level or of one around it.
func (g *Graphs) taskCounts(f *profile.FuncProfile) [][]uint64 {
	n := make([][]uint64, len(g.Levels))
	for l := range n {
		n[l] = make([]uint64, len(g.Levels[l].Tasks))
	}
	type place struct{ level, task int }
	for i := range f.Levels {
		for j := range f.Levels[i].Paths {
			p := &f.Levels[i].Paths[j]
			seen := map[place]bool{}
			for k, s := range p.Steps {
				if s < 0 {
					continue
				}
				b := int(s)
				for loop := g.CFG.LoopOf[b]; ; loop = g.CFG.Loops[loop].Parent {
					at := place{loop + 1, g.TaskOf(loop+1, b)}
					if at.task >= 0 && !seen[at] {
						seen[at] = true
						// What follows a cut goes on with a task that the path before counts.
						if k > 0 || !slices.Contains(f.Levels[i].Cuts, b) {
							n[at.level][at.task] += p.Count
						}
					}
					if loop+1 == i || loop < 0 {
						break
					}
				}
			}
		}
	}
	return n
}
