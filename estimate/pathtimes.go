package estimate

// This file says how long paths and tasks take under a mapping, all executions of them
// together.

import (
	"pathspan/mapping"
	"pathspan/pathprof"
)

// PathTime is an executed path of a level that reaches a region. Its time includes loops
// and called functions in it, so that times of paths of different levels overlap. The same
// path has several times where a function runs in different places.
type PathTime struct {
	Function, Level int
	Path            int     // index into the paths of the level's profile
	Count           float64 // per execution of the root
	Seconds         float64 // of all of them
	// Entries are those of the level per execution of the root, shared out to its paths by
	// how often they are executed.
	Entries float64
	// Regions reports that the path runs through a sections construct of its own level.
	Regions bool
}

// TaskTime is the time of a task of a level that reaches a region, loops and called
// functions in it included, overheads not, all executions together.
type TaskTime struct {
	Function, Level, Task int
	Processor             int     // one of them, where the function runs in different places
	Seconds               float64 // per execution of the root
}

// PathTimes returns the times of paths and tasks by the path-based technique, in program
// order.
func (e *Estimator) PathTimes(m *mapping.Resolved) (paths []PathTime, tasks []TaskTime, err error) {
	second := 1 / (e.ClockMHz[m.Serial] * 1e6)
	sums := map[groupPlace]int{} // by function, level and task: index into tasks
	level, count := groupPlace{}, 0.0
	err = e.eachPath(m, func(x *explainer, fn, path int, weight float64, traversals []levelSchedule) {
		whole := &traversals[len(traversals)-1]
		through := false
		for g := range x.f.graphs.Levels[x.level].Groups {
			for _, s := range whole.steps {
				through = through || s == pathprof.Step(x.f.graphs.Levels[x.level].Groups[g].Begin)
			}
		}
		if at := (groupPlace{fn, x.level, 0}); at != level || count == 0 {
			level, count = at, 0
			for i := range x.f.prof.Levels[x.level].Paths {
				count += float64(x.f.prof.Levels[x.level].Paths[i].Count)
			}
		}
		paths = append(paths, PathTime{
			Function: fn, Level: x.level, Path: path, Count: weight, Entries: weight * x.f.denom[x.level] / count,
			Seconds: weight * whole.stop[len(whole.stop)-1] * second, Regions: through,
		})
		for i := range traversals {
			t := &traversals[i]
			for task, cycles := range t.tpc {
				key := groupPlace{fn, t.level, task}
				n, ok := sums[key]
				if !ok {
					n = len(tasks)
					sums[key] = n
					tasks = append(tasks, TaskTime{Function: fn, Level: t.level, Task: task, Processor: x.v.processor(x.context(t.level, task))})
				}
				tasks[n].Seconds += weight * cycles * second
			}
		}
	})
	return paths, tasks, err
}
