package shim

// This file makes a processor model of a component.

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"pathspan/procmodels"
)

// Kind is the Kind of the models' descriptions.
const Kind = "shim"

// model prices by one component's instructions.
type model struct {
	desc     procmodels.Description
	figures  map[string][]figure // by opcode, in document order
	memory   map[string][]figure // of an access of "load" and "store", where one was asked for
	other    float64             // of opcodes without a figure: the median of those with one
	warnings []string
}

// newModel is the model of a component of the file at path. A block costs the sum of its
// instructions.
func newModel(path string, sys *System, m *Master, opt options) (*model, error) {
	name := clip(cmp.Or(m.Name, m.ID))
	t := &model{figures: map[string][]figure{}}
	t.desc = procmodels.Description{
		Name:    fmt.Sprintf("%s#%s", filepath.Base(path), name),
		Kind:    Kind,
		Version: "SHIM (IEEE 2804)",
		Source:  fmt.Sprintf("%s of %s %q in %s", opt.noun(), clip(cmp.Or(m.Arch, "component")), name, path),
		Notes: "A block costs the sum of its instructions. Communication latencies are not in it. " +
			"Library functions cost their call alone.",
		ClockMHz: float64(sys.ClockOf(m)) / 1e6,
		Unit:     procmodels.AdditiveUnit,
		Additive: true,
	}
	reached := sys.memoriesOf(m)
	memory, err := pickMemory(reached, opt.memory)
	if err != nil {
		return nil, fmt.Errorf("%s: component %q: %w", path, name, err)
	}
	value := "none"
	if memory == nil {
		t.desc.Notes += " Memory latencies are not in it: accesses cost what the file gives for load and store."
	} else {
		value = memory.name()
		t.desc.Source += fmt.Sprintf(", and of its accesses to memory %s", value)
		t.desc.Notes += fmt.Sprintf(" Each access pays the latency of %s, beside what the file gives for load and store; no cache is before it.", value)
	}
	t.desc.Parameters = []procmodels.Parameter{
		{Name: "figure", Value: opt.figure, Text: "latency: cycles until the result can be used; pitch: cycles until the next instruction can issue"},
		{Name: "case", Value: opt.which, Text: "which of the file's values count: all (typical, in the range best to worst), or typical, best or worst alone"},
		{Name: "memory", Value: value, Text: "the memory whose access latency loads and stores pay: " + memoryNames(reached)},
	}
	t.read(path, name, m, opt)
	t.readMemory(path, name, m, memory, opt)
	return t, nil
}

// Describe implements procmodels.Model.
func (t *model) Describe() procmodels.Description { return t.desc }

// Costs implements procmodels.Model.
func (t *model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	p := s.Program
	pr, tally := newPricer(t, p), procmodels.NewTally(t.desc.Name, p)
	tally.Costs.Warnings = slices.Clone(t.warnings)
	for fi, f := range p.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.desc.Name, err)
		}
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				tally.Add(&tally.Costs.Blocks[fi][bi], pr.instr(&b.Instrs[i]))
			}
		}
	}
	return tally.Finish(), nil
}
