package report

// This file shows what a bundle holds.

import (
	"cmp"
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/mapping"
	"pathspan/memory"
	"pathspan/pathprof"
	"pathspan/profile"
	"pathspan/visible"
)

// InspectOptions bound what Inspect collects: one function, "" for all, and so many paths of
// each level, 0 for all.
type InspectOptions struct {
	Function string
	Paths    int
}

// Inspection is the JSON object of inspect.
type Inspection struct {
	Schema     string            `json:"schema" is:"pathspan.inspect/1"`
	Provenance InspectProvenance `json:"provenance"`
	Notes      []string          `json:"notes"`
	Levels     LevelSummary      `json:"levels"`
	Inlined    []string          `json:"inlined"` // functions of the source that are in others alone
	Regions    []InspectRegion   `json:"regions"`
	// Tasks are the places that make explicit tasks.
	Tasks []InspectTask `json:"tasks,omitempty"`
	// Pipelines are those of the plan.
	Pipelines []InspectPipeline `json:"pipelines,omitempty"`
	// Memory is what was told of memory; nil where it was not asked for.
	Memory *InspectMemory `json:"memory,omitempty"`
	// Streams is what was told of the flow of data, as Memory.
	Streams *InspectStreams `json:"flow_of_data,omitempty"`
	// Branches is what was told of branches; nil where it was not asked for.
	Branches  *InspectBranches   `json:"branches,omitempty"`
	Functions []InspectFunction  `json:"functions"`
	Flow      []InspectImbalance `json:"unfinished"`
}

// InspectBranches is how often branches and switches were taken, and how often of these not foretold.
type InspectBranches struct {
	Taken uint64 `json:"taken"`
	Wrong uint64 `json:"wrong"`
}

func inspectBranches(list []flow.Foretold) *InspectBranches {
	if list == nil {
		return nil
	}
	b := &InspectBranches{}
	for _, w := range list {
		b.Taken += w.Times
		b.Wrong += w.Wrong
	}
	return b
}

// InspectProvenance says where the bundle comes from.
type InspectProvenance struct {
	Tool     string       `json:"tool"`
	Clang    string       `json:"clang"`
	Target   string       `json:"target"` // the triple that it was compiled for, "" where it is not known
	OptLevel string       `json:"opt_level"`
	Flags    []string     `json:"flags"`
	Sources  []string     `json:"sources"`
	Module   string       `json:"module_sha256"`
	Runs     []InspectRun `json:"runs"`
	// Plan is what the sources were marked by.
	Plan *InspectPlan `json:"plan,omitempty"`
}

// InspectPlan is a plan file.
type InspectPlan struct {
	Name   string   `json:"name"`
	Text   string   `json:"text"`
	Marked []string `json:"marked"` // files besides the sources
}

// InspectRun is one run of the program.
type InspectRun struct {
	Arguments []string `json:"arguments"`
	exact     []string // the same, not made visible
	Exit      int      `json:"exit_status"`
	Signal    int      `json:"signal"`
	Counted   uint64   `json:"paths_counted"`
}

// LevelSummary counts the levels whose numbering needed more than an array.
type LevelSummary struct {
	Total     int `json:"total"`
	Hashed    int `json:"hashed"`
	Collapsed int `json:"collapsed"`
	Cut       int `json:"cut"`
	Degraded  int `json:"degraded"`
}

// InspectRegion is one parallel region.
type InspectRegion struct {
	Name     string   `json:"name"`
	Line     int      `json:"line,omitempty"`
	Sections []string `json:"sections"`
	// Loops are its worksharing loops.
	Loops []InspectLoop `json:"loops,omitempty"`
	// Executions of its constructs, also those that the program left amid them, and in how many
	// classes of like work they are kept.
	Executions uint64 `json:"executions"`
	Classes    int    `json:"classes"`
}

// InspectLoop is one worksharing loop, with how often it was executed where the bundle keeps
// executions, and iterations of one execution; those of executions of like work are averaged.
type InspectLoop struct {
	Name       string  `json:"name"`
	Line       int     `json:"line,omitempty"`
	Schedule   string  `json:"schedule"` // of its clause
	Executions uint64  `json:"executions"`
	Mean       float64 `json:"mean_iterations"`
	Least      float64 `json:"least_iterations"`
	Most       float64 `json:"most_iterations"`
}

