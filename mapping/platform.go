// Package mapping holds what people decide about a parallel program: the platform
// (which processors there are), the mapping (which section runs where) and the
// schedule (in which order sections that share a processor run). It reads the two
// YAML files in which they are written, checks them against the profiled program
// and resolves names to indices:
//
//	pl, err := mapping.LoadPlatform("platform.yaml")
//	file, err := mapping.LoadMapping("mapping.yaml")
//	r, err := mapping.Resolve(pl, file, program)
//	processor := r.Regions[region].Proc[construct][section]
//
// Without files, Homogeneous gives a platform of equal processors and Default the
// mapping that OpenMP's static schedule gives.
//
// The package does not open processor models, and it neither judges nor searches
// mappings: packages procmodels, estimate and explore do.
package mapping

// This file declares the platform: processors and overheads.

import (
	"fmt"
	"slices"

	"pathspan/mapping/hierarchy"
	"pathspan/yamlstrict"
)

// Platform is a checked description of an MPSoC.
type Platform struct {
	Name string
	// Processors has at least one entry; their names differ.
	Processors []Processor
	// Create and Sync are the cycles, of the processor that runs the task, for
	// creating the tasks of a parallel region there and for synchronising and
	// destroying them (Lattuada, Pilato, Ferrandi, section 2 and Appendix A).
	Create, Sync float64
	// CreateDefaulted and SyncDefaulted say which of the two nobody gave: a model that
	// knows better goes before a default (estimate.Pricer).
	CreateDefaulted, SyncDefaulted bool
	// Other are the overheads beside them.
	Other Overheads
	// Hierarchy is caches and main memory, nil where accesses take what models say.
	Hierarchy *hierarchy.Memory
}

// Processor is one processor of a platform.
type Processor struct {
	Name  string
	Model string // reference for procmodels.Open
	// Given is where a file has that reference; nowhere where none has it.
	Given yamlstrict.Pos `json:"-"`
	Dir   string         // folder that a file name in Model is relative to
	// ClockMHz is the clock in MHz, 0 when the platform leaves it to the model.
	ClockMHz float64
	Power    float64 // W while busy, 0 when unknown
	Idle     float64 // W while waiting, 0 when unknown
	Memory   float64 // bytes for the sections that it runs, 0 when not limited
	// Capacity is what there is for hardware that is made of loops; nil for what the model says.
	Capacity []Capacity
	// FIFO is what buffers of pipelines take of its capacity; nil for nothing.
	FIFO   *FIFO
	Design Design // of its loops, by the mapping
}

// Capacity is how much there is of a resource of hardware.
type Capacity struct {
	Resource string // as the model names it: DSP, BRAM, LUT
	Amount   float64
	Pos      yamlstrict.Pos `json:"-"`
}

// FIFO is a resource that buffers of pipelines are made of, and how many bits one of it holds.
type FIFO struct {
	Resource string
	Bits     float64
	Pos      yamlstrict.Pos `json:"-"`
}

// Defaults of what a platform does not say.
const (
	// DefaultCreate and DefaultSync are the overheads of the worked example of
	// Lattuada, Pilato and Ferrandi (section 2): a bare-metal MPSoC that starts a
	// task by a message and joins by a flag. They are an assumption; measure yours.
	DefaultCreate = 50.0
	DefaultSync   = 10.0
	// DefaultClockMHz is the clock when neither platform nor model gives one. It
	// scales seconds, never the speed-up of processors that all rest on it.
	DefaultClockMHz = 100.0
	// DefaultModel prices processors that name no model.
	DefaultModel = "generic"
)

// Limits of what a platform may say. They are far beyond any processor, so that no figure
// leaves the range of numbers.
const (
	MinClockMHz = 1e-6 // a cycle a second
	MaxClockMHz = 1e9
	MaxOverhead = 1e15 // cycles
	MaxPower    = 1e9  // W
)

// Clock returns the clock in MHz: the platform's, else the model's typical one
// (0 when unknown), else DefaultClockMHz.
func (p *Processor) Clock(modelMHz float64) float64 {
	switch {
	case p.ClockMHz > 0:
		return p.ClockMHz
	case modelMHz > 0:
		return modelMHz
	}
	return DefaultClockMHz
}

// Homogeneous returns a platform of n equal processors, cpu0 to cpu<n-1>, with
// default overheads. A model of "" stands for DefaultModel, n below 1 for 1.
func Homogeneous(n int, model string) *Platform {
	if model == "" {
		model = DefaultModel
	}
	pl := &Platform{
		Name:            fmt.Sprintf("%d x %s", max(n, 1), model),
		Create:          DefaultCreate,
		Sync:            DefaultSync,
		CreateDefaulted: true,
		SyncDefaulted:   true,
	}
	for i := range max(n, 1) {
		pl.Processors = append(pl.Processors, Processor{Name: fmt.Sprintf("cpu%d", i), Model: model})
	}
	return pl
}

// Index returns the index of the processor of that name, or -1.
func (pl *Platform) Index(name string) int {
	return slices.IndexFunc(pl.Processors, func(p Processor) bool { return p.Name == name })
}
