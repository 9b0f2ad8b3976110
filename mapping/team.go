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
	return Team(processors, serial, threadsOf(processors, reg))
}

func threadsOf(processors int, reg *ir.Region) int {
	if reg.NumThreads > 0 {
		return min(processors, reg.NumThreads)
	}
	return processors
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

// LargestTeam is how many processors the largest team of a region that makes tasks has.
func (r *Resolved) LargestTeam() int {
	most := 1
	for i := range r.Regions {
		most = max(most, len(r.Regions[i].Team))
	}
	return most
}

// TeamFile is what a mapping file must say of a region's team: nil where that is the usual
// one. The words have no place.
func (r *Resolved) TeamFile(prog *ir.Program, region int) []Word {
	rm := &r.Regions[region]
	if rm.Team == nil || slices.Equal(rm.Team, teamOf(len(r.Platform.Processors), r.Serial, &prog.Regions[region])) {
		return nil
	}
	return r.named(rm.Team)
}

// named names processors, by words without a place.
func (r *Resolved) named(processors []int) []Word {
	var out []Word
	for _, p := range processors {
		out = append(out, Word{Text: r.Platform.Processors[p].Name})
	}
	return out
}

// TaskFile says which processors may execute the tasks of one place, as written.
type TaskFile struct {
	Name       Word
	Processors []Word
}

// tasks does what a file says of the tasks of single places.
func (r *Resolved) tasks(files []TaskFile, prog *ir.Program) error {
	for _, f := range files {
		var names []string
		for i := range prog.Tasks {
			names = append(names, prog.Tasks[i].Name)
		}
		at := slices.Index(names, f.Name.Text)
		if at < 0 {
			var several bool
			if at, several = stageNamed(prog, f.Name.Text); several {
				return f.Name.Pos.Errorf("stage %q is one of several pipelines: want its full name, %s", f.Name.Text, suggest(f.Name.Text, names))
			}
		}
		switch {
		case names == nil:
			return f.Name.Pos.Errorf("task %q: the program makes no tasks: leave the key out", f.Name.Text)
		case at < 0:
			for i := range prog.Pipelines {
				for _, s := range prog.Pipelines[i].Stages {
					names = append(names, s.Name)
				}
			}
			return f.Name.Pos.Errorf("task %q does not exist: want %s", f.Name.Text, suggest(f.Name.Text, names))
		case r.Tasks == nil:
			r.Tasks = make([][]int, len(names))
		case r.Tasks[at] != nil:
			return f.Name.Pos.Errorf("task %q is mapped twice", f.Name.Text)
		}
		var err error
		if r.Tasks[at], err = r.processors(f.Processors); err != nil {
			return err
		}
	}
	return nil
}

// stageNamed finds the task of a stage by its name in the plan.
func stageNamed(prog *ir.Program, name string) (task int, several bool) {
	task = -1
	for i := range prog.Pipelines {
		for _, s := range prog.Pipelines[i].Stages {
			if s.Name == name {
				several = several || task >= 0
				task = s.Task
			}
		}
	}
	return task, several
}

// processors finds processors, each once.
func (r *Resolved) processors(list []Word) ([]int, error) {
	var out []int
	for _, w := range list {
		p, err := r.Platform.find(w)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, p) {
			return nil, w.Pos.Errorf("processor %q is there twice: name each once", w.Text)
		}
		out = append(out, p)
	}
	return out, nil
}

// May reports whether a processor may execute a task of the program, -1 for one that is not
// known, where some processors execute tasks.
func (r *Resolved) May(task, processor int) bool {
	return task < 0 || r.Tasks == nil || r.Tasks[task] == nil || slices.Contains(r.Tasks[task], processor)
}

// team does what a file says of a region's team.
func (r *Resolved) team(f *RegionFile, reg *ir.Region, rm *RegionMap) error {
	if f.Team == nil {
		return nil
	}
	if rm.Team == nil {
		return f.Team[0].Pos.Errorf("region %s: tasks: the program makes none: leave the key out", reg.Name)
	}
	var err error
	rm.Team, err = r.processors(f.Team)
	return err
}