// InspectTask is a place that makes explicit tasks, with how many of these are followed, and
// how many classes of like work they are kept in. Those that run in a final task, or where
// no thread of a region makes them, are work of what is around them.
type InspectTask struct {
	Name       string `json:"name"`
	Line       int    `json:"line,omitempty"`
	Executions uint64 `json:"executions"`
	Dependent  uint64 `json:"dependent"`  // those that wait for elder siblings
	Undeferred uint64 `json:"undeferred"` // whose creator goes on behind them
	Classes    int    `json:"classes"`
}

// InspectPipeline is a pipeline of the plan. Its stages are tasks.
type InspectPipeline struct {
	Name   string         `json:"name"`
	Line   int            `json:"line"` // of its loop
	Depths []int          `json:"depths"`
	Stages []InspectStage `json:"stages"`
}

// InspectStage is a stage by its name in the plan.
type InspectStage struct {
	Name      string `json:"name"`
	Task      string `json:"task"`
	Stateless bool   `json:"stateless"`
}

// InspectMemory sums up what was told of memory.
type InspectMemory struct {
	Read    uint64 `json:"bytes_read"`
	Written uint64 `json:"bytes_written"`
	Objects int    `json:"objects"` // variables, and places that make some on the heap, by the calls that lead there
	// Foreign are functions of which it is not known what they do to memory.
	Foreign []InspectForeign `json:"foreign"`
}

// InspectStreams sums up what was told of the flow of data.
type InspectStreams struct {
	Executions int    `json:"executions"`
	Statements int    `json:"statements"`
	Omitted    uint64 `json:"omitted"`
}

// InspectForeign is one of them.
type InspectForeign struct {
	Name  string `json:"name"`
	Calls uint64 `json:"calls"`
}

// InspectFunction is one function that ran.
type InspectFunction struct {
	Name        string         `json:"name"`
	Source      string         `json:"source"`
	Location    string         `json:"location"`
	Invocations uint64         `json:"invocations"`
	Levels      []InspectLevel `json:"levels"`
}

// InspectLevel is the body or one loop of a function.
type InspectLevel struct {
	Loop        string        `json:"loop"` // "" for the body, else file:line of the loop
	Depth       int           `json:"depth"`
	Entries     uint64        `json:"entries"`
	Iterations  uint64        `json:"iterations"`
	Average     float64       `json:"average_iterations"`
	Max         uint64        `json:"max_iterations"`
	StaticPaths uint64        `json:"static_paths"`
	Hashed      bool          `json:"hashed"`
	Collapsed   bool          `json:"collapsed"`
	Cuts        int           `json:"cuts"`
	Degraded    bool          `json:"degraded"`
	Paths       []InspectPath `json:"paths"`
	Hidden      int           `json:"paths_not_shown"`
}

// InspectPath is one path that ran.
type InspectPath struct {
	Count uint64   `json:"count"`
	End   string   `json:"end"`
	Lines string   `json:"lines"`
	Steps []string `json:"blocks"`
}

// InspectImbalance is a function with paths that did not end.
type InspectImbalance struct {
	Function string `json:"function"`
	Paths    uint64 `json:"under_way"`
}

var endNames = map[pathprof.SinkKind]string{
	pathprof.EndIteration:  "iteration",
	pathprof.EndFunction:   "end",
	pathprof.EndCut:        "cut",
	pathprof.EndPartial:    "loop exit",
	pathprof.EndIncomplete: "under way",
}

