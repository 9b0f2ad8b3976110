package mca

// This file knows what to compile for: the table of processors.

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

//go:embed cpus.yaml
var cpusYAML []byte

// cpu is a processor as llc and llvm-mca are told.
type cpu struct {
	name     string
	triple   string
	features string  // for -mattr, "" for the processor's own
	clockMHz float64 // 0 when unknown
}

// knownPredecessors are processors by the one that came after them.
var knownCPUs, knownPredecessors = readCPUs()

func readCPUs() (known map[string]cpu, predecessors map[string]string) {
	r := yamlstrict.Parse("cpus.yaml", cpusYAML)
	known, predecessors = map[string]cpu{}, map[string]string{}
	root := r.Root().Fields("cpus", "predecessors")
	for _, e := range root.Need("predecessors").Entries() {
		predecessors[e.Key] = e.Value.Text()
	}
	for _, e := range root.Need("cpus").Entries() {
		f := e.Value.Fields("triple", "features", "clock_mhz")
		known[e.Key] = cpu{
			name: e.Key, triple: f.Need("triple").Text(),
			features: f.Get("features").Text(), clockMHz: f.Need("clock_mhz").Positive(),
		}
	}
	if err := r.Err(); err != nil {
		panic("mca: readCPUs: " + err.Error())
	}
	return known, predecessors
}

// unknownCPU is the error for a name that is not in the table and came without a triple.
func unknownCPU(name string) error {
	names := []string{"host"}
	for n := range knownCPUs {
		names = append(names, n)
	}
	slices.Sort(names)
	hint := ""
	if near := yamlstrict.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(" (nearest: %s)", near)
	}
	return fmt.Errorf("cpu=%s: not in the table%s; known are %s; for another give its triple too: cpu=%s&triple=aarch64-linux-gnu",
		name, hint, strings.Join(names, ", "), name)
}
