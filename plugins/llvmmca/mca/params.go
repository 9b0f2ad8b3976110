package mca

// This file reads the parameters of a reference to the model, and knows what to compile
// for: the table of processors.

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"pathspan/procmodels/sdk"
	"pathspan/yamlstrict"
)

// options are the parameters, checked.
type options struct {
	cpu         cpu
	llvm        int // major version, 0 for the module's own
	iterations  int
	callCost    float64 // cycles in a function without a body
	loadLatency float64 // cycles a load beyond the schedule's
	missRate    float64 // misses a load
	missCycles  float64 // cycles a miss
}

// usualMiss is what a miss takes where the user gives no miss_cycles.
const usualMiss = 100

// readOptions asks for the parameters. The processor host is left to the caller, who
// knows the tools; its triple is then "".
func readOptions(p *sdk.Parameters) (options, error) {
	name := p.Text("cpu", "cortex-a53", "processor as llc names it, or host for this machine's")
	triple := p.Text("triple", "", "target triple to compile for; by default the one usual for the processor")
	features := p.Text("features", "", "features for llc and llvm-mca, such as +neon,-crypto; by default the processor's own")
	llvm := p.Number("llvm", 0, "LLVM major version to use; 0 for the one that wrote the module")
	iterations := p.Number("iterations", 100, "runs of a block back to back that typical cycles are averaged over")
	o := options{
		callCost:    p.Number("call_cost", 50, "cycles in a called function that has no body in the module"),
		loadLatency: p.Number("load_latency", 0, "cycles added to each load, beside the schedule's first-level hit"),
		missRate:    p.Number("miss_rate", 0, "share of the loads that miss the caches, 0 to 1"),
		missCycles:  p.Number("miss_cycles", usualMiss, "cycles of a load that misses"),
	}
	if err := p.Err(); err != nil {
		return options{}, err
	}
	const most = 1e9
	for _, n := range []struct {
		name         string
		value        float64
		least, most  float64
		wholeNumbers bool
	}{
		{"llvm", llvm, 0, 1000, true},
		{"iterations", iterations, 1, 10000, true},
		{"call_cost", o.callCost, 0, most, false},
		{"load_latency", o.loadLatency, 0, most, false},
		{"miss_rate", o.missRate, 0, 1, false},
		{"miss_cycles", o.missCycles, 0, most, false},
	} {
		if n.value < n.least || n.value > n.most {
			return options{}, fmt.Errorf("%s=%g: want a number from %g to %g", n.name, n.value, n.least, n.most)
		}
		if n.wholeNumbers && n.value != math.Trunc(n.value) {
			return options{}, fmt.Errorf("%s=%g: want a whole number", n.name, n.value)
		}
	}
	if o.missRate == 0 && o.missCycles != usualMiss {
		return options{}, fmt.Errorf("miss_cycles=%g: no load misses, so that it is not used; give miss_rate as well", o.missCycles)
	}
	o.llvm, o.iterations = int(llvm), int(iterations)
	c, known := knownCPUs[name]
	switch {
	case name == "":
		return options{}, fmt.Errorf("cpu=: empty; name a processor, such as cpu=cortex-a53")
	case !known && triple == "" && name != "host":
		return options{}, unknownCPU(name)
	case !known:
		c = cpu{name: name}
	}
	if triple != "" {
		c.triple = triple
	}
	if features != "" {
		c.features = features
	}
	o.cpu = c
	return o, nil
}

// memory is what a load costs beyond the schedule, in cycles.
func (o options) memory() float64 { return o.loadLatency + o.missRate*o.missCycles }

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