// Inspect collects everything, most frequent first.
func Inspect(b *profile.Bundle, opt InspectOptions) (*Inspection, error) {
	in := &Inspection{Notes: slices.Concat(b.Notes, noWaitNotes(b), lockNotes(b), gaps(b)), Inlined: b.Program.Inlined, Provenance: ProvenanceOf(b)}
	for i, r := range b.Program.Regions {
		g := InspectRegion{Name: r.Name, Line: r.Line}
		if b.Executions != nil {
			for _, x := range b.Executions.Entries {
				if x.Region == i && x.Construct < len(r.Constructs) {
					g.Classes++
					g.Executions += x.Count
				}
			}
		}
		for c := range r.Constructs {
			if r.Constructs[c].Loop != nil {
				g.Loops = append(g.Loops, inspectLoop(b, i, c))
				continue
			}
			for _, s := range r.Constructs[c].Sections {
				g.Sections = append(g.Sections, s.Name)
			}
		}
		in.Regions = append(in.Regions, g)
	}
	for i := range b.Program.Tasks {
		in.Tasks = append(in.Tasks, inspectTask(b, i))
	}
	for i := range b.Program.Pipelines {
		x := &b.Program.Pipelines[i]
		p := InspectPipeline{Name: x.Name, Line: x.Line, Depths: x.Depths}
		for _, s := range x.Stages {
			p.Stages = append(p.Stages, InspectStage{s.Name, b.Program.Tasks[s.Task].Name, s.Stateless})
		}
		in.Pipelines = append(in.Pipelines, p)
	}
	in.Memory, in.Branches = inspectMemory(b.Memory), inspectBranches(b.Branches)
	if t := b.Flow; t != nil {
		in.Streams = &InspectStreams{t.Len(), len(t.Statements), t.Omitted}
		if t.Omitted > 0 {
			in.Notes = append(in.Notes, "the flow of data: "+flowOmitted(t))
		}
	}
	found := false
	for i, f := range b.Funcs {
		if f == nil {
			continue
		}
		fn := b.Program.Funcs[i]
		in.summarise(fn, f)
		if opt.Function != "" && opt.Function != fn.Name && opt.Function != fn.Source {
			continue
		}
		found = true
		in.Functions = append(in.Functions, inspectFunction(b.Program, fn, f, opt))
	}
	if opt.Function != "" && !found {
		return nil, fmt.Errorf("--function %s: no function of that name ran; pathspan inspect without --function lists those that did", opt.Function)
	}
	slices.SortStableFunc(in.Functions, func(x, y InspectFunction) int { return cmp.Compare(work(&y), work(&x)) })
	return in, nil
}

func inspectMemory(d *memory.Data) *InspectMemory {
	if d == nil {
		return nil
	}
	out := &InspectMemory{Objects: len(d.Objects) - 1} // but for what lies elsewhere
	for i := range d.Flows {
		out.Read += d.Flows[i].Bytes
	}
	for i := range d.Writes {
		out.Written += d.Writes[i].Bytes
	}
	for _, f := range d.Foreign {
		if f.Calls > 0 {
			out.Foreign = append(out.Foreign, InspectForeign(f))
		}
	}
	return out
}

func inspectLoop(b *profile.Bundle, region, construct int) InspectLoop {
	c := &b.Program.Regions[region].Constructs[construct]
	out := InspectLoop{Name: c.LoopName(), Line: c.Sections[0].Line, Schedule: ScheduleText(mapping.ClauseOf(c.Loop), c.Loop)}
	if b.Executions == nil {
		return out
	}
	sum := 0.0
	for i := range b.Executions.Entries {
		x := &b.Executions.Entries[i]
		if x.Region != region || x.Construct != construct {
			continue
		}
		n := x.Iterations()
		if out.Executions == 0 || n < out.Least {
			out.Least = n
		}
		out.Most = max(out.Most, n)
		out.Executions += x.Count
		sum += n * float64(x.Count)
	}
	if out.Executions > 0 {
		out.Mean = sum / float64(out.Executions)
	}
	return out
}

func inspectTask(b *profile.Bundle, task int) InspectTask {
	out := InspectTask{Name: b.Program.Tasks[task].Name, Line: b.Program.Tasks[task].Line}
	if b.Executions == nil {
		return out
	}
	all := b.Executions.Entries
	holds := func(lane []profile.ExecutionPart) bool {
		if len(lane) == 0 || lane[0].Entry < 0 || !all[lane[0].Entry].OfTasks {
			return false
		}
		t, _ := all[lane[0].Entry].Task(b.Program)
		return t == task
	}
	for i := range all {
		x := &all[i]
		if !x.OfTasks {
			continue
		}
		t, form := x.Task(b.Program)
		switch {
		case t == task:
			out.Classes++
			out.Executions += x.Count
		case form == ir.Undeferred && holds(x.Lanes[0]):
			out.Undeferred += x.Count
		case form == ir.Dependent && holds(x.Lanes[1]):
			out.Dependent += x.Count
		}
	}
	return out
}

