package mapping

// This file says which processors execute the tasks that a region makes.

import (
	"slices"

	"pathspan/ir"
)

// TasksKey is the key of a region that stands for the processors of its tasks.
const TasksKey = "tasks"

// teamOf is the team of a region: as many threads as there are processors, or as its
// num_threads clause says if those are fewer.
func teamOf(processors, serial int, reg *ir.Region) []int {
	threads := processors
	if reg.NumThreads > 0 {
		threads = min(threads, reg.NumThreads)
	}
	return Team(processors, serial, threads)
}

// Team is the team of so many threads: the serial processor, and those that follow it, the
// first behind the last.
func Team(processors, serial, threads int) []int {
	team := make([]int, threads)
	for t := range team {
		team[t] = (serial + t) % processors
	}
	return team
}

// TeamFile is what a mapping file must say of a region's team: nil where that is the usual
// one. The words have no place.
func (r *Resolved) TeamFile(prog *ir.Program, region int) []Word {
	rm := &r.Regions[region]
	if rm.Team == nil || slices.Equal(rm.Team, teamOf(len(r.Platform.Processors), r.Serial, &prog.Regions[region])) {
		return nil
	}
	var out []Word
	for _, p := range rm.Team {
		out = append(out, Word{Text: r.Platform.Processors[p].Name})
	}
	return out
}

// team does what a file says of a region's team.
func (r *Resolved) team(f *RegionFile, reg *ir.Region, rm *RegionMap) error {
	if f.Team == nil {
		return nil
	}
	if rm.Team == nil {
		return f.Team[0].Pos.Errorf("region %s: tasks: the program makes none: leave the key out", reg.Name)
	}
	rm.Team = nil
	for _, w := range f.Team {
		p, err := r.Platform.find(w)
		if err != nil {
			return err
		}
		if slices.Contains(rm.Team, p) {
			return w.Pos.Errorf("processor %q is there twice: name each once", w.Text)
		}
		rm.Team = append(rm.Team, p)
	}
	return nil
}
