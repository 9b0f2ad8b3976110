package export

// This file takes the task graph of one level with the mean times of its tasks, for the
// formats of schedulers and simulators.

import (
	"fmt"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/htg"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/profile"
)

// Level names a level of a function: Function is an index, Level 0 the function's body
// and N loop N-1.
type Level struct{ Function, Level int }

// TaskGraph is the task graph of one level, executed once: a call of the function, or an
// iteration of the loop. Times are means over the executed paths of the level.
type TaskGraph struct {
	Name     string
	Loop     string  // place of the loop's header, "" for a function's body
	Makespan float64 // seconds by the path-based technique, overheads included
	Types    []ProcessorType
	Tasks    []Task
	Bytes    map[estimate.Edge]float64 // that edges carry, where that is known; nil without a record of memory
}

// ProcessorType is a kind of processors that take the same time for everything.
type ProcessorType struct {
	Name      string
	Processor int // the first of that kind
}

// Task is a node of the graph. Loops and calls are inside tasks.
type Task struct {
	ID, Name, Kind string
	Processor      int       // by the mapping
	Seconds        float64   // there
	Overhead       float64   // seconds for creating and synchronising, not in Seconds
	ByType         []float64 // seconds with everything on a processor of the type
	Preds, Succs   []int
}

// HeaviestLevel returns the level that holds the sections construct with the most work
// under the mapping, the one whose paths run through it most often where several hold it;
// level 0 of the root where none ran. A function below 0 stands for any.
func HeaviestLevel(s *Subject, function int) (Level, error) {
	e := s.Estimator
	best := Level{max(function, 0), 0}
	if function < 0 {
		best.Function = e.Root
	}
	work := map[[2]int]float64{} // by region and construct
	err := e.Play(s.Mapping, s.Technique, func(rows *table.Table, p *table.Played) {
		for _, ev := range p.Events {
			region, construct := rows.Construct(ev.Execution)
			if ev.Section >= 0 {
				construct, _ = rows.Split(region, construct, ev.Section)
			}
			work[[2]int{region, construct}] += p.Weight * (ev.End - ev.Start)
		}
	})
	if err != nil {
		return best, err
	}
	most, oftenest := 0.0, 0.0
	for fn, g := range e.Graphs {
		if g == nil || function >= 0 && fn != function {
			continue
		}
		for l := range g.Levels {
			for k := range g.Levels[l].Groups {
				gr := &g.Levels[l].Groups[k]
				x, n := work[[2]int{gr.Region, gr.Construct}], runs(e.Bundle.Funcs[fn].Levels[l].Paths, gr)
				if n > 0 && (x > most || x == most && n > oftenest) {
					best, most, oftenest = Level{fn, l}, x, n
				}
			}
		}
	}
	return best, nil
}

// runs is how often paths run through a group.
func runs(paths []profile.Path, g *htg.Group) float64 {
	n := 0.0
	for i := range paths {
		if slices.Contains(paths[i].Steps, pathprof.Step(g.Begin)) {
			n += float64(paths[i].Count)
		}
	}
	return n
}

// NewTaskGraph takes the graph of a level, which must have executed a path.
func NewTaskGraph(s *Subject, at Level) (*TaskGraph, error) {
	e := s.Estimator
	fn := e.Bundle.Program.Funcs[at.Function]
	x, err := e.Explain(s.Mapping, fn.Name, at.Level)
	if err != nil {
		return nil, err
	}
	total := 0.0
	for _, p := range x.Paths {
		total += float64(p.Count)
	}
	if total == 0 {
		return nil, fmt.Errorf("--level %d: the loop at %s never completed an iteration in the profile; name another level of function %s, 0 for its body", at.Level, x.Loop, fn.Source)
	}
	g := &TaskGraph{Name: fn.Source, Loop: x.Loop}
	second := 1 / s.hertz(s.Mapping.Serial) / total
	seconds, charged := means(x, x.TPC, second), means(x, x.TPCBar, second)
	for i, p := range x.Paths {
		g.Makespan += x.PC[i] * float64(p.Count) * second
	}
	tasks := e.Graphs[at.Function].Levels[at.Level].Tasks
	for i := range tasks {
		g.Tasks = append(g.Tasks, Task{
			ID: tasks[i].Label, Name: tasks[i].Name, Kind: tasks[i].Kind.String(),
			Processor: e.Platform.Index(x.Tasks[i].Processor),
			Seconds:   seconds[i], Overhead: charged[i] - seconds[i],
			Preds: tasks[i].Preds, Succs: tasks[i].Succs,
		})
	}
	g.Bytes = e.Moved(e.Graphs[at.Function].Levels[at.Level])
	return g, g.types(s, fn.Name, at.Level, total)
}

// means returns the mean time of each task over the paths.
func means(x *estimate.Explanation, rows [][]float64, second float64) []float64 {
	out := make([]float64, len(x.Tasks))
	for i, row := range rows {
		for t, cycles := range row {
			out[t] += cycles * float64(x.Paths[i].Count) * second
		}
	}
	return out
}

// types adds the times on each kind of processor, everything on it.
func (g *TaskGraph) types(s *Subject, fn string, level int, total float64) error {
	e := s.Estimator
	for p := range e.Platform.Processors {
		if g.typeOf(s, p) >= 0 {
			continue
		}
		x, err := e.Explain(mapping.OnOne(e.Platform, p, e.Bundle.Program), fn, level)
		if err != nil {
			return err
		}
		for t, seconds := range means(x, x.TPC, 1/s.hertz(p)/total) {
			g.Tasks[t].ByType = append(g.Tasks[t].ByType, seconds)
		}
		g.Types = append(g.Types, ProcessorType{Name: s.typeName(p), Processor: p})
	}
	return nil
}

// typeName is the model of a processor, with its clock where the platform has the model
// at several clocks.
func (s *Subject) typeName(p int) string {
	e := s.Estimator
	name := e.Costs[p].Model
	for q := range e.Costs {
		if e.Costs[q].Model == name && e.ClockMHz[q] != e.ClockMHz[p] {
			return fmt.Sprintf("%s@%gMHz", name, e.ClockMHz[p])
		}
	}
	return name
}

// typeOf returns the index of a processor's kind in Types, or -1.
func (g *TaskGraph) typeOf(s *Subject, p int) int {
	e := s.Estimator
	return slices.IndexFunc(g.Types, func(t ProcessorType) bool {
		return e.Charged[t.Processor] == e.Charged[p] && e.ClockMHz[t.Processor] == e.ClockMHz[p]
	})
}