// ProvenanceOf says where a bundle comes from.
func ProvenanceOf(b *profile.Bundle) InspectProvenance {
	p := &b.Provenance
	out := InspectProvenance{Tool: p.Tool, Clang: p.Clang, Target: b.Program.Triple, OptLevel: p.OptLevel, Flags: p.Flags, Module: fmt.Sprintf("%x", p.ModuleHash)}
	for _, s := range p.Sources {
		out.Sources = append(out.Sources, s.Name)
	}
	for _, r := range p.Runs {
		out.Runs = append(out.Runs, inspectRun(r))
	}
	if p.Plan != nil {
		out.Plan = &InspectPlan{Name: p.Plan.Name, Text: visible.Text(p.Plan.Text)}
		for _, s := range p.Plan.Marked {
			out.Plan.Marked = append(out.Plan.Marked, s.Name)
		}
	}
	return out
}

// inspectRun shows a run. Arguments are what they were where that can be printed or JSON
// has escapes for it; others are made visible.
func inspectRun(r profile.Run) InspectRun {
	arguments := slices.Clone(r.Arguments)
	for i, a := range arguments {
		if !visible.InJSON(a) {
			arguments[i] = visible.Line(a)
		}
	}
	return InspectRun{Arguments: arguments, exact: r.Arguments, Exit: r.ExitStatus, Signal: r.Signal, Counted: r.Counted}
}

// work ranks a function by how many of its paths were taken.
func work(f *InspectFunction) uint64 {
	n := f.Invocations
	for i := range f.Levels {
		n += f.Levels[i].Iterations
	}
	return n
}

func (in *Inspection) summarise(fn *ir.Func, f *profile.FuncProfile) {
	var open uint64
	for i := range f.Levels {
		l := &f.Levels[i]
		in.Levels.Total++
		in.Levels.Hashed += one(l.Hashed)
		in.Levels.Collapsed += one(l.Collapsed && !l.Degraded)
		in.Levels.Cut += one(len(l.Cuts) > 0 && !l.Degraded)
		in.Levels.Degraded += one(l.Degraded)
		for j := range l.Paths {
			if l.Paths[j].End == pathprof.EndIncomplete && i == 0 {
				open += l.Paths[j].Count
			}
		}
	}
	if open > 0 {
		in.Flow = append(in.Flow, InspectImbalance{Function: fn.Shown(), Paths: open})
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func inspectFunction(p *ir.Program, fn *ir.Func, f *profile.FuncProfile, opt InspectOptions) InspectFunction {
	c := flow.Analyze(fn)
	out := InspectFunction{Name: fn.Name, Source: fn.Source, Location: location(p, fn), Invocations: f.Invocations()}
	entries := f.EntriesOf()
	for i := range f.Levels {
		l := &f.Levels[i]
		lev := InspectLevel{StaticPaths: l.StaticPaths, Hashed: l.Hashed, Collapsed: l.Collapsed, Cuts: len(l.Cuts), Degraded: l.Degraded, Entries: out.Invocations}
		if i > 0 {
			lev.Loop, lev.Depth = LoopPlace(p, fn, c, l.Loop), c.Loops[l.Loop].Depth
			lev.Entries = entries[l.Loop]
			lev.Iterations, lev.Max = l.Iterations(), l.MaxTrips
			if lev.Entries > 0 {
				lev.Average = float64(lev.Iterations) / float64(lev.Entries)
			}
		}
		paths := slices.Clone(l.Paths)
		slices.SortStableFunc(paths, func(x, y profile.Path) int { return cmp.Compare(y.Count, x.Count) })
		if opt.Paths > 0 && len(paths) > opt.Paths {
			lev.Hidden = len(paths) - opt.Paths
			paths = paths[:opt.Paths]
		}
		for j := range paths {
			lev.Paths = append(lev.Paths, inspectPath(p, fn, c, &paths[j]))
		}
		out.Levels = append(out.Levels, lev)
	}
	return out
}
