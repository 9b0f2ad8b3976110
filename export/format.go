package export

// This file lists the formats.

import (
	"fmt"
	"strings"

	"pathspan/yamlstrict"
)

// Format is a file format.
type Format struct {
	Name   string
	What   string   // for people
	Ends   []string // ends of file names that stand for this format alone
	Binary bool     // not for a terminal
}

// Formats lists all formats, by name.
var Formats = []Format{
	{Name: "chrome", What: "trace of the schedules, for Perfetto and chrome://tracing", Ends: []string{".trace", ".trace.json"}},
	{Name: "cilkscale", What: "work, span and parallelism as Cilkscale prints them", Ends: []string{".cilkscale.csv"}},
	{Name: "csv", What: "estimates, a row each"},
	{Name: "pprof", What: "cycles by source line and processor, for go tool pprof", Ends: []string{".pprof", ".pb.gz"}, Binary: true},
	{Name: "sdf3", What: "task graph as a synchronous dataflow graph, SDF3 XML", Ends: []string{".xml"}},
	{Name: "vcd", What: "waveforms of a pipeline's stages and buffers, for GTKWave", Ends: []string{".vcd"}},
	{Name: "wfformat", What: "task graph as a workflow, WfFormat 1.5 JSON", Ends: []string{".wf.json"}},
}

// Names lists the names of the formats, for messages.
func Names() string {
	var names []string
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Find returns the format of a name or, without one, that which the end of a file's name
// stands for.
func Find(name, file string) (Format, error) {
	if name == "" {
		for _, f := range Formats {
			for _, end := range f.Ends {
				if strings.HasSuffix(file, end) {
					return f, nil
				}
			}
		}
		if file == "" {
			return Format{}, fmt.Errorf("--format: none given; want %s", Names())
		}
		return Format{}, fmt.Errorf("-o %s: the name does not say which format; give --format %s", file, Names())
	}
	var names []string
	for _, f := range Formats {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	hint := ""
	if n := yamlstrict.Nearest(name, names); n != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", n)
	}
	return Format{}, fmt.Errorf("--format %q: want %s%s", name, Names(), hint)
}
