package shim

// This file makes a processor model of a component.

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// Kind is the Kind of the models' descriptions.
const Kind = "shim"

// OpenComponent returns the model of a master component of a SHIM file, by name or
// id. The component may be "" where the file has only one with instructions; else the
// error lists them. A block costs the sum of its instructions' latencies, typical
// and in the range from best to worst; see OpenWith for other figures.
func OpenComponent(path, component string) (procmodels.Model, error) {
	return OpenWith(path, component, Options{})
}

// OpenWith is OpenComponent with a choice of figures.
func OpenWith(path, component string, opt Options) (procmodels.Model, error) {
	root, err := readTree(path)
	if err != nil {
		return nil, err
	}
	sys, _, err := load(root, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	m, err := sys.component(path, component)
	if err != nil {
		return nil, err
	}
	t, err := newModel(path, sys, m, opt)
	if err != nil {
		return nil, err
	}
	return t, nil
}

// component picks a master that has instructions.
func (s *System) component(path, want string) (*Master, error) {
	var found, usable []*Master
	var names []string
	bare := 0
	for _, m := range s.Masters() {
		n := 0
		for _, u := range m.Units {
			n += len(u.Instructions)
		}
		if n == 0 {
			bare++
			if want == m.Name || want == m.ID {
				return nil, fmt.Errorf("%s: component %q has no instructions with figures; name one that has", path, clip(want))
			}
			continue
		}
		usable, names = append(usable, m), append(names, clip(cmp.Or(m.Name, m.ID)))
		if want == m.ID {
			return m, nil
		}
		if want == m.Name {
			found = append(found, m)
		}
	}
	switch {
	case len(usable) == 0:
		return nil, fmt.Errorf("%s: no component has instructions with figures (%d without); add a CommonInstructionSet to one", path, bare)
	case want == "" && len(usable) == 1:
		return usable[0], nil
	case want == "":
		return nil, fmt.Errorf("%s: it has several components; name one behind #: %s", path, yamlstrict.List(names))
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("%s: %d components are named %q; give the id of one, such as %s", path, len(found), clip(want), clip(found[0].ID))
	}
	if strings.Contains(want, "?") {
		return nil, fmt.Errorf("%s: no component is named %q; options go before the #: FILE?figure=pitch#COMPONENT", path, clip(want))
	}
	if near := yamlstrict.Nearest(want, names); near != "" {
		return nil, fmt.Errorf("%s: no component is named %q; did you mean %q?", path, clip(want), near)
	}
	return nil, fmt.Errorf("%s: no component is named %q; it has %s", path, clip(want), yamlstrict.List(names))
}

// model prices by one component's instructions.
type model struct {
	desc     procmodels.Description
	figures  map[string][]figure // by opcode, in document order
	memory   map[string][]figure // of an access of "load" and "store", where one was asked for
	other    float64             // of opcodes without a figure: the median of those with one
	warnings []string
}

func newModel(path string, sys *System, m *Master, opt Options) (*model, error) {
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
	memory, err := pickMemory(reached, opt.Memory)
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
		{Name: "figure", Value: opt.Figure.String(), Text: "latency: cycles until the result can be used; pitch: cycles until the next instruction can issue"},
		{Name: "case", Value: opt.Case.String(), Text: "which of the file's values count: all (typical, in the range best to worst), or typical, best or worst alone"},
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
	pr := newPricer(t, p)
	for fi, f := range p.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.desc.Name, err)
		}
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				pr.charge(&pr.costs.Blocks[fi][bi], pr.instr(&b.Instrs[i]))
			}
		}
	}
	for _, blocks := range pr.costs.Blocks {
		for i := range blocks {
			blocks[i].Spread()
		}
	}
	return pr.costs, nil
}
