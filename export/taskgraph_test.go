package export

// This file validates task graphs in both formats, reads them back, and holds them
// against estimates.

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pathspan/mapping"
	"pathspan/memory"
)

// graphOf takes the level with the most time.
func graphOf(t *testing.T, s *Subject) *TaskGraph {
	t.Helper()
	at, err := HeaviestLevel(s, -1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := NewTaskGraph(s, at)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// readWorkflow is what a reader of WfFormat needs.
type readWorkflow struct {
	Workflow struct {
		Specification struct {
			Tasks []struct {
				ID                string
				Parents, Children []string
			}
		}
		Execution struct {
			MakespanInSeconds float64
			Tasks             []struct {
				ID                                  string
				RuntimeInSeconds, OverheadInSeconds float64
				Machines                            []string
			}
			Machines []struct{ NodeName string }
		}
	}
}

// validateWorkflow holds a workflow against the schema and what the schema cannot say.
func validateWorkflow(t *testing.T, data []byte) *readWorkflow {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile("testdata/wfformat-1.5.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Fatal(err)
	}
	var w readWorkflow
	if err := json.Unmarshal(data, &w); err != nil {
		t.Fatal(err)
	}
	edges := map[[2]string]int{}
	for _, task := range w.Workflow.Specification.Tasks {
		for _, p := range task.Parents {
			edges[[2]string{p, task.ID}]++
		}
		for _, c := range task.Children {
			edges[[2]string{task.ID, c}] += 10
		}
	}
	for e, n := range edges {
		if n != 11 {
			t.Errorf("edge %v is not named once at both ends", e)
		}
	}
	machines := map[string]bool{}
	for _, m := range w.Workflow.Execution.Machines {
		if machines[m.NodeName] {
			t.Errorf("two machines are named %s", m.NodeName)
		}
		machines[m.NodeName] = true
	}
	for i, task := range w.Workflow.Execution.Tasks {
		if task.ID != w.Workflow.Specification.Tasks[i].ID || len(task.Machines) != 1 || !machines[task.Machines[0]] {
			t.Errorf("task %+v is not that of the specification, or is on no machine", task)
		}
	}
	return &w
}

func TestWfFormat(t *testing.T) {
	s := fun0(t, "solB")
	data, err := WfFormat(s, graphOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	validateWorkflow(t, data)
	golden(t, "wfformat.golden", data)
	everySubject(t, func(t *testing.T, s *Subject) {
		g := graphOf(t, s)
		data, err := WfFormat(s, g)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := WfFormat(s, graphOf(t, s)); err != nil || !bytes.Equal(data, again) {
			t.Errorf("two workflows differ: %v", err)
		}
		w := validateWorkflow(t, data)
		// Path by path the chains are as long as those of the means, or longer.
		longest, sum := longestChain(t, w)
		if m := w.Workflow.Execution.MakespanInSeconds; m < longest*(1-1e-9) || m > sum*(1+1e-9) {
			t.Errorf("makespan %v, want one from the longest chain, %v, to the sum, %v", m, longest, sum)
		}
	})
}

// longestChain returns the longest chain of tasks, with overheads, and the sum of all.
func longestChain(t *testing.T, w *readWorkflow) (longest, sum float64) {
	t.Helper()
	time, end := map[string]float64{}, map[string]float64{}
	for _, task := range w.Workflow.Execution.Tasks {
		time[task.ID] = task.RuntimeInSeconds + task.OverheadInSeconds
		sum += time[task.ID]
	}
	for _, task := range w.Workflow.Specification.Tasks {
		start := 0.0
		for _, p := range task.Parents {
			before, known := end[p]
			if !known {
				t.Fatalf("task %s stands before its parent %s", task.ID, p)
			}
			start = max(start, before)
		}
		end[task.ID] = start + time[task.ID]
		longest = max(longest, end[task.ID])
	}
	return longest, sum
}

// The body of the estimated function: the makespan is the estimate, and on one processor
// the run times add up to the sequential time.
func TestTaskGraphOfABodyIsTheEstimate(t *testing.T) {
	for _, solution := range []string{"solA", "solB"} {
		s := fun0(t, solution)
		e := s.Estimator
		s = subject(t, e.Bundle, "fun_0", e.Platform, nil)
		s.Mapping = fun0(t, solution).Mapping
		r := estimated(t, s)
		g, err := NewTaskGraph(s, Level{s.Estimator.Root, 0})
		if err != nil {
			t.Fatal(err)
		}
		if !close9(g.Makespan, r.ParallelSeconds) {
			t.Errorf("%s: makespan %v, want %v", solution, g.Makespan, r.ParallelSeconds)
		}
		sum := 0.0
		for _, task := range g.Tasks {
			sum += task.Seconds
		}
		if !close9(sum, r.SequentialSeconds) {
			t.Errorf("%s: tasks of %v s, want %v", solution, sum, r.SequentialSeconds)
		}
		s.Mapping = mapping.OnOne(e.Platform, 0, e.Bundle.Program)
		if g, err = NewTaskGraph(s, Level{s.Estimator.Root, 0}); err != nil || !close9(g.Makespan, r.SequentialSeconds) {
			t.Errorf("%s: on one processor %v, %v", solution, g.Makespan, err)
		}
	}
}

// networkx reads the workflow's graph and finds its longest chain.
func TestWfFormatInNetworkX(t *testing.T) {
	const python = "/usr/bin/python3" // the one for which Debian has networkx
	if out, err := exec.Command(python, "-c", "import networkx").CombinedOutput(); err != nil {
		t.Skipf("no %s with networkx (python3-networkx): %v\n%s", python, err, out)
	}
	s := fun0(t, "solB")
	data, err := WfFormat(s, graphOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	script := `
import json, sys, networkx
w = json.load(sys.stdin)["workflow"]
time = {t["id"]: t["runtimeInSeconds"] + t["overheadInSeconds"] for t in w["execution"]["tasks"]}
g = networkx.DiGraph()
for t in w["specification"]["tasks"]:
    g.add_node(t["id"])
    for p in t["parents"]:
        g.add_edge(p, t["id"])
end = {}
for n in networkx.topological_sort(g):
    end[n] = time[n] + max((end[p] for p in g.predecessors(n)), default=0)
print(max(end.values()), networkx.is_weakly_connected(g))
`
	cmd := exec.Command(python, "-c", script)
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	longest, _ := longestChain(t, validateWorkflow(t, data))
	words := strings.Fields(string(out))
	if x, err := strconv.ParseFloat(words[0], 64); err != nil || !close9(x, longest) || words[1] != "True" {
		t.Errorf("networkx finds %s, want %v and one component", out, longest)
	}
}

// readSDF is what SDF3 takes from a file.
type readSDF struct {
	Graph struct {
		SDF struct {
			Actors []struct {
				Name  string `xml:"name,attr"`
				Ports []struct {
					Name string `xml:"name,attr"`
					Type string `xml:"type,attr"`
					Rate string `xml:"rate,attr"`
				} `xml:"port"`
			} `xml:"actor"`
			Channels []struct {
				Name    string `xml:"name,attr"`
				Source  string `xml:"srcActor,attr"`
				Out     string `xml:"srcPort,attr"`
				Target  string `xml:"dstActor,attr"`
				In      string `xml:"dstPort,attr"`
				Initial int    `xml:"initialTokens,attr"`
			} `xml:"channel"`
		} `xml:"sdf"`
		Properties []struct {
			Actor      string `xml:"actor,attr"`
			Processors []struct {
				Type    string `xml:"type,attr"`
				Default string `xml:"default,attr"`
				Time    struct {
					Time uint32 `xml:"time,attr"`
				} `xml:"executionTime"`
			} `xml:"processor"`
		} `xml:"sdfProperties>actorProperties"`
	} `xml:"applicationGraph"`
}

func TestSDF3(t *testing.T) {
	s := fun0(t, "solB")
	data, err := SDF3(s, graphOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "sdf3.golden", data)
	everySubject(t, func(t *testing.T, s *Subject) {
		g := graphOf(t, s)
		data, err := SDF3(s, g)
		if err != nil {
			t.Fatal(err)
		}
		var file readSDF
		if err := xml.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		checkPorts(t, &file)
		unit := 1e-9
		if !bytes.Contains(data, []byte("in nanoseconds")) {
			t.Fatal("these programs are short enough for nanoseconds")
		}
		for i, p := range file.Graph.Properties {
			defaults := 0
			for k, q := range p.Processors {
				if math.Abs(float64(q.Time.Time)*unit-g.Tasks[i].ByType[k]) > unit/2*(1+1e-6) {
					t.Errorf("actor %s takes %d ns on %s, want %v s", p.Actor, q.Time.Time, q.Type, g.Tasks[i].ByType[k])
				}
				if q.Default != "" {
					defaults++
				}
			}
			if defaults != 1 {
				t.Errorf("actor %s has %d default processors, want 1", p.Actor, defaults)
			}
		}
	})
}

// checkPorts checks that each port has one channel and that actors can fire in turn, each
// once, after which the tokens are where they were: rates are all 1, so the graph is
// consistent, and it is live if every cycle has a token.
func checkPorts(t *testing.T, file *readSDF) {
	t.Helper()
	n := &file.Graph.SDF
	free := map[[2]string]string{}
	for _, a := range n.Actors {
		for _, p := range a.Ports {
			if _, twice := free[[2]string{a.Name, p.Name}]; twice || p.Rate != "1" {
				t.Errorf("actor %s: port %s is there twice, or its rate is not 1", a.Name, p.Name)
			}
			free[[2]string{a.Name, p.Name}] = p.Type
		}
	}
	tokens := map[int]int{}
	for i, c := range n.Channels {
		out, in := [2]string{c.Source, c.Out}, [2]string{c.Target, c.In}
		if free[out] != "out" || free[in] != "in" {
			t.Errorf("channel %s leads from %v to %v, which are no free ports", c.Name, out, in)
		}
		delete(free, out)
		delete(free, in)
		tokens[i] = c.Initial
	}
	if len(free) > 0 {
		t.Errorf("ports without channel: %v", free)
	}
	fired := map[string]bool{}
	for range n.Actors {
		for _, a := range n.Actors {
			ready := !fired[a.Name]
			for i, c := range n.Channels {
				ready = ready && (c.Target != a.Name || tokens[i] > 0)
			}
			if !ready {
				continue
			}
			fired[a.Name] = true
			for i, c := range n.Channels {
				if c.Target == a.Name {
					tokens[i]--
				}
				if c.Source == a.Name {
					tokens[i]++
				}
			}
		}
	}
	if len(fired) != len(n.Actors) {
		t.Errorf("only %d of %d actors can fire", len(fired), len(n.Actors))
	}
	for i, c := range n.Channels {
		if tokens[i] != c.Initial {
			t.Errorf("channel %s has %d tokens after one iteration, want %d", c.Name, tokens[i], c.Initial)
		}
	}
}

// xmllint holds the file against the schema.
func TestSDF3AgainstSchema(t *testing.T) {
	lint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("no xmllint (Debian: libxml2-utils)")
	}
	s := fun0(t, "solB")
	data, err := SDF3(s, graphOf(t, s))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "fun0.xml")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(lint, "--noout", "--nonet", "--schema", "testdata/sdf3.xsd", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	broken := bytes.Replace(data, []byte(`dstActor="Task1"`), []byte(`dstActor="Task9"`), 1)
	if err := os.WriteFile(file, broken, 0o644); err != nil {
		t.Fatal(err)
	}
	if exec.Command(lint, "--noout", "--nonet", "--schema", "testdata/sdf3.xsd", file).Run() == nil {
		t.Error("the schema lets a channel to no actor pass")
	}
}

// Times that do not fit 32 bits in nanoseconds are in a coarser unit.
func TestSDF3Units(t *testing.T) {
	s := fun0(t, "solB")
	for seconds, unit := range map[float64]string{4: "nanoseconds", 5: "microseconds", 5000: "milliseconds", 5e6: "seconds"} {
		g := graphOf(t, s)
		g.Tasks[1].ByType[0] = seconds
		data, err := SDF3(s, g)
		if err != nil || !bytes.Contains(data, []byte("execution times in "+unit)) {
			t.Errorf("%v s: want %s, %v", seconds, unit, err)
		}
		var file readSDF
		if err := xml.Unmarshal(data, &file); err != nil {
			t.Errorf("%v s: %v", seconds, err)
		}
	}
	g := graphOf(t, s)
	g.Tasks[1].ByType[0] = 5e9
	if _, err := SDF3(s, g); err == nil {
		t.Error("a task of 5e9 s is written")
	}
}

// TestBytesOnEdges exports the task graph of a program of which memory was recorded: what sections
// read of what others wrote is counted by hand.
func TestBytesOnEdges(t *testing.T) {
	s := fun0(t, "solB")
	b := s.Estimator.Bundle
	for r := range b.Program.Regions {
		for c := range b.Program.Regions[r].Constructs {
			for k := range b.Program.Regions[r].Constructs[c].Sections {
				if b.Memory == nil {
					b.Memory = &memory.Data{Lanes: []memory.Lane{{Region: -1, Construct: -1, Section: -1}}}
				}
				d := b.Memory
				lane := len(d.Lanes)
				d.Lanes = append(d.Lanes, memory.Lane{Kind: memory.InSection, Region: r, Construct: c, Section: k})
				d.Spans = append(d.Spans, memory.Span{Lane: lane, Times: 4, Lines: 4, Most: 1})
				d.Flows = append(d.Flows,
					memory.Flow{From: memory.Who{}, To: memory.Who{Lane: lane}, Bytes: 4000, Distinct: 400 * uint64(lane)},
					memory.Flow{From: memory.Who{Lane: lane}, To: memory.Who{Lane: lane}, Bytes: 999, Distinct: 999},
					memory.Flow{From: memory.Who{Lane: lane}, To: memory.Who{}, Bytes: 80, Distinct: 40 * uint64(lane)})
			}
		}
	}
	g := graphOf(t, s)
	if len(g.Bytes) == 0 {
		t.Fatal("no edge carries bytes")
	}
	for edge, n := range g.Bytes {
		if into := g.Tasks[edge.To].Name; n == 0 || int(n)%10 != 0 {
			t.Errorf("%s -> %s carries %g bytes", g.Tasks[edge.From].Name, into, n)
		}
	}
	xml, err := SDF3(s, g)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(xml, []byte("<tokenSize sz=")); n != len(g.Bytes) {
		t.Errorf("%d channels with a size of %d", n, len(g.Bytes))
	}
	if !bytes.Contains(xml, []byte(`<tokenSize sz="800">`)) { // 400 bytes in four executions
		t.Errorf("no channel carries 100 bytes: %s", xml)
	}
	wf, err := WfFormat(s, g)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(wf, []byte(`"sizeInBytes"`)); n != len(g.Bytes) {
		t.Errorf("%d files of %d edges", n, len(g.Bytes))
	}
	validateWorkflow(t, wf)
}
