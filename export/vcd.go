package export

// This file writes a run of a pipeline as waveforms: who executes, and how many items lie between.

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate/account"
	"pathspan/streams/waves"
	"pathspan/yamlstrict"
)

// VCD returns waveforms of a run of a pipeline of the program's plan, "" for its only one: of those that differ the one that takes the
// most time in all. Of each stage they say how many executions are under way, of each buffer how many items lie in it: those that
// the stage before is done with, and the one behind not.
func VCD(s *Subject, name string) ([]byte, error) {
	all, err := account.PipelineRuns(s.Estimator, s.Mapping)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
	}
	at := slices.Index(names, name)
	switch {
	case len(all) == 0:
		return nil, fmt.Errorf("--format vcd shows pipelines, and no pipeline of a plan ran; pathspan flow --vcd shows statements, pathspan fifo --vcd modules")
	case name == "" && len(all) > 1:
		return nil, fmt.Errorf("--pipeline: --format vcd shows one of %s; name it", yamlstrict.List(names))
	case name == "":
		at = 0
	case at < 0:
		return nil, fmt.Errorf("--pipeline %s: there is none of that name; want %s", name, yamlstrict.List(names))
	}
	run := &all[at]
	var out bytes.Buffer
	w := waves.New(&out, fmt.Sprintf("%s; stages: executions under way, buffers: items; %s", run.Name, s.title()))
	w.Scope(run.Name)
	stages, buffers := make([]int, len(run.Stages)), make([]int, len(run.Depths))
	w.Scope("stages")
	for k, name := range run.Stages {
		stages[k] = w.Number(name, 32)
	}
	w.Up()
	w.Scope("buffers")
	for k := range run.Depths {
		buffers[k] = w.Number("behind_"+run.Stages[k], 32)
	}
	w.Up()
	w.Up()
	type change struct {
		at     int64 // ns
		signal int
		by     int64
	}
	var changes []change
	ns := func(seconds float64) int64 { return int64(math.Round(seconds * 1e9)) }
	for _, x := range run.Items {
		from, to := ns(x.Start), ns(x.End)
		changes = append(changes, change{from, stages[x.Stage], 1}, change{to, stages[x.Stage], -1})
		if x.Stage > 0 {
			changes = append(changes, change{to, buffers[x.Stage-1], -1})
		}
		if x.Stage < len(buffers) {
			changes = append(changes, change{to, buffers[x.Stage], 1})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.signal, b.signal))
	})
	values := make([]int64, len(stages)+len(buffers))
	for i, c := range changes {
		values[c.signal] += c.by
		if i+1 == len(changes) || changes[i+1].at != c.at || changes[i+1].signal != c.signal {
			w.Set(c.at, c.signal, values[c.signal])
		}
	}
	err = w.End(ns(run.Seconds))
	return out.Bytes(), err
}
