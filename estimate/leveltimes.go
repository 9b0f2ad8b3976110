package estimate

// This file says how long the paths and tasks of levels take under a mapping, all
// executions of them together, for drawings of task graphs.

import "pathspan/mapping"

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
	if err := e.fits(m); err != nil {
		return nil, err
	}
	v := e.pool.Get().(*evaluator)
	defer e.pool.Put(v)
	v.reset(m, PathBased)
	all, err := v.executed()
	if err != nil {
		return nil, err
	}
	var out []LevelTime
	at := map[[2]int]int{} // by function and level: index into out
	for i := range all {
		x := e.explainer(v, e.funcs[e.hot[all[i].hot].fn])
		x.prepare(all[i].context)
		for l := range all[i].levels {
			if hl := &x.hot.levels[l]; !hl.on || all[i].never(l) {
				continue
			}
			key := [2]int{x.f.index, l}
			n, ok := at[key]
			if !ok {
				n = len(out)
				at[key] = n
				out = append(out, LevelTime{Function: key[0], Level: l, Tasks: make([]TaskTime, len(x.hot.levels[l].graph.Tasks))})
				for t := range out[n].Tasks {
					out[n].Tasks[t].Processor = v.processor(x.context(l, t))
				}
			}
			x.addTo(&out[n], &all[i], 1/(e.ClockMHz[m.Serial]*1e6))
		}
		if err := v.failure(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// never reports a level that is not even entered for a last traversal.
func (x *executed) never(level int) bool {
	for _, n := range x.parts[level] {
		if n > 0 {
			return false
		}
	}
	return x.levels[level] == 0
}

// addTo adds a level as one function executes it; second is that of a cycle of the serial
// processor.
func (x *explainer) addTo(out *LevelTime, at *executed, second float64) {
	l := out.Level
	hl := &x.hot.levels[l]
	entries := at.runs * at.levels[l]
	each := entries / hl.denom
	out.Entries += entries
	deps := x.deps(l)
	for task := range out.Tasks {
		kind := x.v.kind(x.context(l, task))
		cycles := each * hl.sum.cell(task, kind, deps)
		for row, n := range at.parts[l] {
			cycles += at.runs * n * hl.parts.cell(row*hl.parts.tasks+task, kind, deps)
		}
		out.Tasks[task].Seconds += cycles * x.unit * second
	}
	if each == 0 {
		return
	}
	first := len(out.Paths) == 0
	n := 0
	for p := range x.f.prof.Levels[l].Paths {
		path := &x.f.prof.Levels[l].Paths[p]
		if path.Count == 0 {
			continue
		}
		if first {
			out.Paths = append(out.Paths, PathTime{Path: p})
		}
		_, stop := x.schedule(l, path.Steps, x.tpc(l, path.Steps, x.f.before(l, path)))
		count := each * float64(path.Count)
		out.Paths[n].Count += count
		out.Paths[n].Seconds += count * stop[len(stop)-1] * second
		n++
	}
}

// deps returns the values that the tasks of a level depend on, also where all of it stays
// on its processor.
func (x *explainer) deps(level int) []float64 {
	ls := &x.state.levels[level]
	if x.planned(level) {
		return ls.deps
	}
	kind := x.v.kind(x.at[level])
	all, deps := x.e.constants(PathBased), make([]float64, len(x.hot.levels[level].deps))
	for i, d := range x.hot.levels[level].deps {
		id := term{int32(x.f.index), d.level, d.part}
		if d.hot >= 0 {
			id = functionTerm(x.e.hot[d.hot].fn)
		}
		deps[i] = all[max(id.fn, 0)].of(id, kind)
	}
	return deps
}
