package estimate

// This file says how long the paths and tasks of levels take under a mapping, all
// executions of them together, for drawings of task graphs.

import (
	"pathspan/mapping"
	"pathspan/pathprof"
)

// LevelTime holds the times of a level that reaches a region, by the path-based technique,
// for one execution of the root. They include loops and called functions, so that those of
// different levels overlap.
type LevelTime struct {
	Function, Level int
	Entries         float64
	Tasks           []TaskTime // of the level's graph; overheads are not in them
	Paths           []PathTime // that were executed
}

// PathTime is a path of a level.
type PathTime struct {
	Path    int // index into the paths of the level's profile
	Count   float64
	Seconds float64 // of all executions
}

// TaskTime is a task of a level.
type TaskTime struct {
	Processor int // one of them, where the function runs in different places
	Seconds   float64
}

// LevelTimes returns the times of the levels that the root executes, callers first.
func (e *Estimator) LevelTimes(m *mapping.Resolved) ([]LevelTime, error) {
	a := e.newAttribution(nil)
	a.times = [][]LevelTime{}
	if err := a.of(m); err != nil {
		return nil, err
	}
	second := 1 / (e.ClockMHz[m.Serial] * 1e6)
	var out []LevelTime
	for h := len(e.hot) - 1; h >= 0; h-- {
		levels := make([]LevelTime, len(e.hot[h].levels))
		for c := range len(e.Platform.Processors) + 1 {
			if i, ok := a.index[bodyAt{e.hot[h].fn, context(c)}]; ok {
				for l := range levels {
					levels[l].add(&a.times[i][l], a.bodies[i].Calls, second)
				}
			}
		}
		for l := range levels {
			if levels[l].Tasks != nil {
				levels[l].Function, levels[l].Level = e.hot[h].fn, l
				out = append(out, levels[l])
			}
		}
	}
	return out, nil
}

// add adds the times of one call of a body, in cycles, by how often it is called.
func (t *LevelTime) add(x *LevelTime, calls, second float64) {
	if x.Tasks == nil || calls == 0 {
		return
	}
	if t.Tasks == nil {
		t.Tasks = make([]TaskTime, len(x.Tasks))
		for i := range x.Tasks {
			t.Tasks[i].Processor = x.Tasks[i].Processor
		}
	}
	if t.Paths == nil {
		for i := range x.Paths {
			t.Paths = append(t.Paths, PathTime{Path: x.Paths[i].Path})
		}
	}
	t.Entries += calls * x.Entries
	for i := range x.Tasks {
		t.Tasks[i].Seconds += calls * x.Tasks[i].Seconds * second
	}
	for i := range x.Paths {
		t.Paths[i].Count += calls * x.Paths[i].Count
		t.Paths[i].Seconds += calls * x.Paths[i].Seconds * second
	}
}

// timed reports whether the times of a level of the body at hand are asked for.
func (a *attribution) timed(level int) bool {
	return a.times != nil && a.x.hot != nil && a.x.hot.levels[level].on
}

func (a *attribution) levelTime(level int) *LevelTime {
	t := &a.times[a.body][level]
	if t.Tasks == nil {
		t.Tasks = make([]TaskTime, len(a.x.f.graphs.Levels[level].Tasks))
		for task := range t.Tasks {
			t.Tasks[task].Processor = a.v.processor(a.x.context(level, task))
		}
	}
	return t
}

// addTimes adds the tasks of a path of a level that is taken w times by a call of the body at
// hand, in cycles; its number is -1 for a partial traversal.
func (a *attribution) addTimes(level, number int, steps []pathprof.Step, first int, w float64) {
	t, tpc := a.levelTime(level), a.x.tpc(level, steps, first)
	for task, cycles := range tpc {
		t.Tasks[task].Seconds += w * cycles
	}
	if number >= 0 {
		_, stop := a.x.schedule(level, steps, tpc)
		t.Paths = append(t.Paths, PathTime{number, w, w * stop[len(stop)-1]})
	}
}
