package export

// This file writes a task graph as a workflow in WfFormat 1.5 of WfCommons (R. Ferreira da
// Silva and others, "WfCommons: A Framework for Enabling Scientific Workflow Research and
// Development", FGCS 2022), which workflow simulators read.

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"

	"pathspan/estimate"
)

// notExecuted stands where WfFormat wants the time of day of an execution: there was none.
const notExecuted = "1970-01-01T00:00:00Z"

type wfInstance struct {
	Name          string `json:"name"`
	Description   string `json:"description"`
	SchemaVersion string `json:"schemaVersion"`
	RuntimeSystem struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"runtimeSystem"`
	Workflow struct {
		Specification struct {
			Tasks []wfTask `json:"tasks"`
			Files []wfFile `json:"files"`
		} `json:"specification"`
		Execution struct {
			Makespan   float64     `json:"makespanInSeconds"`
			ExecutedAt string      `json:"executedAt"`
			Tasks      []wfRun     `json:"tasks"`
			Machines   []wfMachine `json:"machines"`
		} `json:"execution"`
	} `json:"workflow"`
}

type wfTask struct {
	Name        string   `json:"name"`
	ID          string   `json:"id"`
	Parents     []string `json:"parents"`
	Children    []string `json:"children"`
	InputFiles  []string `json:"inputFiles"`
	OutputFiles []string `json:"outputFiles"`
}

// wfFile is what one task passes on to another.
type wfFile struct {
	ID   string `json:"id"`
	Size int64  `json:"sizeInBytes"`
}

// wfRun is the execution of a task. The format permits properties of one's own, of which
// overheadInSeconds is one: what creating and synchronising cost beside the run time.
type wfRun struct {
	ID        string   `json:"id"`
	Runtime   float64  `json:"runtimeInSeconds"`
	Overhead  float64  `json:"overheadInSeconds"`
	CoreCount int      `json:"coreCount"`
	Machines  []string `json:"machines"`
}

type wfMachine struct {
	NodeName     string  `json:"nodeName"`
	Architecture string  `json:"architecture"`
	Memory       float64 `json:"memoryInBytes,omitempty"`
	CPU          struct {
		CoreCount int `json:"coreCount"`
		Speed     int `json:"speedInMHz"`
	} `json:"cpu"`
}

// WfFormat returns the task graph as a workflow: a task a node, a machine of one core a
// processor.
func WfFormat(s *Subject, g *TaskGraph) ([]byte, error) {
	out := wfInstance{Name: g.Name, Description: g.describe(s), SchemaVersion: "1.5"}
	out.RuntimeSystem.Name, out.RuntimeSystem.Version = "pathspan", s.Version
	out.Workflow.Specification.Files = []wfFile{}
	run := &out.Workflow.Execution
	run.Makespan, run.ExecutedAt = g.Makespan, notExecuted
	nodes := nodeNames(s)
	for i := range g.Tasks {
		t := &g.Tasks[i]
		spec := wfTask{Name: t.Name, ID: t.ID, Parents: g.ids(t.Preds), Children: g.ids(t.Succs), InputFiles: []string{}, OutputFiles: []string{}}
		for _, p := range t.Preds {
			if _, ok := g.Bytes[estimate.Edge{From: p, To: i}]; ok {
				spec.InputFiles = append(spec.InputFiles, g.file(p, i))
			}
		}
		for _, n := range t.Succs {
			if bytes, ok := g.Bytes[estimate.Edge{From: i, To: n}]; ok {
				spec.OutputFiles = append(spec.OutputFiles, g.file(i, n))
				out.Workflow.Specification.Files = append(out.Workflow.Specification.Files, wfFile{g.file(i, n), int64(bytes)})
			}
		}
		out.Workflow.Specification.Tasks = append(out.Workflow.Specification.Tasks, spec)
		run.Tasks = append(run.Tasks, wfRun{ID: t.ID, Runtime: t.Seconds, Overhead: t.Overhead, CoreCount: 1, Machines: []string{nodes[t.Processor]}})
	}
	e := s.Estimator
	for p := range e.Platform.Processors {
		m := wfMachine{NodeName: nodes[p], Architecture: e.Costs[p].Model, Memory: math.Floor(e.Platform.Processors[p].Memory)}
		m.CPU.CoreCount, m.CPU.Speed = 1, max(1, int(math.Round(e.ClockMHz[p])))
		run.Machines = append(run.Machines, m)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(out); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}

// file names what an edge carries.
func (g *TaskGraph) file(from, to int) string { return g.Tasks[from].ID + "-" + g.Tasks[to].ID }

func (g *TaskGraph) ids(tasks []int) []string {
	out := []string{}
	for _, t := range tasks {
		out = append(out, g.Tasks[t].ID)
	}
	return out
}

func (g *TaskGraph) describe(s *Subject) string {
	once := "one call of function " + g.Name
	if g.Loop != "" {
		once = "one iteration of the loop at " + g.Loop + " in function " + g.Name
	}
	return once + ", mean times over its paths; " + s.title()
}

var notInHostNames = regexp.MustCompile(`[^0-9A-Za-z-]+`)

// nodeNames makes host names of the processors' names, which differ as those do.
func nodeNames(s *Subject) []string {
	var names []string
	used := map[string]bool{}
	for _, p := range s.Estimator.Platform.Processors {
		name := notInHostNames.ReplaceAllString(p.Name, "-")
		for used[name] {
			name += "x"
		}
		used[name] = true
		names = append(names, name)
	}
	return names
}
